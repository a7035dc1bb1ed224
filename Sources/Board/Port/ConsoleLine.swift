/// The bytes to and from a person: a terminal, a pipe or a UART.
public protocol ConsoleLine: ~Copyable {
  /// Whether a person types here: then the console prompts, echoes and edits.
  var isTerminal: Bool { get }

  /// How large the terminal is now; ``TerminalSize/usual`` where nobody knows.
  var terminalSize: TerminalSize { get }

  /// Moves what has come in into `room`; 0 when nothing has. Never waits.
  /// - Returns: nil at the end of input, when nothing can come any more. A UART whose line went away has no end: it
  ///   gives 0 until the line is back.
  mutating func read(into room: inout MutableRawSpan) -> Int?

  /// Takes as many of `bytes` as the other side accepts now. Never waits; bytes for a line that is gone are taken and lost.
  /// - Returns: how many were taken.
  mutating func write(_ bytes: RawSpan) -> Int
}

extension ConsoleLine where Self: ~Copyable {
  /// What a pipe and a UART are taken for.
  public var terminalSize: TerminalSize { .usual }
}
