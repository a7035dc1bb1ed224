import Configuration
import Foundation
import Formats
import SimBoard
import TestSupport
import Testing
import Text

@testable import Loop

/// Takes and their seals, on the whole appliance.
@Suite struct SealTests {
  enum Kind: String, CaseIterable { case mov, aiff, caf, wav }

  private func adjust(_ kind: Kind) -> (inout Settings) -> Void {
    { settings in
      guard kind != .mov else { return }
      settings.record.content = .audio
      settings.record.audioContainer = kind == .aiff ? .aiff : kind == .caf ? .caf : .wav
    }
  }

  private func rig(_ kind: Kind, seconds: UInt64, seed: UInt64 = 1) throws -> ApplianceRig {
    let rig = try ApplianceRig(seed: seed, adjust: adjust(kind))
    rig.run(milliseconds: 6_000)
    rig.run("press record", milliseconds: seconds * 1_000)
    return rig
  }

  private func verify(_ rig: ApplianceRig, _ path: String? = nil) -> String {
    rig.run("verify \(path ?? rig.takePaths[0])", milliseconds: 3_000)
    return rig.host.lines.last { $0.contains(" is ") || $0.contains(" has ") } ?? "nothing"
  }

  private func change(_ rig: ApplianceRig, _ change: (inout [UInt8]) -> Void) throws -> String {
    let path = rig.takePaths[0]
    let whole = try #require(rig.host.disk.image[path])
    var content = whole
    change(&content)
    try put(content, at: path, rig)
    let verdict = verify(rig)
    try put(whole, at: path, rig)
    return verdict
  }

  private func put(_ content: [UInt8], at path: String, _ rig: ApplianceRig) throws {
    var storage = try rig.host.openStorage()
    try unsafe storage.replace(FixedText(path), with: content.span.bytes)
  }

