import CMath
import Capture
import Pitch

/// What the microphone hears of a chirp from the speaker.
struct SpeakerTest {
  let chirp: HeardChirp

  var result: TestResult {
    let clarity = Self.decibels(chirp.clarity)
    guard clarity >= SelfTestLimits.heardDecibels else {
      var result = TestResult(.speaker, .fail, .unheard)
      result.add("clearness", "clearness_db", .decimal(clarity, decimals: 1), "dB")
      return result
    }
    let isClear = clarity >= SelfTestLimits.clearDecibels
    var result = TestResult(.speaker, isClear ? .pass : .tight, isClear ? nil : .faint)
    let delay = chirp.seconds * 1000 - Double(SelfTestLimits.chirpEarlyMilliseconds)
    result.add("delay", "delay_ms", .decimal(delay, decimals: 1), "ms")
    result.add("level", "level_dbfs", .decimal(SoundLevels.decibels(chirp.level), decimals: 1), "dBFS")
    result.add("clearness", "clearness_db", .decimal(clarity, decimals: 1), "dB")
    return result
  }

  /// A ratio of power, at most 99 dB.
  private static func decibels(_ ratio: Double) -> Double {
    ratio > 0 ? Double(min(max(10 * log10f(Float(min(ratio, 1e9))), -99), 99)) : -99
  }
}
