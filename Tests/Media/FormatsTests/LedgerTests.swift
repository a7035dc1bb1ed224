import Base
import Foundation
import Media
import TestSupport
import Testing

/// The ledger in finished files, as shown by third-party programs.
@Suite struct LedgerTests {
  private static let mark = "0:00:01.500 sample 12000 2026-11-21T00:38:42.500Z mark: owl & <fox>"
  private static let lines = [
    "device 1", "sample rate 8000.123 Hz, +15.37 ppm", mark, mark + " 올빼미", "ended: stopped",
  ]
  private static let text = lines.map { $0 + "\n" }.joined()
  private static let format = AudioFormat(sampleRateHz: 8_000, channelCount: 1, sampleFormat: .int16)

  /// A complete file with the ledger.
  private func file(_ container: AudioContainer?, ledger text: String) -> [UInt8] {
    var file = MemoryFile()
    guard let container else {
      MovieCutTests.take.record(to: &file)
      let ledger = encoded(capacityByteCount: LedgerCoding.codedByteCount) { writer in
        LedgerCoding.encodeMovie(Array(text.utf8).span, into: &writer)
      }
      #expect(finish(&file, ledger: ledger) == .finished)
      return file.content
    }
    let take = AudioTake(container, Self.format, frameCount: 15_001)
    take.record(to: &file, pieceCount: 4, isFinished: true, ledger: take.ledger(text))
    return file.content
  }

  @Test("ffprobe shows all of it as a comment", arguments: [nil, AudioContainer.aiff, .caf, .wav])
  func ffprobe(container: AudioContainer?) throws {
    try withFile(file(container, ledger: Self.text), container.map { "\($0.fileExtension)" } ?? "mov") { path in
      let tags = try #require(Probe(path: path).format.tags)
      let comment = tags["comment"] ?? tags["comments"] ?? ""
      #expect(comment.split(separator: "\n").map(String.init) == Self.lines)
    }
  }

  @Test("mediainfo shows it", arguments: [nil, AudioContainer.aiff, .wav])
  func mediaInfoShows(container: AudioContainer?) throws {
    try withFile(file(container, ledger: Self.text), container.map { "\($0.fileExtension)" } ?? "mov") { path in
      let text = try ForeignProgram.text("mediainfo", ["--Full", path])
      #expect(text.contains(Self.mark))
      #expect(text.contains("ended: stopped"))
    }
  }

  /// exiftool 12.57 does not know CAF.
  @Test("exiftool shows it", arguments: [nil, AudioContainer.aiff, .wav])
  func exiftool(container: AudioContainer?) throws {
    try withFile(file(container, ledger: Self.text), container.map { "\($0.fileExtension)" } ?? "mov") { path in
      let text = try ForeignProgram.text("exiftool", ["-a", "-G1", "-b", "-charset", "UTF8", path])
      #expect(text.contains(Self.mark))
      #expect(text.contains("ended: stopped"))
    }
  }

  @Test("exiftool has nothing to say against long notes", arguments: [nil, AudioContainer.aiff, .wav])
  func longNotes(container: AudioContainer?) throws {
    let note = "0:00:01.500 sample 12000 2026-11-21T00:38:42.500Z note: \(String(repeating: "n", count: 80))\n"
    let text = Self.text + note + note + note
    try withFile(file(container, ledger: text), container.map { "\($0.fileExtension)" } ?? "mov") { path in
      let verdict = try ForeignProgram.text("exiftool", ["-validate", "-warning", "-s3", path])
      #expect(verdict.hasPrefix("OK"), "\(verdict)")
    }
  }

  @Test("a growing file says that it was interrupted", arguments: [nil, AudioContainer.aiff, .caf, .wav])
  func interrupted(container: AudioContainer?) throws {
    let content =
      container.map { AudioTake($0, Self.format, frameCount: 8_000).recorded(isFinished: false) }
      ?? MovieCutTests.take.recorded()
    try withFile(content, container.map { "\($0.fileExtension)" } ?? "mov") { path in
      let tags = try #require(Probe(path: path).format.tags)
      let ended = tags["org.fieldcorder.ended"] ?? tags["comment"]
      #expect(ended?.hasSuffix("interrupted") == true)
    }
  }

  @Test("the longest ledger leaves the media as they are", arguments: [nil, AudioContainer.aiff, .caf, .wav])
  func longest(container: AudioContainer?) throws {
    // Every character of it becomes longer in XML.
    let text = "device 1\n" + String(repeating: "&", count: LedgerCoding.textByteCount - 9 - 1) + "\n"
    let content = file(container, ledger: text)
    guard let container else {
      let movie = try #require(FinishedMovie(content))
      #expect(movie.audio == MovieCutTests.take.fragments.flatMap(\.audio))
      return
    }
    try withFile(content, "\(container.fileExtension)") { path in
      let sound = try ForeignProgram.run(
        "ffmpeg", ["-v", "error", "-i", path, "-c:a", "pcm_s16le", "-f", "s16le", "-"])
      #expect(sound.count == 2 * 15_001)
    }
  }
}
