import Base
import Foundation
import MediaZoo
import TestSupport
import Testing

/// Files made by concatenating several streams, or tags. The reference is what ffmpeg decodes from each stream alone.
@Suite struct JoinedFileTests {
  private static let first = Signal(frameCount: 88_200)
  private static let second = Signal(frameCount: 66_150, isPureSine: true)

  /// The decoded sound of a file at its own rate, and its reported length, when opened and when examined.
  private func heard(_ path: String, rateHz: UInt32, seeks: [Double] = []) throws -> (
    samples: [UInt8], seconds: [Double], after: [[UInt8]]
  ) {
    let bench = try DecoderBench(AudioFormat(sampleRateHz: rateHz, channelCount: 2, sampleFormat: .float32))
    let probed = try bench.probe(path).get().durationSeconds
    let opened = try bench.open(path).get().durationSeconds
    var samples: [UInt8] = []
    #expect(try bench.play { samples += $0 }.hasEnded)
    let after = try seeks.map { seconds in
      try bench.seek(seconds)
      var part: [UInt8] = []
      _ = try bench.play(limitSeconds: 0.2) { part += $0 }
      return part
    }
    return (samples, [probed, opened], after)
  }

  private func encoded(_ signal: Signal, _ ending: String) throws -> String {
    let source = try Zoo.shared.path(of: signal)
    return try Zoo.shared.made("\(signal.frameCount).\(ending)") { path in
      switch ending {
      case "mp3": try ForeignProgram.run("lame", ["--quiet", source, path])
      case "opus": try ForeignProgram.run("opusenc", ["--quiet", "--title", "T\(signal.frameCount)", source, path])
      case "ogg": try ForeignProgram.run("oggenc", ["-Q", "-t", "T\(signal.frameCount)", source, "-o", path])
      case "oga":
        try ForeignProgram.run("flac", ["-s", "--ogg", "-T", "title=T\(signal.frameCount)", source, "-o", path])
      case "webm", "mka":
        let codec = ending == "webm" ? "libopus" : "pcm_s16le"
        try ForeignProgram.run(
          "ffmpeg",
          ["-v", "error", "-i", source, "-metadata", "title=T\(signal.frameCount)", "-c:a", codec, path])
      default: try ForeignProgram.run("ffmpeg", ["-v", "error", "-i", source, path])
      }
    }
  }

  private func bytes(_ path: String) throws -> [UInt8] { try [UInt8](Data(contentsOf: URL(fileURLWithPath: path))) }

  private func joined(_ name: String, _ pieces: [[UInt8]]) throws -> String {
    try Zoo.shared.made(name) { try Data(pieces.flatMap { $0 }).write(to: URL(fileURLWithPath: $0)) }
  }

