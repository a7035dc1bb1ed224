package struct GPIOIndicators: IndicatorsDriver, ~Copyable {
  private let settings: LinuxSettings
  private var lines: GPIOLines?
  /// The last values of the lines; nil when unknown.
  private var shown: UInt32?
  /// What was to be shown last, also by an LED that is not wired.
  private var wanted = IndicatorLevels(record: false, fault: false)

  init(settings: LinuxSettings) {
    self.settings = settings
  }

  /// Requests the lines of the wired LEDs; they start dark.
  package mutating func open() throws(DeviceFailure) {
    lines = nil
    shown = nil
    var offsets = LineOffsets()
    if let offset = settings.recordIndicatorLineOffset { offsets.append(offset) }
    if let offset = settings.faultIndicatorLineOffset { offsets.append(offset) }
    guard offsets.count > 0 else { return }
    lines = try GPIOLines(
      of: .indicators, chipPath: settings.indicatorChipPath, offsets: offsets, areOutputs: true,
      areActiveLow: settings.indicatorsAreActiveLow)
  }

  /// Of the LED that shows a fault.
  private var faultBit: UInt32 { settings.recordIndicatorLineOffset == nil ? 1 : 2 }

  /// A chip tells the level of an output as it does that of an input.
  package mutating func readLevels() throws(DeviceFailure) -> IndicatorLevels? {
    guard shown != nil, let active = try lines?.read() else { return nil }
    return IndicatorLevels(
      record: settings.recordIndicatorLineOffset == nil ? wanted.record : active & 1 != 0,
      fault: settings.faultIndicatorLineOffset == nil ? wanted.fault : active & faultBit != 0)
  }

  /// Makes a system call only when something changes; takes nothing from the heap.
  package mutating func show(record: Bool, fault: Bool) throws(DeviceFailure) {
    wanted = IndicatorLevels(record: record, fault: fault)
    var active: UInt32 = 0
    if record, settings.recordIndicatorLineOffset != nil { active |= 1 }
    if fault, settings.faultIndicatorLineOffset != nil { active |= faultBit }
    guard active != shown else { return }
    try lines?.write(active)
    shown = active
  }
}
