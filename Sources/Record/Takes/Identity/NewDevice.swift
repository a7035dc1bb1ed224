import Base
import Machine
import Media

/// What a device gets at its first boot, from random numbers, and keeps in its data folder.
package struct NewDevice: Sendable {
  /// For every take.
  package var identity: DeviceIdentity
  /// For a device whose identity a person resets.
  package var nextIdentity: DeviceIdentity
  /// Of the key with which it seals takes.
  package var signingSeed: KeyBytes

  /// - Parameters:
  ///   - identity: random.
  ///   - nextIdentity: random.
  ///   - signingSeed: random.
  package init(identity: DeviceIdentity, nextIdentity: DeviceIdentity, signingSeed: KeyBytes) {
    self.identity = identity
    self.nextIdentity = nextIdentity
    self.signingSeed = signingSeed
  }
}

extension NewDevice {
  /// The same for each seed, for simulations: no secret.
  package init(seed: UInt64) {
    self.init(
      identity: DeviceIdentity(randomHigh: seed, randomLow: ~seed),
      nextIdentity: DeviceIdentity(randomHigh: ~seed, randomLow: seed),
      signingSeed: KeyBytes(InlineArray { index in UInt8(truncatingIfNeeded: seed >> UInt64(index % 8 * 8)) }))
  }
}

/// The data folder's `key` file, which holds only the seed of the key with which the device seals its takes: 64
/// hexadecimal digits. Whoever has it can seal in the device's name.
package enum SigningKeyFile {
  static var path: FixedText<128> { "key" }

  /// Reads the key. If there is none that can be read, one of the seed `fresh` is stored and used from then on.
  package static func load(
    from storage: inout Storage, orMake fresh: KeyBytes
  ) throws(DeviceFailure) -> SigningKey {
    var bytes = InlineArray<64, UInt8>(repeating: 0)
    _ = try storage.readStart(of: path, into: &bytes)
    if let seed = KeyBytes(text: bytes.span) { return SigningKey(seed: seed) }
    let line: FixedText<72> = "\(fresh.text)\n"
    try unsafe storage.replace(path, with: line.bytes.bytes)
    return SigningKey(seed: fresh)
  }
}
