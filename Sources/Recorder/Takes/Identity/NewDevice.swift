import Formats
import Port
import Sealing
import Text
import Values

/// What a device gets at its first boot, from random numbers, and keeps in its data folder.
public struct NewDevice: Sendable {
  /// For every take.
  public var identity: DeviceIdentity
  /// For a device whose identity a person resets.
  public var nextIdentity: DeviceIdentity
  /// Of the key with which it seals takes.
  public var signingSeed: KeyBytes

  /// - Parameters:
  ///   - identity: random.
  ///   - nextIdentity: random.
  ///   - signingSeed: random.
  public init(identity: DeviceIdentity, nextIdentity: DeviceIdentity, signingSeed: KeyBytes) {
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
public enum SigningKeyFile {
  static var path: FixedText<128> { "key" }

  /// Reads the key. If there is none that can be read, one of the seed `fresh` is stored and used from then on.
  public static func load(
    from storage: inout some Storage & ~Copyable, orMake fresh: KeyBytes
  ) throws(DeviceFailure) -> SigningKey {
    let bytes: InlineArray<64, UInt8> = try storage.start(of: path)
    if let seed = KeyBytes(text: bytes.span) { return SigningKey(seed: seed) }
    let line: FixedText<72> = "\(fresh.text)\n"
    try unsafe storage.replace(path, with: line.bytes.bytes)
    return SigningKey(seed: fresh)
  }
}

extension Storage where Self: ~Copyable {
  /// The first bytes of a file; zeros where it has none, or is not there.
  fileprivate mutating func start<let byteCount: Int>(
    of path: FixedText<128>
  ) throws(DeviceFailure) -> InlineArray<byteCount, UInt8> {
    var bytes = InlineArray<byteCount, UInt8>(repeating: 0)
    do throws(DeviceFailure) {
      var file = try open(path)
      var span = bytes.mutableSpan
      var buffer = unsafe span.mutableBytes
      _ = try file.read(at: 0, into: &buffer)
    } catch {
      guard error.kind == .absent else { throw error }
    }
    return bytes
  }
}
