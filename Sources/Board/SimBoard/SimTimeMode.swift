/// How time passes on the simulated board.
public enum SimTimeMode: UInt8, Sendable {
  /// As it does: the system's clocks.
  case real
  /// As fast as the program asks for it: sleeping moves time on and takes none. The same seed gives the same bytes.
  case virtual
}
