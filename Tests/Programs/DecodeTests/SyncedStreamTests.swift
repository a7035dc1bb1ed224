import Base
import Foundation
import Machine
import TestSupport
import Testing

/// A stream that another program keeps in sync, received through a pipe.
@Suite struct SyncedStreamTests {
  private static let format = AudioFormat(sampleRateHz: 48_000, channelCount: 2, sampleFormat: .int16)
  /// 20 ms.
  private static let block = [UInt8](repeating: 0x11, count: 960 * 4)
  /// Shorter than the 400 ms between a stream's signs of life.
  private static let soonNanoseconds: UInt64 = 300_000_000

  @Test("after an outage what comes is told to the player as soon as it is there, and not with the next sign of life")
  func isReported() throws {
    let pipe = Pipe()
    func send(_ bytes: [UInt8]) { pipe.fileHandleForWriting.write(Data(bytes)) }
    send(try Self.header())
    // Less than a pipe's capacity, as nobody reads it yet.
    for _ in 0..<12 { send(Self.block) }
    let bench = try DecoderBench(Self.format, isInStep: false)
    guard case .success = try bench.openSynced(pipe.fileHandleForReading.fileDescriptor) else {
      throw DecoderBench.Trouble.unexpected("a refusal")
    }
    // More frames than were sent, so that some are owed from now on.
    try bench.send(.fill(endFrame: 47_000))
    var end = try bench.filled().end
    var soonCount = 0
    // Up to seventeen of the twenty blocks may be late, by stalls of a third of a second on a busy machine.
    for _ in 0..<20 where soonCount < 3 {
      let before = Instant.now
      send(Self.block)
      let wanted = end + 1
      while end < wanted { end = try bench.filled().end }
      if before.distance(to: .now) < Self.soonNanoseconds { soonCount += 1 }
    }
    #expect(soonCount == 3)
  }

  /// The header of an endless Core Audio Format stream, as ffmpeg writes it to an output that cannot seek.
  private static func header() throws -> [UInt8] {
    let file = try ForeignProgram.run(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "anullsrc=sample_rate=48000:channel_layout=stereo", "-t", "0.02", "-c:a",
        "pcm_s16le", "-fflags", "bitexact", "-f", "caf", "-",
      ])
    let place = try #require(Data(file).range(of: Data("data".utf8)))
    // After the name: eight bytes of size, -1 for unknown, and four of an edit count.
    return Array(file[..<place.upperBound]) + [UInt8](repeating: 0xFF, count: 8) + [0, 0, 0, 0]
  }
}
