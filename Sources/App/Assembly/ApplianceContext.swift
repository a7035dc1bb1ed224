import Base
import Configuration
import Machine

/// What is known from boot on.
package struct ApplianceContext: Sendable {
  /// The settings as read at boot.
  package var settings: Settings
  /// The same without what was saved on the console.
  package var fileSettings: Settings
  /// What a person should know of what was saved; nil if nothing.
  package var savedEvent: FixedText<512>?
  /// What people see the clock by.
  package var localTime: LocalTime
  /// The device's identity, for files and status.
  package var identity: DeviceIdentity
  /// Name and version, such as `fieldcorder 0.1.0`.
  package var software: StaticString
  /// The language of the console and of the display.
  package var language: Language
  /// What the console's terminal can draw.
  package var looks: TerminalLooks
  /// How many threads can run at the same time, 1 or more.
  package var processorCount: Int
  /// Allocations of the whole process since boot was complete.
  package var heapAllocationCount: @convention(c) () -> UInt64
  /// By which workers time their work; nil where time stands still meanwhile.
  package var workClock: WorkTimes.Clock?

  package init(
    settings: Settings, localTime: LocalTime, identity: DeviceIdentity, software: StaticString,
    language: Language = .english, looks: TerminalLooks = TerminalLooks(), processorCount: Int,
    heapAllocationCount: @escaping @convention(c) () -> UInt64, workClock: WorkTimes.Clock? = nil
  ) {
    self.settings = settings
    fileSettings = settings
    self.localTime = localTime
    self.identity = identity
    self.software = software
    self.language = language
    self.looks = looks
    self.processorCount = processorCount
    self.heapAllocationCount = heapAllocationCount
    self.workClock = workClock
  }
}
