import Text

/// The characters of the view: five pixels wide and seven high.
enum Glyph {
  static var width: Int { 5 }
  static var height: Int { 7 }
  /// From one character to the next.
  static var advance: Int { 6 }

  /// Whether a character has ink at a pixel; one that the view does not know is a box.
  static func hasInk(_ character: UInt8, column: Int, row: Int) -> Bool {
    drawing(of: character).utf8Bytes[row * (width + 1) + column] == UInt8(ascii: "#")
  }
}
