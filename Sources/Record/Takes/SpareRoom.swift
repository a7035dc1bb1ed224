import Base
import Machine

/// Space on the card reserved while a take grows, so that the take can end even if another program fills the card or
/// uses up its file entries: a placeholder file, removed when part of the end does not fit.
struct SpareRoom: ~Copyable {
  private var file: StoredFile?
  private var byteCount: UInt64 = 0
  /// While reserving.
  var trouble = CardTrouble()
  /// Whether the take's first trouble was reported. The following ones would drown everything else.
  var isTroubleTold = false

  private static var path: FixedText<128> { "spare" }

  var isHeld: Bool { file != nil }

  /// Reserves at least `wanted` bytes, in whole pieces.
  mutating func grow(
    to wanted: UInt64, in storage: inout Storage, _ scratch: borrowing FixedBuffer
  ) throws(DeviceFailure) {
    if !isHeld { try make(in: &storage) }
    while byteCount < wanted {
      try file?.write(scratch.bytes, at: byteCount)
      byteCount += UInt64(scratch.byteCount)
    }
  }

  /// A file that could not be removed is reused.
  private mutating func make(in storage: inout Storage) throws(DeviceFailure) {
    do throws(DeviceFailure) { file = try storage.create(Self.path) } catch {
      guard error.kind == .exists else { throw error }
      file = try storage.open(Self.path)
    }
  }

  /// - Returns: whether there was any.
  mutating func giveUp(in storage: inout Storage) -> Bool {
    isTroubleTold = false
    guard isHeld else { return false }
    file = nil
    byteCount = 0
    Self.discard(from: &storage)
    return true
  }

  static func discard(from storage: inout Storage) { storage.discard(path) }
}

extension StorageWorker {
  /// After each fragment, reserves what the end of the take needs by now, or reserves it again when there is room.
  mutating func keepSpare() {
    guard let tables = take?.tableByteCount, spare.isHeld || freeByteCount >= settings.firstByteCount,
      spare.trouble.isDue(at: moment)
    else { return }
    do throws(DeviceFailure) {
      try spare.grow(to: TakeLimits.spareByteCount + tables, in: &storage, scratch)
      spare.trouble.clear()
    } catch {
      // There is nothing to reserve on a full card, or for a file this large.
      if error.kind == .full || error.isFileLimit {
        _ = giveUpSpare()
      } else if !spare.trouble.mayRetry(after: error, at: moment), !spare.isTroubleTold {
        spare.isTroubleTold = true
        report(.completionFailed(error))
      }
    }
  }

  /// Removes what a power cut left of it.
  mutating func discardSpare() { SpareRoom.discard(from: &storage) }

  /// Gives up the reserve because part of a take's end does not fit.
  /// - Returns: whether a retry is worthwhile.
  mutating func giveUpSpare() -> Bool { spare.giveUp(in: &storage) }

  /// Gives up the reserve once all takes are complete.
  mutating func giveUpUnneededSpare() -> Bool {
    take == nil && pending == nil && completions.isEmpty && giveUpSpare()
  }
}
