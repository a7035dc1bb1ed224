import Base
import Machine

/// The card's errors in one kind of work. An error may pass while the rings hold what is recorded meanwhile.
struct CardTrouble {
  /// The present timeline position, and how long an error may last. There is none while the devices are closed, since
  /// no time passes then.
  struct Moment {
    let now: TimelinePosition
    let timelineRateHz: UInt32
    /// How long the rings can hold what is recorded.
    let stallSeconds: UInt64
  }

  private struct Failing {
    let start: TimelinePosition
    let retry: TimelinePosition
  }

  private var failing: Failing?

  /// Whether the last attempt failed and another will follow.
  var isPresent: Bool { failing != nil }

  /// Whether it is time for an attempt.
  func isDue(at moment: Moment?) -> Bool {
    guard let failing, let moment else { return true }
    return moment.now >= failing.retry
  }

  /// Notes that the work has succeeded, or is given up.
  mutating func clear() { failing = nil }

  /// Whether a failure is worth a retry. A card that is full or write-protected does not get better by itself.
  mutating func mayRetry(after failure: DeviceFailure, at moment: Moment?) -> Bool {
    let start = failing?.start ?? moment?.now ?? 0
    guard failure.kind == .failed, let moment,
      moment.now - start < moment.stallSeconds * UInt64(moment.timelineRateHz) / 2
    else {
      clear()
      return false
    }
    let pause = UInt64(moment.timelineRateHz) * TakeLimits.retryMilliseconds / 1000
    failing = Failing(start: start, retry: moment.now + pause)
    return true
  }
}

/// A file written by a card test as a take is: a fragment's data, flushed, and the first sector of its header, flushed,
/// repeatedly.
struct CardTrial: ~Copyable {
  private var file: StoredFile
  private var byteCount: UInt64 = 0

  init(file: consuming StoredFile) { self.file = file }

  /// The first sector of a fragment's header is the last thing that a take writes.
  private static var headerByteCount: Int { 512 }

  /// Appends the content of `scratch`, as often as needed.
  mutating func writeFragment(byteCount: UInt64, scratch: borrowing FixedBuffer) throws(DeviceFailure) {
    let start = self.byteCount
    self.byteCount += UInt64(Self.headerByteCount)
    let end = self.byteCount + byteCount
    while self.byteCount < end {
      let piece = scratch.bytes.extracting(first: Int(min(end - self.byteCount, UInt64(scratch.bytes.byteCount))))
      try file.write(piece, at: self.byteCount)
      self.byteCount += UInt64(piece.byteCount)
    }
    try file.synchronise()
    try file.write(scratch.bytes.extracting(first: Self.headerByteCount), at: start)
    try file.synchronise()
  }
}

extension StorageWorker {
  /// A power cut leaves at most this file, which the next boot removes.
  private static var trialPath: FixedText<128> { "selftest.new" }

  mutating func tryCard(byteCount: UInt64) {
    do throws(DeviceFailure) {
      if let failure = TakeJournal.refusedFolder(in: storage) { throw failure }
      measureFreeSpace()
      guard freeByteCount >= settings.firstByteCount + byteCount else { throw cardIsFull }
      if trial == nil { trial = CardTrial(file: try storage.create(Self.trialPath)) }
      try trial?.writeFragment(byteCount: byteCount, scratch: scratch)
      report(.cardTried(nil))
    } catch {
      report(.cardTried(error))
    }
  }

  mutating func endTrial() {
    trial = nil
    storage.discard(Self.trialPath)
  }
}
