import Synchronization
import Values

/// Where the recording's timeline is now, in sample frames since arming: written by the loop at each tick, read by
/// the workers, who tell by it whether something that has not come can still be expected.
@safe public struct Timeline: BitwiseCopyable {
  private struct Positions: ~Copyable {
    let now = Atomic<UInt64>(0)
    let settled = Atomic<UInt64>(.max)
  }

  // Sound: points into boot memory, which outlives every thread, at atomics only.
  private let positions: UnsafeMutablePointer<Positions>

  /// - Returns: nil when `memory` is used up.
  public init?(in memory: inout BootMemory) {
    guard let place = unsafe memory.place(Positions()) else { return nil }
    unsafe positions = place
  }

  /// The position that is being captured now.
  public var now: TimelinePosition { unsafe TimelinePosition(positions.pointee.now.load(ordering: .acquiring)) }

  /// The loop's: the timeline has come as far as `position`.
  public func publish(now position: TimelinePosition) {
    unsafe positions.pointee.now.store(position.rawValue, ordering: .releasing)
  }

  /// What lies after this position may yet turn out not to belong to the take: a button is down there, and nobody
  /// knows yet what it means. The largest number while none is.
  public var settled: TimelinePosition { unsafe TimelinePosition(positions.pointee.settled.load(ordering: .acquiring)) }

  /// The loop's: nothing after `position` is certain for now; nil when all is.
  public func hold(behind position: TimelinePosition?) {
    unsafe positions.pointee.settled.store((position ?? .max).rawValue, ordering: .releasing)
  }
}
