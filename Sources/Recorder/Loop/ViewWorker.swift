import Port
import Rings
import Text

/// Keeps the live view's process running: starts it, hands what it says to the loop, and starts it again when it has
/// ended, later each time that it does not last.
///
/// A process that is frozen is left alone. It disturbs nothing, its memory being to read only and its socket never
/// waited for; and what freezes one is a person who looks into it, or a display's driver inside the kernel, where a kill
/// would not reach it either.
public struct ViewWorker<Process: View & ~Copyable>: ~Copyable {
  private enum State {
    case resting(untilNanoseconds: UInt64, thenSeconds: UInt64)
    case running(sinceNanoseconds: UInt64, quietSinceNanoseconds: UInt64, restSeconds: UInt64)
  }

  private var process: Process
  private var news: QueueProducer<FixedText<256>>
  private var state = State.resting(untilNanoseconds: 0, thenSeconds: 1)
  private var told = ToldLines()

  init(process: consuming Process, news: consuming QueueProducer<FixedText<256>>) {
    self.process = process
    self.news = news
  }

  /// Looks after the process once. Nothing here is so urgent that it could not wait for the next look.
  public mutating func step(atNanoseconds now: UInt64) {
    guard process.isWanted else { return }
    switch state {
    case .resting(let until, let seconds): if now >= until { start(atNanoseconds: now, seconds) }
    case .running:
      for _ in 0..<Limits.viewLinesPerLook {
        guard hear(process.receive(), atNanoseconds: now) else { return }
      }
    }
  }

  private mutating func start(atNanoseconds now: UInt64, _ restSeconds: UInt64) {
    do throws(DeviceFailure) {
      try process.start()
      state = .running(sinceNanoseconds: now, quietSinceNanoseconds: now, restSeconds: restSeconds)
    } catch {
      tell(error.line)
      rest(atNanoseconds: now, restSeconds)
    }
  }

  /// - Returns: whether there may be more to hear.
  private mutating func hear(_ word: ViewWord, atNanoseconds now: UInt64) -> Bool {
    guard case .running(let since, let quietSince, let restSeconds) = state else { return false }
    switch word {
    case .nothing: return false
    case .line(let line):
      if now - quietSince >= Limits.viewQuietNanoseconds { told = ToldLines() }
      state = .running(sinceNanoseconds: since, quietSinceNanoseconds: now, restSeconds: restSeconds)
      tell(line)
      return true
    case .ended(let ending):
      let hasLasted = now - since >= Limits.viewQuietNanoseconds
      if hasLasted { told = ToldLines() }
      tell("live view: \(ending), starting it again")
      rest(atNanoseconds: now, hasLasted ? 1 : restSeconds)
      return false
    }
  }

  private mutating func rest(atNanoseconds now: UInt64, _ seconds: UInt64) {
    state = .resting(
      untilNanoseconds: now + seconds * 1_000_000_000, thenSeconds: min(2 * seconds, Limits.viewLongestRestSeconds))
  }

  /// What the loop has no room for is lost: its queue holds more lines than ``ToldLines`` lets through in a burst.
  private mutating func tell(_ line: FixedText<256>) {
    if told.isNew(line) { _ = news.push(line) }
  }
}
