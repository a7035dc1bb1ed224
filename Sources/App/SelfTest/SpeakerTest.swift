import Kit
import Record

/// What the microphone hears of a chirp from the speaker.
struct SpeakerTest {
  let chirp: HeardChirp

  var result: TestResult {
    // Of power.
    let clarity = SoundLevels.decibels(Float(chirp.clarity.squareRoot()))
    guard clarity >= SelfTestLimits.heardDecibels else {
      var result = TestResult(.speaker, .fail, .unheard)
      result.add("clarity", "clearness_db", .decimal(clarity, decimals: 1), "dB")
      return result
    }
    let isClear = clarity >= SelfTestLimits.clearDecibels
    var result = TestResult(.speaker, isClear ? .pass : .tight, isClear ? nil : .faint)
    let delay = chirp.seconds * 1000 - Double(SelfTestLimits.chirpEarlyMilliseconds)
    result.add("delay", "delay_ms", .decimal(delay, decimals: 1), "ms")
    result.add("level", "level_dbfs", .decimal(SoundLevels.decibels(chirp.level), decimals: 1), "dBFS")
    result.add("clarity", "clearness_db", .decimal(clarity, decimals: 1), "dB")
    return result
  }
}
