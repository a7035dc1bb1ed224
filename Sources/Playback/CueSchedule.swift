import Base
import Machine

/// The schedule of `play at`: when to start, and how exactly the last start was met.
struct CueSchedule: BitwiseCopyable {
  /// A start that was made and not yet measured.
  private struct Start: BitwiseCopyable {
    let asked: Instant
    /// Frames that the card had been given before the first one.
    let givenFrames: UInt64
  }

  /// When the first frame is to sound, by the monotonic clock. Meaningful only in the cued states.
  var instant: Instant = 0
  private var start: Start?
  /// How late the last measured start was; nil before the first.
  private(set) var errorNanoseconds: Int64?

  /// Whether the card should be running by now, so that it can place the first frame.
  func isNear(at now: Instant) -> Bool {
    now + UInt64(PlaybackLimits.cueLeadMilliseconds) * 1_000_000 >= instant
  }

  /// Frames from `now` until the start.
  func frames(from now: Instant, _ format: AudioFormat) -> Int {
    guard instant > now else { return 0 }
    return Int((Double(instant - now) * Double(format.sampleRateHz) / 1e9).rounded())
  }

  /// The first frame goes to the card after this many others.
  mutating func begin(givenFrames: UInt64) {
    start = Start(asked: instant, givenFrames: givenFrames)
  }

  /// A start that was disturbed is not measured.
  mutating func forgetStart() { start = nil }

  /// Measures a start from when the card's next frame will sound, and how many it was given until then.
  /// - Returns: nil when there is no start to measure.
  mutating func measure(_ look: SpeakerState, givenFrames: UInt64, _ format: AudioFormat) -> PlayerEvent? {
    guard let start, look.isRunning else { return nil }
    let nanoseconds = Double(givenFrames - start.givenFrames) * 1e9 / Double(format.sampleRateHz)
    let actual = look.nextFrameInstant.earlier(by: UInt64(nanoseconds.rounded()))
    self.start = nil
    errorNanoseconds = Int64(start.asked.distance(to: actual))
    return .started(asked: start.asked, actual: actual)
  }
}
