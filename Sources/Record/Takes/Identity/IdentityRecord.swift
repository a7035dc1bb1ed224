import Base
import Machine
import Media

/// The device's identity as stored, and its origin.
package struct IdentityRecord: BitwiseCopyable, Equatable, Sendable {
  /// The device's UUID.
  package var identity: DeviceIdentity
  /// When it was created; nil if the clock could not be right then.
  package var madeUnixSeconds: Int64?
  /// The identity that the user gave up for it; nil for a device's first.
  package var replaced: DeviceIdentity?

  package init(identity: DeviceIdentity, madeUnixSeconds: Int64? = nil, replaced: DeviceIdentity? = nil) {
    self.identity = identity
    self.madeUnixSeconds = madeUnixSeconds
    self.replaced = replaced
  }

  /// If two differ, the one created to replace the other prevails; otherwise the older one.
  func counts(over other: IdentityRecord) -> Bool {
    if replaced == other.identity { return true }
    if other.replaced == identity { return false }
    return (madeUnixSeconds ?? 0) <= (other.madeUnixSeconds ?? 0)
  }
}

extension IdentityRecord {
  private static var madePrefix: StaticString { "made " }
  private static var replacedPrefix: StaticString { "replaces " }

  /// The UUID, and a line for each of the other known values.
  var text: FixedText<160> {
    var text: FixedText<160> = "\(identity.text)\n"
    if let madeUnixSeconds { text.append("\(Self.madePrefix)\(madeUnixSeconds)\n" as FixedText<32>) }
    if let replaced { text.append("\(Self.replacedPrefix)\(replaced.text)\n" as FixedText<64>) }
    return text
  }

  /// - Parameter text: may contain more lines, which are skipped.
  /// - Returns: nil if the first line is not a UUID.
  init?(text: Span<UInt8>) {
    var rest = text
    guard let identity = DeviceIdentity(text: Self.takeLine(&rest)) else { return nil }
    self.init(identity: identity)
    while !rest.isEmpty {
      let line = Self.takeLine(&rest)
      if let made = line.removingPrefix(Self.madePrefix)?.parseInteger(as: Int64.self),
        ClockSource.plausibleUnixSeconds.contains(made)
      {
        madeUnixSeconds = made
      }
      if let replaced = line.removingPrefix(Self.replacedPrefix) { self.replaced = DeviceIdentity(text: replaced) }
    }
  }

  @_lifetime(copy rest)
  private static func takeLine(_ rest: inout Span<UInt8>) -> Span<UInt8> {
    var end = 0
    while end < rest.count, rest[end] != UInt8(ascii: "\n") { end += 1 }
    let line = rest.extracting(first: end)
    rest = rest.extracting(droppingFirst: min(end + 1, rest.count))
    return line
  }
}

/// What a device generates from random numbers at its first boot, and keeps in its data folder.
package struct NewDevice: Sendable {
  /// The identity written into every take.
  package var identity: DeviceIdentity
  /// The next identity, in case the user resets the first.
  package var nextIdentity: DeviceIdentity
  /// The seed of the key with which it seals takes.
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
  /// The same values for the same seed, for simulations: not secret.
  package init(seed: UInt64) {
    self.init(
      identity: DeviceIdentity(randomHigh: seed, randomLow: ~seed),
      nextIdentity: DeviceIdentity(randomHigh: ~seed, randomLow: seed),
      signingSeed: KeyBytes(InlineArray { index in UInt8(truncatingIfNeeded: seed >> UInt64(index % 8 * 8)) }))
  }
}

extension DeviceFailure {
  fileprivate static func lost(_ path: FixedText<128>, _ problem: StaticString) -> DeviceFailure {
    DeviceFailure(
      device: .storage, kind: .unsupported, subject: FixedText(path.bytes), problem: problem,
      remedy: "the device seals with a new key, and counts earlier takes as another device's")
  }
}

/// The data folder's `key` file, which contains only the seed of the key with which the device seals its takes: 64
/// hexadecimal digits. Whoever has it can seal in the device's name.
package enum SigningKeyFile {
  static var path: FixedText<128> { "key" }

  /// Reads the key. If no key can be read, the copy's key, or one from the seed `fresh`, is stored and used from then
  /// on.
  /// - Parameters:
  ///   - copy: the folder with the second copy of the identity, which gets the key if it has none; nil if there is
  ///     none.
  ///   - journal: gets a notice if the key is new although there were takes or a file.
  @export(interface)
  package static func load(
    from storage: inout Storage, copy: inout Storage?, orMake fresh: KeyBytes, _ journal: inout TakeJournal
  ) throws(DeviceFailure) -> SigningKey {
    var (own, setAside) = try storage.readKey()
    let kept = try? copy?.readKey().key
    if let own {
      if kept == nil { try? copy?.keep(key: own) }
      return SigningKey(seed: own)
    }
    if storage.hasFile(path) { setAside = try? storage.setAside(path) }
    if let kept {
      try storage.keep(key: kept)
      return SigningKey(seed: kept)
    }
    if let setAside {
      journal.note(.lost(setAside, "is what the file key was, which could not be read"))
    } else if journal.hasTakes {
      journal.note(.lost(path, "is missing though there are takes"))
    }
    try storage.keep(key: fresh)
    try? copy?.keep(key: fresh)
    return SigningKey(seed: fresh)
  }
}

extension Storage {
  /// - Returns: no key if there is none, or none that can be read; and the new name of what cannot be read at all.
  fileprivate mutating func readKey() throws(DeviceFailure) -> (key: KeyBytes?, setAside: FixedText<128>?) {
    // More than the line, so that it is known to be whole.
    var bytes = InlineArray<72, UInt8>(repeating: 0)
    var space = bytes.mutableSpan
    let (_, setAside) = try readOwnStart(of: SigningKeyFile.path, into: &space)
    return (KeyBytes(text: bytes.span.extracting(first: 64)), setAside)
  }

  /// A card that has no identity becomes this device's.
  mutating func keepIfMissing(_ identity: DeviceIdentity, _ key: SigningKey) throws(DeviceFailure) {
    guard case .missing = try findIdentity() else { return }
    try keep(key: key.seed)
    try keep(IdentityRecord(identity: identity))
  }

  fileprivate mutating func keep(key seed: KeyBytes) throws(DeviceFailure) {
    let line: FixedText<72> = "\(seed.text)\n"
    try unsafe replace(SigningKeyFile.path, with: line.bytes.bytes)
  }
}
