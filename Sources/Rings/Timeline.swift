import Synchronization

/// Where the recording's timeline is now, in sample frames since arming: written by the loop at each tick, read by
/// the workers, who tell by it whether something that has not come can still be expected.
@safe public struct Timeline: BitwiseCopyable {
  // Sound: points into boot memory, which outlives every thread, at an atomic.
  private let position: UnsafeMutablePointer<Atomic<UInt64>>

  /// - Returns: nil when `memory` is used up.
  public init?(in memory: inout BootMemory) {
    guard let place = unsafe memory.place(Atomic<UInt64>(0)) else { return nil }
    unsafe position = place
  }

  public var now: UInt64 { unsafe position.pointee.load(ordering: .acquiring) }

  public func publish(now position: UInt64) { unsafe self.position.pointee.store(position, ordering: .releasing) }
}
