import Base
import Configuration
import Console
import Kit
import Record

/// The levels of the microphone for `audio` and `top`, and the warnings when it clips. Peak, mean and clips are
/// measured as the samples pass; true peaks cost a hundred times as much, and a worker computes them while somebody
/// looks.
struct LevelsService: ~Copyable {
  private let place = StaysInPlace()
  private var worker: Job<TruePeakRequest, TruePeakReply>
  /// How the pending `audio` is answered.
  private var form = StatusForm.lines
  /// Where the next request starts.
  private var next: TimelinePosition = 0
  /// When `top` asks again.
  private var nextRequest: Instant = 0
  /// The true peaks since somebody began to look, with peak hold; nil before that.
  private(set) var truePeaks: InlineArray<8, HeldMaximum>?
  private var nextWarning: Instant = 0
  private var warnedClips = InlineArray<8, UInt32>(repeating: 0)
  /// All clips counted up to the newest reading.
  private var clipCount: UInt32 = 0
  private var clipLightEnd: Instant = 0
  /// Whether a channel has clipped just now, for the LED.
  private(set) var showsClip = false

  init(_ worker: consuming Job<TruePeakRequest, TruePeakReply>) { self.worker = worker }

  /// - Parameter format: the microphone's format; nil while there is none.
  mutating func show(_ form: StatusForm, _ format: AudioFormat?, _ console: inout ConsoleSession) {
    guard let format else { return console.refuse("the microphone is not open: arm the recorder first") }
    self.form = form
    // Covers the last second, however long ago somebody looked.
    worker.begin(TruePeakRequest(format: format, start: 0), &console)
  }

  /// At each tick: takes the worker's true peaks.
  mutating func tick(_ capture: borrowing CaptureUnit, _ console: inout ConsoleSession) {
    while worker.hasNews(for: console) {
      switch worker.next(&console) {
      case .nothing: return
      case .unattended(let found, _): take(found, at: console.now)
      case .answered(let found):
        take(found, at: console.now)
        report(capture, &console)
      case .late: report(capture, &console)
      case .interrupted: console.complete()
      }
    }
  }

  private func report(_ capture: borrowing CaptureUnit, _ console: inout ConsoleSession) {
    guard let format = capture.audioFormat else { return console.refuse("the microphone was closed") }
    let report = LevelReport(format: format, levels: capture.levels, truePeaks: truePeaks ?? Self.noPeaks)
    report.report(form, &console)
  }

  /// At each tick while `top` is pending: requests the true peaks of the sound since the last request.
  mutating func follow(_ capture: borrowing CaptureUnit, _ console: inout ConsoleSession) {
    let now = console.now
    guard now >= nextRequest else { return }
    if now.distance(since: nextRequest) > SoundLimits.peakNanoseconds {
      // Nobody has looked for a while.
      truePeaks = nil
      next = 0
    }
    nextRequest = now + Limits.truePeakMilliseconds * 1_000_000
    guard let format = capture.audioFormat else { return }
    worker.send(TruePeakRequest(format: format, start: next), &console)
  }

  /// Restarts the count of clips and the measurement of the noise floor.
  mutating func reset(_ capture: inout CaptureUnit, _ console: inout ConsoleSession) {
    capture.resetLevels()
    warnedClips = InlineArray(repeating: 0)
    truePeaks = nil
    console.complete()
  }

  /// At each reading of the meter: lights the LED at each clip, and reports, but not often, which channel has clipped.
  mutating func warn(of levels: SoundLevels, _ console: inout ConsoleSession, at now: Instant) {
    light(levels, at: now)
    guard now >= nextWarning else { return }
    for channel in 0..<levels.channelCount {
      let count = levels[channel].clipCount &- warnedClips[channel]
      guard count > 0 else { continue }
      warnedClips[channel] = levels[channel].clipCount
      nextWarning = now + Limits.clipWarningSeconds * 1_000_000_000
      if count == 1 {
        console.announce("channel \(channel + 1) clipped once: lower the level of the microphone", as: .warning)
      } else {
        console.announce(
          "channel \(channel + 1) clipped \(grouped: Int(count)) times: lower the level of the microphone", as: .warning
        )
      }
    }
  }

  private static var noPeaks: InlineArray<8, HeldMaximum> { InlineArray(repeating: HeldMaximum(0)) }

  private mutating func light(_ levels: SoundLevels, at now: Instant) {
    var count: UInt32 = 0
    for channel in 0..<levels.channelCount { count &+= levels[channel].clipCount }
    // A reset makes the count smaller.
    if count > clipCount { clipLightEnd = now + Limits.clipLightMilliseconds * 1_000_000 }
    clipCount = count
    showsClip = now < clipLightEnd
  }

  private mutating func take(_ found: TruePeakReply, at now: Instant) {
    next = found.end
    guard let peaks = found.peaks else { return }
    var held = truePeaks ?? Self.noPeaks
    for channel in 0..<SoundLevels.capacity {
      held[channel].follow(peaks[channel], for: SoundLimits.peakNanoseconds, at: now)
    }
    truePeaks = held
  }
}

/// The content of `audio`.
private struct LevelReport {
  let format: AudioFormat
  let levels: SoundLevels
  /// Full scale is 1.
  let truePeaks: InlineArray<8, HeldMaximum>

  func report(_ form: StatusForm, _ console: inout ConsoleSession) {
    let bits = format.sampleFormat.bitsPerSample
    console.beginReport(form)
    console.line(
      "sound \(grouped: Int(format.sampleRateHz)) Hz, \(bits) bits, \(count: format.channelCount, "channel")")
    console.member("sample_rate_hz", .count(format.sampleRateHz))
    console.member("sample_format", .name(format.sampleFormat.name))
    console.beginRows("channels")
    for channel in 0..<levels.channelCount { report(channel, &console) }
    console.endRows()
    console.endReport()
  }

  private func report(_ channel: Int, _ console: inout ConsoleSession) {
    let heard = levels[channel]
    let (peak, rms) = (SoundLevels.decibels(heard.peak), SoundLevels.decibels(heard.rms))
    let shown: (peak: FixedText<16>, rms: FixedText<16>) =
      heard.isMeasured ? ("\(peak, decimals: 1)", "\(rms, decimals: 1)") : ("-", "-")
    let truePeak = SoundLevels.decibels(truePeaks[channel].value)
    let lowest = heard.noise.map { SoundLevels.decibels($0) }
    let noise: FixedText<16> = lowest.map { "\($0, decimals: 1)" } ?? "-"
    console.line(
      """
      channel \(channel + 1): peak \(shown.peak), RMS \(shown.rms), true peak \(truePeak, decimals: 1), \
      noise \(noise) dBFS, clips \(grouped: Int(heard.clipCount))
      """)
    console.beginRow()
    console.member("peak_dbfs", .decimal(peak, decimals: 2))
    console.member("rms_dbfs", .decimal(rms, decimals: 2))
    console.member("true_peak_dbfs", .decimal(truePeak, decimals: 2))
    console.member("noise_dbfs", .decimal(lowest, decimals: 2))
    console.member("clips", .count(heard.clipCount))
    console.endRow()
  }
}

extension Limits {
  /// The interval between requests for true peaks while `top` is shown.
  static var truePeakMilliseconds: UInt64 { 100 }

  /// The shortest time between warnings of a clipping channel: time to turn a knob, and earlier events stay in sight.
  static var clipWarningSeconds: UInt64 { 10 }

  /// How long the LED is lit after a clip: a glance notices half a second.
  static var clipLightMilliseconds: UInt64 { 500 }
}
