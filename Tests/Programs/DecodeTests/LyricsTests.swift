import Foundation
import MediaZoo
import TestSupport
import Testing

/// Lyrics in files that third-party programs wrote, and in frames that none of them writes.
@Suite struct LyricsTests {
  private static let timed = "[ti:Song]\n[00:12.50]second\n[00:01.00]first\n[01:02]third"
  private static let timedLines = ["1000 first", "12500 second", "62000 third"]

  private func sound() throws -> String { try Zoo.shared.path(of: Signal(frameCount: 44_100)) }

  @Test("lyrics in the tags that flac, oggenc, opusenc and ffmpeg write are read, and instants in them")
  func tagged() throws {
    let bench = try ExtractBench()
    let folder = try TemporaryFolder()
    func made(_ name: String, _ program: String, _ arguments: (String) -> [String]) throws -> String {
      let path = folder.path + "/" + name
      try ForeignProgram.run(program, arguments(path))
      return path
    }
    let sound = try sound()
    let flac = try made("a.flac", "flac") { ["--silent", "-T", "LYRICS=\(Self.timed)", "-o", $0, sound] }
    #expect(try bench.lyrics(flac) == Self.timedLines)
    let vorbis = try made("a.ogg", "oggenc") { ["-Q", "-c", "UNSYNCEDLYRICS=eins\nzwei", "-o", $0, sound] }
    #expect(try bench.lyrics(vorbis) == ["eins", "zwei"])
    let opus = try made("a.opus", "opusenc") { ["--quiet", "--comment", "lyrics=라라라", sound, $0] }
    #expect(try bench.lyrics(opus) == ["라라라"])
    for name in ["a.m4a", "a.mp3", "a.mka"] {
      let file = try made(name, "ffmpeg") {
        ["-nostdin", "-v", "error", "-i", sound, "-metadata", "lyrics=one\rtwo", $0]
      }
      #expect(try bench.lyrics(file) == ["one", "two"], "\(name)")
    }
    #expect(try bench.lyrics(sound) == [])
  }

  /// Adds lyrics to a file with Mutagen: plain ones if "plain" precedes the path, otherwise synchronised ones, whose
  /// unit is milliseconds or MPEG audio frames.
  private static let mutagen = """
    import sys
    from mutagen.id3 import SYLT, USLT
    from mutagen.aiff import AIFF
    from mutagen.mp3 import MP3
    from mutagen.mp4 import MP4
    from mutagen.wave import WAVE
    kind, path = sys.argv[1:]
    if path.endswith('m4a'):
        file = MP4(path)
        file['\u{5C}xa9lyr'] = '일절\u{5C}n이절'
    else:
        file = {'mp3': MP3, 'wav': WAVE, 'iff': AIFF}[path[-3:]](path)
        if file.tags is None: file.add_tags()
        text = [('하나', 100), ('둘', 250)]
        file.tags.add(
            USLT(encoding=1, lang='kor', desc='d', text='일절\u{5C}n이절') if kind == 'plain' else
            SYLT(encoding=3, lang='kor', format=1 if kind == 'frames' else 2, type=1, desc='d', text=text))
    file.save()
    """

  @Test(
    "lyrics that Mutagen writes into MP3, WAV, AIFF and MP4 are read, plain and synchronised",
    arguments: ["mp3", "wav", "aiff", "m4a"])
  func mutagen(ending: String) throws {
    let bench = try ExtractBench()
    func lyrics(_ kind: String) throws -> [String] {
      let folder = try TemporaryFolder()
      let path = folder.path + "/a." + ending
      try ForeignProgram.run("ffmpeg", ["-nostdin", "-v", "error", "-i", try sound(), "-map_metadata", "-1", path])
      try ForeignProgram.run("/usr/bin/python3", ["-c", Self.mutagen, kind, path])
      return try bench.lyrics(path)
    }
    #expect(try lyrics("plain") == ["일절", "이절"])
    guard ending != "m4a" else { return }
    #expect(try lyrics("synchronised") == ["100 하나", "250 둘"])
    guard ending == "mp3" else { return }
    #expect(try lyrics("frames") == ["\(100 * 1_152_000 / 44_100) 하나", "\(250 * 1_152_000 / 44_100) 둘"])
  }

