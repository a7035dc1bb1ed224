import Base
import Foundation
import Media
import TestSupport
import Testing

/// Power cuts at every write of an audio take.
@Suite struct AudioCutTests {
  private struct Subject {
    var take: AudioTake
    var operations: [FileOperation]
    var cuts: [Cut]
    /// Encoded as in the file.
    var ledger: [UInt8]
  }

  /// 24 bits and one channel: the format with odd lengths.
  private func subject(_ container: AudioContainer, hasLedger: Bool = false) -> Subject {
    let format = AudioFormat(sampleRateHz: 8_000, channelCount: 1, sampleFormat: .int24)
    let take = AudioTake(container, format, frameCount: 1_501)
    var file = MemoryFile()
    let ledger =
      hasLedger ? take.ledger("device 1\n" + String(repeating: "mark\n", count: 300) + "ended: stopped\n") : []
    take.record(to: &file, pieceCount: 20, isFinished: true, ledger: ledger)
    var generator = SeededGenerator(seed: 2_026)
    let cuts = Cut.all(file.operations, tears: 24, losses: 24, using: &generator)
    return Subject(take: take, operations: file.operations, cuts: cuts, ledger: ledger)
  }

  /// Bytes of audio that were written before the last synchronisation before `cut`.
  private func safeByteCount(_ subject: Subject, _ cut: Cut) -> Int {
    let done = subject.operations[..<cut.operationCount]
    let safe = done[..<(done.lastIndex(of: .synchronise) ?? 0)]
    let ends = safe.compactMap { operation -> Int? in
      guard case .write(let offset, let bytes) = operation, offset > 0 else { return nil }
      return min(offset, AudioFileDescription.headerByteCount + subject.take.data.count) + bytes.count
        - AudioFileDescription.headerByteCount
    }
    return min(ends.max() ?? 0, subject.take.data.count)
  }

  @Test(
    "after every cut the repair brings back all that was safe, and what follows it is the ledger and no sound",
    arguments: [AudioContainer.aiff, .caf, .wav], [false, true])
  func repairs(container: AudioContainer, hasLedger: Bool) {
    let subject = subject(container, hasLedger: hasLedger)
    #expect(subject.cuts.count >= 1_000)
    for cut in Cases.some(250, of: subject.cuts) where cut.operationCount >= 2 {
      let safe = safeByteCount(subject, cut)
      var file = MemoryFile(content: cut.content(subject.operations))
      guard case .repaired(let count) = asRepaired(repair(&file, ledger: subject.ledger)) else {
        #expect(safe == 0, "\(cut)")
        continue
      }
      let kept = Int(count)
      #expect(kept >= safe && kept % 3 == 0, "\(cut)")
      let audio = file.content[AudioFileDescription.headerByteCount...].prefix(kept)
      #expect(audio.prefix(safe) == subject.take.data.prefix(safe), "\(cut)")
      #expect(audio.elementsEqual(subject.take.data.prefix(kept)), "\(cut)")
      if !hasLedger {
        let header = subject.take.header(dataByteCount: kept, isOpen: false)
        #expect(withoutEnding(file.content.prefix(1_024)) == withoutEnding(header[...]), "\(cut)")
      }
      let padding = container.paddingByteCount(dataByteCount: count)
      #expect(file.content.count == 1_024 + kept + padding + subject.ledger.count, "\(cut)")
      #expect(Array(file.content.suffix(subject.ledger.count)) == subject.ledger, "\(cut)")
      #expect(repair(&file, ledger: subject.ledger) == .alreadyWhole(dataByteCount: count), "\(cut)")
    }
  }

  /// The header without the field for why the file ended, which a cut may tear.
  private func withoutEnding(_ header: ArraySlice<UInt8>) -> [UInt8] {
    let bytes = Array(header)
    let marks = [Array("ended: ".utf8), Array("ended\0".utf8)]
    guard let start = bytes.indices.first(where: { index in marks.contains { bytes[index...].starts(with: $0) } })
    else { return bytes }
    return Array(bytes[..<start]) + bytes[min(start + 18, bytes.count)...]
  }

  private func asRepaired(_ outcome: AudioRepair.Outcome) -> AudioRepair.Outcome {
    if case .alreadyWhole(let count) = outcome { .repaired(dataByteCount: count) } else { outcome }
  }

  @Test(
    "after a cut ffmpeg decodes the file before the repair, at most one piece short, and after it",
    arguments: [AudioContainer.aiff, .caf, .wav])
  func ffmpegDecodes(container: AudioContainer) throws {
    let subject = subject(container, hasLedger: true)
    let cuts = subject.cuts.filter { safeByteCount(subject, $0) > 0 }
    let pieceFrameCount = 76
    for cut in Cut.sample(cuts, count: Cases.count(5, of: 15)) {
      let safe = safeByteCount(subject, cut) / 3
      var file = MemoryFile(content: cut.content(subject.operations))
      #expect(try frameCount(file.content, container) >= safe - pieceFrameCount, "\(cut)")
      _ = repair(&file, ledger: subject.ledger)
      #expect(try frameCount(file.content, container) >= safe, "\(cut)")
      #expect(try frameCount(file.content, container) <= subject.take.data.count / 3, "\(cut)")
    }
  }

  /// How many frames ffmpeg decodes.
  private func frameCount(_ content: [UInt8], _ container: AudioContainer) throws -> Int {
    try withFile(content, "\(container.fileExtension)") { path in
      try ForeignProgram.run("ffmpeg", ["-v", "error", "-i", path, "-c:a", "pcm_s24le", "-f", "s24le", "-"]).count / 3
    }
  }

