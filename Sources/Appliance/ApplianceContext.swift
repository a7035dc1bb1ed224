import Configuration
import Media

/// What the whole appliance knows of itself from boot on.
public struct ApplianceContext: Sendable {
  /// The configuration, from boot to end.
  public var settings: Settings
  /// The device's UUID.
  public var identity: DeviceIdentity
  /// Name and version, such as `fieldcorder 0.1.0`.
  public var software: StaticString
  /// Allocations of the whole process since boot was complete.
  public var heapAllocationCount: @convention(c) () -> UInt64

  /// The four as they are.
  public init(
    settings: Settings, identity: DeviceIdentity, software: StaticString,
    heapAllocationCount: @escaping @convention(c) () -> UInt64
  ) {
    self.settings = settings
    self.identity = identity
    self.software = software
    self.heapAllocationCount = heapAllocationCount
  }
}