  @Test("lyrics that eyeD3 and AtomicParsley write are read")
  func others() throws {
    let bench = try ExtractBench()
    let folder = try TemporaryFolder()
    let words = try folder.write(Array("one\nzwei".utf8), as: "words")
    for name in ["a.mp3", "a.m4a"] {
      try ForeignProgram.run(
        "ffmpeg", ["-nostdin", "-v", "error", "-i", try sound(), "-map_metadata", "-1", folder.path + "/" + name])
    }
    try ForeignProgram.run("eyeD3", ["-Q", "--add-lyrics", words, folder.path + "/a.mp3"])
    try ForeignProgram.run("AtomicParsley", [folder.path + "/a.m4a", "--lyrics", "one\nzwei", "--overWrite"])
    for name in ["a.mp3", "a.m4a"] {
      #expect(try bench.lyrics(folder.path + "/" + name) == ["one", "zwei"], "\(name)")
    }
  }

  private func big(_ value: Int, _ count: Int = 4) -> [UInt8] {
    (0..<count).reversed().map { UInt8(value >> (8 * $0) & 0xFF) }
  }

  private func safe(_ value: Int) -> [UInt8] { (0..<4).reversed().map { UInt8(value >> (7 * $0) & 0x7F) } }

  /// A file that begins with an ID3v2 tag of these frames.
  private func file(version: UInt8, flags: UInt8 = 0, frames: [(String, UInt8, [UInt8])]) throws -> String {
    var body: [UInt8] = []
    for (name, frameFlags, content) in frames {
      body += Array(name.utf8)
      body += version == 2 ? big(content.count, 3) : version == 4 ? safe(content.count) : big(content.count)
      if version > 2 { body += [0, frameFlags] }
      body += content
    }
    if flags & 0x80 != 0, version < 4 { body = unsynchronised(body) }
    let mp3 = try Zoo.shared.made("lyrics.mp3") { path in
      try ForeignProgram.run(
        "ffmpeg", ["-nostdin", "-v", "error", "-i", try sound(), "-id3v2_version", "0", "-write_id3v1", "0", path])
    }
    let bytes = Array("ID3".utf8) + [version, 0, flags] + safe(body.count) + body
    return try TemporaryFolder.kept(bytes + [UInt8](Data(contentsOf: URL(fileURLWithPath: mp3))))
  }

  private func unsynchronised(_ bytes: [UInt8]) -> [UInt8] {
    bytes.indices.flatMap { index in
      let next = index + 1 < bytes.count ? bytes[index + 1] : 0
      return bytes[index] == 0xFF && (next == 0 || next >= 0xE0) ? [0xFF, 0] : [bytes[index]]
    }
  }

