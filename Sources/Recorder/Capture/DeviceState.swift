/// Whether a device delivers.
public enum DeviceState: UInt8, Sendable {
  case closed
  case running
  /// It is to be closed as soon as nobody looks at its memory any more.
  case closing
  /// It ran, and failed since.
  case lost
}
