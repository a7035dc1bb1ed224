import Base
import Foundation
import MediaZoo
import TestSupport
import Testing
import Wire

/// Files with other bytes before or behind them, and tables that lie about them. The reference is the file alone.
@Suite struct FileStartTests {
  private static let format = AudioFormat(sampleRateHz: 44_100, channelCount: 2, sampleFormat: .float32)
  private static let signal = Signal(frameCount: 88_200)

  private func find(_ path: String) throws -> FileFindings { try FileFindings(of: path, Self.format) }

  private func bytes(_ path: String) throws -> [UInt8] { try [UInt8](Data(contentsOf: URL(fileURLWithPath: path))) }

  private func made(_ name: String, _ bytes: [UInt8]) throws -> String {
    try Zoo.shared.made("start \(name)") { try Data(bytes).write(to: URL(fileURLWithPath: $0)) }
  }

  private func encoded(_ ending: String, _ options: [String] = []) throws -> String {
    let source = try Zoo.shared.path(of: Self.signal)
    return try Zoo.shared.made("alone.\(ending)") { path in
      try ForeignProgram.run("ffmpeg", ["-nostdin", "-v", "error", "-i", source] + options + [path])
    }
  }

  /// Expects that a file is heard as another one, and has its lengths.
  private func expect(_ path: String, soundsLike other: String, title: String? = nil) throws {
    let found = try find(path)
    let alone = try find(other)
    #expect(firstDifference(found.heard, alone.heard) == nil)
    for (seconds, expected) in zip(found.lengths, alone.lengths) { #expect(abs(seconds - expected) < 1e-3) }
    if let title { #expect(found.title == title) }
  }

  private static func safe(_ value: Int) -> [UInt8] { [21, 14, 7, 0].map { UInt8(value >> $0 & 0x7F) } }

  /// An ID3v2.3 tag with one text.
  /// - Parameter content: the encoding, and the text in it.
  private static func tag(_ content: [UInt8], byteCount: Int? = nil) -> [UInt8] {
    let frame = [UInt8]("TIT2".utf8) + [0, 0, 0, UInt8(content.count), 0, 0] + content
    return [UInt8]("ID3".utf8) + [3, 0, 0] + safe(byteCount ?? frame.count) + frame
  }

  private static let titled = tag([0] + [UInt8]("Front".utf8))

  private static let heads: [(String, [UInt8])] = [
    ("zeros", [UInt8](repeating: 0, count: 1000)), ("a line", [13, 10]),
    ("a header", [UInt8]("HTTP/1.0 200 OK\r\nContent-Type: application/ogg\r\n\r\n".utf8)),
  ]
  private static let pcm = ["-c:a", "pcm_s16le"]
  private static let kinds = [
    "opus", "ogg", "oga", "flac", "m4a", "wav", "aiff", "wv", "tta", "mka", "webm", "caf", "au", "w64", "avi", "mov",
    "wma",
  ]

  @Test("bytes before a file are passed over", arguments: Cases.some(12, of: 0..<heads.count * kinds.count))
  func before(number: Int) throws {
    let (name, head) = Self.heads[number % Self.heads.count]
    let ending = Self.kinds[number / Self.heads.count]
    let alone = try encoded(ending, ending == "oga" ? ["-c:a", "flac"] : ending == "avi" ? Self.pcm : [])
    try expect(made("\(name).\(ending)", head + bytes(alone)), soundsLike: alone)
  }

  @Test("zeros before a movie, and before an AIFF with its tags first, are passed over", arguments: ["m4a", "aiff"])
  func zeros(ending: String) throws {
    // As many as let FFmpeg find the movie behind them, but not its sound.
    let alone = try encoded("titled.\(ending)", ["-metadata", "title=Front"])
    let path = try made("700 zeros.\(ending)", [UInt8](repeating: 0, count: 700) + bytes(alone))
    try expect(path, soundsLike: alone, title: "Front")
  }

  @Test("a tag before a movie is read, and moves none of its sound", arguments: ["m4a", "mov", "avi"])
  func tagBeforeMovie(ending: String) throws {
    let alone = try encoded(ending, ending == "avi" ? Self.pcm : [])
    try expect(made("tag.\(ending)", Self.titled + bytes(alone)), soundsLike: alone, title: "Front")
  }

  @Test(
    "bytes behind the sound cost none of it, and do not count",
    arguments: ["flac", "ac3", "eac3", "w64"], [1, 0])
  func after(ending: String, seed: UInt64) throws {
    let alone = try encoded(ending)
    var random = SeededGenerator(seed: seed)
    let tail = (0..<300).map { _ in seed == 0 ? 0 : UInt8.random(in: 0...255, using: &random) }
    try expect(made("after \(seed).\(ending)", bytes(alone) + tail), soundsLike: alone)
  }

  @Test("a tag that is said to be longer than its file hides no sound")
  func longTag() throws {
    let alone = try encoded("mp3", ["-id3v2_version", "0"])
    let tag = Self.tag([0] + [UInt8]("Long".utf8), byteCount: 1_000_000)
    try expect(made("long tag.mp3", tag + bytes(alone)), soundsLike: alone, title: "Long")
  }

  @Test("a tag that is said to end within the first frame costs none of it")
  func overlappingTag() throws {
    let alone = try encoded("mp3", ["-id3v2_version", "0"])
    let tag = Self.tag([0] + [UInt8]("Front".utf8), byteCount: 26)
    try expect(made("overlapping tag.mp3", tag + bytes(alone)), soundsLike: alone)
  }

  @Test("a wrong number of frames in a table costs no sound, and adds none", arguments: [0, 1, 10, 1000])
  func frameCount(percent: Int) throws {
    let source = try Zoo.shared.path(of: Self.signal)
    let alone = try Zoo.shared.made("start lame.mp3") {
      try ForeignProgram.run("lame", ["--quiet", "-b", "128", source, $0])
    }
    var file = try bytes(alone)
    let table = try #require((0..<file.count - 4).first { file[$0..<$0 + 4].elementsEqual("Info".utf8) })
    let count = (8..<12).reduce(0) { $0 << 8 | Int(file[table + $1]) } * percent / 100
    for index in 0..<4 { file[table + 8 + index] = UInt8(count >> (24 - 8 * index) & 0xFF) }
    try expect(made("\(percent) percent.mp3", file), soundsLike: alone)
  }

  /// Each content of a frame with a title, the tags after the sound, and the title that is shown.
  private static let titles: [([UInt8], [UInt8], String)] = [
    ([3, 0xEF, 0xBB, 0xBF] + Array("Mark".utf8), [], "Mark"),
    ([0, 0xFF, 0xFE, 0x04, 0xBD, 0xA0, 0xB0], [], "봄날"),
    ([1] + Array("Plain text".utf8), [], "Plain text"),
    (Array("No encoding".utf8), [], "No encoding"),
    ([0, 0x20, 0x20], [UInt8]("TAGOld".utf8) + [UInt8](repeating: 0, count: 122), "Old"),
  ]

  @Test("a title is read as it was meant, whatever its tag says of it", arguments: 0..<5)
  func meant(index: Int) throws {
    let (content, tail, title) = Self.titles[index]
    let sound = try bytes(encoded("mp3", ["-id3v2_version", "0"]))
    #expect(try find(made("text \(index).mp3", Self.tag(content) + sound + tail)).title == title)
  }

  @Test("a tag without a footer after the sound is read, though it is shorter than a frame")
  func appendedTag() throws {
    let source = try Zoo.shared.path(of: Self.signal)
    let alone = try Zoo.shared.made("start lame.mp3") {
      try ForeignProgram.run("lame", ["--quiet", "-b", "128", source, $0])
    }
    let file = try bytes(alone) + Self.tag([3] + Array("Behind".utf8))
    let path = try made("appended.mp3", file)
    try expect(path, soundsLike: alone)
    #expect(try find(path).title == "Behind")
  }

  @Test("what iTunes has added to an MP3 by its tag is not heard")
  func appleTag() throws {
    let source = try Zoo.shared.path(of: Self.signal)
    let alone = try Zoo.shared.made("start lame.mp3") {
      try ForeignProgram.run("lame", ["--quiet", "-b", "128", source, $0])
    }
    let bare = try Zoo.shared.made("bare lame.mp3") {
      try ForeignProgram.run("lame", ["--quiet", "-t", "-b", "128", source, $0])
    }
    // LAME's delay of 576 frames, and 88,200 frames of sound.
    let content = [UInt8]("\0engiTunSMPB\0 00000000 00000240 00000200 0000000000015888 00000000".utf8)
    let frame = [UInt8]("COMM".utf8) + [0, 0, 0, UInt8(content.count), 0, 0] + content
    let tag = [UInt8]("ID3".utf8) + [3, 0, 0] + Self.safe(frame.count) + frame
    try expect(made("apple.mp3", tag + bytes(bare)), soundsLike: alone)
  }

  @Test("several artists in the comments of Opus are told apart as elsewhere")
  func severalArtists() throws {
    let source = try Zoo.shared.path(of: Self.signal)
    let path = try Zoo.shared.made("artists.opus") {
      try ForeignProgram.run("opusenc", ["--quiet", "--artist", "One", "--artist", "Two", source, $0])
    }
    #expect(try String(DecoderBench(Self.format).probe(path).get().artist) == "One; Two")
  }

  @Test("a movie without its end is refused with what to do")
  func withoutEnd() throws {
    let file = try bytes(encoded("m4a"))
    let end = try #require((0..<file.count - 4).first { file[$0..<$0 + 4].elementsEqual("moov".utf8) }) - 4
    let path = try made("without end.m4a", Array(file[..<end]))
    let bench = try DecoderBench(Self.format)
    #expect(try bench.probe(path) == .failure(.init(reason: .undescribed)))
    #expect(try bench.open(path) == .failure(.init(reason: .undescribed)))
  }

  @Test("the length of PCM in AVI is that of its sound, however its header counts")
  func videoLength() throws {
    for seconds in try find(encoded("avi", Self.pcm)).lengths { #expect(abs(seconds - 2) < 1e-6) }
  }

  @Test("FLAC files that were put together in Matroska have the length of both")
  func joinedMatroska() throws {
    let file = try bytes(encoded("flac.mka", ["-c:a", "flac"]))
    for seconds in try find(made("joined flac.mka", file + file)).lengths { #expect(abs(seconds - 4) < 1e-4) }
  }

  @Test("an RF64 without its chunk of sizes, and an empty chunk of sound, are played as ordinary WAV")
  func ordinary() throws {
    let alone = try encoded("exact.wav", ["-bitexact"])
    let file = try bytes(alone)
    try expect(made("no sizes.wav", [UInt8]("RF64".utf8) + file[4...]), soundsLike: alone)
    try expect(
      made("empty.wav", file[..<36] + [UInt8]("data".utf8) + [0, 0, 0, 0] + file[36...]), soundsLike: alone)
  }
}
