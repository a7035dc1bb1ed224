import Base
import Machine
import Synchronization

/// A report from the storage worker to the loop. Each take ends in one ``finished(_:)`` or ``failed(_:)``.
package enum TakeReport: BitwiseCopyable, Sendable {
  /// A file is open and growing; it starts at this timeline position.
  case opened(take: UInt32, path: FixedText<128>, startPosition: TimelinePosition)
  /// An earlier file of a take is complete; the take continues in another, or has failed.
  case split(TakeSummary)
  /// The take's last file is complete and flushed.
  case finished(take: UInt32, TakeSummary)
  /// An interrupted file of an earlier take was completed as far as it could be read.
  case repaired(TakeSummary)
  /// The take ended with this failure at timeline position `end`, or never began. Flushed data stays.
  case failed(take: UInt32, DeviceFailure, end: TimelinePosition?)
  /// The card has failed, and the take continues in the fallback folder.
  case fellBack(DeviceFailure)
  /// The fallback folder cannot be used, if there is one, or no longer: the card has failed, or is used again.
  case fallbackFailed(DeviceFailure)
  /// A file could not be completed, or the journal could not be written. The file plays as it is, and completing it is
  /// retried after the next take and at the next boot.
  case completionFailed(DeviceFailure)
  /// The ledger of an open take cannot be created or written. The take continues, and so does the ledger once the card
  /// accepts it again. Reported once per file.
  case ledgerFailed(DeviceFailure)
  /// Something in the place of a folder was renamed.
  case folderMadeAnew(DeviceFailure)
  /// Some or all packets from the camera cannot be stored as pictures; the rest of the take continues. Reported once
  /// per file.
  case picturesRefused(DeviceFailure)
  /// A take or still of this boot now has its true date, and so another name.
  case dated(path: FixedText<128>, newPath: FixedText<128>, isDatedInside: Bool)
  /// A take or still keeps its wrong date.
  case undated(path: FixedText<128>, UndatedReason)
  /// The card that had ended a take is writable again.
  case storageReturned
  /// A fragment of a card test was written and flushed, or could not be.
  case cardTried(DeviceFailure?)
  /// The next boot will have the new identity; the failure concerns its copy.
  case identityReset(copyFailure: DeviceFailure?)
  /// The identity could not be replaced.
  case identityKept(DeviceFailure)
  /// The rings are empty.
  case disarmed
}

/// Why a file was not given its true date.
package enum UndatedReason: UInt8, BitwiseCopyable, Sendable {
  /// Its folder has a list of copied files, which contains its present name.
  case copied
  /// Another file has the name that follows from its date.
  case nameIsTaken
}

/// The result of completing a file.
package enum TakeCondition: UInt8, BitwiseCopyable, Sendable {
  /// An ordinary file with everything that was recorded, as verified by reading it back.
  case complete
  /// Part of it cannot be read; that part stays in the file.
  case damaged
  /// Nothing in it can be read; it was left as it is.
  case unreadable
}

/// What a completed file contains.
package struct TakeSummary: BitwiseCopyable, Sendable {
  /// Relative to the data folder.
  package var path: FixedText<128>
  /// Its size; 0 if it contained no picture and no sound, and was removed.
  package var byteCount: UInt64
  /// Its length on the timeline; 0 if it was repaired.
  package var timelineFrames: UInt64
  /// The number of its pictures; 0 if it was repaired.
  package var videoFrameCount: UInt64
  package var condition = TakeCondition.complete
}

/// The progress of the growing take: written by the storage worker and read by the loop.
@safe package struct TakeProgress: BitwiseCopyable {
  // Safe: points into boot memory, which outlives every thread, and only at atomics.
  private let counts: UnsafeMutablePointer<TakeCounts>
  /// The times taken to write and flush each fragment.
  package let writes: WorkTimes
  /// The times taken by the flushes of a take.
  package let flushes: WorkTimes

  /// - Parameter clock: times the writes.
  /// - Returns: nil if `memory` is used up.
  package init?(in memory: inout BootMemory, clock: WorkTimes.Clock? = nil) {
    guard let place = unsafe memory.place(TakeCounts()), let writes = WorkTimes(in: &memory, clock: clock),
      let flushes = WorkTimes(in: &memory, clock: clock)
    else { return nil }
    self.writes = writes
    self.flushes = flushes
    unsafe counts = place
  }

  /// Bytes of the growing file that have been flushed.
  package var byteCount: UInt64 { unsafe counts.pointee.bytes.load(ordering: .relaxed) }
  /// Sample frames in it.
  package var audioFrameCount: UInt64 { unsafe counts.pointee.audioFrames.load(ordering: .relaxed) }
  /// Pictures in it.
  package var videoFrameCount: UInt64 { unsafe counts.pointee.videoFrames.load(ordering: .relaxed) }

  /// Everything before this timeline position is flushed to the file.
  package var confirmedPosition: TimelinePosition {
    unsafe TimelinePosition(counts.pointee.position.load(ordering: .relaxed))
  }

  /// Free bytes of the file system, as of the last write.
  package var freeByteCount: UInt64 { unsafe counts.pointee.freeBytes.load(ordering: .relaxed) }

  /// Whether the card has a folder for takes that refused reading or writing when it was taken into use.
  package var hasRefusedFolder: Bool { unsafe counts.pointee.hasRefusedFolder.load(ordering: .relaxed) }

  func publish(hasRefusedFolder: Bool) {
    unsafe counts.pointee.hasRefusedFolder.store(hasRefusedFolder, ordering: .relaxed)
  }

  func publish(freeByteCount: UInt64) { unsafe counts.pointee.freeBytes.store(freeByteCount, ordering: .relaxed) }

  func publish(
    byteCount: UInt64, audioFrameCount: UInt64, videoFrameCount: UInt64, confirmedPosition: TimelinePosition
  ) {
    unsafe counts.pointee.bytes.store(byteCount, ordering: .relaxed)
    unsafe counts.pointee.audioFrames.store(audioFrameCount, ordering: .relaxed)
    unsafe counts.pointee.videoFrames.store(videoFrameCount, ordering: .relaxed)
    unsafe counts.pointee.position.store(confirmedPosition.rawValue, ordering: .relaxed)
  }
}

struct TakeCounts: ~Copyable {
  let bytes = Atomic<UInt64>(0)
  let audioFrames = Atomic<UInt64>(0)
  let videoFrames = Atomic<UInt64>(0)
  let position = Atomic<UInt64>(0)
  let freeBytes = Atomic<UInt64>(0)
  let hasRefusedFolder = Atomic<Bool>(false)
}
