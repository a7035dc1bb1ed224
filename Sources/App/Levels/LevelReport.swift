import Base
import Configuration
import Console
import Record

/// The content of `audio`.
struct LevelReport {
  let format: AudioFormat
  let levels: SoundLevels
  /// 1 is full scale.
  let truePeaks: InlineArray<8, HeldMaximum>

  func reply(_ form: StatusForm, _ console: inout ConsoleSession) {
    switch form {
    case .lines: replyInLines(&console)
    case .json: console.quote(json)
    }
    console.complete()
  }

  private func replyInLines(_ console: inout ConsoleSession) {
    let bits = format.sampleFormat.bitsPerSample
    console.reply("sound \(grouped: Int(format.sampleRateHz)) Hz, \(bits) bits, \(Int(format.channelCount)) channels")
    for channel in 0..<levels.channelCount {
      let heard = levels[channel]
      var noise: FixedText<16> = "-"
      if let floor = heard.noise { noise = "\(SoundLevels.decibels(floor), decimals: 1)" }
      console.reply(
        """
        channel \(channel + 1): peak \(SoundLevels.decibels(heard.peak), decimals: 1), \
        RMS \(SoundLevels.decibels(heard.rms), decimals: 1), \
        true peak \(SoundLevels.decibels(truePeaks[channel].value), decimals: 1), noise \(noise) dBFS, \
        clips \(grouped: Int(heard.clipCount))
        """)
    }
  }

  /// One JSON object (RFC 8259); nothing in it needs escaping.
  var json: FixedText<1600> {
    var text: FixedText<1600> = """
      {"sample_rate_hz":\(format.sampleRateHz),"sample_format":"\(format.sampleFormat.name)","channels":[
      """
    for channel in 0..<levels.channelCount {
      if channel > 0 { text.append(",") }
      text.append(member(channel))
    }
    text.append("]}")
    return text
  }

  private func member(_ channel: Int) -> FixedText<192> {
    let heard = levels[channel]
    var noise: FixedText<16> = "null"
    if let floor = heard.noise { noise = "\(SoundLevels.decibels(floor), decimals: 2)" }
    return """
      {"peak_dbfs":\(SoundLevels.decibels(heard.peak), decimals: 2),"rms_dbfs":\(SoundLevels.decibels(heard.rms), decimals: 2),\
      "true_peak_dbfs":\(SoundLevels.decibels(truePeaks[channel].value), decimals: 2),"noise_dbfs":\(noise),\
      "clips":\(heard.clipCount)}
      """
  }
}
