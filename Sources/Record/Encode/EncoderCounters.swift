import Base
import Synchronization

/// Counts what happened to the pictures that reached the encoder. The encoder's thread counts; any thread may read.
@safe package struct EncoderCounters: @unchecked Sendable {
  // Sound: boot memory outlives every thread, and holds only atomics here.
  private let counts: UnsafePointer<Counts>
  /// How long it took to make each JPEG.
  package let times: WorkTimes

  /// - Parameter clock: by which encoding is timed.
  /// - Returns: nil when `memory` is used up.
  package init?(in memory: inout BootMemory, clock: WorkTimes.Clock? = nil) {
    guard let counts = unsafe memory.place(Counts()), let times = WorkTimes(in: &memory, clock: clock) else {
      return nil
    }
    self.times = times
    unsafe self.counts = UnsafePointer(counts)
  }

  /// Pictures that were put into the ring.
  package var deliveredPictureCount: UInt64 { unsafe counts.pointee.delivered.load(ordering: .acquiring) }

  /// Pictures lost because the ring was full.
  package var droppedPictureCount: UInt64 { unsafe counts.pointee.dropped.load(ordering: .acquiring) }

  /// Pictures lost because they could not be encoded, or were not in the camera's format.
  package var failedPictureCount: UInt64 { unsafe counts.pointee.failed.load(ordering: .acquiring) }

  /// All pictures that were delivered, dropped or lost.
  package var settledPictureCount: UInt64 { deliveredPictureCount + droppedPictureCount + failedPictureCount }

  func countDelivered() {
    unsafe counts.pointee.delivered.wrappingAdd(1, ordering: .releasing)
  }

  func countDropped() {
    unsafe counts.pointee.dropped.wrappingAdd(1, ordering: .releasing)
  }

  func countFailed() {
    unsafe counts.pointee.failed.wrappingAdd(1, ordering: .releasing)
  }

  private struct Counts: ~Copyable {
    let delivered = Atomic<UInt64>(0)
    let dropped = Atomic<UInt64>(0)
    let failed = Atomic<UInt64>(0)
  }
}
