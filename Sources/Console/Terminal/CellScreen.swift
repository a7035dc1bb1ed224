import Base
import Machine

/// The upper part of a terminal as a grid of characters: the wanted content, and what the terminal shows. Only cells
/// that differ are sent, up to a byte limit; the rest follows later.
///
/// A VT100 understands the output: it moves the cursor to a place (CUP) or to the right (CUF), and ignores SGR for
/// colours.
struct CellScreen: ~Copyable {
  static var rowCount: Int { 18 }
  static var columnCount: Int { 80 }
  /// The position in the row, the style, one character, and the end of the style.
  private static var longestChangeByteCount: Int { 8 + 7 + 4 + 3 }
  private static var blank: UInt32 { 0x20 }
  /// The right half of a wide character.
  private static var rightHalf: UInt32 { 0 }

  /// A scalar in the lower 24 bits, and its ``CellStyle`` above them.
  private var wanted: FixedBuffer
  private var shown: FixedBuffer
  /// The row in which the next search for changes starts, so that each row gets its turn.
  private var nextRow = 0

  /// - Returns: nil if `memory` has too little left.
  init?(in memory: inout BootMemory) {
    let byteCount = Self.rowCount * Self.columnCount * MemoryLayout<UInt32>.stride
    guard let wanted = FixedBuffer(byteCount: byteCount, in: &memory),
      let shown = FixedBuffer(byteCount: byteCount, in: &memory)
    else { return nil }
    self.wanted = wanted
    self.shown = shown
    clear()
  }

  /// Notes that the terminal was cleared, and wants nothing on it.
  mutating func clear() {
    for index in 0..<Self.rowCount * Self.columnCount {
      Self.set(index, of: &wanted, to: Self.blank)
      Self.set(index, of: &shown, to: Self.blank)
    }
    nextRow = 0
  }

  /// Sets a part of a row to valid UTF-8 text, padded with blanks; what does not fit is left out.
  mutating func put(_ text: Span<UInt8>, row: Int, columns: Range<Int>, _ style: CellStyle) {
    var column = columns.lowerBound
    var utf8 = UTF8Decoder()
    for index in text.indices {
      guard let scalar = utf8.next(text[index]) else { continue }
      let width = scalar.columnCount
      guard width > 0 else { continue }
      guard column + width <= columns.upperBound else { break }
      let value = scalar.isObeyed ? UInt32(UInt8(ascii: "?")) : scalar.value
      want(value | UInt32(style.rawValue) << 24, row, column)
      if width == 2 { want(Self.rightHalf, row, column + 1) }
      column += width
    }
    while column < columns.upperBound {
      want(Self.blank, row, column)
      column += 1
    }
  }

  private mutating func want(_ cell: UInt32, _ row: Int, _ column: Int) {
    Self.set(row * Self.columnCount + column, of: &wanted, to: cell)
  }

  /// The wanted text of a row, without trailing blanks.
  func text(ofRow row: Int) -> FrameText {
    var text = FrameText()
    var end = 0
    for column in 0..<Self.columnCount {
      let cell = Self.cell(row * Self.columnCount + column, of: wanted)
      guard cell != Self.rightHalf, let scalar = Unicode.Scalar(cell & 0xFF_FFFF) else { continue }
      text.append(scalar: scalar)
      if scalar != " " { end = text.byteCount }
    }
    text.truncate(to: end)
    return text
  }

  /// Appends changes towards the wanted content, as long as `frame` stays within `byteCount`.
  mutating func appendChanges(to frame: inout FrameText, atMost byteCount: Int, _ looks: TerminalLooks) {
    var style: UInt8 = 0
    for step in 0..<Self.rowCount {
      let row = (nextRow + step) % Self.rowCount
      guard appendChanges(ofRow: row, to: &frame, atMost: byteCount, looks, &style) else {
        nextRow = row
        break
      }
    }
    if style != 0 { frame.append("\u{1B}[m") }
  }

  /// - Returns: whether there was space.
  private mutating func appendChanges(
    ofRow row: Int, to frame: inout FrameText, atMost byteCount: Int, _ looks: TerminalLooks, _ style: inout UInt8
  ) -> Bool {
    // The column of the terminal's cursor in this row; nil while it is elsewhere.
    var cursor: Int?
    for column in 0..<Self.columnCount {
      let index = row * Self.columnCount + column
      let cell = Self.cell(index, of: wanted)
      guard cell != Self.cell(index, of: shown) else { continue }
      guard frame.byteCount + Self.longestChangeByteCount <= byteCount else { return false }
      Self.set(index, of: &shown, to: cell)
      guard cell != Self.rightHalf else { continue }
      move(from: cursor, to: column, row, &frame)
      let number = UInt8(cell >> 24)
      let wantedStyle = looks.hasColour || number == CellStyle.strong.rawValue ? number : 0
      if wantedStyle != style {
        if wantedStyle == 0 {
          frame.append("\u{1B}[m")
        } else {
          frame.append("\u{1B}[0;\(wantedStyle)m" as FixedText<8>)
        }
        style = wantedStyle
      }
      if let scalar = Unicode.Scalar(cell & 0xFF_FFFF) {
        frame.append(scalar: looks.hasBlocks ? scalar : scalar.inUnits)
      }
      let isWide = column + 1 < Self.columnCount && Self.cell(index + 1, of: wanted) == Self.rightHalf
      cursor = column + (isWide ? 2 : 1)
    }
    return true
  }

  private func move(from cursor: Int?, to column: Int, _ row: Int, _ frame: inout FrameText) {
    guard let cursor else { return frame.append("\u{1B}[\(row + 1);\(column + 1)H" as FixedText<12>) }
    switch column - cursor {
    case 0: break
    case 1: frame.append("\u{1B}[C")
    case let distance: frame.append("\u{1B}[\(distance)C" as FixedText<8>)
    }
  }

  private static func cell(_ index: Int, of buffer: borrowing FixedBuffer) -> UInt32 {
    // Safe: any four bytes are a valid number, and the span checks its bounds.
    unsafe buffer.bytes.unsafeLoad(fromByteOffset: index * 4, as: UInt32.self)
  }

  private static func set(_ index: Int, of buffer: inout FixedBuffer, to cell: UInt32) {
    var bytes = buffer.mutableBytes
    bytes.storeBytes(of: cell, toByteOffset: index * 4, as: UInt32.self)
  }
}

extension Unicode.Scalar {
  /// The signs of µs and °C in ASCII, for a terminal that may lack UTF-8. Names and other languages have no fallback.
  fileprivate var inUnits: Unicode.Scalar {
    switch self {
    case "µ": "u"
    case "°": " "
    default: self
    }
  }
}

/// The style of a character, as its SGR number (ECMA-48, 8.3.117).
package enum CellStyle: UInt8, Sendable {
  case plain = 0
  case strong = 1
  case bad = 31
  case good = 32
  case warning = 33
}

/// The output of one update.
typealias FrameText = FixedText<320>
