import Rings
import Synchronization

/// How far the growing take is, for the loop to show; written by the storage worker.
@safe public struct TakeProgress: BitwiseCopyable {
  // Sound: points into boot memory, which outlives every thread, at atomics only.
  private let counts: UnsafeMutablePointer<TakeCounts>

  /// - Returns: nil when `memory` is used up.
  public init?(in memory: inout BootMemory) {
    guard let place = unsafe memory.place(TakeCounts()) else { return nil }
    unsafe counts = place
  }

  public var byteCount: UInt64 { unsafe counts.pointee.bytes.load(ordering: .relaxed) }
  public var audioFrameCount: UInt64 { unsafe counts.pointee.audioFrames.load(ordering: .relaxed) }
  public var videoFrameCount: UInt64 { unsafe counts.pointee.videoFrames.load(ordering: .relaxed) }

  func publish(byteCount: UInt64, audioFrameCount: UInt64, videoFrameCount: UInt64) {
    unsafe counts.pointee.bytes.store(byteCount, ordering: .relaxed)
    unsafe counts.pointee.audioFrames.store(audioFrameCount, ordering: .relaxed)
    unsafe counts.pointee.videoFrames.store(videoFrameCount, ordering: .relaxed)
  }
}
