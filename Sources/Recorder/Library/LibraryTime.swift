import Rings
import Synchronization

/// The board's time for the library's worker, which owns no clock: published by the loop, at each tick or more seldom.
@safe public struct LibraryTime: BitwiseCopyable {
  private struct Instants: ~Copyable {
    let monotonicNanoseconds = Atomic<UInt64>(0)
    let unixSeconds = Atomic<Int64>(0)
  }

  // Sound: points into boot memory, which outlives every thread, at atomics only.
  private let instants: UnsafeMutablePointer<Instants>

  /// What it takes of boot memory.
  public static var byteCount: Int { BootMemory.footprint(byteCount: MemoryLayout<Instants>.stride) }

  /// - Returns: nil when `memory` has not ``byteCount`` left.
  public init?(in memory: inout BootMemory) {
    guard let place = unsafe memory.place(Instants()) else { return nil }
    unsafe instants = place
  }

  /// The loop's: it is that late, on ``Board/Clock``'s two scales.
  public func publish(monotonicNanoseconds: UInt64, unixSeconds: Int64) {
    unsafe instants.pointee.unixSeconds.store(unixSeconds, ordering: .relaxed)
    unsafe instants.pointee.monotonicNanoseconds.store(monotonicNanoseconds, ordering: .relaxed)
  }

  var monotonicNanoseconds: UInt64 { unsafe instants.pointee.monotonicNanoseconds.load(ordering: .relaxed) }

  var unixSeconds: Int64 { unsafe instants.pointee.unixSeconds.load(ordering: .relaxed) }
}
