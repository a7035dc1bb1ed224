import Base
import Synchronization

/// Whether a take is being recorded, so that the retention worker holds back, and which order is no longer wanted; written
/// by the loop, read on the retention worker's thread.
@safe package struct RetentionPace: BitwiseCopyable {
  private struct Shared: ~Copyable {
    let isRecording = Atomic(false)
    let brokenOff = Atomic<UInt32>(0)
  }

  // Sound: points at an atomic in boot memory, which outlives every thread.
  private let shared: UnsafeMutablePointer<Shared>

  /// - Returns: nil when `memory` is used up.
  package init?(in memory: inout BootMemory) {
    guard let place = unsafe memory.place(Shared()) else { return nil }
    unsafe shared = place
  }

  /// Called by the loop.
  package func publish(isRecording: Bool) { unsafe shared.pointee.isRecording.store(isRecording, ordering: .relaxed) }

  /// Called by the loop: nobody waits for this order any more.
  package func breakOff(orderNumber: UInt32) { unsafe shared.pointee.brokenOff.store(orderNumber, ordering: .relaxed) }

  /// Called on the retention worker's thread.
  func isBrokenOff(_ ticket: RetentionTicket) -> Bool {
    unsafe shared.pointee.brokenOff.load(ordering: .relaxed) == ticket.number
  }

  /// Called on the retention worker's thread.
  package var isRecording: Bool { unsafe shared.pointee.isRecording.load(ordering: .relaxed) }
}
