import Base
import Kit

/// A calculation with its checksum, as it stands in the file: `9c1f02ab 1 + 1 = 2`. A line that a power cut has torn is
/// known by it.
struct CheckedLine {
  /// With the end of the line.
  let text: FixedText<460>

  init(_ calculation: CalculationLine) {
    text = "\(hexadecimal: Self.checksum(calculation.bytes), width: 8) \(calculation)\n"
  }

  /// - Parameter line: without its end.
  /// - Returns: nil for anything but a whole line.
  static func calculation(_ line: Span<UInt8>) -> CalculationLine? {
    guard line.count > 9, line[8] == UInt8(ascii: " ") else { return nil }
    let calculation = CalculationLine(line.extracting(droppingFirst: 9))
    let checked = CheckedLine(calculation).text
    return checked.bytes.extracting(droppingLast: 1).equals(line) ? calculation : nil
  }

  /// CRC-32 (ISO 3309).
  private static func checksum(_ bytes: Span<UInt8>) -> UInt32 {
    var rest = UInt32.max
    for index in bytes.indices {
      rest ^= UInt32(bytes[index])
      for _ in 0..<8 { rest = rest & 1 == 1 ? rest >> 1 ^ 0xEDB8_8320 : rest >> 1 }
    }
    return ~rest
  }
}
