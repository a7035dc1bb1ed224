import Base
import MediaZoo
import TestSupport
import Testing
import Wire

/// Seeking in an item, and repeating a section of it.
@Suite struct LeapTests {
  private static let format = AudioFormat(sampleRateHz: 44_100, channelCount: 2, sampleFormat: .int16)
  private static let signal = Signal(frameCount: 4 * 44_100 + 123)

  /// The encoder's arguments, by file extension.
  private static let kinds: [String: [String]] = [
    "wav": [], "aiff": [], "flac": [], "caf": ["-c:a", "alac"], "m4a": ["-c:a", "alac"], "wv": [],
    "mov": ["-c:a", "pcm_s16le"], "mka": ["-c:a", "pcm_s16le"], "oga": ["-c:a", "flac"],
    "flac.mka": ["-c:a", "flac"], "alac.mka": ["-c:a", "alac"], "mp3.mka": ["-c:a", "libmp3lame"],
    "vorbis.mka": ["-c:a", "libvorbis"],
    "ms.wav": ["-c:a", "adpcm_ms"], "mp3": ["-b:a", "128k"], "tagless.mp3": ["-q:a", "4", "-write_xing", "0"],
    "ogg": ["-c:a", "libvorbis"],
  ]

  private func file(_ kind: String) throws -> String {
    let source = try Zoo.shared.path(of: Self.signal)
    return try Zoo.shared.made("leap.\(kind)") { path in
      try ForeignProgram.run("ffmpeg", ["-v", "error", "-i", source] + Self.kinds[kind]! + [path])
    }
  }

  /// The whole item, decoded without a seek.
  private func whole(_ path: String) throws -> [UInt8] {
    let bench = try DecoderBench(Self.format)
    _ = try bench.open(path).get()
    var heard: [UInt8] = []
    _ = try bench.play { heard += $0 }
    return heard
  }

  @Test("the sound after a seek is the sound at that position", arguments: kinds.keys.sorted())
  func leaps(kind: String) throws {
    let path = try file(kind)
    let whole = try whole(path)
    let bench = try DecoderBench(Self.format)
    _ = try bench.open(path).get()
    var numbers = SeededGenerator(seed: 31)
    for frame in [0, 1, 4_000] + (0..<8).map({ _ in Int.random(in: 0..<170_000, using: &numbers) }) {
      let start = bench.firstFrame
      try bench.seek(Double(frame) / 44_100)
      var heard: [UInt8] = []
      _ = try bench.play(limitSeconds: 0.1) { heard += $0 }
      #expect(heard == Array(whole[(frame * 4)...].prefix(heard.count)), "from frame \(frame) on")
      let mark = try #require(bench.marks.last)
      #expect(mark.ringFrame == start)
      #expect(abs(mark.positionSeconds - Double(frame) / 44_100) < 1e-6)
    }
  }

  @Test("a section repeats without an extra frame", arguments: ["wav", "flac", "m4a", "mp3", "ogg", "mp3.mka", "oga"])
  func section(kind: String) throws {
    let path = try file(kind)
    let whole = try whole(path)
    let bench = try DecoderBench(Self.format)
    _ = try bench.open(path).get()
    let (first, end) = (22_051, 55_557)
    try bench.send(.setSection(PlaybackSection(startSeconds: Double(first) / 44_100, endSeconds: Double(end) / 44_100)))
    var heard: [UInt8] = []
    _ = try bench.play(limitSeconds: 4) { heard += $0 }
    var expected = Array(whole[..<(end * 4)])
    while expected.count < heard.count { expected += whole[(first * 4)..<(end * 4)] }
    #expect(heard == Array(expected.prefix(heard.count)))
    let turns = bench.marks.dropFirst()
    #expect(turns.map(\.ringFrame) == turns.indices.map { UInt64(end + ($0 - 1) * (end - first)) })
    #expect(turns.count == 4)

    try bench.send(.setSection(nil))
    #expect(try bench.play { _ in }.hasEnded)
  }

  @Test("a section of another rate than the card's keeps its length")
  func resampledSection() throws {
    let bench = try DecoderBench(AudioFormat(sampleRateHz: 48_000, channelCount: 2, sampleFormat: .int16))
    _ = try bench.open(try file("wav")).get()
    try bench.send(.setSection(PlaybackSection(startSeconds: 1, endSeconds: 1.5)))
    _ = try bench.play(limitSeconds: 5) { _ in }
    let frames = bench.marks.map { Int($0.ringFrame) }
    #expect(frames.count == 8)
    for (turn, frame) in frames.dropFirst().enumerated() {
      #expect(abs(frame - 72_000 - turn * 24_000) <= 2 * (turn + 1))
    }
  }
}
