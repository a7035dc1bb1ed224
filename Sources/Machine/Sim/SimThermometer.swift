import Base

/// How hot the simulated machine is.
package struct SimHeat: Sendable {
  /// What its sensor measures; nil without a sensor.
  package var milliCelsius: Int32?
  /// `get_throttled` of its firmware; nil without one.
  package var throttlingRegister: UInt32?

  package init(milliCelsius: Int32? = nil, throttlingRegister: UInt32? = nil) {
    self.milliCelsius = milliCelsius
    self.throttlingRegister = throttlingRegister
  }
}

/// A sensor of the world's heat.
package struct SimThermometer: ThermometerDriver, ~Copyable {
  private let world: SimWorld
  private var readCount: UInt64 = 0

  package init(world: SimWorld) { self.world = world }

  package mutating func read() throws(DeviceFailure) -> HeatReading {
    world.sitOut(.thermometer)
    if let failure = world.failure(of: .thermometer) { throw failure }
    readCount += 1
    let heat = world.heat
    var reading = HeatReading(
      milliCelsius: heat.milliCelsius, throttling: heat.throttlingRegister.map { ThrottlingFlags(register: $0) })
    if world.fault(of: .thermometer)?.kind == .nonsense {
      reading.milliCelsius = Int32(truncatingIfNeeded: world.nonsense(readCount))
    }
    return reading
  }
}
