import Base

/// A band of frequencies: `2000-5000`.
package struct SoundBand: BitwiseCopyable, Equatable, Sendable {
  package let lowHz: UInt32
  package let highHz: UInt32

  /// - Returns: nil if it is not two whole numbers of Hz from 10 to 96,000 with a hyphen between, the lower one first.
  fileprivate init?(_ text: Span<UInt8>) {
    for index in text.indices where text[index] == UInt8(ascii: "-") {
      guard let low = text.extracting(0..<index).parseInteger(as: UInt32.self),
        let high = text.extracting(index + 1..<text.count).parseInteger(as: UInt32.self),
        low >= 10, low < high, high <= 96_000
      else { return nil }
      (lowHz, highHz) = (low, high)
      return
    }
    return nil
  }

  /// `2000-5000 Hz`
  package var name: FixedText<16> { "\(lowHz)-\(highHz) Hz" }
}

/// Up to four bands, as they are configured: `2000-5000, 18000-40000`.
package struct SoundBands: BitwiseCopyable, Sendable {
  package static var capacity: Int { 4 }

  private var bands = InlineArray<4, SoundBand?>(repeating: nil)
  package private(set) var count = 0

  /// No bands.
  package init() {}

  /// - Returns: nil if one of them is not valid, or there are too many.
  @export(interface)
  package init?(_ text: Span<UInt8>) {
    var start = 0
    for index in 0...text.count {
      if index == start, index < text.count, text[index] == UInt8(ascii: " ") { start += 1 }
      guard index == text.count || text[index] == UInt8(ascii: ",") else { continue }
      guard count < Self.capacity, start <= index, let band = SoundBand(text.extracting(start..<index)) else {
        return nil
      }
      bands[count] = band
      count += 1
      start = index + 1
    }
  }

  /// Nil from ``count`` on.
  package subscript(index: Int) -> SoundBand? { bands[index] }

  /// The highest frequency; 0 without bands.
  package var highestHz: UInt32 {
    var highest: UInt32 = 0
    for index in 0..<count { highest = max(highest, bands[index]?.highHz ?? 0) }
    return highest
  }
}

extension SoundBands: Equatable {
  package static func == (first: SoundBands, second: SoundBands) -> Bool {
    for index in 0..<capacity where first.bands[index] != second.bands[index] { return false }
    return true
  }
}
