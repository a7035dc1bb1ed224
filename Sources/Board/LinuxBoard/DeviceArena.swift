import CDeviceArena

/// The fixed memory from which the libraries behind devices are served when a device is opened or closed after boot.
enum DeviceArena {
  /// What `body` asks of `malloc`, on this thread, comes from the arena once boot is over.
  static func serve<Result: ~Copyable, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    device_arena_enter()
    defer { device_arena_leave() }
    return try body()
  }
}
