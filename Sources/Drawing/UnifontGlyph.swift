import CGlyphs

/// A character as GNU Unifont draws it: 16 pixels high and 8 or 16 wide. One that the table lacks is a box.
@safe struct UnifontGlyph {
  /// Rows of a character.
  static var height: Int { 16 }
  /// Pixels of a column.
  static var columnWidth: Int { 8 }
  /// Empty rows above a digit or a capital without an accent.
  static var rowsAboveDigit: Int { 4 }
  /// Rows of a digit.
  static var digitHeight: Int { 10 }

  /// Columns of 8 pixels by which the next character is farther right: 1 or 2; 0 for a mark on the character before.
  let columnCount: Int
  /// Pixels of a row: 8 or 16.
  let width: Int
  // Sound: a constant of the program.
  private let rows: UnsafePointer<UInt8>?

  init(_ character: Unicode.Scalar) {
    let found = unsafe glyphs_find(character.value)
    unsafe rows = found.rows
    width = unsafe found.rows == nil ? Self.columnWidth : Int(found.row_byte_count) * Self.columnWidth
    columnCount = character.isCombining ? 0 : width / Self.columnWidth
  }

  /// The ink of a row, 0 the uppermost, with the leftmost pixel in the highest bit.
  func row(_ row: Int) -> UInt16 {
    guard let rows = unsafe rows else { return Self.boxRow(row) }
    if width == Self.columnWidth { return unsafe UInt16(rows[row]) << 8 }
    return unsafe UInt16(rows[2 * row]) << 8 | UInt16(rows[2 * row + 1])
  }

  private static func boxRow(_ row: Int) -> UInt16 {
    switch row - rowsAboveDigit {
    case 0, digitHeight - 1: 0x7E00
    case 1..<digitHeight - 1: 0x4200
    default: 0
    }
  }
}

extension Unicode.Scalar {
  /// Whether it is drawn over the character before.
  fileprivate var isCombining: Bool { value >= 0x300 && value < 0x370 }
}
