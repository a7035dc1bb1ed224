import CLinux
import Values

extension DeviceIdentity {
  /// A new identity from the kernel's random numbers; waits for them when the machine has only just started.
  public static func random() -> DeviceIdentity {
    DeviceIdentity(randomHigh: randomBits(), randomLow: randomBits())
  }

  private static func randomBits() -> UInt64 {
    var bits: UInt64 = 0
    // Up to 256 bytes come whole or not at all, and EINTR is the only failure (getrandom(2)).
    while unsafe getrandom(&bits, MemoryLayout<UInt64>.size, 0) != MemoryLayout<UInt64>.size {}
    return bits
  }
}
