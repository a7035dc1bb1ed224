/// The bytes to and from a person: a terminal, a pipe or a UART.
package protocol ConsoleLineDriver: ~Copyable {
  /// Whether a person types here: the console then prompts, echoes and edits.
  var isTerminal: Bool { get }

  /// The terminal's current size; ``TerminalSize/usual`` where it is unknown.
  var terminalSize: TerminalSize { get }

  /// Moves received bytes into `buffer`. Never waits.
  /// - Returns: how many bytes; nil at the end of input. A UART that was unplugged has no end: it returns 0 until it is
  ///   back.
  mutating func read(into buffer: inout MutableRawSpan) -> Int?

  /// Sends as many of `bytes` as the other side accepts now. Never waits; bytes for a lost line are discarded.
  /// - Returns: how many were sent or discarded.
  mutating func write(_ bytes: RawSpan) -> Int

  /// How many bytes a serial line has accepted and not sent yet; nil where bytes do not wait for a slow line.
  var unsentByteCount: Int? { get }

  /// Whether there is another side: a UART may be unplugged.
  var isThere: Bool { get }
}

extension ConsoleLineDriver where Self: ~Copyable {
  /// For pipes and UARTs.
  package var terminalSize: TerminalSize { .usual }

  /// For pipes and windows.
  package var unsentByteCount: Int? { nil }

  /// For pipes and windows, whose end is the end of input.
  package var isThere: Bool { true }
}

/// How large a terminal is.
package struct TerminalSize: Equatable, Sendable {
  /// Characters in a row.
  package var columns: UInt16
  /// Rows of characters.
  package var rows: UInt16
  /// The width of all columns; 0 where the terminal does not report it.
  package var widthPixels: UInt16
  /// The height of all rows, as ``widthPixels``.
  package var heightPixels: UInt16

  /// 80 x 24, which every terminal has: for one that does not report its size, such as a serial one.
  package static var usual: TerminalSize { TerminalSize(columns: 80, rows: 24) }

  package init(columns: UInt16, rows: UInt16, widthPixels: UInt16 = 0, heightPixels: UInt16 = 0) {
    self.columns = columns
    self.rows = rows
    self.widthPixels = widthPixels
    self.heightPixels = heightPixels
  }
}
