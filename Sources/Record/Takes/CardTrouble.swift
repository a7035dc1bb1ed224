import Base
import Machine

/// What is known of a card's errors in one kind of work. An error may pass while the rings hold what comes meanwhile.
struct CardTrouble {
  /// Where the timeline is, and for how long an error may last. There is none while the devices are closed: then no
  /// time passes.
  struct Moment {
    let now: TimelinePosition
    let timelineRateHz: UInt32
    /// For how long the rings can hold what is recorded.
    let stallSeconds: UInt64
  }

  private struct Failing {
    let start: TimelinePosition
    let retry: TimelinePosition
  }

  private var failing: Failing?

  /// Whether the last try has failed, and another is to come.
  var isPresent: Bool { failing != nil }

  /// Whether it is time for a try.
  func isDue(at moment: Moment?) -> Bool {
    guard let failing, let moment else { return true }
    return moment.now >= failing.retry
  }

  /// The work has succeeded, or is given up.
  mutating func clear() { failing = nil }

  /// Whether what failed is worth another try. A full card, or one that may not be written to, does not get better by
  /// itself.
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

/// A file that a card test writes as a take is written: a fragment's data, flushed, and the first sector of its header,
/// flushed, again and again.
struct CardTrial: ~Copyable {
  private var file: StoredFile
  private var byteCount: UInt64 = 0

  init(file: consuming StoredFile) { self.file = file }

  /// The first sector of a fragment's header is what a take writes last.
  private static var headerByteCount: Int { 512 }

  /// Appends what is in `scratch`, as often as it takes.
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
  /// A power cut leaves at most this file, and the next boot removes it.
  private static var trialPath: FixedText<128> { "selftest.new" }

  mutating func tryCard(byteCount: UInt64) {
    do throws(DeviceFailure) {
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
    do throws(DeviceFailure) { try storage.remove(Self.trialPath) } catch {}
  }
}
