import Base
import Machine
import Foundation
import Media
import TestSupport
import Testing

@testable import Record

@Suite struct DeviceIdentityTests {
  @Test("the text equals Foundation's for the same bytes, and is read back")
  func textIsAUUID() throws {
    var generator = SeededGenerator(seed: 9)
    for _ in 0..<200 {
      let identity = DeviceIdentity(randomHigh: generator.next(), randomLow: generator.next())
      let text = String(identity.text)
      let uuid = try #require(UUID(uuidString: text))
      #expect(uuid.uuidString.lowercased() == text)
      #expect(DeviceIdentity(text: Array(text.utf8).span) == identity)
      #expect(DeviceIdentity(text: Array(text.uppercased().utf8).span) == identity)
    }
  }

  @Test("text that is no UUID is not read as one")
  func refusesOthers() {
    let good = "01234567-89ab-4def-bedc-ba9876543210"
    for text in [
      "", String(good.dropLast()), good + "0", good.replacing("-", with: "0"), good.replacing("b", with: "g"),
    ] {
      #expect(DeviceIdentity(text: Array(text.utf8).span) == nil, "\(text)")
    }
  }

  private func load(_ storage: inout Storage, orMake fresh: DeviceIdentity) throws -> LoadedIdentity {
    var none: Storage?
    return try LoadedIdentity(from: &storage, copy: &none, orMake: IdentityRecord(identity: fresh))
  }

  @Test("the first boot's identity stays, until its file is damaged, which is told")
  func staysTheSame() throws {
    let disk = MemoryDisk()
    var storage = Storage(MemoryStorage(disk))
    let first = DeviceIdentity(randomHigh: 1, randomLow: 2)
    let other = DeviceIdentity(randomHigh: 3, randomLow: 4)
    for fresh in [first, other] {
      let loaded = try load(&storage, orMake: fresh)
      #expect(loaded.record.identity == first && loaded.news.isEmpty)
    }
    try unsafe storage.replace("identity", with: Array("?".utf8).span.bytes)
    let loaded = try load(&storage, orMake: other)
    #expect(loaded.record.identity == other)
    let news = String(loaded.news)
    #expect(news == "the identity could not be read: the device has a new one, and counts as another device")
  }

  @Test("what is kept of an identity is read back, and a file with the UUID alone is enough")
  func recordIsRead() throws {
    let identity = DeviceIdentity(randomHigh: 5, randomLow: 6)
    let other = DeviceIdentity(randomHigh: 7, randomLow: 8)
    for record in [
      IdentityRecord(identity: identity), IdentityRecord(identity: identity, madeUnixSeconds: 1_795_221_521),
      IdentityRecord(identity: identity, madeUnixSeconds: 1_795_221_521, replaced: other),
      IdentityRecord(identity: identity, replaced: other),
    ] {
      let text = Array(String(record.text).utf8)
      #expect(IdentityRecord(text: text.span) == record)
    }
    #expect(IdentityRecord(text: Array(String(identity.text).utf8).span)?.identity == identity)
    let strange = "\(String(identity.text))\ncolour red\nmade 99999999999999999999\nmade -1\nreplaces ?\n\n"
    #expect(IdentityRecord(text: Array(strange.utf8).span) == IdentityRecord(identity: identity))
    #expect(IdentityRecord(text: Array(" \(String(identity.text))\n".utf8).span) == nil)
  }

  @Test("of two identities one that replaced the other counts, otherwise the older; one without a date is the oldest")
  func whichCounts() {
    let one = IdentityRecord(identity: DeviceIdentity(randomHigh: 1, randomLow: 1), madeUnixSeconds: 1_780_000_000)
    var other = IdentityRecord(identity: DeviceIdentity(randomHigh: 2, randomLow: 2), madeUnixSeconds: 1_790_000_000)
    #expect(one.counts(over: other) && !other.counts(over: one))
    other.replaced = one.identity
    #expect(other.counts(over: one) && !one.counts(over: other))
    other = IdentityRecord(identity: other.identity)
    #expect(other.counts(over: one) && !one.counts(over: other))
  }

  @Test("the first boot's key stays, until its file is damaged")
  func keyStaysTheSame() throws {
    let disk = MemoryDisk()
    var storage = Storage(MemoryStorage(disk))
    let seeds = [UInt8(1), 2].map { seed in KeyBytes(InlineArray { UInt8($0) ^ seed }) }
    var journal = try TakeJournal(from: &storage)
    var copy: Storage?
    let first = try SigningKeyFile.load(from: &storage, copy: &copy, orMake: seeds[0], &journal).publicKey
    #expect(try SigningKeyFile.load(from: &storage, copy: &copy, orMake: seeds[1], &journal).publicKey == first)
    #expect(journal.takeNotice() == nil)
    #expect(String(decoding: disk.image["key"] ?? [], as: UTF8.self) == "\(String(seeds[0].text))\n")
    try unsafe storage.replace("key", with: Array("?".utf8).span.bytes)
    #expect(try SigningKeyFile.load(from: &storage, copy: &copy, orMake: seeds[1], &journal).publicKey != first)
    #expect(journal.takeNotice()?.subject == "key.damaged-1")
    #expect(disk.image["key.damaged-1"] == Array("?".utf8))
  }

