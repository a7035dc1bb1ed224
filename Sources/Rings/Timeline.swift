import Synchronization

/// Where the recording's timeline is now, in sample frames since arming: written by the loop at each tick, read by
/// the workers, who tell by it whether something that has not come can still be expected.
@safe public struct Timeline: BitwiseCopyable {
  // Sound: points into boot memory, which outlives every thread, at an atomic.
  private let position: UnsafeMutablePointer<Atomic<UInt64>>

  /// What it takes of boot memory.
  public static var byteCount: Int { BootMemory.footprint(byteCount: MemoryLayout<Atomic<UInt64>>.stride) }

  /// - Returns: nil when `memory` has not ``byteCount`` left.
  public init?(in memory: inout BootMemory) {
    guard let place = unsafe memory.place(Atomic<UInt64>(0)) else { return nil }
    unsafe position = place
  }

  /// The position of the latest ``publish(now:)``; 0 before the first.
  public var now: UInt64 { unsafe position.pointee.load(ordering: .acquiring) }

  /// The loop's: time has come to `position`.
  public func publish(now position: UInt64) { unsafe self.position.pointee.store(position, ordering: .releasing) }
}
