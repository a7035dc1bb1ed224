/// What the other side of the console wants next.
public enum ConsoleRequest: Equatable, Sendable {
  /// To be answered with ``ConsoleSession/complete()`` or ``ConsoleSession/refuse(_:)``, after any lines of reply.
  case command(Command)
  /// Nothing more will come: to be treated like `quit`.
  case endOfInput
}
