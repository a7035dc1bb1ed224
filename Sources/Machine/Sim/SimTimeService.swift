import Base

/// Sets the world's clock, unless that is right by itself: then a time server sets it.
package struct SimTimeService: TimeServiceDriver, ~Copyable {
  private let world: SimWorld

  package init(world: SimWorld) { self.world = world }

  package mutating func set(unixSeconds: Int64) throws(DeviceFailure) -> TimeServiceAnswer {
    world.sitOut(.timeService)
    if let failure = world.failure(of: .timeService) { throw failure }
    let clock = SimClock(world: world)
    guard clock.source < .synchronised else {
      return .refused("Failed to set time: Automatic time synchronization is enabled")
    }
    world.setByHand(offSeconds: unixSeconds - clock.trueUnixNanoseconds / 1_000_000_000)
    return .done
  }
}
