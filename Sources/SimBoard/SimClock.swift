import Board
import Posix

/// The system's clocks, or a virtual one that jumps to the end of every sleep and begins at 2026-01-01 00:00 UTC.
public struct SimClock: Clock, ~Copyable {
  private static var virtualStartUnixSeconds: Int64 { 1_767_225_600 }

  private let world: SimWorld
  private var system = MonotonicClock()

  public init(world: SimWorld) { self.world = world }

  public var monotonicNanoseconds: UInt64 { world.nowNanoseconds }

  public var unixSeconds: Int64 {
    switch world.mode {
    case .real: system.unixSeconds
    case .virtual:
      Self.virtualStartUnixSeconds + Int64((world.nowNanoseconds - world.startNanoseconds) / 1_000_000_000)
    }
  }

  public var source: ClockSource {
    switch world.mode {
    case .real: system.source
    case .virtual: .synchronised
    }
  }

  public mutating func sleep(untilMonotonicNanoseconds instant: UInt64) {
    switch world.mode {
    case .real: system.sleep(untilMonotonicNanoseconds: instant)
    case .virtual: world.advance(toNanoseconds: instant)
    }
  }
}