  @Test(
    "sectors of which a disk kept the length but not the bytes are not taken for sound",
    arguments: [AudioContainer.aiff, .caf, .wav])
  func unwrittenSectors(container: AudioContainer) {
    let format = AudioFormat(sampleRateHz: 8_000, channelCount: 1, sampleFormat: .int16)
    let take = AudioTake(container, format, frameCount: 16_000)
    var generator = SeededGenerator(seed: 19)
    let header = AudioFileDescription.headerByteCount
    for confirmed in [0, 8_000, 24_000] {
      for _ in 0..<40 {
        // Half a second was written after the last header, and none of it was flushed.
        var content = take.header(dataByteCount: confirmed, isOpen: true) + take.data[..<(confirmed + 8_000)]
        for sector in (header + confirmed) / 512...(content.count - 1) / 512 where Bool.random(using: &generator) {
          for index in max(sector * 512, header + confirmed)..<min(sector * 512 + 512, content.count) {
            content[index] = 0
          }
        }
        var file = MemoryFile(content: content)
        let kept: Int
        switch repair(&file) {
        case .repaired(let count), .alreadyWhole(let count): kept = Int(count)
        case .empty, .foreign: kept = 0
        }
        #expect(kept >= confirmed)
        let isSame = file.content[header...].prefix(kept).elementsEqual(take.data.prefix(kept))
        #expect(isSame)
      }
    }
  }

  /// 1,330,007,625 is `INFO`, little-endian: four bytes of a WAV's frame count, or of what a card garbled.
  @Test(
    "four bytes that spell an information list elsewhere in a WAV's header do not make it one",
    arguments: ["fact", "fmt ", "JUNK"])
  func informationElsewhere(type: String) throws {
    let format = AudioFormat(sampleRateHz: 8_000, channelCount: 4, sampleFormat: .float32)
    let take = AudioTake(.wav, format, frameCount: 500)
    var content = take.header(dataByteCount: 0, isOpen: true) + take.data
    let chunk = try #require(content.firstRange(of: Array(type.utf8)))
    content.replaceSubrange(chunk.upperBound + 4..<chunk.upperBound + 8, with: Array("INFO".utf8))
    var file = MemoryFile(content: content)
    _ = repair(&file)
    let isKept = file.content[chunk].elementsEqual(type.utf8)
    #expect(isKept, "the chunk is a list now")
  }

  @Test("silence that was flushed stays, and so does sound behind a count that was damaged")
  func confirmedSilence() {
    let format = AudioFormat(sampleRateHz: 8_000, channelCount: 1, sampleFormat: .int16)
    for container in [AudioContainer.aiff, .caf, .wav] {
      var take = AudioTake(container, format, frameCount: 8_000)
      take.data.replaceSubrange(4_000..<16_000, with: [UInt8](repeating: 0, count: 12_000))
      var file = MemoryFile(content: take.header(dataByteCount: 16_000, isOpen: true) + take.data)
      #expect(repair(&file) != .empty)
      #expect(repair(&file) == .alreadyWhole(dataByteCount: 16_000))
      let sound = AudioTake(container, format, frameCount: 8_000)
      file = MemoryFile(content: sound.header(dataByteCount: 4_000, isOpen: true) + sound.data)
      _ = repair(&file)
      let isSame = file.content[1_024...].elementsEqual(sound.data)
      #expect(isSame)
    }
  }

  @Test("what is no audio file of ours is left alone")
  func others() throws {
    var nothing = MemoryFile()
    #expect(repair(&nothing) == .empty)
    var noise = MemoryFile(content: [UInt8](repeating: 0x41, count: 5_000))
    #expect(repair(&noise) == .foreign)
    let folder = try TemporaryFolder()
    let path = folder.path(of: "other.wav")
    try ForeignProgram.run("sox", ["-n", "-r", "8000", path, "trim", "0", "1"])
    var other = try DiskFile(path: path)
    #expect(try repair(&other) == .foreign)
    #expect(nothing.operations.isEmpty && noise.operations.isEmpty)
  }

  @Test("random damage to a header never makes the repair fall", arguments: [AudioContainer.aiff, .caf, .wav])
  func damage(container: AudioContainer) {
    let format = AudioFormat(sampleRateHz: 8_000, channelCount: 1, sampleFormat: .float32)
    let whole = AudioTake(container, format, frameCount: 50).recorded(isFinished: false)
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<500 {
      var content = whole
      for _ in 0..<8 {
        content[Int.random(in: 0..<1_024, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
      }
      var file = MemoryFile(content: content)
      let outcome = repair(&file)
      #expect(file.content.count >= min(content.count, 1_024))
      guard case .repaired(let count) = outcome else { continue }
      #expect(repair(&file) == .alreadyWhole(dataByteCount: count), "repaired twice")
    }
  }

  @Test(
    "a header that no recorder of ours writes is left alone",
    arguments: [
      ("a frame of one byte, with which padding would be sound", "fmt ", 20, 1),
      ("a format without its block alignment", "fmt ", 4, 8), ("no space for sizes of 64 bits", "JUNK", 0, 0x41),
      ("less space for sizes of 64 bits", "JUNK", 4, 4), ("a count of frames without space", "fact", 4, 0),
    ])
  func foreignHeader(_: String, chunk: String, offset: Int, byte: UInt8) throws {
    let format = AudioFormat(sampleRateHz: 8_000, channelCount: 3, sampleFormat: .int24)
    var content = AudioTake(.wav, format, frameCount: 33).recorded(isFinished: false)
    let start = try #require(content.firstRange(of: Array(chunk.utf8))).lowerBound
    content[start + offset] = byte
    var file = MemoryFile(content: content)
    #expect(repair(&file) == .foreign)
    #expect(file.content == content)
  }
}
