import Rings
import Synchronization

/// Whether a take is being recorded; written by the loop, read on the retention worker's thread, which then holds back.
@safe public struct RetentionPace: BitwiseCopyable {
  private struct Shared: ~Copyable {
    let isRecording = Atomic(false)
  }

  // Sound: points at an atomic in boot memory, which outlives every thread.
  private let shared: UnsafeMutablePointer<Shared>

  /// - Returns: nil when `memory` is used up.
  public init?(in memory: inout BootMemory) {
    guard let place = unsafe memory.place(Shared()) else { return nil }
    unsafe shared = place
  }

  /// Called by the loop.
  public func publish(isRecording: Bool) { unsafe shared.pointee.isRecording.store(isRecording, ordering: .relaxed) }

  /// Called on the retention worker's thread.
  public var isRecording: Bool { unsafe shared.pointee.isRecording.load(ordering: .relaxed) }
}
