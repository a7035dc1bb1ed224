import Base
import Foundation
import MediaZoo
import TestSupport
import Testing
import Wire

/// One item follows another without a gap.
@Suite struct GaplessTests {
  private static let rateHz = 44_100
  private static let signal = Signal(frameCount: 3 * rateHz, isPureSine: true)
  private static let cutFrame = 51_234

  private func piece(_ name: String, _ trim: String, _ options: [String]) throws -> String {
    let source = try Zoo.shared.path(of: Self.signal)
    return try Zoo.shared.made(name) { path in
      try ForeignProgram.run("ffmpeg", ["-v", "error", "-i", source, "-af", "atrim=\(trim)"] + options + [path])
    }
  }

  private func pair(_ ending: String, _ options: [String]) throws -> (String, String) {
    (
      try piece("first.\(ending)", "end_sample=\(Self.cutFrame)", options),
      try piece("second.\(ending)", "start_sample=\(Self.cutFrame)", options)
    )
  }

  private func play(_ files: (String, String), rateHz: Int) throws -> (bytes: [UInt8], marks: [StreamMark]) {
    let bench = try DecoderBench(
      AudioFormat(sampleRateHz: UInt32(rateHz), channelCount: 2, sampleFormat: .int16), isInStep: false)
    _ = try bench.open(files.0).get()
    _ = try bench.openNext(files.1).get()
    var heard: [UInt8] = []
    #expect(try bench.play { heard += $0 }.hasEnded)
    return (heard, bench.marks)
  }

  @Test("a sine that was cut into two lossless files is whole again", arguments: ["wav", "flac", "wv"])
  func lossless(ending: String) throws {
    let (bytes, marks) = try play(try pair(ending, []), rateHz: Self.rateHz)
    #expect(bytes == Self.signal.bytes())
    #expect(marks.map(\.ringFrame) == [0, UInt64(Self.cutFrame)])
    #expect(marks.map(\.positionSeconds) == [0, 0])
    #expect(Set(marks.map(\.requestID)).count == 2)
  }

  @Test(
    "a sine that was cut into two files plays on without a jump, also at the card's own rate",
    arguments: ["flac", "mp3", "ogg"], [44_100, 48_000])
  func withoutJump(ending: String, rateHz: Int) throws {
    let (bytes, marks) = try play(try pair(ending, []), rateHz: rateHz)
    #expect(abs(bytes.count / 4 - 3 * rateHz) <= 2)
    #expect(abs(Int(marks[1].ringFrame) - Self.cutFrame * rateHz / Self.rateHz) <= 1)
    // At a cut, a codec's output deviates far from the sine for some frames, but never as far as with a gap.
    for frame in 0..<bytes.count / 4 {
      let turns = Double(frame) * 440 / Double(rateHz)
      let expected = 16_384 * sin(2 * .pi * turns.truncatingRemainder(dividingBy: 1))
      guard abs(Double(sample(bytes, frame)) - expected) > 6_000 else { continue }
      Issue.record("\(sample(bytes, frame)) instead of \(expected) at frame \(frame)")
      return
    }
  }

  private func sample(_ bytes: [UInt8], _ frame: Int) -> Int16 {
    Int16(bitPattern: UInt16(bytes[frame * 4]) | UInt16(bytes[frame * 4 + 1]) << 8)
  }
}
