import Base
import Machine
import Media

/// The device's identity, which is kept in the file `identity` of the data folder, and in a second folder if one is
/// configured, so that it survives formatting the card.
package struct LoadedIdentity: Sendable {
  /// The identity in effect.
  package var record: IdentityRecord
  /// What the user should know about it; empty if nothing.
  package var news: FixedText<256> = ""
  /// Why the second folder could not be used; nil if it could, or if there is none.
  package var copyFailure: DeviceFailure?

  /// Reads both copies, and lets the prevailing one replace the other, or one that cannot be read.
  /// - Parameters:
  ///   - storage: the data folder.
  ///   - copy: the second folder; nil if there is none, and set to nil if it belongs to another device.
  ///   - use: the purpose of the second folder.
  ///   - fresh: for a device that has no identity yet.
  ///   - hasTakes: whether there are takes, and so must have been an identity.
  /// - Throws: if the data folder cannot be read or written.
  @export(interface)
  package init(
    from storage: inout Storage, copy: inout Storage?, as use: IdentityCopyUse = .mirror,
    orMake fresh: IdentityRecord, hasTakes: Bool = false
  ) throws(DeviceFailure) {
    let own = try storage.findIdentity()
    var there: IdentityFinding?
    do throws(DeviceFailure) { there = try copy?.findIdentity() } catch { copyFailure = error }
    if let news = use.leaves(there, to: own) {
      self.news = news
      record = own.record ?? fresh
      copy = nil
      if own.record == nil { try storage.keep(record) }
      return
    }
    let choice = IdentityChoice(own: own, copy: there, fresh: fresh)
    record = choice.record
    news = choice.news
    if own == .missing, there?.record == nil, news.isEmpty, hasTakes {
      news = "the identity was missing: the device has a new one, and counts as another device"
    }
    if choice.record != own.record { try storage.keep(choice.record) }
    guard let there, choice.record != there.record else { return }
    do throws(DeviceFailure) { try copy?.keep(choice.record) } catch { copyFailure = error }
  }
}

/// The purpose of a second copy of the identity.
package enum IdentityCopyUse: Sendable {
  /// It belongs to this device: either copy restores the other, and if they differ, one prevails.
  case mirror
  /// A data folder without an identity takes over the copy's. One with another identity keeps its own.
  case origin
  /// The same, while another running recorder uses that copy.
  case originInUse

  /// - Returns: nil if the copy is this device's; otherwise what the user should know about that, empty if nothing.
  fileprivate func leaves(_ copy: IdentityFinding?, to own: IdentityFinding) -> FixedText<256>? {
    let same = copy?.record?.identity
    switch (self, own) {
    case (.mirror, _), (.origin, .missing), (.origin, .unreadable): return nil
    case (.origin, .found(let own)): return same == nil || same == own.identity ? nil : ""
    case (.originInUse, .found(let own)):
      return same == own.identity
        ? "another recorder that is running is the same device: identity reset gives this one a new UUID" : ""
    case (.originInUse, .missing), (.originInUse, .unreadable):
      return "another recorder that is running has this machine's identity: this one is a new device"
    }
  }
}

/// What a folder contains as the device's identity.
enum IdentityFinding: Equatable {
  case missing
  case unreadable
  case found(IdentityRecord)

  var record: IdentityRecord? { if case .found(let record) = self { record } else { nil } }
}

/// The identity that prevails.
struct IdentityChoice: Equatable {
  let record: IdentityRecord
  let news: FixedText<256>

  /// - Parameter copy: nil if there is no second folder, or it cannot be used.
  init(own: IdentityFinding, copy: IdentityFinding?, fresh: IdentityRecord) {
    switch (own, copy) {
    case (.found(let own), .found(let copy)?) where own.identity == copy.identity: self.init(own, "")
    case (.found(let own), .found(let copy)?):
      let record = own.counts(over: copy) ? own : copy
      let isReplacement = own.replaced == copy.identity || copy.replaced == own.identity
      let reason: StaticString = isReplacement ? "the one that replaced the other is used" : "the older one is used"
      self.init(
        record,
        """
        two identities, \(own.identity.text) in the data folder and \(copy.identity.text) in its copy: \
        \(reason), \(record.identity.text)
        """)
    case (.found(let own), .unreadable?): self.init(own, "the copy of the identity could not be read: it was recreated")
    case (.found(let own), .missing?): self.init(own, "the copy of the identity was missing: it was recreated")
    case (.found(let own), nil): self.init(own, "")
    case (.unreadable, .found(let copy)?):
      self.init(copy, "the identity could not be read: it was restored from its copy")
    case (.missing, .found(let copy)?): self.init(copy, "the identity was missing: it was restored from its copy")
    case (.missing, nil), (.missing, .missing?): self.init(fresh, "")
    case (.unreadable, _), (.missing, .unreadable?):
      self.init(fresh, "the identity could not be read: the device has a new one, and counts as another device")
    }
  }

  private init(_ record: IdentityRecord, _ news: FixedText<256>) {
    self.record = record
    self.news = news
  }
}

extension Storage {
  private static var identityPath: FixedText<128> { "identity" }

  mutating func findIdentity() throws(DeviceFailure) -> IdentityFinding {
    // ``IdentityRecord/text``, and room for additions by a later version.
    var bytes = InlineArray<256, UInt8>(repeating: 0)
    var space = bytes.mutableSpan
    let (byteCount, setAside) = try readOwnStart(of: Self.identityPath, into: &space)
    guard let byteCount else { return setAside == nil ? .missing : .unreadable }
    guard let record = IdentityRecord(text: bytes.span.extracting(first: byteCount)) else {
      _ = try? self.setAside(Self.identityPath)
      return .unreadable
    }
    return .found(record)
  }

  mutating func keep(_ record: IdentityRecord) throws(DeviceFailure) {
    let text = record.text
    try unsafe replace(Self.identityPath, with: text.bytes.bytes)
  }
}
