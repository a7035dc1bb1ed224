import MediaZoo
import TestSupport
import Testing

/// Tests ``SineCheck`` itself.
@Suite struct SineCheckTests {
  private static let signal = Signal(channelCount: 1, frameCount: 200_000, isPureSine: true)

  private static func check(_ bytes: [UInt8]) -> SineCheck {
    var check = SineCheck(
      frequencyHz: 440, sampleRateHz: signal.sampleRateHz, expectedSamples: signal.frameCount)
    check.take(bytes[..<100_000], channel: 0, channelCount: 1)
    check.take(bytes[100_000...], channel: 0, channelCount: 1)
    return check
  }

  @Test("an unbroken sine leaves only its rounding error")
  func unbroken() throws {
    let check = Self.check(Self.signal.bytes())
    #expect(check.sampleCount == 200_000)
    #expect(check.worstRemainder < 0.000_1)
    #expect(check.slipSamples.upperBound - check.slipSamples.lowerBound < 0.001)
    #expect(abs(try #require(check.amplitudes).lowerBound - 0.5) < 0.001)
  }

  @Test("a sample lost or doubled anywhere shows as a step or as a slip", arguments: 0..<40)
  func slip(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let frame = Int.random(in: 20_000..<150_000, using: &generator)
    var lost = Self.signal.bytes()
    lost.removeSubrange(2 * frame..<2 * frame + 2)
    #expect(Self.check(lost).slipSamples.upperBound > 0.9)
    var doubled = Self.signal.bytes()
    doubled.insert(contentsOf: doubled[2 * frame..<2 * frame + 2], at: 2 * frame)
    #expect(Self.check(doubled).slipSamples.lowerBound < -0.9)
  }

  @Test("two milliseconds of silence are detected")
  func silence() {
    var bytes = Self.signal.bytes()
    bytes.replaceSubrange(120_000..<120_176, with: [UInt8](repeating: 0, count: 176))
    #expect(Self.check(bytes).worstRemainder > 0.01)
  }
}