  private func utf16(_ text: String) -> [UInt8] {
    [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
  }

  @Test("the frame SYLT is read in every version and encoding of ID3v2, unsynchronised or not, after other frames")
  func synchronized() throws {
    let bench = try ExtractBench()
    let other: ([UInt8]) = [3] + Array("a title".utf8)
    let latin =
      [0] + Array("eng".utf8) + [2, 1, 0] + Array("Für".utf8.map { $0 }.prefix(1)) + [0xFC] + Array("r\0".utf8)
      + big(255) + Array("zwei\0".utf8) + big(0xFF00)
    #expect(try bench.lyrics(file(version: 2, frames: [("SLT", 0, latin)])) == ["255 Für", "65280 zwei"])
    #expect(
      try bench.lyrics(file(version: 3, flags: 0x80, frames: [("TIT2", 0, other), ("SYLT", 0, latin)]))
        == ["255 Für", "65280 zwei"])
    let wide =
      [1] + Array("kor".utf8) + [2, 1] + utf16("설명") + [0, 0] + utf16("안녕") + [0, 0] + big(1500) + utf16("세상 😀")
      + [0, 0] + big(3000)
    #expect(try bench.lyrics(file(version: 3, frames: [("SYLT", 0, wide)])) == ["1500 안녕", "3000 세상 😀"])
    // Syllables, in which a line feed begins a line.
    let syllables =
      [3] + Array("eng".utf8) + [2, 1, 0] + Array("\nTwin\0".utf8) + big(1000) + Array("kle\0".utf8) + big(1400)
      + Array("\nstar\0".utf8) + big(0x00FF_E0)
    #expect(try bench.lyrics(file(version: 4, frames: [("SYLT", 0, syllables)])) == ["1000 Twinkle", "65504 star"])
    #expect(
      try bench.lyrics(file(version: 4, frames: [("TIT2", 0, other), ("SYLT", 2, unsynchronised(syllables))]))
        == ["1000 Twinkle", "65504 star"])
    let plain = [3] + Array("eng\0first\nsecond".utf8)
    #expect(try bench.lyrics(file(version: 4, frames: [("USLT", 0, plain)])) == ["first", "second"])
    // Timestamps in MPEG audio frames, here of 1,152 samples at 44,100 Hz, and timestamps in an unknown unit.
    var counted = syllables
    counted[4] = 1
    #expect(
      try bench.lyrics(file(version: 4, frames: [("SYLT", 0, counted), ("USLT", 0, plain)]))
        == ["\(1000 * 1_152_000 / 44_100) Twinkle", "\(65_504 * 1_152_000 / 44_100) star"])
    counted[4] = 3
    #expect(
      try bench.lyrics(file(version: 4, frames: [("SYLT", 0, counted), ("USLT", 0, plain)])) == ["first", "second"])
  }

  @Test(
    "a file of lyrics is read whatever it is written in, and instants of all forms",
    arguments: [
      ("\u{FEFF}[00:01.5]a\r\n\r\n[0:02]b", "1500 a|2000 b"), ("one\n\n  two  \n", "one||  two"),
      ("[offset:+500]\n[00:10.00]a\n[offset:-500]\n[00:10.00]b", "9500 a|10500 b"),
      ("[00:05.00][00:01.00]la\n[00:03.00]<00:03.10>lu <00:03.50>li", "1000 la|3000 lu li|5000 la"),
      ("[01:00:05.00]hour\n[1:2:3.5]more\n[00:59.9]a", "59900 a|3605000 hour|3723500 more"),
      (" [00:01.00] [00:03,50] a\n\t[00:02.00]b", "1000 a|2000 b|3500 a"),
      ("[ 00:01.00 ] a\n［00：02.00］b\n[00:03.00]c[00:03.50]d[00:04.00]", "1000 a|2000 b|3000 cd"),
      ("[AR: x]\n[Offset: 500]\n[00:02.00]b\n[Chorus: all]", "1500 b|1500 [Chorus: all]"),
      ("[00:01.123456]a\n[00:02.0001]b\n[offset:+500]\n[00:03.00]c", "623 a|1500 b|2500 c"),
      ("[99:59:99]end\n[00:00.00]\n[x]y", "0 |0 [x]y|5999990 end"),
    ])
  func files(text: String, lines: String) throws {
    let bench = try ExtractBench()
    let expected = lines.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    func trimmed(_ lines: [String]) -> [String] { lines.map { String($0.trimmingSuffix { $0 == " " }) } }
    let path = try TemporaryFolder.kept(Array(text.utf8))
    #expect(trimmed(try bench.lyrics(path, .lyricsText)) == trimmed(expected))
    let wide = utf16(text.replacing("\u{FEFF}", with: ""))
    #expect(trimmed(try bench.lyrics(TemporaryFolder.kept(wide), .lyricsText)) == trimmed(expected))
    // Without a mark, as far as its first letter is a Latin one.
    guard text.utf8.first.map({ $0 < 0x80 }) == true else { return }
    #expect(trimmed(try bench.lyrics(TemporaryFolder.kept(Array(wide.dropFirst(2))), .lyricsText)) == trimmed(expected))
  }

  /// An APE tag of version 2 with these items, each with its flags.
  static func ape(_ items: [(String, [UInt8], Int)]) -> [UInt8] {
    func little(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (8 * $0) & 0xFF) } }
    var body: [UInt8] = []
    for (key, content, flags) in items {
      body += little(content.count) + little(flags)
      body += Array(key.utf8) + [0] + content
    }
    var footer = Array("APETAGEX".utf8) + little(2000)
    footer += little(body.count + 32) + little(items.count) + little(0)
    return body + footer + [UInt8](repeating: 0, count: 8)
  }

  @Test("lyrics in an APE tag and in both versions of Lyrics3 behind MP3 are read")
  func tails() throws {
    let bench = try ExtractBench()
    let mp3 = try [UInt8](Data(contentsOf: URL(fileURLWithPath: file(version: 4, frames: []))))
    let words = Array("[00:01.00]one\r\n[00:02.00]two".utf8)
    let lines = ["1000 one", "2000 two"]
    let ape = Self.ape([("Title", Array("a".utf8), 0), ("UNSYNCEDLYRICS", words, 0), ("Cover", [0, 1], 2)])
    #expect(try bench.lyrics(TemporaryFolder.kept(mp3 + ape)) == lines)
    let old = [UInt8]("TAG".utf8) + [UInt8](repeating: 0, count: 125)
    var field = Array("LYRICSBEGININD0000200LYR000\(words.count)".utf8)
    field += words + Array("ETT00001a".utf8)
    let end = "000000\(field.count)".suffix(6) + "LYRICS200"
    let second = field + Array(end.utf8)
    #expect(try bench.lyrics(TemporaryFolder.kept(mp3 + second + old)) == lines)
    let first = Array("LYRICSBEGIN".utf8) + words + Array("LYRICSEND".utf8)
    #expect(try bench.lyrics(TemporaryFolder.kept(mp3 + first + old)) == lines)
  }

  @Test("lyrics in a country's own charset are read; hostile ones arrive short, printable and cut")
  func hostile() throws {
    let bench = try ExtractBench()
    let korean = Array("[00:01.00]".utf8) + [0xbe, 0xc6, 0xb8, 0xae, 0xb6, 0xfb]
    #expect(try bench.lyrics(TemporaryFolder.kept(korean), .lyricsText) == ["1000 아리랑"])
    var random = SeededGenerator(seed: 1)
    var bytes =
      Array("\u{1B}]0;title\u{7}\u{1B}[2J\u{202E}\u{85}\u{2028}".utf8) + [0xFF, 0xC0, 0x80, 0xED, 0xA0, 0x80, 10]
    bytes += (0..<1_000_000).map { _ in UInt8.random(in: 0...255, using: &random) }
    for extract in [0, 1] {
      let content = extract == 0 ? bytes : [UInt8](repeating: UInt8(ascii: "x"), count: 1_000_000)
      let path = try TemporaryFolder.kept(content)
      guard case .lyrics(let byteCount, _)? = try bench.extract(.lyricsText, path) else {
        Issue.record("no lyrics")
        continue
      }
      #expect(byteCount <= 120_000)
      for line in try bench.lyrics(path, .lyricsText) {
        #expect(line.utf8.count <= 270)
        #expect(line.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
      }
    }
  }
}

extension String {
  fileprivate func trimmingSuffix(while isTrimmed: (Character) -> Bool) -> Substring {
    self[..<(lastIndex { !isTrimmed($0) }.map(index(after:)) ?? startIndex)]
  }
}

extension TemporaryFolder {
  /// A file of these bytes, in a folder that is kept.
  static func kept(_ bytes: [UInt8]) throws -> String {
    let name = "extract-\(bytes.count)-\(bytes.reduce(5381) { ($0 &* 33) &+ Int($1) })"
    return try Zoo.shared.made(name) { try Data(bytes).write(to: URL(fileURLWithPath: $0)) }
  }
}
