import Base
import CLinux
import Media

extension DeviceIdentity {
  /// A new identity from the kernel's random numbers; waits for them when the machine has only just started.
  package static func random() -> DeviceIdentity {
    DeviceIdentity(randomHigh: randomBits(), randomLow: randomBits())
  }
}

extension KeyBytes {
  /// The seed of a new key, from the same source.
  package static func random() -> KeyBytes {
    let words = InlineArray<4, UInt64> { _ in randomBits() }
    return KeyBytes(InlineArray { index in UInt8(truncatingIfNeeded: words[index / 8] >> UInt64(index % 8 * 8)) })
  }
}

private func randomBits() -> UInt64 {
  var bits: UInt64 = 0
  // Up to 256 bytes come whole or not at all, and EINTR is the only failure (getrandom(2)).
  while unsafe getrandom(&bits, MemoryLayout<UInt64>.size, 0) != MemoryLayout<UInt64>.size {}
  return bits
}
