import Base
import MediaZoo
import TestSupport
import Testing
import Wire

/// Faster and slower playback at constant pitch.
@Suite struct RateTests {
  private static let signal = Signal(frameCount: 4 * 44_100, isPureSine: true)

  private func bench(_ format: SampleFormat) throws -> DecoderBench {
    let bench = try DecoderBench(AudioFormat(sampleRateHz: 44_100, channelCount: 2, sampleFormat: format))
    _ = try bench.open(try Zoo.shared.path(of: Self.signal)).get()
    return bench
  }

  @Test(
    "a tone of 440 Hz keeps its pitch, and its length changes by the rate", arguments: [0.5, 0.8, 1.5, 2],
    [SampleFormat.int16, .int24, .float32])
  func tone(rate: Double, format: SampleFormat) throws {
    let bench = try bench(format)
    try bench.send(.setRate(rate))
    var samples: [Double] = []
    let bytesPerFrame = bench.format.bytesPerFrame
    var heard: [UInt8] = []
    #expect(try bench.play { heard += $0 }.hasEnded)
    for start in stride(from: 0, to: heard.count, by: bytesPerFrame) {
      samples.append(value(heard[start..<start + format.bytesPerSample], format))
    }
    let seconds = Double(samples.count) / 44_100
    #expect(abs(seconds * rate / 4 - 1) < 0.01)
    let rises = zip(samples, samples.dropFirst()).count { $0 < 0 && $1 >= 0 }
    #expect(abs(Double(rises) / seconds / 440 - 1) < 0.01)
    #expect(samples.allSatisfy { abs($0) < 0.55 })
    #expect(bench.marks.last?.rate == rate)
  }

  private func value(_ bytes: ArraySlice<UInt8>, _ format: SampleFormat) -> Double {
    let bits = bytes.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return switch format {
    case .int16: Double(Int16(truncatingIfNeeded: bits)) / 32_768
    case .int24: Double(Int32(bitPattern: bits << 8)) / 2_147_483_648
    case .float32: Double(Float(bitPattern: bits))
    }
  }

  @Test(
    "no change of the rate makes a step that the sound does not have", arguments: [0.5, 0.8, 1.25, 2],
    [SampleFormat.int16, .int24, .float32])
  func clicks(rate: Double, format: SampleFormat) throws {
    let bench = try bench(format)
    let bytesPerFrame = bench.format.bytesPerFrame
    var samples: [Double] = []
    func play(_ seconds: Double) throws {
      _ = try bench.play(limitSeconds: seconds) { heard in
        for start in stride(from: heard.startIndex, to: heard.endIndex, by: bytesPerFrame) {
          samples.append(value(heard[start..<start + format.bytesPerSample], format))
        }
      }
    }
    try play(0.2)
    for turn in 0..<4 {
      try bench.send(.setRate(rate))
      try play(0.21 + 0.013 * Double(turn))
      try bench.send(.setRate(1))
      try play(0.2)
    }
    // The steepest step of 440 Hz at half of full scale, plus a margin for libsonic's overlaps.
    let steepest = 0.5 * 2 * .pi * 440 / 44_100
    #expect(zip(samples, samples.dropFirst()).allSatisfy { abs($1 - $0) < 1.2 * steepest })
    #expect(samples.count > 50_000)
  }

  @Test("back at a rate of 1 the sound is the file's again, bit for bit, from the mark's position on")
  func back() throws {
    let bench = try bench(.int16)
    try bench.send(.setRate(1.5))
    _ = try bench.play(limitSeconds: 1) { _ in }
    try bench.send(.setRate(1))
    var heard: [UInt8] = []
    let start = bench.firstFrame
    #expect(try bench.play { heard += $0 }.hasEnded)
    let mark = try #require(bench.marks.last)
    #expect(mark.rate == 1)
    let exact = Array(heard[(Int(mark.ringFrame - start) * 4)...])
    let position = Int((mark.positionSeconds * 44_100).rounded())
    #expect((44_100...80_000).contains(position))
    #expect(exact == Array(Self.signal.bytes()[(position * 4)...]))
  }
}
