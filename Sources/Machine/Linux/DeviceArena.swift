import CDeviceArena

/// The fixed memory for device libraries when a device is opened or closed after boot.
enum DeviceArena {
  /// Once boot is over, `malloc` on this thread is served from the arena during `body`.
  static func serve<Result: ~Copyable, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    device_arena_enter()
    defer { device_arena_leave() }
    return try body()
  }
}
