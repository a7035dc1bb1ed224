import Port

package struct GPIOIndicators: Indicators, ~Copyable {
  private let settings: LinuxBoardSettings
  private var lines: GPIOLines?
  /// The last values of the lines; nil when unknown.
  private var shown: UInt32?

  init(settings: LinuxBoardSettings) {
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

  /// Makes a system call only when something changes; takes nothing from the heap.
  package mutating func show(record: Bool, fault: Bool) throws(DeviceFailure) {
    let faultBit: UInt32 = settings.recordIndicatorLineOffset == nil ? 1 : 2
    var active: UInt32 = 0
    if record, settings.recordIndicatorLineOffset != nil { active |= 1 }
    if fault, settings.faultIndicatorLineOffset != nil { active |= faultBit }
    guard active != shown else { return }
    try lines?.write(active)
    shown = active
  }
}
