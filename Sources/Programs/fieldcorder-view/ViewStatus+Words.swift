import Values
import Text
import Viewing

extension ViewStatus {
  /// Takes a word such as `zoom=2.5`.
  /// - Returns: false when the key or the value is none.
  mutating func set(_ word: Span<UInt8>) -> Bool {
    if let value = word.removingPrefix("recording=") {
      isRecording = true
      return Self.take(value.parseInteger(), into: &takeMilliseconds)
    }
    if let value = word.removingPrefix("free=") { return Self.take(value.parseInteger(), into: &freeByteCount) }
    if let value = word.removingPrefix("faults=") {
      return Self.take(value.parseInteger(as: UInt32.self), into: &faults)
    }
    if let value = word.removingPrefix("zoom=") {
      return Self.take(value.parseDecimal().map { Float($0) }, into: &zoomFactor)
    }
    if let value = word.removingPrefix("orientation=") {
      guard let rotation = Rotation(name: value), case .fixed(let named) = rotation else { return false }
      orientation = named.rawValue
      return true
    }
    if let value = word.removingPrefix("peaks=") { return setPeaks(value) }
    if let value = word.removingPrefix("viewfinder=") { return setViewfinder(value) }
    return false
  }

  private static func take<Value>(_ value: Value?, into place: inout Value) -> Bool {
    guard let value else { return false }
    place = value
    return true
  }

  private mutating func setPeaks(_ list: Span<UInt8>) -> Bool {
    guard let peaks = Self.decimals(list), peaks.count == 2 else { return false }
    peakDecibels = [peaks.values[0], peaks.values[1]]
    return true
  }

  private mutating func setViewfinder(_ list: Span<UInt8>) -> Bool {
    guard let sides = Self.decimals(list), sides.count == 4 else { return false }
    viewfinder = ViewFraction(
      x: sides.values[0], y: sides.values[1], width: sides.values[2], height: sides.values[3])
    return true
  }

  /// Up to four numbers with commas between them.
  private static func decimals(_ list: Span<UInt8>) -> (values: InlineArray<4, Float>, count: Int)? {
    var values = InlineArray<4, Float>(repeating: 0)
    var count = 0
    var start = 0
    for index in 0...list.count where index == list.count || list[index] == UInt8(ascii: ",") {
      guard count < 4, let value = list.extracting(start..<index).parseDecimal() else { return nil }
      values[count] = Float(value)
      count += 1
      start = index + 1
    }
    return (values, count)
  }
}
