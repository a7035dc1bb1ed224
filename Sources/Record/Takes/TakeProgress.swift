import Base
import Synchronization

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
