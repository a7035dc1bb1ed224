import Base

/// Where motion counts: up to four rectangles of the picture, in percent of its width and height: `50x40+0+60`.
package struct MotionZones: BitwiseCopyable, Sendable {
  /// The most rectangles.
  package static var capacity: Int { 4 }
  static var columns: Int { 16 }
  static var rows: Int { 12 }

  /// The cells that count, a bit for each column.
  private var cells: InlineArray<12, UInt16>

  /// The whole picture.
  package init() { cells = InlineArray(repeating: .max) }

  /// - Returns: nil if one of them is not `WIDTHxHEIGHT+LEFT+TOP` within the picture, or there are too many.
  @export(interface)
  package init?(_ text: Span<UInt8>) {
    cells = InlineArray(repeating: 0)
    var numbers = InlineArray<4, Int>(repeating: 0)
    var (part, digitCount, count) = (0, 0, 0)
    for index in 0...text.count {
      let byte = index < text.count ? text[index] : UInt8(ascii: ",")
      if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
        guard digitCount < 3 else { return nil }
        digitCount += 1
        numbers[part] = numbers[part] * 10 + Int(byte - UInt8(ascii: "0"))
        continue
      }
      if byte == UInt8(ascii: " "), part == 0, digitCount == 0 { continue }
      let separator = UInt8(ascii: part == 0 ? "x" : part < 3 ? "+" : ",")
      guard digitCount > 0, byte == separator else { return nil }
      digitCount = 0
      part = (part + 1) % 4
      guard part == 0 else { continue }
      count += 1
      guard count <= Self.capacity, add(numbers) else { return nil }
      numbers = InlineArray(repeating: 0)
    }
  }

  /// Adds the cells that a rectangle touches.
  private mutating func add(_ numbers: InlineArray<4, Int>) -> Bool {
    let (right, bottom) = (numbers[2] + numbers[0], numbers[3] + numbers[1])
    guard numbers[0] > 0, numbers[1] > 0, right <= 100, bottom <= 100 else { return false }
    for row in numbers[3] * Self.rows / 100..<(bottom * Self.rows + 99) / 100 {
      for column in numbers[2] * Self.columns / 100..<(right * Self.columns + 99) / 100 { cells[row] |= 1 << column }
    }
    return true
  }

  /// Whether motion in this cell counts; cells are numbered by rows.
  func contains(_ cell: Int) -> Bool { cells[cell / Self.columns] & 1 << UInt16(cell % Self.columns) != 0 }
}
