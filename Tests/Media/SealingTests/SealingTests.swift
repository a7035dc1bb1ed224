import TestSupport
import Testing

@testable import Media

/// Hashes and seals compared with their definitions, and the hash with another program's.
@Suite struct SealingTests {
  private func digest(_ parts: [UInt8]...) -> Digest {
    var hash = RunningHash()
    for part in parts { unsafe hash.add(part.span.bytes) }
    return hash.digest
  }

  private func bytes(_ digest: Digest) -> [UInt8] {
    let digits = Array(String(digest.text).utf8)
    return stride(from: 0, to: 64, by: 2).map {
      UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)!
    }
  }

  private func big32(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }

  private let key = SigningKey(seed: KeyBytes(InlineArray { UInt8($0) }))

  @Test("the hash of bytes is what b2sum -l 256 says of them")
  func hash() throws {
    for text in ["", "a", String(repeating: "field recorder ", count: 1_000)] {
      let sum = try ForeignProgram.text("b2sum", ["-l", "256"], input: Array(text.utf8))
      #expect(String(digest(Array(text.utf8)).text) == sum.prefix(64))
    }
  }

  @Test("the hash of a content is that of its fragments' lengths, times and hashes, however the bytes come")
  func content() {
    var generator = SeededGenerator(seed: 8)
    var hash = ContentHash()
    var list: [UInt8] = []
    var byteCount = 0
    for index in 1...40 {
      let fragment = (0..<Int.random(in: 1...9_000, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      // Data from a failed attempt is discarded.
      unsafe hash.add([1, 2, 3].span.bytes)
      hash.beginFragment()
      var offset = 0
      while offset < fragment.count {
        let count = min(Int.random(in: 1...4_000, using: &generator), fragment.count - offset)
        unsafe hash.add(fragment.span.bytes.extracting(offset..<offset + count))
        offset += count
      }
      let ended = hash.endFragment(atMilliseconds: UInt32(500 * index))
      let full = bytes(digest(fragment))
      list += big32(fragment.count) + big32(500 * index) + full
      byteCount += fragment.count
      let written = ended.bytes
      let entry = (0..<16).map { written[$0] }
      #expect(entry == big32(fragment.count) + big32(500 * index) + full.prefix(8))
      let read = FragmentHash(entry.span)
      #expect(read == ended)
    }
    #expect(hash.digest == digest(list))
    #expect(hash.byteCount == UInt64(byteCount))
  }

  @Test("the hash of a rest is of all bytes but the content's and the line's, however they are read")
  func rest() throws {
    var generator = SeededGenerator(seed: 9)
    for _ in 0..<200 {
      let file = (0..<Int.random(in: 400...5_000, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      let line = Int.random(in: 0...file.count - RestSeal.lineByteCount, using: &generator)
      let end = Int.random(in: 0...line, using: &generator)
      let start = Int.random(in: 0...end, using: &generator)
      var hash = try #require(
        RestHash(
          content: UInt64(start)..<UInt64(end), lineStart: UInt64(line), byteCount: UInt64(file.count)))
      while let range = hash.next(atMost: Int.random(in: 1...3_000, using: &generator)) {
        unsafe hash.add(file.span.bytes.extracting(Int(range.lowerBound)..<Int(range.upperBound)))
      }
      let rest = file[..<start] + file[end..<line] + file[(line + RestSeal.lineByteCount)...]
      #expect(hash.digest == digest(Array(rest)), "\(start)..<\(end), \(line), \(file.count)")
    }
    #expect(RestHash(content: 0..<10, lineStart: 9, byteCount: 1_000) == nil)
    #expect(RestHash(content: 0..<0, lineStart: 9, byteCount: 335) == nil)
  }

  @Test("a seal is read as it was written, and one of which any character was changed is none, or not signed")
  func line() {
    let seal = Seal(
      content: 1_024..<5_678_901, contentHash: digest([1]), entryByteCount: 345, entryHash: digest([2]))
    let line = Array(String(seal.line(signedBy: key)).utf8.dropLast())
    #expect(line.count == Seal.lineByteCount - 1)
    let found = FoundSeal(line: line.span)
    #expect(found?.seal == seal && found?.key == key.publicKey && found?.isSigned == true)
    for index in line.indices {
      #expect(!(FoundSeal(line: changed(line, at: index).span)?.isSigned ?? false), "character \(index)")
    }
  }

  @Test("so is the seal of a rest", arguments: [RestSeal.Occasion.finished, .repaired])
  func restLine(occasion: RestSeal.Occasion) {
    let seal = RestSeal(occasion, byteCount: 5_678_901, hash: digest([3]))
    let line = Array(String(seal.line(signedBy: key)).utf8.dropLast())
    #expect(line.count == RestSeal.lineByteCount - 1)
    let found = FoundRestSeal(line: line.span)
    #expect(found?.seal == seal && found?.key == key.publicKey && found?.isSigned == true)
    for index in line.indices {
      #expect(!(FoundRestSeal(line: changed(line, at: index).span)?.isSigned ?? false), "character \(index)")
    }
    let blank = Array(String(RestSeal.blankLine).utf8.dropLast())
    let isFound = FoundRestSeal(line: blank.span) != nil
    #expect(blank.count == RestSeal.lineByteCount - 1 && !isFound)
  }

  private func changed(_ line: [UInt8], at index: Int) -> [UInt8] {
    var changed = line
    changed[index] = changed[index] == UInt8(ascii: "1") ? UInt8(ascii: "2") : UInt8(ascii: "1")
    return changed
  }
}
