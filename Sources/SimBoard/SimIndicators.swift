import Board

/// LEDs that can be looked at.
public struct SimIndicators: Indicators, ~Copyable {
  public private(set) var isRecordLit = false
  public private(set) var isFaultLit = false

  public init() {}

  public mutating func show(record: Bool, fault: Bool) throws(DeviceFailure) {
    isRecordLit = record
    isFaultLit = fault
  }
}
