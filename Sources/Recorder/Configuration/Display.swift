/// Which display the live view shows its pictures on.
public enum Display: Equatable, Sendable {
  /// The machine's first one, where it has any; none on the simulated board.
  case automatic
  /// There is no live view.
  case none
  /// A node such as `/dev/dri/card0`.
  case node(DeviceName)
}
