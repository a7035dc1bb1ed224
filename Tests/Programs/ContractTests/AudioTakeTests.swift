import Foundation
import TestSupport
import Testing

/// Audio-only takes.
@Suite struct AudioTakeTests {
  struct Shape: CustomTestStringConvertible, Sendable {
    var container: String
    var rate: UInt32
    var channels: Int
    var format: String
    var bits: Int
    var codec: String
    var testDescription: String { "\(container), \(codec), \(channels) channels, \(rate) Hz" }
  }

  static let shapes = [
    Shape(container: "aiff", rate: 44_100, channels: 2, format: "s16", bits: 16, codec: "pcm_s16be"),
    Shape(container: "aiff", rate: 48_000, channels: 1, format: "s24", bits: 24, codec: "pcm_s24be"),
    Shape(container: "caf", rate: 48_000, channels: 2, format: "float", bits: 24, codec: "pcm_f32le"),
    Shape(container: "caf", rate: 96_000, channels: 1, format: "s16", bits: 16, codec: "pcm_s16le"),
    Shape(container: "wav", rate: 48_000, channels: 2, format: "s24", bits: 24, codec: "pcm_s24le"),
    Shape(container: "wav", rate: 8_000, channels: 6, format: "s16", bits: 16, codec: "pcm_s16le"),
  ]

  @Test("every sample is there and equals the microphone's, in every format", arguments: shapes)
  func samples(shape: Shape) throws {
    let session = try Session(
      ["wait 6", "press record", "wait 10", "press record", "wait 2", "status json", "quit"], seed: 21,
      configuration: """
        [record]
        what = audio
        audio_format = \(shape.container)
        [audio]
        sample_rate = \(shape.rate)
        channels = \(shape.channels)
        format = \(shape.format)

        """)
    #expect(session.end() == 0)
    let path = try #require(session.takes().first)
    #expect(path.contains("/audio/2") && path.hasSuffix("." + shape.container))
    #expect(try ForeignProgram.probe(path, stream: "a:0", entry: "codec_name") == shape.codec)
    let sound = HeardSound(
      try ForeignProgram.decodeSamples(path), seed: 21, channelCount: shape.channels, sampleRateHz: shape.rate,
      bitsPerSample: shape.bits)
    #expect(sound.frameCount == Int(shape.rate) * 15)
    #expect(sound.mismatch(from: try #require(sound.firstFrame)) == nil)
    try expectTold(path, session, sound)
  }

  private func expectTold(_ path: String, _ session: Session, _ sound: HeardSound) throws {
    let status = try #require(try session.statuses().last)
    #expect(status.audioFrames == UInt64(sound.frameCount))
    #expect(status.videoFrames == 0)
    #expect(status.seconds == 15)
    #expect(status.prerollSeconds == 5)
    #expect(status.heapAllocationsSinceBootComplete == 0)
    let duration = try ForeignProgram.text(
      "ffprobe", ["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", path])
    let seconds = try #require(Double(duration))
    // ffprobe estimates a CAF's length from the file's size, and so includes the ledger, of less than 1,100 bytes, and
    // the list of hashes, of 16 bytes for each half second.
    let bytesPerSecond = Double(try Data(contentsOf: URL(fileURLWithPath: path)).count) / seconds
    #expect(seconds - 15 <= (path.hasSuffix(".caf") ? (1_100 + 16 * 30) / bytesPerSecond : 0))
    #expect(seconds >= 15)
    let tags = try ForeignProgram.text("ffprobe", ["-v", "error", "-show_entries", "format_tags", "-of", "json", path])
    #expect(tags.contains("fieldcorder"))
    // The field in a WAV only has room for it without its hyphens.
    let device = status.uuid.uuidString.filter { $0 != "-" }
    #expect(tags.filter { $0 != "-" }.localizedCaseInsensitiveContains(device))
    #expect(tags.contains("2026-01-01"))
  }

  @Test("a recorder that arms at a press has no pre-roll, and the press records")
  func armedByPress() throws {
    let session = try Session(
      [
        "wait 3", "status json", "press record", "wait 4", "status json", "press record", "wait 2", "status json",
        "quit",
      ], seed: 22, configuration: "[record]\narm = press\n")
    #expect(session.end() == 0)
    let statuses = try session.statuses()
    #expect(statuses.map(\.state) == ["idle", "recording", "idle"])
    #expect(statuses.allSatisfy { $0.prerollSeconds == 0 })
    let path = try #require(session.takes().first)
    let movie = try RecordedMovie(path)
    #expect(movie.firstGap == nil)
    let sound = HeardSound(try ForeignProgram.decodeSamples(path), seed: 22)
    // The devices open on release of the button, because only then is it known to be a short press.
    #expect(abs(Double(sound.frameCount) / 48_000 - 4) < 0.2)
    #expect(sound.mismatch(from: try #require(sound.firstFrame)) == nil)
    let distances = movie.distances(toClicks: sound.clickSeconds)
    #expect(distances.count >= 3 && distances.allSatisfy { $0 <= 1.0 / 30 })
  }
}
