import Base
import Foundation
import Kit
import TestSupport
import Testing

/// What a self-test measures of the microphone, and through it of the speaker.
@Suite struct SoundTestTests {
  static let formats = [
    AudioFormat(sampleRateHz: 8_000, channelCount: 1, sampleFormat: .int16),
    AudioFormat(sampleRateHz: 11_025, channelCount: 2, sampleFormat: .int24),
    AudioFormat(sampleRateHz: 48_000, channelCount: 2, sampleFormat: .int16),
    AudioFormat(sampleRateHz: 192_000, channelCount: 1, sampleFormat: .float32),
  ]

  /// The chirp as sent to the speaker.
  private func chirp(rateHz: UInt32) -> [Double] {
    var chirp = Chirp(sampleRateHz: Int(rateHz))
    var samples = [Float](repeating: 0, count: Int(rateHz) / 2)
    chirp.begin()
    var span = samples.mutableSpan
    chirp.render(into: &span, 0..<span.count)
    return samples.map(Double.init)
  }

  private func noise(_ count: Int, peak: Double, seed: UInt64) -> [Double] {
    var generator = SplitMix64(seed: seed)
    return (0..<count).map { _ in Double.random(in: -peak...peak, using: &generator) }
  }

  private func heard(
    _ format: AudioFormat, delaySeconds: Double, gain: Double, noisePeak: Double = 0.001, seed: UInt64 = 1
  ) throws -> HeardChirp {
    let rig = try ListeningRig(format, seconds: 4)
    let rate = Double(format.sampleRateHz)
    var sound = noise(Int(rate * 1.4), peak: noisePeak, seed: seed)
    let first = Int((rate * (0.2 + delaySeconds)).rounded())
    for (index, sample) in chirp(rateHz: format.sampleRateHz).enumerated() { sound[first + index] += gain * sample }
    rig.play(sound)
    let start = TimelinePosition(UInt64(rate * 0.2))
    guard case .heard(let chirp) = try rig.test(.chirp(format, from: start)) else {
      throw CocoaError(.featureUnsupported)
    }
    return chirp
  }

  @Test(
    "a chirp is found where it is, and as loud as it is, at every rate", arguments: formats, [0, 0.0123, 0.4])
  func found(format: AudioFormat, delay: Double) throws {
    let chirp = try heard(format, delaySeconds: delay, gain: 0.1)
    #expect((chirp.seconds - delay).magnitude <= 0.000_2)
    // The peak of a chirp at a tenth of its level.
    #expect((20 * log10(Double(chirp.level) / 0.05)).magnitude < 0.5)
    #expect(chirp.clarity > 1_000)
  }

  @Test("a chirp that is turned upside down is the same")
  func inverted() throws {
    let upright = try heard(Self.formats[2], delaySeconds: 0.1, gain: 0.1)
    let inverted = try heard(Self.formats[2], delaySeconds: 0.1, gain: -0.1)
    #expect((upright.seconds - inverted.seconds).magnitude < 0.000_1)
    #expect((upright.level - inverted.level).magnitude < 0.000_1)
  }

  @Test("in noise alone nothing is clear, whatever the noise", arguments: 1...20 as ClosedRange<UInt64>)
  func noiseAlone(seed: UInt64) throws {
    #expect(try heard(Self.formats[0], delaySeconds: 0, gain: 0, noisePeak: 0.3, seed: seed).clarity < 30)
  }

  @Test("a chirp 6 dB below the noise is clear")
  func faint() throws {
    // Noise of this peak has a power of -14.3 dBFS, and the chirp -20.
    #expect(try heard(Self.formats[0], delaySeconds: 0.05, gain: 0.28, noisePeak: 0.333).clarity > 50)
  }

  @Test("what has not been heard for long enough is not searched, and neither is another rate")
  func tooLittle() throws {
    let rig = try ListeningRig(Self.formats[0])
    rig.play(noise(4_000, peak: 0.1, seed: 1))
    for request in [
      SoundTestRequest.chirp(Self.formats[0], from: 0), .chirp(Self.formats[2], from: 0),
      .survey(Self.formats[2], from: 0), .survey(Self.formats[0], from: 3_900), .survey(Self.formats[0], from: 5_000),
    ] {
      guard case .tooLittle = try rig.test(request) else {
        Issue.record("\(request)")
        continue
      }
    }
  }

  private func survey(_ format: AudioFormat, _ frame: (Int) -> [Double]) throws -> SoundSurvey {
    let rig = try ListeningRig(format)
    for index in 0..<Int(format.sampleRateHz) { rig.play(frame: frame(index)) }
    guard case .surveyed(let survey) = try rig.test(.survey(format, from: 0)) else {
      throw CocoaError(.featureUnsupported)
    }
    return survey
  }

  @Test("a survey tells each channel's offset, and the noise of its quietest tenth without that")
  func survey() throws {
    let format = AudioFormat(sampleRateHz: 8_000, channelCount: 2, sampleFormat: .int16)
    let noise = noise(8_000, peak: 0.1, seed: 3)
    let survey = try survey(format) { index in
      // The second channel is quiet from 0.5 to 0.6 s.
      [0.05 + noise[index], noise[index] * ((4_000..<4_800).contains(index) ? 0.01 : 1) - 0.02]
    }
    #expect(survey.channelCount == 2 && survey.seconds == 1)
    #expect((survey[0].offset - 0.05).magnitude < 0.002 && (survey[1].offset + 0.02).magnitude < 0.002)
    // The RMS of uniform noise is its peak divided by the root of 3.
    #expect((survey[0].noise - 0.0577).magnitude < 0.002 && (survey[1].noise - 0.000_577).magnitude < 0.000_05)
    #expect((survey[0].peak - 0.15).magnitude < 0.001)
    #expect(!survey[0].isConstant && !survey[1].isConstant && !survey[1].isLikeFirst && survey[0].isLikeFirst)
  }

  @Test("a channel that is constant is told, and one that is the first, bit by bit", arguments: formats)
  func alike(format: AudioFormat) throws {
    var wide = format
    wide.channelCount = 3
    wide.sampleRateHz = 8_000
    let noise = noise(8_000, peak: 0.1, seed: 4)
    let survey = try survey(wide) { index in [noise[index], noise[index], 0.25] }
    #expect(!survey[0].isConstant && survey[1].isLikeFirst && survey[2].isConstant && !survey[2].isLikeFirst)
    let almost = try self.survey(wide) { index in [noise[index], noise[index] + (index == 7_999 ? 0.01 : 0), 0] }
    #expect(!almost[1].isLikeFirst, "the last sample differs")
  }
}
