import Base
import Configuration
import Foundation
import Machine
import Media
import TestSupport
import Testing

@testable import App

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

  /// What another program needs to check a take.
  private struct Statement {
    let line: String
    let covered: Range<Int>
    let contentHash: Substring
    let entries: Range<Int>
    let entryHash: Substring
    let head: Range<Int>
    /// The end of the list of hashes.
    let listEnd: Int
    let restLine: String
    let restLineStart: Int

    init(_ content: [UInt8], _ kind: Kind) throws {
      let start = try #require(content.firstRange(of: Array("\nseal bytes ".utf8))).upperBound - 11
      line = String(decoding: content[start..<start + 404], as: UTF8.self)
      let match = try #require(
        line.wholeMatch(
          of: /seal bytes (\d{16}) to (\d{16}): (\w{64}), entries (\d{5}): (\w{64}), key \w{64}, signature \w{128}/))
      covered = Int(match.1)!..<Int(match.2)!
      contentHash = match.3
      entries = start + 405..<start + 405 + Int(match.4)!
      entryHash = match.5
      head = try #require(content[..<start].lastRange(of: Array("device ".utf8))).lowerBound..<start
      listEnd = try #require(content[..<start].lastRange(of: Array("fraghash".utf8))).lowerBound
      restLineStart = try #require(content[start...].firstRange(of: Array("\nseal when ".utf8))).lowerBound + 1
      restLine = String(decoding: content[restLineStart..<restLineStart + 326], as: UTF8.self)
    }
  }

  @Test("b2sum finds the same hashes in a take, and openssl the signatures valid", arguments: Kind.allCases)
  func foreign(kind: Kind) throws {
    let rig = try rig(kind, seconds: 20)
    rig.run("mark \"a robin  \"", milliseconds: 500)
    rig.run("record stop", milliseconds: 1_000)
    #expect(verify(rig).contains(" is whole: its "))
    let content = try #require(rig.host.disk.image[rig.takePaths[0]])
    let seal = try Statement(content, kind)
    let count = content[seal.listEnd + 8..<seal.listEnd + 16].reduce(0) { $0 << 8 | Int($1) }
    #expect((45...55).contains(count))
    var list: [UInt8] = []
    var position = seal.covered.lowerBound
    var milliseconds = 0
    for index in 0..<count {
      let entry = Array(content[seal.listEnd - 16 * (count - index)..<seal.listEnd - 16 * (count - index - 1)])
      let end = position + entry[0..<4].reduce(0) { $0 << 8 | Int($1) }
      let sum = try hash(Array(content[position..<end]))
      #expect(Array(sum.prefix(8)) == Array(entry[8...]))
      let time = entry[4..<8].reduce(0) { $0 << 8 | Int($1) }
      #expect(time > milliseconds && time <= milliseconds + 1_000)
      list += entry.prefix(8) + sum
      (position, milliseconds) = (end, time)
    }
    #expect(position == seal.covered.upperBound)
    #expect(try hash(list) == bytes(seal.contentHash))
    #expect(try hash(Array(content[seal.entries] + content[seal.head])) == bytes(seal.entryHash))
    #expect(String(decoding: content[seal.entries], as: UTF8.self).contains("mark: a robin\n"))
    let rest =
      content[..<seal.covered.lowerBound] + content[seal.covered.upperBound..<seal.restLineStart]
      + content[(seal.restLineStart + 327)...]
    let match = try #require(
      seal.restLine.wholeMatch(
        of: /seal when finished, file of (\d{16}) bytes: (\w{64}), key \w{64}, signature \w{128}/))
    #expect(Int(match.1) == content.count)
    #expect(try hash(Array(rest)) == bytes(match.2))
    try expectSigned(seal.line)
    try expectSigned(seal.restLine)
  }

  private func expectSigned(_ line: String) throws {
    let match = try #require(line.wholeMatch(of: /(.*, key (\w{64})), signature (\w{128})/))
    let folder = try TemporaryFolder()
    let subjectPublicKeyInfo: [UInt8] = [0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00]
    let verdict = try ForeignProgram.text(
      "openssl",
      [
        "pkeyutl", "-verify", "-pubin", "-keyform", "DER", "-rawin",
        "-inkey", try folder.write(subjectPublicKeyInfo + bytes(match.2), as: "key"),
        "-in", try folder.write(Array(match.1.utf8), as: "statement"),
        "-sigfile", try folder.write(bytes(match.3), as: "signature"),
      ])
    #expect(verdict == "Signature Verified Successfully")
  }

  private func hash(_ content: [UInt8]) throws -> [UInt8] {
    bytes(Substring(try ForeignProgram.text("b2sum", ["-l", "256"], input: content).prefix(64)))
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
    let seal = try Statement(whole, kind)
    let ledger = seal.head.lowerBound
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<30 {
      let place = Int.random(in: seal.covered, using: &generator)
      let verdict = try change(rig) { $0[place] ^= 1 << UInt8.random(in: 0...7, using: &generator) }
      let match = try #require(
        verdict.firstMatch(of: /damage in bytes (\d+) to (\d+), 0:0(\d):(\d\d.\d{3}) to 0:0(\d):(\d\d.\d{3})$/),
        "\(verdict)")
      #expect((Int(match.1)!...Int(match.2)!).contains(place), "\(place): \(verdict)")
      let start = Double(match.3)! * 60 + Double(match.4)!
      let end = Double(match.5)! * 60 + Double(match.6)!
      #expect(end > start && end <= start + 1, "\(verdict)")
      // Audio files have the same number of bytes in each second.
      let seconds = Double(place - seal.covered.lowerBound) / Double(2 * ApplianceRig.rateHz)
      if kind == .wav { #expect((start...end).contains(seconds), "\(place): \(verdict)") }
    }
    let places = [
      seal.covered.lowerBound, seal.covered.lowerBound + seal.covered.count / 2, seal.covered.upperBound - 1,
    ]
    let several = try change(rig) { content in for place in places { content[place] ^= 1 } }
    #expect(several.hasSuffix(", and in 2 more places"), "\(several)")
    for _ in 0..<20 {
      let place =
        Bool.random(using: &generator)
        ? Int.random(in: 0..<seal.covered.lowerBound, using: &generator)
        : Int.random(in: seal.covered.upperBound..<ledger, using: &generator)
      let verdict = try change(rig) { $0[place] ^= 1 << UInt8.random(in: 0...7, using: &generator) }
      let isFound =
        verdict.contains("but the rest of the file") || verdict.contains("the list of its hashes is damaged")
      #expect(isFound, "\(place): \(verdict)")
    }
    for text in [" mark", "sample rate", "ended: stopped", "device 0"] {
      let place = try #require(whole[ledger...].firstRange(of: Array(text.utf8))).lowerBound + 4
      let verdict = try change(rig) { $0[place] ^= 1 }
      #expect(verdict.contains("changed its ledger") || verdict.contains("has no seal"), "\(text): \(verdict)")
    }
    let signature = try #require(whole[ledger...].firstRange(of: Array(", signature ".utf8))).upperBound
    let forged = try change(rig) { $0[signature] = $0[signature] == 0x31 ? 0x32 : 0x31 }
    #expect(forged.contains("signature does not match the key"))
    #expect(verify(rig).contains(" is whole: "))
  }

  @Test("a take of another device is told by its key")
  func otherDevice() throws {
    let other = try rig(.wav, seconds: 3, seed: 5)
    other.run("record stop", milliseconds: 1_000)
    let path = other.takePaths[0]
    #expect(verify(other).contains("as this device recorded them"))
    let rig = try ApplianceRig(seed: 6)
    try put(try #require(other.host.disk.image[path]), at: path, rig)
    #expect(verify(rig, path).contains("as the device with the key"))
  }

  @Test("a time lapse that is ended between two pictures is sealed with its end", arguments: 3...6)
  func timeLapse(seconds: UInt64) throws {
    let rig = try ApplianceRig { $0.record.intervalSeconds = 60 }
    rig.run(milliseconds: 6_000)
    rig.run("press record", milliseconds: seconds * 1_000)
    rig.run("record stop", milliseconds: 1_000)
    let verdict = verify(rig)
    #expect(verdict.contains(" is whole: ") && !verdict.contains("interrupted"), "\(verdict)")
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
    let match = try #require(
      verdict.firstMatch(
        of: /is whole: its .*; it was interrupted, and what follows byte (\d+) was sealed when it was repaired$/),
      "\(verdict)")
    let whole = try #require(second.host.disk.image[cut])
    let sealed = try Statement(whole, kind).covered
    #expect(Int(match.1) == sealed.upperBound)
    #expect(!verify(second, second.takePaths[1]).contains("interrupted"))
    for place in [300, sealed.upperBound, whole.count - 1] {
      var changed = whole
      changed[place] ^= 1
      try put(changed, at: cut, second)
      let verdict = verify(second, cut)
      // A MOV and an AIFF end with the seal's line.
      let isFound = verdict.contains("but the rest of the file") || verdict.contains("signature does not match the key")
      #expect(isFound, "\(place): \(verdict)")
    }
  }

  @Test("what the power cut off after the last flush of the ledger is sealed at its repair", arguments: Kind.allCases)
  func cut(kind: Kind) throws {
    let first = try rig(kind, seconds: 30)
    var operations = first.host.disk.operations
    let made = try #require(operations.firstIndex { if case .create("ledger/0001", _) = $0 { true } else { false } })
    // ext4 makes a new file's name durable with the file's first flush.
    operations.insert(.synchroniseFolder("ledger"), at: made + 1)
    let path = try #require(first.takePaths.first)
    var generator: SeededGenerator? = SeededGenerator(seed: 12)
    for _ in 0..<12 {
      let cut = operations.count - Int.random(in: 1...operations.count / 2, using: &generator!)
      let image = DiskImage.afterCut(operations, at: cut, using: &generator)
      let second = try ApplianceRig(seed: 2, host: TestHost(disk: MemoryDisk(image)), adjust: adjust(kind))
      second.run(milliseconds: 3_000)
      second.run("record stop", milliseconds: 1_000)
      let verdict = verify(second, path)
      #expect(verdict.contains("was sealed when it was repaired"), "\(verdict)")
      let content = try #require(second.host.disk.image[path])
      let sealed = try Statement(content, kind).covered
      #expect(sealed.upperBound < content.count && sealed.count >= 2 * Int(ApplianceRig.rateHz), "\(sealed)")
    }
  }

  @Test("a take that was given its true date is sealed with that", arguments: [Kind.mov, .wav])
  func dated(kind: Kind) throws {
    let rig = try ApplianceRig(wallClock: SimWallClock(.epoch), adjust: adjust(kind))
    rig.run(milliseconds: 6_000)
    rig.run("press record", milliseconds: 3_000)
    rig.run("record stop", milliseconds: 1_500)
    rig.setClock(.synchronised)
    rig.run(milliseconds: 3_000)
    #expect(rig.takePaths[0].contains("/20260101/"))
    let verdict = verify(rig)
    #expect(verdict.hasSuffix("as this device recorded them"), "\(verdict)")
  }

  @Test("a comparison tells how far it is, and ctrl-C ends it")
  func progress() throws {
    let rig = try rig(.mov, seconds: 1)
    for command in ["record stop", "record start", "record stop"] { rig.run(command, milliseconds: 1_000) }
    let path = rig.takePaths[0]
    var content = try #require(rig.host.disk.image[path])
    // A long, invalid rest in front of the ledger, which is read nevertheless.
    let seal = try Statement(content, .mov)
    content.insert(contentsOf: [UInt8](repeating: 7, count: 60_000_000), at: seal.covered.upperBound)
    try put(content, at: path, rig)
    rig.run("press record", milliseconds: 2_000)
    rig.run("verify \(path)", milliseconds: 8_000)
    let lines = rig.host.lines.filter { $0.contains(" of 60 MB") }
    #expect((2...3).contains(lines.count), "\(lines)")
    #expect(lines.first?.wholeMatch(of: /\d+ %, \d+ of 60 MB/) != nil)
    rig.run(milliseconds: 6_000)
    #expect(rig.host.lines.last { $0.contains(path) }?.contains("but the rest of the file") == true)
    rig.run("verify all", milliseconds: 12_000)
    #expect(rig.host.lines.last { $0.contains(" of 60 MB") }?.wholeMatch(of: /take 1: \d+ %, \d+ of 60 MB/) != nil)
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
    rig.run("record start\nverify last", milliseconds: 1_000)
    #expect(rig.host.lines.last?.hasSuffix("0002.mov is still being written: wait until it is complete") == true)
    rig.run("record stop", milliseconds: 1_000)
    rig.run("verify video/20260101/000000-0099.mov", milliseconds: 100)
    #expect(rig.host.lines.last == "error: video/20260101/000000-0099.mov does not exist")
    rig.run("verify key", milliseconds: 100)
    #expect(rig.host.lines.last == "error: no take is called \"key\": takes lists them")
    rig.run("verify state/key", milliseconds: 100)
    #expect(rig.host.lines.last?.contains("is not the path of a take") == true)
    rig.run("verify", milliseconds: 100)
    #expect(rig.host.lines.last?.hasPrefix("error: verify") == true)
    let foreign = "audio/20260101/000000-0042.wav"
    try put([UInt8](repeating: 65, count: 200_000), at: foreign, rig)
    #expect(verify(rig, foreign).contains(" has no seal"))
  }
}
