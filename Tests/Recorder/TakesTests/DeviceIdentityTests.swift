import Formats
import Foundation
import Sealing
import TestSupport
import Testing
import Text
import Values

@testable import Takes

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

  @Test("the first boot's identity stays, until its file is damaged")
  func staysTheSame() throws {
    let disk = MemoryDisk()
    var storage = MemoryStorage(disk)
    let first = DeviceIdentity(randomHigh: 1, randomLow: 2)
    let other = DeviceIdentity(randomHigh: 3, randomLow: 4)
    #expect(try IdentityFile.load(from: &storage, orMake: first) == first)
    #expect(try IdentityFile.load(from: &storage, orMake: other) == first)
    try unsafe storage.replace("identity", with: Array("?".utf8).span.bytes)
    #expect(try IdentityFile.load(from: &storage, orMake: other) == other)
  }

  @Test("the first boot's key stays, until its file is damaged")
  func keyStaysTheSame() throws {
    let disk = MemoryDisk()
    var storage = MemoryStorage(disk)
    let seeds = [UInt8(1), 2].map { seed in KeyBytes(InlineArray { UInt8($0) ^ seed }) }
    let first = try SigningKeyFile.load(from: &storage, orMake: seeds[0]).publicKey
    #expect(try SigningKeyFile.load(from: &storage, orMake: seeds[1]).publicKey == first)
    #expect(String(decoding: disk.image["key"] ?? [], as: UTF8.self) == "\(String(seeds[0].text))\n")
    try unsafe storage.replace("key", with: Array("?".utf8).span.bytes)
    #expect(try SigningKeyFile.load(from: &storage, orMake: seeds[1]).publicKey != first)
  }
}
