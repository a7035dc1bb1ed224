import Base
import MediaZoo
import TestSupport
import Testing

/// Ten minutes without a gap.
@Suite struct LongSineTests {
  @Test(
    "ten minutes of a sine pass every codec without a step, a slip or a change of level",
    arguments: Cases.some(3, of: Specimen.families))
  func sine(family: Specimen) throws {
    let rate = family.name.hasSuffix("opus") ? 48_000 : 44_100
    let signal = Signal(sampleRateHz: rate, channelCount: 1, frameCount: 600 * rate, isPureSine: true)
    let path = try Zoo.shared.path(of: family.of(signal, as: "ten-minutes-\(family.name)"))
    let bench = try DecoderBench(
      AudioFormat(sampleRateHz: UInt32(rate), channelCount: 1, sampleFormat: .int16))
    let properties = try bench.open(path).get()
    #expect(abs(properties.durationSeconds - 600) <= 0.05)
    var check = SineCheck(frequencyHz: 440, sampleRateHz: rate, expectedSamples: signal.frameCount)
    let (frameCount, hasEnded) = try bench.play(fillSeconds: 0.5) { check.take($0, channel: 0, channelCount: 1) }
    #expect(hasEnded)
    #expect(abs(frameCount - signal.frameCount) <= rate / 20)
    // A lost or doubled sample at the sine's crest leaves a remainder of 0.002 and a slip of one sample.
    #expect(check.worstRemainder < 0.000_5, "at sample \(check.worstSample)")
    #expect(check.slipSamples.upperBound - check.slipSamples.lowerBound < 0.2)
    let amplitudes = try #require(check.amplitudes)
    #expect(amplitudes.lowerBound > 0.49 && amplitudes.upperBound < 0.51)
  }
}
