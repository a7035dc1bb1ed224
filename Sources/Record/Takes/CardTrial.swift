import Base
import Machine

/// A file that a card test writes as a take is written: a fragment's data, flushed, and the first sector of its header, flushed,
/// again and again.
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
