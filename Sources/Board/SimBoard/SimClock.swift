import Port
import Posix

/// The system's clocks, or a virtual one that jumps to the end of every sleep and begins at 2026-01-01 00:00 UTC.
public struct SimClock: Clock, ~Copyable {
  private static var virtualStartUnixNanoseconds: Int64 { 1_767_225_600_000_000_000 }

  private let world: SimWorld
  private var system = MonotonicClock()

  /// The clock of `world`.
  public init(world: SimWorld) { self.world = world }

  /// The present of the world.
  public var monotonicNanoseconds: UInt64 { world.nowNanoseconds }

  /// The system's time of day, or the virtual one.
  public var unixNanoseconds: Int64 {
    switch world.mode {
    case .real: system.unixNanoseconds
    case .virtual: Self.virtualStartUnixNanoseconds + Int64(world.nowNanoseconds - world.startNanoseconds)
    }
  }

  /// What the system says of its own clock; a virtual one is always right.
  public var source: ClockSource {
    switch world.mode {
    case .real: system.source
    case .virtual: .synchronised
    }
  }

  /// Takes time only in a real world.
  public mutating func sleep(untilMonotonicNanoseconds instant: UInt64) {
    switch world.mode {
    case .real: system.sleep(untilMonotonicNanoseconds: instant)
    case .virtual: world.advance(toNanoseconds: instant)
    }
  }
}
