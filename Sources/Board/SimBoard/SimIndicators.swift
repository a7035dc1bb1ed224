import Port

/// LEDs that can be looked at.
public struct SimIndicators: Indicators, ~Copyable {
  /// Whether the record light is on.
  public private(set) var isRecordLit = false
  /// Whether the fault light is on.
  public private(set) var isFaultLit = false

  /// Both lights are off.
  public init() {}

  /// Never fails.
  public mutating func open() throws(DeviceFailure) {}

  /// Never fails.
  public mutating func show(record: Bool, fault: Bool) throws(DeviceFailure) {
    isRecordLit = record
    isFaultLit = fault
  }
}
