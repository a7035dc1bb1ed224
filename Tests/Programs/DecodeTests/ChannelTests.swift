import Base
import MediaZoo
import TestSupport
import Testing

/// Files with more than two channels.
@Suite struct ChannelTests {
  /// Channel counts by FFmpeg's name of the layout.
  private static let counts = ["quad": 4, "4.0": 4, "3.0": 3, "2.1": 3, "5.0": 5, "5.1": 6, "7.1": 8]

  private func file(_ layout: String) throws -> String {
    let signal = Signal(channelCount: Self.counts[layout]!, frameCount: 20_000)
    let source = try Zoo.shared.path(of: signal)
    return try Zoo.shared.made("channels-\(layout).wav") { path in
      let map = (0..<Self.counts[layout]!).map(String.init).joined(separator: "|")
      try ForeignProgram.run(
        "ffmpeg", ["-v", "error", "-i", source, "-af", "channelmap=map=\(map):channel_layout=\(layout)", path])
    }
  }

  @Test("a card with as many channels as the file gets them as they are", arguments: counts.keys.sorted())
  func asTheyAre(layout: String) throws {
    let path = try file(layout)
    let channelCount = Self.counts[layout]!
    let bench = try DecoderBench(
      AudioFormat(sampleRateHz: 44_100, channelCount: UInt16(channelCount), sampleFormat: .int16))
    _ = try bench.open(path).get()
    var heard: [UInt8] = []
    #expect(try bench.play { heard += $0 }.hasEnded)
    #expect(firstDifference(heard, try Reference(path: path, as: .int16).samples) == nil)
  }

  @Test("on a card with four channels the sides of 5.1 come from behind")
  func fromBehind() throws {
    let bench = try DecoderBench(AudioFormat(sampleRateHz: 44_100, channelCount: 4, sampleFormat: .int16))
    let path = try file("5.1")
    _ = try bench.open(path).get()
    var heard: [UInt8] = []
    #expect(try bench.play { heard += $0 }.hasEnded)
    let quad = try ForeignProgram.run(
      "ffmpeg", ["-v", "error", "-i", path, "-af", "aresample=ochl=quad:rmvol=1", "-f", "s16le", "-"])
    let differences = zip(shorts(heard), shorts(quad)).map { abs(Int($0) - Int($1)) }
    #expect(differences.count == 20_000 * 4)
    #expect(differences.allSatisfy { $0 <= 1 })
  }
}