  @Test("a key or an identity that is missing where there are takes is told, and not at the first boot")
  func lostBesideTakes() throws {
    let disk = MemoryDisk()
    var storage = Storage(MemoryStorage(disk))
    var copy: Storage?
    let fresh = IdentityRecord(identity: DeviceIdentity(high: 1, low: 2))
    let seed = KeyBytes(InlineArray { UInt8($0) })
    var journal = try TakeJournal(from: &storage)
    #expect(try LoadedIdentity(from: &storage, copy: &copy, orMake: fresh, hasTakes: journal.hasTakes).news.isEmpty)
    _ = try SigningKeyFile.load(from: &storage, copy: &copy, orMake: seed, &journal)
    #expect(journal.takeNotice() == nil)
    for path in ["video/20260101/000000-0007.mov", "state"] {
      try unsafe storage.replace(FixedText(path), with: Array("next_take = 8\n".utf8).span.bytes)
    }
    try storage.remove("identity")
    try storage.remove("key")
    journal = try TakeJournal(from: &storage)
    #expect(!(try LoadedIdentity(from: &storage, copy: &copy, orMake: fresh, hasTakes: journal.hasTakes).news.isEmpty))
    _ = try SigningKeyFile.load(from: &storage, copy: &copy, orMake: seed, &journal)
    #expect(journal.takeNotice()?.subject == "key")
  }

  private static func files(_ disk: MemoryDisk) -> [[UInt8]?] { [disk.image["identity"], disk.image["key"]] }

  /// Identity, key and events of a start with a data folder and a copy; `number` seeds new values.
  private func start(
    _ disk: MemoryDisk, copy place: MemoryDisk, as use: IdentityCopyUse, number: UInt8
  ) throws -> (identity: DeviceIdentity, key: KeyBytes, news: String) {
    var storage = Storage(MemoryStorage(disk))
    var copy: Storage? = Storage(MemoryStorage(place))
    var journal = try TakeJournal(from: &storage)
    let fresh = IdentityRecord(identity: DeviceIdentity(high: 7, low: UInt64(number)))
    let loaded = try LoadedIdentity(from: &storage, copy: &copy, as: use, orMake: fresh)
    let seed = KeyBytes(InlineArray { UInt8($0) ^ number })
    let key = try SigningKeyFile.load(from: &storage, copy: &copy, orMake: seed, &journal).publicKey
    return (loaded.record.identity, key, String(loaded.news))
  }

  @Test("a new data folder gets identity and key of the copy, and one that has its own keeps that, as does the copy")
  func outlivesDataFolder() throws {
    let place = MemoryDisk()
    let first = try start(MemoryDisk(), copy: place, as: .origin, number: 1)
    #expect(first.news.isEmpty && place.image["key"] != nil)
    let other = MemoryDisk()
    var nowhere: Storage?
    var storage = Storage(MemoryStorage(other))
    _ = try LoadedIdentity(
      from: &storage, copy: &nowhere, orMake: IdentityRecord(identity: DeviceIdentity(high: 7, low: 9)))
    let kept = Self.files(place)
    let otherStart = try start(other, copy: place, as: .origin, number: 3)
    #expect(otherStart.identity == DeviceIdentity(high: 7, low: 9) && otherStart.news.isEmpty)
    #expect(Self.files(place) == kept)
    let new = try start(MemoryDisk(), copy: place, as: .origin, number: 2)
    #expect(new.identity == first.identity && new.key == first.key)
    #expect(new.news == "the identity was missing: it was restored from its copy")
  }

  @Test("a second recorder that runs at the same time is another device, or is told that it is the same")
  func doesNotShare() throws {
    let place = MemoryDisk()
    let disk = MemoryDisk()
    let first = try start(disk, copy: place, as: .origin, number: 1)
    let kept = Self.files(place)
    let second = try start(MemoryDisk(), copy: place, as: .originInUse, number: 2)
    #expect(second.identity != first.identity && second.key != first.key && second.news.contains("is a new device"))
    let twin = try start(disk, copy: place, as: .originInUse, number: 3)
    #expect(twin.identity == first.identity && twin.key == first.key && twin.news.contains("is the same device"))
    #expect(Self.files(place) == kept)
  }
}
