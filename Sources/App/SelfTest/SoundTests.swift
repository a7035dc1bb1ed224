import Console
import Kit
import Record

/// Tests the microphone by an analysis of its sound.
struct MicrophoneTest {
  /// The faults of a channel; the worst come first.
  private enum Fault: UInt8 {
    case dead
    case noise
    case largeOffset
    case loud
    case clips
    case identical
    case offset

    var verdict: TestVerdict { rawValue <= Fault.largeOffset.rawValue ? .fail : .tight }

    var remark: TestRemark {
      switch self {
      case .dead: .deadChannel
      case .noise: TestRemark(Cause.loudSound)
      case .largeOffset: .largeOffset
      case .loud: .loud
      case .clips: .clips
      case .identical: .identical
      case .offset: .offset
      }
    }
  }

  let survey: SoundSurvey

  var result: TestResult {
    let worst = worst
    var result = TestResult(.microphone, worst?.fault.verdict ?? .pass, worst?.fault.remark)
    let heard = survey[worst?.channel ?? 0]
    result.add("noise", "noise_dbfs", .decimal(SoundLevels.decibels(heard.noise), decimals: 1), "dBFS")
    result.add("peak", "peak_dbfs", .decimal(SoundLevels.decibels(heard.peak), decimals: 1), "dBFS")
    result.add("DC offset", "offset_percent", .decimal(Double(heard.offset) * 100, decimals: 2), "%")
    if let worst {
      result.add("channel", "channel", .count(worst.channel + 1))
    } else {
      result.add("channels", "channels", .count(survey.channelCount))
    }
    return result
  }

  /// The worst fault of any channel.
  private var worst: (fault: Fault, channel: Int)? {
    var number: UInt8 = 0
    while let fault = Fault(rawValue: number) {
      for channel in 0..<survey.channelCount where has(fault, channel) { return (fault, channel) }
      number += 1
    }
    return nil
  }

  private func has(_ fault: Fault, _ channel: Int) -> Bool {
    let heard = survey[channel]
    let noiseDecibels = SoundLevels.decibels(heard.noise)
    return switch fault {
    case .dead: heard.isConstant
    case .noise: noiseDecibels >= Limits.noiseDecibels
    case .largeOffset: heard.offset.magnitude > SelfTestLimits.mostOffset
    case .loud: noiseDecibels >= SelfTestLimits.loudDecibels
    case .clips: heard.peak >= SoundLimits.fullScale
    case .identical: channel > 0 && heard.isLikeFirst
    case .offset: heard.offset.magnitude > SelfTestLimits.usualOffset
    }
  }
}

/// Tests the speaker by the chirp that the microphone hears.
struct SpeakerTest {
  let chirp: HeardChirp

  var result: TestResult {
    // The clarity is a ratio of powers.
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
