import Base
import Machine
import Synchronization

/// A report from the storage worker to the loop. Each take ends in one ``finished(_:)`` or ``failed(_:)``.
package enum TakeReport: BitwiseCopyable, Sendable {
  /// A file is open and growing; it starts at this position of the timeline.
  case opened(take: UInt32, path: FixedText<128>, startPosition: TimelinePosition)
  /// An earlier file of a take is complete; the take goes on in another, or has failed.
  case split(TakeSummary)
  /// The take's last file is complete and safe.
  case finished(take: UInt32, TakeSummary)
  /// An interrupted file of an earlier take was completed as far as it could be read.
  case repaired(TakeSummary)
  /// The take ended with this failure at `end` of the timeline, or never began. What was flushed stays.
  case failed(take: UInt32, DeviceFailure, end: TimelinePosition?)
  /// The card has failed, and the take goes on in the fallback folder.
  case fellBack(DeviceFailure)
  /// A file could not be completed, or the journal could not be written. The file plays as it is, and completing it is
  /// tried again after the next take and at the next boot.
  case completionFailed(DeviceFailure)
  /// The ledger of an open take cannot be made or written. The take goes on, and so does the ledger when the card takes
  /// it again. Reported once a file.
  case ledgerFailed(DeviceFailure)
  /// What was where a folder belongs has another name now.
  case folderMadeAnew(DeviceFailure)
  /// Some or all packets from the camera cannot be stored as pictures; the rest of the take goes on. Reported once a
  /// file.
  case picturesRefused(DeviceFailure)
  /// A take or a still of this boot has its true date now, and so another name.
  case dated(path: FixedText<128>, newPath: FixedText<128>, isDatedInside: Bool)
  /// A take or a still keeps its date, which is wrong.
  case undated(path: FixedText<128>, UndatedReason)
  /// The card that has ended a take can be written to again.
  case storageReturned
  /// A fragment of a card test was written and flushed, or could not be.
  case cardTried(DeviceFailure?)
  /// The next boot has the new identity; the failure is of its copy.
  case identityReset(copyFailure: DeviceFailure?)
  /// The identity could not be replaced.
  case identityKept(DeviceFailure)
  /// The rings are empty.
  case disarmed
}

/// Why a file was not given its true date.
package enum UndatedReason: UInt8, BitwiseCopyable, Sendable {
  /// Its folder has a list of what was copied, which names it as it is.
  case copied
  /// Another file has the name that follows from its date.
  case nameIsTaken
}

/// What completing a file made of it.
package enum TakeCondition: UInt8, BitwiseCopyable, Sendable {
  /// An ordinary file with everything that was recorded, as was read back from it.
  case complete
  /// A part of it cannot be read; that part stays in the file.
  case damaged
  /// Nothing of it can be read; it was left as it is.
  case unreadable
}

/// What a file holds that was completed.
package struct TakeSummary: BitwiseCopyable, Sendable {
  /// Relative to the data folder.
  package var path: FixedText<128>
  /// Its size; 0 when it held no picture and no sound, and was removed.
  package var byteCount: UInt64
  /// Its length on the timeline; 0 when it was repaired.
  package var timelineFrames: UInt64
  /// How many pictures it has; 0 when it was repaired.
  package var videoFrameCount: UInt64
  /// Whether all of it is there.
  package var condition = TakeCondition.complete
}

/// The progress of the growing take: written by the storage worker, read by the loop.
@safe package struct TakeProgress: BitwiseCopyable {
  // Sound: points into boot memory, which outlives every thread, at atomics only.
  private let counts: UnsafeMutablePointer<TakeCounts>
  /// How long it took to write each fragment and flush it.
  package let writes: WorkTimes
  /// How long each flush of a take took.
  package let flushes: WorkTimes

  /// - Parameter clock: by which writing is timed.
  /// - Returns: nil when `memory` is used up.
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

  /// Everything before this position of the timeline is in the file and flushed.
  package var confirmedPosition: TimelinePosition {
    unsafe TimelinePosition(counts.pointee.position.load(ordering: .relaxed))
  }

  /// Free bytes of the file system, as of the last write.
  package var freeByteCount: UInt64 { unsafe counts.pointee.freeBytes.load(ordering: .relaxed) }

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
}
