import Posix
import Rings
import Synchronization

/// The one world that all simulated devices live in: its time, and the instant at which it began.
///
/// A handle: copies are the same world.
@safe public struct SimWorld: Sendable {
  /// Not 0, so that an instant and a length taken for each other are found out.
  static var virtualStartNanoseconds: UInt64 { 100_000_000_000 }

  // Sound: the cell lies in boot memory, which outlives every thread, and is only ever read and written atomically.
  /// The present of a virtual world; nil where time is the system's.
  private nonisolated(unsafe) let virtualNow: UnsafeMutablePointer<Atomic<UInt64>>?
  /// The present when the world was made: frame 0 and sample 0 are taken then.
  public let startNanoseconds: UInt64

  /// What the world takes of boot memory.
  public static var byteCount: Int { BootMemory.footprint(byteCount: MemoryLayout<Atomic<UInt64>>.stride) }

  /// - Returns: nil when `memory` has not ``byteCount`` left.
  public init?(_ mode: SimTimeMode, in memory: inout BootMemory) {
    switch mode {
    case .real:
      startNanoseconds = monotonicNanosecondsNow()
      unsafe virtualNow = nil
    case .virtual:
      startNanoseconds = Self.virtualStartNanoseconds
      guard let cell = unsafe memory.place(Atomic(Self.virtualStartNanoseconds)) else { return nil }
      unsafe virtualNow = cell
    }
  }

  /// How time passes here.
  public var mode: SimTimeMode { unsafe virtualNow == nil ? .real : .virtual }

  /// The present, by the monotonic clock of this world.
  public var nowNanoseconds: UInt64 {
    unsafe virtualNow?.pointee.load(ordering: .relaxed) ?? monotonicNanosecondsNow()
  }

  /// Moves a virtual world's time on; a real one's moves by itself.
  func advance(toNanoseconds instant: UInt64) {
    guard instant > nowNanoseconds else { return }
    unsafe virtualNow?.pointee.store(instant, ordering: .relaxed)
  }
}
