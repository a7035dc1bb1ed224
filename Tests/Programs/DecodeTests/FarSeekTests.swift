import Base
import MediaZoo
import TestSupport
import Testing
import Wire

/// Seeking far forward in long files.
@Suite struct FarSeekTests {
  private static let format = AudioFormat(sampleRateHz: 44_100, channelCount: 2, sampleFormat: .float32)
  private static let minute = Signal(frameCount: 60 * 44_100)
  /// How many copies of the minute are concatenated.
  private static let minuteCount = 5

  /// The encoder's arguments, by file extension. AAC without perceptual noise substitution, because the decoder's noise
  /// differs after a seek.
  private static let kinds: [String: [String]] = [
    "mp3": ["-q:a", "5", "-write_xing", "0"], "aac": ["-aac_pns", "0"], "oga": ["-c:a", "flac"],
    "aac.mka": ["-c:a", "aac", "-aac_pns", "0"], "mp3.mka": ["-c:a", "libmp3lame"], "flac.mka": ["-c:a", "flac"],
    "alac.mka": ["-c:a", "alac"], "flv": ["-c:a", "aac", "-aac_pns", "0"], "vorbis.mka": ["-c:a", "libvorbis"],
  ]

  private func file(_ kind: String) throws -> String {
    let source = try Zoo.shared.path(of: Self.minute)
    return try Zoo.shared.made("far.\(kind)") { path in
      try ForeignProgram.run(
        "ffmpeg",
        ["-v", "error", "-stream_loop", "\(Self.minuteCount - 1)", "-i", source] + Self.kinds[kind]! + [path])
    }
  }

  /// An hour, concatenated from the encoded minutes.
  private func hour(_ kind: String) throws -> String {
    let source = try file(kind)
    return try Zoo.shared.made("hour.\(kind)") { path in
      try ForeignProgram.run("ffmpeg", ["-v", "error", "-stream_loop", "11", "-i", source, "-c", "copy", path])
    }
  }

  /// A tenth of a second as ffmpeg decodes it, after everything before it.
  private func reference(_ path: String, frame: Int) throws -> [UInt8] {
    try ForeignProgram.run(
      "ffmpeg",
      [
        "-nostdin", "-v", "error", "-i", path, "-af", "atrim=start_sample=\(frame):end_sample=\(frame + 4410)",
        "-c:a", "pcm_f32le", "-f", "f32le", "-",
      ])
  }

  @Test(
    "the sound far ahead is what ffmpeg decodes there, and the way there costs a fraction of decoding it",
    arguments: Cases.some(2, of: kinds.keys.filter { $0 != "vorbis.mka" }.sorted()))
  func far(kind: String) throws {
    let path = try file(kind)
    let bench = try DecoderBench(Self.format)
    _ = try bench.open(path).get()
    let start = try bench.processorSeconds()
    _ = try bench.play(limitSeconds: 60) { _ in }
    let minute = try bench.processorSeconds() - start
    let frame = 290 * 44_100 + 321
    try bench.seek(Double(frame) / 44_100)
    var heard: [UInt8] = []
    _ = try bench.play(limitSeconds: 0.1) { heard += $0 }
    #expect(try bench.processorSeconds() - start - minute < minute + 0.03)
    #expect(firstDifference(heard, try reference(path, frame: frame)) == nil)
    #expect(abs(try #require(bench.marks.last).positionSeconds - Double(frame) / 44_100) < 1e-6)
  }

  @Test(
    "a decoder that was started anew goes on where it is told to, and to the end",
    arguments: Cases.some(1, of: ["mp3", "aac.mka"]))
  func anew(kind: String) throws {
    let path = try file(kind)
    let bench = try DecoderBench(Self.format, isInStep: false)
    _ = try bench.open(path).get()
    let frame = 295 * 44_100
    try bench.seek(295)
    var heard: [UInt8] = []
    #expect(try bench.play { heard += $0 }.hasEnded)
    #expect(firstDifference(heard.prefix(4410 * 8), try reference(path, frame: frame)) == nil)
  }

  @Test(
    "what was put together of several files is sought to the sample too",
    arguments: Cases.some(1, of: ["oga", "flac.mka"]))
  func together(kind: String) throws {
    let path = try hour(kind)
    let bench = try DecoderBench(Self.format)
    _ = try bench.open(path).get()
    let frame = 420 * 44_100
    try bench.seek(420)
    var heard: [UInt8] = []
    _ = try bench.play(limitSeconds: 0.1) { heard += $0 }
    #expect(firstDifference(heard, try reference(path, frame: frame)) == nil)
  }

  @Test("a seek that has to decode everything before it reports that it is under way")
  func slow() throws {
    let path = try hour("vorbis.mka")
    let bench = try DecoderBench(Self.format)
    _ = try bench.open(path).get()
    let frame = 3_590 * 44_100
    try bench.seek(3_590)
    var heard: [UInt8] = []
    _ = try bench.play(limitSeconds: 0.1) { heard += $0 }
    #expect(bench.searchReportCount > 0)
    #expect(firstDifference(heard, try reference(path, frame: frame)) == nil)
  }
}
