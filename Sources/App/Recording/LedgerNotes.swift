import Base
import Record

/// The loop's notes about a take, on their way to the ledger.
struct LedgerNotes: ~Copyable {
  private var notes: QueueProducer<TakeNote>
  /// Notes that found no space, and whose loss has not been noted yet.
  private var missingCount = 0
  private var sound = LossRun(milliseconds: Limits.lossRunMilliseconds)
  private var pictures = LossRun(milliseconds: Limits.lossRunMilliseconds)

  init(notes: consuming QueueProducer<TakeNote>) { self.notes = notes }

  /// How full the queue is.
  var level: RingLevel { notes.level }

  /// - Returns: whether there was space for it.
  @discardableResult mutating func note(_ text: FixedText<96>, at position: TimelinePosition) -> Bool {
    if missingCount > 0, notes.push(TakeNote(position: position, text: "\(missingCount) entries are missing here")) {
      missingCount = 0
    }
    guard missingCount == 0, notes.push(TakeNote(position: position, text: text)) else {
      missingCount += 1
      return false
    }
    return true
  }

  /// At each exchange. A loss is noted at once, while its file is open; those within the next second become one entry,
  /// at the place of the first.
  /// - Parameters:
  ///   - lostFrameCount: frames that the sound card has lost since boot.
  ///   - soundEnd: where the silence that replaces the last lost frames begins.
  ///   - lostPictureCount: pictures lost since boot.
  ///   - isCut: whether the file may end now, so that its losses do not wait for more.
  mutating func note(
    lostFrameCount: UInt64, soundEnd: TimelinePosition, lostPictureCount: UInt64, pictureEnd: TimelinePosition,
    at now: Instant, isCut: Bool
  ) {
    sound.count(upTo: lostFrameCount, at: soundEnd)
    pictures.count(upTo: lostPictureCount, at: pictureEnd)
    noteLosses(at: now, isCut: isCut)
  }

  /// Notes losses that have not been noted yet; for nil without waiting for more.
  mutating func noteLosses(at now: Instant?, isCut: Bool = false) {
    if let (count, position) = sound.takeEnded(at: now, isCut: isCut) {
      note("overrun: \(count) frames of sound are lost, silence stands for them", at: position)
    }
    if let (count, position) = pictures.takeEnded(at: now, isCut: isCut) {
      note("pictures dropped: \(count)", at: position)
    }
  }
}

/// Losses of one kind: the first is told at once, and those of the time that follows together.
struct LossRun {
  private let milliseconds: UInt64
  private var countBefore: UInt64 = 0
  private var lostCount: UInt64 = 0
  private var start: TimelinePosition = 0
  /// Until when losses are collected.
  private var end: Instant = 0

  /// - Parameter milliseconds: for how long losses are collected after one was told.
  init(milliseconds: UInt64) { self.milliseconds = milliseconds }

  /// - Parameter count: how many have been lost since boot, the last of them at `position`.
  mutating func count(upTo count: UInt64, at position: TimelinePosition) {
    guard count > countBefore else { return }
    if lostCount == 0 { start = position }
    lostCount += count - countBefore
    countBefore = count
  }

  /// - Parameters:
  ///   - now: nil to wait for no more.
  ///   - isCut: whether those until now are told, and the next are collected.
  /// - Returns: how many were lost, and where the first was; nil while more may follow, or if none was lost.
  mutating func takeEnded(at now: Instant?, isCut: Bool = false) -> (UInt64, TimelinePosition)? {
    if now == nil { end = 0 }
    guard lostCount > 0, isCut || now.map({ $0 >= end }) ?? true else { return nil }
    if let now { end = now + milliseconds * 1_000_000 }
    defer { lostCount = 0 }
    return (lostCount, start)
  }
}

extension Limits {
  /// The time within which losses of one kind become one entry of the ledger: a card that fails all the time makes
  /// sixty a minute.
  static var lossRunMilliseconds: UInt64 { 1000 }

  /// The time within which losses of sound become one event: the log keeps an hour of them.
  static var lossEventMilliseconds: UInt64 { 60_000 }
}
