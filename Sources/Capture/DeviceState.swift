/// Whether a device delivers.
public enum DeviceState: UInt8, Sendable {
  case closed
  case running
  /// It ran, and failed since.
  case lost
}