  @Test(
    "two files in one play whole, each with its own padding cut off, and seeks reach both",
    arguments: ["mp3", "opus", "ogg", "oga", "flac", "webm", "mka"], ["", "twice "])
  func joined(ending: String, kind: String) throws {
    let files = [try encoded(Self.first, ending), try encoded(kind.isEmpty ? Self.second : Self.first, ending)]
    let path = try joined("\(kind)joined.\(ending)", try files.map { try bytes($0) })
    let expected = try files.flatMap { try Reference(path: $0).samples }
    let rateHz: UInt32 = ending == "opus" || ending == "webm" ? 48_000 : 44_100
    let seeks = [0.5, 2.5, 1.99, 2.0, 1.0, 3.1]
    let (samples, seconds, after) = try heard(path, rateHz: rateHz, seeks: seeks)
    #expect(firstDifference(samples, expected) == nil)
    for length in seconds { #expect(abs(length - Double(expected.count / 8) / Double(rateHz)) < 1e-6) }
    for (seek, part) in zip(seeks, after) {
      let start = Int(seek * Double(rateHz) + 0.5) * 8
      #expect(part.count > 0 && firstDifference(part, Array(expected[start...].prefix(part.count))) == nil, "\(seek)")
    }
  }

  @Test(
    "the title changes where another stream begins, and back with a seek",
    arguments: ["opus", "ogg", "oga", "webm", "mka"])
  func titles(ending: String) throws {
    let path = try joined(
      "titled.\(ending)", [try bytes(encoded(Self.first, ending)), try bytes(encoded(Self.second, ending))])
    let bench = try DecoderBench(AudioFormat(sampleRateHz: 44_100, channelCount: 2, sampleFormat: .int16))
    #expect(try String(bench.open(path).get().title) == "T88200")
    _ = try bench.play { _ in }
    #expect(bench.titles.map(\.title) == ["T66150"])
    #expect(abs(Int(bench.titles[0].ringFrame) - 88_200) <= 2)
    try bench.seek(0.5)
    _ = try bench.play(limitSeconds: 0.1) { _ in }
    #expect(bench.titles.map(\.title) == ["T66150", "T88200"])
  }

  private static func number(_ value: Int, _ byteCount: Int) -> [UInt8] {
    (0..<byteCount).map { UInt8(value >> (8 * $0) & 0xFF) }
  }

  private struct Item {
    let key: String
    let value: [UInt8]
    var isBinary = false
  }

  private static func ape(_ items: [Item], hasHeader: Bool = true) -> [UInt8] {
    var content: [UInt8] = []
    for item in items {
      content += number(item.value.count, 4) + number(item.isBinary ? 2 : 0, 4)
      content += [UInt8](item.key.utf8) + [0] + item.value
    }
    func end(isHeader: Bool) -> [UInt8] {
      let flags = (hasHeader ? 1 << 31 : 0) | (isHeader ? 1 << 29 : 0)
      var bytes = [UInt8]("APETAGEX".utf8) + number(2000, 4) + number(content.count + 32, 4)
      bytes += number(items.count, 4) + number(flags, 4) + number(0, 8)
      return bytes
    }
    return (hasHeader ? end(isHeader: true) : []) + content + end(isHeader: false)
  }

  /// Bytes that sometimes look like the start of a frame.
  private static let noise: [UInt8] = {
    var random = SeededGenerator(seed: 3)
    return (0..<65_536).map { _ in UInt8.random(in: 0...255, using: &random) }
  }()

  private static let old = [UInt8]("TAG".utf8) + [UInt8]("Old".utf8) + [UInt8](repeating: 0, count: 122)

  private static func lyrics() -> [UInt8] {
    let content = [UInt8]("LYRICSBEGININD0000210LYR03000".utf8) + [UInt8](repeating: 0x78, count: 3000)
    return content + [UInt8]("00\(content.count)".utf8) + [UInt8]("LYRICS200".utf8)
  }

  private static func safe(_ value: Int) -> [UInt8] { [21, 14, 7, 0].map { UInt8(value >> $0 & 0x7F) } }

  private static func appended() -> [UInt8] {
    var frame = [UInt8]("APIC".utf8) + safe(30_000)
    frame += [0, 0] + noise.prefix(30_000)
    let rest: [UInt8] = [4, 0, 0x10] + safe(frame.count)
    return [UInt8]("ID3".utf8) + rest + frame + [UInt8]("3DI".utf8) + rest
  }

  private static let titled =
    [UInt8]("ID3".utf8) + [3, 0, 0, 0, 0, 0, 12] + [UInt8]("TIT2".utf8) + [0, 0, 0, 2, 0, 0, 0, 65]

  private static let cover = Item(key: "Cover Art (Front)", value: noise, isBinary: true)

  private static let tails: [(String, [UInt8])] = [
    ("APE", ape([Item(key: "Title", value: [UInt8]("봄날".utf8)), cover])),
    ("APE without header", ape([cover], hasHeader: false)),
    ("APE and ID3v1", ape([cover]) + old),
    ("ID3v1 and APE", old + ape([cover])),
    ("Lyrics3 and ID3v1", lyrics() + old),
    ("ID3v2.4 with a footer", appended()),
    ("zeros", [UInt8](repeating: 0, count: 5000)),
    ("noise", Array(noise.prefix(20_000))),
  ]

  @Test(
    "bytes behind the sound are not played, and do not count as time",
    arguments: Cases.some(12, of: 0..<6 * tails.count))
  func tail(number: Int) throws {
    let ending = ["mp3", "mp2", "aac", "ogg", "opus", "flac"][number % 6]
    let (name, tail) = Self.tails[number / 6]
    let sound = try encoded(Self.first, ending)
    let rateHz: UInt32 = ending == "opus" ? 48_000 : 44_100
    let path = try joined("\(name).\(ending)", [try bytes(sound), tail])
    let expected = try Reference(path: sound).samples
    let (samples, seconds, _) = try heard(path, rateHz: rateHz)
    #expect(firstDifference(samples, expected) == nil)
    for length in seconds { #expect(abs(length - Double(expected.count / 8) / Double(rateHz)) < 1e-6) }
  }

  @Test(
    "bytes before the sound cost none of it", arguments: ["zeros", "text", "APE", "ID3 and APE", "two ID3 and zeros"],
    ["mp3", "aac"])
  func head(name: String, ending: String) throws {
    let heads = [
      "zeros": [UInt8](repeating: 0, count: 5000),
      "text": [UInt8](String(repeating: "<html>error</html>\n", count: 100).utf8), "APE": Self.ape([Self.cover]),
      "ID3 and APE": Self.titled + Self.ape([Self.cover]),
      "two ID3 and zeros": Self.titled + Self.appended().dropLast(10) + [UInt8](repeating: 0, count: 5000),
    ]
    let sound = try encoded(Self.first, ending)
    let path = try joined("\(name) before.\(ending)", [heads[name]!, try bytes(sound)])
    let expected = try Reference(path: sound).samples
    let (samples, seconds, _) = try heard(path, rateHz: 44_100)
    #expect(firstDifference(samples, expected) == nil)
    for length in seconds { #expect(abs(length - Double(expected.count / 8) / 44_100) < 1e-6) }
  }

  @Test("a second file that is shorter than a frame of the first is heard, and counts")
  func shortSecond() throws {
    let long = try Zoo.shared.path(of: Self.first)
    let short = try Zoo.shared.path(of: Signal(frameCount: 4_000))
    let files = try [(long, "320"), (short, "32")].map { source, bitRate in
      try Zoo.shared.made("at \(bitRate).mp3") { path in
        // Without a table, which would show where the second begins, and at the rate of the first.
        let options = bitRate == "32" ? ["-t", "--resample", "44.1"] : []
        try ForeignProgram.run("lame", ["--quiet", "--cbr", "-b", bitRate] + options + [source, path])
      }
    }
    let path = try joined("short second.mp3", try files.map { try bytes($0) })
    let expected = try files.flatMap { try Reference(path: $0).samples }
    let (samples, seconds, _) = try heard(path, rateHz: 44_100)
    #expect(samples.count == expected.count)
    for length in seconds { #expect(abs(length - Double(expected.count / 8) / 44_100) < 1e-6) }
  }

  @Test(
    "the length of Ogg whose positions do not begin at 0 is that of what is heard", arguments: ["opus", "ogg"],
    [1, 3, 3000])
  func late(ending: String, seconds: Int) throws {
    let source = try encoded(Self.first, ending)
    let path = try Zoo.shared.made("late-\(seconds).\(ending)") { path in
      try ForeignProgram.run(
        "ffmpeg", ["-v", "error", "-i", source, "-c", "copy", "-output_ts_offset", String(seconds), path])
    }
    let found = try heard(path, rateHz: 48_000)
    for length in found.seconds { #expect(abs(length - Double(found.samples.count) / 8 / 48_000) < 0.005) }
    #expect(abs(found.seconds[0] - 2) < 0.005)
  }

  @Test("the length of Ogg that is cut off within a page is that of what is heard", arguments: ["opus", "ogg"])
  func cutPage(ending: String) throws {
    let whole = try bytes(encoded(Self.first, ending))
    let path = try joined("cut page.\(ending)", [Array(whole.prefix(whole.count * 2 / 3))])
    let (samples, seconds, _) = try heard(path, rateHz: ending == "opus" ? 48_000 : 44_100)
    for length in seconds {
      #expect(abs(length - Double(samples.count / 8) / (ending == "opus" ? 48_000 : 44_100)) < 1e-6)
    }
  }

  @Test("the length of FLAC that is cut off, or whose description lies, is that of what is heard", arguments: 0..<4)
  func flacLength(kind: Int) throws {
    var file = try bytes(encoded(Self.first, "flac"))
    let told = file.count / 3 * 2
    switch kind {
    case 0: file = Array(file.prefix(told))
    case 1: file.replaceSubrange(22..<26, with: [0, 0, 0, 100])
    case 2: file.replaceSubrange(22..<26, with: [0xFF, 0xFF, 0xFF, 0xFF])
    default: file.replaceSubrange(22..<26, with: [0, 0, 0, 0])
    }
    let path = try joined("flac length \(kind).flac", [file])
    let (samples, seconds, _) = try heard(path, rateHz: 44_100)
    for length in seconds { #expect(abs(length - Double(samples.count / 8) / 44_100) < 1e-6) }
    #expect(kind == 0 || samples.count == 88_200 * 8)
  }

  @Test("tags between two MP3 files belong to the files, and are not played")
  func tagsBetween() throws {
    let files = [try encoded(Self.first, "mp3"), try encoded(Self.second, "mp3")]
    for (name, tail) in Self.tails {
      let path = try joined("\(name) between.mp3", [try bytes(files[0]), tail, try bytes(files[1]), tail])
      let expected = try files.flatMap { try Reference(path: $0).samples }
      #expect(try firstDifference(heard(path, rateHz: 44_100).samples, expected) == nil, "\(name)")
    }
  }
}
