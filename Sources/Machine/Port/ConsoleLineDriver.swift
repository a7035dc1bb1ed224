/// The byte stream to and from a person: a terminal, a pipe or a UART.
package protocol ConsoleLineDriver: ~Copyable {
  /// Whether a person types here: the console then prompts, echoes and edits.
  var isTerminal: Bool { get }

  /// The terminal's current size; ``TerminalSize/usual`` if unknown.
  var terminalSize: TerminalSize { get }

  /// Moves received bytes into `buffer`. Never blocks.
  /// - Returns: how many bytes; nil at the end of input. An unplugged UART is not at the end: it returns 0 until it is
  ///   back.
  mutating func read(into buffer: inout MutableRawSpan) -> Int?

  /// Sends as many of `bytes` as the other side accepts now. Never blocks; bytes for a lost line are discarded.
  /// - Returns: how many were sent or discarded.
  mutating func write(_ bytes: RawSpan) -> Int

  /// Bytes that a serial line has accepted but not yet sent; nil if bytes never wait for a slow line.
  var unsentByteCount: Int? { get }

  /// Whether the other side exists: a UART may be unplugged.
  var isThere: Bool { get }

  /// Whether bytes are waiting, or the input has ended.
  var hasInput: Bool { get }

  /// Adds the descriptor that is readable while ``hasInput`` is true.
  func add(to sources: inout WakeSources)
}

extension ConsoleLineDriver where Self: ~Copyable {
  /// For pipes and UARTs.
  package var terminalSize: TerminalSize { .usual }

  /// For pipes and windows.
  package var unsentByteCount: Int? { nil }

  /// For pipes and windows, whose end is the end of input.
  package var isThere: Bool { true }

  /// For lines that must be read to find out.
  package var hasInput: Bool { true }

  /// For lines that cannot be waited on.
  package func add(to sources: inout WakeSources) {}
}

package struct TerminalSize: Equatable, Sendable {
  /// Characters in a row.
  package var columns: UInt16
  /// Character rows.
  package var rows: UInt16
  /// The width of all columns; 0 if the terminal does not report it.
  package var widthPixels: UInt16
  /// The height of all rows; 0 as for ``widthPixels``.
  package var heightPixels: UInt16

  /// 80 x 24, which every terminal can show: for one that does not report its size, such as a serial one.
  package static var usual: TerminalSize { TerminalSize(columns: 80, rows: 24) }

  package init(columns: UInt16, rows: UInt16, widthPixels: UInt16 = 0, heightPixels: UInt16 = 0) {
    self.columns = columns
    self.rows = rows
    self.widthPixels = widthPixels
    self.heightPixels = heightPixels
  }
}

/// What may be drawn on the console's terminal.
package struct TerminalLooks: Equatable, Sendable {
  /// Whether it has no control functions, so that nothing is drawn in place.
  package var isDumb: Bool
  /// Whether colours can be shown and are wanted.
  package var hasColour: Bool
  /// Whether it shows Unicode's block elements, such as a third of a cell.
  package var hasBlocks: Bool
  /// Whether it is known to be a VT100 or similar. A terminal without a name may show pictures in colour.
  package var isOneColoured: Bool
  /// Whether colours are unwanted, even in pictures.
  package var refusesColour: Bool

  /// A VT100, unless more is known.
  package init(
    isDumb: Bool = false, hasColour: Bool = false, hasBlocks: Bool = false, isOneColoured: Bool = false,
    refusesColour: Bool = false
  ) {
    self.isDumb = isDumb
    self.hasColour = hasColour
    self.hasBlocks = hasBlocks
    self.isOneColoured = isOneColoured
    self.refusesColour = refusesColour
  }

  /// Taken from the environment. A terminal without a name, as behind a serial line, is treated as a VT100.
  /// - Parameters:
  ///   - name: the terminal's, `TERM`; empty if it is not set.
  ///   - locale: empty if none is set.
  ///   - refusesColour: whether `NO_COLOR` is set and not empty (no-color.org).
  package init(name: Span<UInt8>, locale: Span<UInt8>, refusesColour: Bool) {
    isDumb = name.isWord("dumb")
    let isPlain =
      isDumb || name.isEmpty || name.count >= 2 && name[0] == UInt8(ascii: "v") && name[1] == UInt8(ascii: "t")
    hasColour = !isPlain && !refusesColour
    isOneColoured = isPlain && !name.isEmpty
    self.refusesColour = refusesColour
    hasBlocks = !isPlain && locale.namesUTF8
  }
}

extension Span where Element == UInt8 {
  fileprivate func isWord(_ word: StaticString) -> Bool {
    guard count == word.utf8CodeUnitCount else { return false }
    for index in indices where unsafe self[index] != word.utf8Start[index] { return false }
    return true
  }

  /// Whether a locale such as `ko_KR.UTF-8` or `C.utf8` names that encoding.
  fileprivate var namesUTF8: Bool {
    guard count >= 4 else { return false }
    let isDashed = self[count - 2] == UInt8(ascii: "-")
    let start = count - (isDashed ? 5 : 4)
    return start >= 0 && self[count - 1] == UInt8(ascii: "8") && self[start] | 0x20 == UInt8(ascii: "u")
      && self[start + 1] | 0x20 == UInt8(ascii: "t") && self[start + 2] | 0x20 == UInt8(ascii: "f")
  }
}
