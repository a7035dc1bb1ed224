import Base
import Foundation
import Machine
import TestSupport
import Testing

/// A stream that somebody else keeps in sync, which comes through a pipe.
@Suite struct SyncedStreamTests {
  private static let format = AudioFormat(sampleRateHz: 48_000, channelCount: 2, sampleFormat: .int16)
  /// 20 ms.
  private static let block = [UInt8](repeating: 0x11, count: 960 * 4)
  /// Less than the 400 ms from one sign of life of a stream to the next.
  private static let soonNanoseconds: UInt64 = 300_000_000

  @Test("after an outage what comes is told to the player as soon as it is there, and not with the next sign of life")
  func isReported() throws {
    let pipe = Pipe()
    func send(_ bytes: [UInt8]) { pipe.fileHandleForWriting.write(Data(bytes)) }
    send(try Self.header())
    // Less than what a pipe holds, which nobody reads yet.
    for _ in 0..<12 { send(Self.block) }
    let bench = try DecoderBench(Self.format, isInStep: false)
    guard case .success = try bench.openSynced(pipe.fileHandleForReading.fileDescriptor) else {
      throw DecoderBench.Trouble.unexpected("a refusal")
    }
    // More than there is: it is owed from now on.
    try bench.send(.fill(endFrame: 47_000))
    var end = try bench.filled().end
    var soonCount = 0
    // A machine that is busy for a third of a second each time would have to be so seventeen times of twenty.
    for _ in 0..<20 where soonCount < 3 {
      let before = Instant.now
      send(Self.block)
      let wanted = end + 1
      while end < wanted { end = try bench.filled().end }
      if before.distance(to: .now) < Self.soonNanoseconds { soonCount += 1 }
    }
    #expect(soonCount == 3)
  }

  /// Of a Core Audio Format stream without an end, as ffmpeg writes it where it cannot go back.
  private static func header() throws -> [UInt8] {
    let file = try ForeignProgram.run(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "anullsrc=sample_rate=48000:channel_layout=stereo", "-t", "0.02", "-c:a",
        "pcm_s16le", "-fflags", "bitexact", "-f", "caf", "-",
      ])
    let place = try #require(Data(file).range(of: Data("data".utf8)))
    // Behind the name: eight bytes of size, -1 for unknown, and four of a number of edits.
    return Array(file[..<place.upperBound]) + [UInt8](repeating: 0xFF, count: 8) + [0, 0, 0, 0]
  }
}
