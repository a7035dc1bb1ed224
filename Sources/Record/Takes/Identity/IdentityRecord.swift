import Base
import Machine
import Media

/// The device's identity as it is kept, and how it came to be.
package struct IdentityRecord: BitwiseCopyable, Equatable, Sendable {
  /// The device's UUID.
  package var identity: DeviceIdentity
  /// When it was made; nil if the clock could not be right then.
  package var madeUnixSeconds: Int64?
  /// The one that a person gave up for it; nil for a device's first.
  package var replaced: DeviceIdentity?

  package init(identity: DeviceIdentity, madeUnixSeconds: Int64? = nil, replaced: DeviceIdentity? = nil) {
    self.identity = identity
    self.madeUnixSeconds = madeUnixSeconds
    self.replaced = replaced
  }

  /// Of two that differ, the one that was made to replace the other counts, otherwise the older.
  func counts(over other: IdentityRecord) -> Bool {
    if replaced == other.identity { return true }
    if other.replaced == identity { return false }
    return (madeUnixSeconds ?? 0) <= (other.madeUnixSeconds ?? 0)
  }
}

extension IdentityRecord {
  private static var madePrefix: StaticString { "made " }
  private static var replacedPrefix: StaticString { "replaces " }

  /// The UUID, and a line each for what else is known.
  var text: FixedText<160> {
    var text: FixedText<160> = "\(identity.text)\n"
    if let madeUnixSeconds { text.append("\(Self.madePrefix)\(madeUnixSeconds)\n" as FixedText<32>) }
    if let replaced { text.append("\(Self.replacedPrefix)\(replaced.text)\n" as FixedText<64>) }
    return text
  }

  /// - Parameter text: may have more lines, which are skipped.
  /// - Returns: nil if the first line is no UUID.
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
