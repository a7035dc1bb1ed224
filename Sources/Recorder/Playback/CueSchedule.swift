import Port
import Values

/// The schedule of `play at`: when to start, and how exactly the last start was met.
struct CueSchedule: BitwiseCopyable {
  /// A start that was made and not yet measured.
  private struct Start: BitwiseCopyable {
    let askedNanoseconds: UInt64
    /// What the card had been given before the first frame.
    let givenFrames: UInt64
  }

  /// When the first frame is to sound, by the monotonic clock. Meaningful only in the cued states.
  var instantNanoseconds: UInt64 = 0
  private var start: Start?
  /// How late the last measured start was; nil before the first.
  private(set) var errorNanoseconds: Int64?

  /// Whether the card should be running by now, so that it can place the first frame.
  func isNear(atNanoseconds now: UInt64) -> Bool {
    now + UInt64(PlaybackLimits.cueLeadMilliseconds) * 1_000_000 >= instantNanoseconds
  }

  /// Frames from `now` until the start.
  func frames(fromNanoseconds now: UInt64, _ format: AudioFormat) -> Int {
    guard instantNanoseconds > now else { return 0 }
    return Int((Double(instantNanoseconds - now) * Double(format.sampleRateHz) / 1e9).rounded())
  }

  /// The first frame goes to the card after so many others.
  mutating func begin(givenFrames: UInt64) {
    start = Start(askedNanoseconds: instantNanoseconds, givenFrames: givenFrames)
  }

  /// A start that was made is not heard as it was given: it is not measured.
  mutating func forgetStart() { start = nil }

  /// Measures a start by when the card's next frame will sound, and how many it was given until then.
  /// - Returns: nil when there is no start to measure.
  mutating func measure(_ look: SpeakerState, givenFrames: UInt64, _ format: AudioFormat) -> PlayerEvent? {
    guard let start, look.isRunning else { return nil }
    let nanoseconds = Double(givenFrames - start.givenFrames) * 1e9 / Double(format.sampleRateHz)
    let actual = look.nextFrameNanoseconds &- UInt64(nanoseconds.rounded())
    self.start = nil
    errorNanoseconds = Int64(bitPattern: actual &- start.askedNanoseconds)
    return .started(askedNanoseconds: start.askedNanoseconds, actualNanoseconds: actual)
  }
}