  @Test("openssl finds the same hashes in a take, and the signature valid", arguments: Kind.allCases)
  func foreign(kind: Kind) throws {
    let rig = try rig(kind, seconds: 20)
    rig.run("mark \"a robin  \"", milliseconds: 500)
    rig.run("record stop", milliseconds: 1_000)
    #expect(verify(rig).contains(" is whole: its "))
    let content = try #require(rig.host.disk.image[rig.takePaths[0]])
    let start = try #require(content.firstRange(of: Array("\nseal bytes ".utf8))).upperBound - 11
    let line = String(decoding: content[start..<start + 404], as: UTF8.self)
    let match = try #require(
      line.wholeMatch(
        of: /seal bytes (\d{16}) to (\d{16}): (\w{64}), entries (\d{5}): (\w{64}), key (\w{64}), signature (\w{128})/))
    let covered = content[Int(match.1)!..<Int(match.2)!]
    #expect(covered.count < 1 << 20)
    #expect(try hash([2] + hash([0] + covered)) == bytes(match.3))
    let head = try #require(content[..<start].lastRange(of: Array("device ".utf8))).lowerBound
    let entries = content[start + 405..<start + 405 + Int(match.4)!]
    #expect(try hash(Array(entries + content[head..<start])) == bytes(match.5))
    #expect(String(decoding: entries, as: UTF8.self).contains("mark: a robin\n"))
    let folder = try TemporaryFolder()
    let subjectPublicKeyInfo: [UInt8] = [0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00]
    let verdict = try ForeignProgram.text(
      "openssl",
      [
        "pkeyutl", "-verify", "-pubin", "-keyform", "DER", "-rawin",
        "-inkey", try folder.write(subjectPublicKeyInfo + bytes(match.6), as: "key"),
        "-in", try folder.write(Array(line.utf8.prefix(264)), as: "statement"),
        "-sigfile", try folder.write(bytes(match.7), as: "signature"),
      ])
    #expect(verdict == "Signature Verified Successfully")
  }

  private func hash(_ content: [UInt8]) throws -> [UInt8] {
    Array(try ForeignProgram.run("openssl", ["dgst", "-sha512", "-binary"], input: content).prefix(32))
  }

  private func bytes(_ digits: Substring) -> [UInt8] {
    let digits = Array(digits.utf8)
    return stride(from: 0, to: digits.count, by: 2).map {
      UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)!
    }
  }

  @Test("a byte that was changed is found, and where it is", arguments: [Kind.mov, .wav])
  func damage(kind: Kind) throws {
    let rig = try rig(kind, seconds: 150)
    rig.run("mark", milliseconds: 500)
    rig.run("record stop", milliseconds: 1_000)
    let whole = try #require(rig.host.disk.image[rig.takePaths[0]])
    // The first one: a WAV has its ledger twice.
    let ledger = try #require(whole[(whole.count - 65_536)...].firstRange(of: Array("device 0".utf8))).lowerBound
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<30 {
      let place = Int.random(in: 2_048..<ledger - 65_536, using: &generator)
      let verdict = try change(rig) { $0[place] ^= 1 << UInt8.random(in: 0...7, using: &generator) }
      let match = try #require(verdict.firstMatch(of: /damage in bytes (\d+) to (\d+)/), "\(verdict)")
      let range = Int(match.1)!...Int(match.2)!
      #expect(range.contains(place) && range.count <= 1 << 20, "\(place): \(verdict)")
    }
    for text in [" mark", "sample rate", "ended: stopped", "device 0"] {
      let place = try #require(whole[ledger...].firstRange(of: Array(text.utf8))).lowerBound + 4
      let verdict = try change(rig) { $0[place] ^= 1 }
      #expect(verdict.contains("changed its ledger") || verdict.contains("has no seal"), "\(text): \(verdict)")
    }
    let signature = try #require(whole[ledger...].firstRange(of: Array(", signature ".utf8))).upperBound
    let forged = try change(rig) { $0[signature] = $0[signature] == 0x31 ? 0x32 : 0x31 }
    #expect(forged.contains("signature that is not the key's"))
    #expect(verify(rig).contains(" is whole: "))
  }

  @Test("a take of another device is told by its key")
  func otherDevice() throws {
    let other = try rig(.wav, seconds: 3, seed: 5)
    other.run("record stop", milliseconds: 1_000)
    let path = other.takePaths[0]
    #expect(verify(other).contains("as this device has recorded them"))
    let rig = try ApplianceRig(seed: 6)
    try put(try #require(other.host.disk.image[path]), at: path, rig)
    #expect(verify(rig, path).contains("as the device with the key"))
  }

  @Test("what a recorder that was stopped dead leaves is sealed but for its last moments", arguments: Kind.allCases)
  func interrupted(kind: Kind) throws {
    let first = try rig(kind, seconds: 9)
    let cut = first.takePaths[0]
    let second = try ApplianceRig(
      seed: 2, host: TestHost(disk: MemoryDisk(first.host.disk.image)), adjust: adjust(kind))
    second.run(milliseconds: 3_000)
    second.run("record stop", milliseconds: 1_000)
    let verdict = verify(second, cut)
    #expect(verdict.contains(" is whole: ") && verdict.contains("; it was interrupted"), "\(verdict)")
    #expect(!verify(second, second.takePaths[1]).contains("interrupted"))
  }

  @Test("fragments that the card took only at the second try are sealed once", arguments: [Kind.mov, .caf])
  func triedAgain(kind: Kind) throws {
    let rig = try rig(kind, seconds: 2)
    for _ in 0..<8 {
      rig.begin(.tornWrites, of: .storage, nanoseconds: 400_000_000)
      rig.run(milliseconds: 1_500)
      rig.begin(.failing, of: .storage, nanoseconds: 300_000_000)
      rig.run(milliseconds: 1_500)
    }
    rig.run("record stop", milliseconds: 1_000)
    #expect(verify(rig).contains(" is whole: "))
    let text = String(decoding: try #require(rig.host.disk.image[rig.takePaths[0]]), as: UTF8.self)
    #expect(text.contains("card: error"))
  }

  @Test("verify refuses what is no complete take, with a line")
  func refusals() throws {
    let rig = try rig(.mov, seconds: 3)
    rig.run("verify \(rig.takePaths[0])", milliseconds: 100)
    #expect(rig.host.lines.last?.hasSuffix("is still being written: wait until it is complete") == true)
    rig.run("record stop", milliseconds: 1_000)
    rig.run("verify video/20260101/000000-0099.mov", milliseconds: 100)
    #expect(rig.host.lines.last == "error: video/20260101/000000-0099.mov is not there")
    rig.run("verify key", milliseconds: 100)
    #expect(rig.host.lines.last?.contains("is no path of a take") == true)
    rig.run("verify", milliseconds: 100)
    #expect(rig.host.lines.last?.hasPrefix("error: verify") == true)
    let foreign = "audio/20260101/000000-0042.wav"
    try put([UInt8](repeating: 65, count: 200_000), at: foreign, rig)
    #expect(verify(rig, foreign).contains(" has no seal"))
  }
}
