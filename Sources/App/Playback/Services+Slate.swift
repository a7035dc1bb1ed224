import Base
import Console
import Record

extension Services {
  /// Runs `slate`: a beep, and a mark where it begins. Both, or a refusal.
  mutating func slate(_ text: FixedText<56>, at now: Instant) {
    guard recording.recorder.state == .recording else { return markSlate(text, at: now) }
    if let reason = playback.beginSlate() { return console.refuse(reason) }
    console.pending = .slate(text, end: now + Limits.slateSeconds * 1_000_000_000)
  }

  /// At each tick: sets the mark once the card has the beep.
  mutating func advanceSlate(_ text: FixedText<56>, by end: Instant, at now: Instant) {
    if let instant = playback.takeSlateInstant() { return markSlate(text, at: instant) }
    guard now >= end || console.takeInterrupt() else { return }
    playback.cancelSlate()
    console.refuse("the speaker does not answer: no beep, and no mark" as FixedText<64>)
  }

  private mutating func markSlate(_ text: FixedText<56>, at instant: Instant) {
    let separator: StaticString = text.isEmpty ? "" : " "
    recording.mark("slate\(separator)\(text)", for: .console, &console, at: instant)
  }
}
