/// A picture drawn for a terminal with half blocks and 24-bit colours, as the terminal shows it.
package struct TerminalDrawing: Equatable {
  private typealias Color = [UInt8]

  /// Half blocks per row.
  package let widthPixels: Int
  /// Rows of pixels, two per line of text.
  package let heightPixels: Int
  /// Red, green and blue of each pixel, row by row.
  package let rgb: [UInt8]

  /// A picture with these pixels.
  package init(widthPixels: Int, heightPixels: Int, rgb: [UInt8]) {
    precondition(rgb.count == 3 * widthPixels * heightPixels, "a picture of another size")
    self.widthPixels = widthPixels
    self.heightPixels = heightPixels
    self.rgb = rgb
  }

  /// - Parameter lines: only those of the drawing.
  /// - Throws: if there are other lines among them, or a line is shorter than the others.
  package init(lines: [String]) throws {
    var rows: [[Color]] = []
    for line in lines { rows += try Self.rows(of: line[...]) }
    guard let width = rows.first?.count, rows.allSatisfy({ $0.count == width }) else { throw NothingThere() }
    self.init(widthPixels: width, heightPixels: rows.count, rgb: rows.flatMap { $0.flatMap(\.self) })
  }

  /// Whether a line belongs to a drawing.
  package static func isLine(_ line: String) -> Bool { line.contains("▀") }

  private static func rows(of line: Substring) throws -> [[Color]] {
    var upper: [Color] = []
    var lower: [Color] = []
    var colors: [Int: Color] = [:]
    var rest = line
    while let character = rest.first {
      if character == "▀" {
        upper.append(try unwrapped(colors[38]))
        lower.append(try unwrapped(colors[48]))
        rest.removeFirst()
        continue
      }
      let sequence = try unwrapped(rest.firstMatch(of: /^\u{1B}\[([0-9;]*)[mK]/))
      let numbers = sequence.1.split(separator: ";").compactMap { UInt8($0) }
      if numbers.count == 5 { colors[Int(numbers[0])] = Array(numbers[2...]) }
      rest = rest[sequence.range.upperBound...]
    }
    return [upper, lower]
  }
}
