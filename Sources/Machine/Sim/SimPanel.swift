import Base

/// Buttons that are pressed only from the console, and bounce like real ones.
package struct SimButtons: ButtonsDriver, ~Copyable {
  private static var longestBounceNanoseconds: UInt64 { 10_000_000 }
  /// How long a bouncing contact stays at one level.
  private static var flapNanoseconds: UInt64 { 500_000 }

  private struct Press {
    var from: Instant = 0
    var to: Instant = 0
  }

  private var presses = InlineArray<7, Press>(repeating: Press())
  private let noise: SimNoise
  private let world: SimWorld

  /// Starts with all buttons up.
  /// - Parameter seed: determines how each contact bounces, and for how long.
  package init(seed: UInt64, world: SimWorld) {
    noise = SimNoise(seed: seed, stream: 1)
    self.world = world
  }

  package mutating func open() throws(DeviceFailure) {
    world.sitOut(.buttons)
    try requirePresence()
  }

  private func requirePresence() throws(DeviceFailure) {
    if let failure = world.failure(of: .buttons) { throw failure }
  }

  /// Gives the levels at any instant, not only now: they depend only on presses and faults.
  package mutating func read(at now: Instant) throws(DeviceFailure) -> ButtonSet {
    try requirePresence()
    let now = world.instant(of: .buttons, at: now)
    var pressed = ButtonSet()
    for index in presses.indices where isDown(presses[index], at: now) {
      pressed.bits |= 1 << UInt8(index)
    }
    return pressed
  }

  package mutating func inject(_ button: Button, from: Instant, to: Instant) {
    presses[Int(button.rawValue)] = Press(from: from, to: to)
  }

  private func isDown(_ press: Press, at now: Instant) -> Bool {
    guard press.to > press.from, now >= press.from else { return false }
    if let fault = world.fault(of: .buttons, at: now), fault.kind == .stuck,
      press.to >= world.start + fault.nanoseconds.lowerBound
    {
      return true
    }
    if now < press.to { return level(of: press.from, settlingTo: true, at: now) }
    return level(of: press.to, settlingTo: false, at: now)
  }

  /// The contact after an edge: first the new level, then either level, finally the new one.
  private func level(of edge: Instant, settlingTo settled: Bool, at now: Instant) -> Bool {
    let bounceNanoseconds = noise.bits(at: edge.rawValue) % Self.longestBounceNanoseconds
    guard now - edge >= Self.flapNanoseconds, now - edge < bounceNanoseconds else { return settled }
    return noise.bits(at: edge.rawValue &+ (now - edge) / Self.flapNanoseconds) & 1 == 0
  }
}

/// An accelerometer at rest, upright until another position is injected, with the noise of a real chip.
package struct SimAccelerometer: AccelerometerDriver, ~Copyable {
  /// The largest error of a reading on each axis.
  package static var noiseMilliGravity: Int32 { 16 }

  /// As long as the kernel waits for a chip that holds its bus.
  private static var timeoutNanoseconds: UInt64 { 10_000_000 }

  private let world: SimWorld
  private let noise: SimNoise
  private var readCount = UInt64.max
  private var acceleration = Acceleration(xMilliGravity: 0, yMilliGravity: 1000, zMilliGravity: 0)
  private var newest = Acceleration(xMilliGravity: 0, yMilliGravity: 0, zMilliGravity: 0)

  package init(seed: UInt64, world: SimWorld) {
    self.world = world
    noise = SimNoise(seed: seed, stream: 2)
  }

  /// Succeeds at once: the simulated chip needs no start-up time.
  package mutating func open() throws(DeviceFailure) -> FixedText<32> {
    world.sitOut(.accelerometer)
    try requirePresence()
    return "simulated accelerometer"
  }

  /// As from a chip with 16,384 units for standard gravity.
  package var raw: InlineArray<3, Int32> {
    [Self.units(newest.xMilliGravity), Self.units(newest.yMilliGravity), Self.units(newest.zMilliGravity)]
  }

  private static func units(_ milliGravity: Int32) -> Int32 { Int32(Int64(milliGravity) * 16_384 / 1000) }

  package mutating func read() throws(DeviceFailure) -> Acceleration {
    newest = try measure()
    return newest
  }

  private mutating func measure() throws(DeviceFailure) -> Acceleration {
    try requirePresence()
    let fault = world.fault(of: .accelerometer)?.kind
    if fault == .hanging { throw giveUp() }
    if fault != .stalled { readCount &+= 1 }
    let bits = noise.bits(at: readCount)
    if fault == .nonsense { return Self.anything(bits) }
    return Acceleration(
      xMilliGravity: acceleration.xMilliGravity + Self.noise(bits),
      yMilliGravity: acceleration.yMilliGravity + Self.noise(bits >> 16),
      zMilliGravity: acceleration.zMilliGravity + Self.noise(bits >> 32))
  }

  package mutating func inject(_ acceleration: Acceleration) {
    self.acceleration = acceleration
  }

  private func giveUp() -> DeviceFailure {
    world.wait(until: world.now + Self.timeoutNanoseconds)
    return DeviceFailure(
      device: .accelerometer, kind: .failed, subject: "", problem: "does not answer", remedy: "check its wires")
  }

  private static func anything(_ bits: UInt64) -> Acceleration {
    Acceleration(
      xMilliGravity: Int32(Int16(truncatingIfNeeded: bits)),
      yMilliGravity: Int32(Int16(truncatingIfNeeded: bits >> 16)),
      zMilliGravity: Int32(Int16(truncatingIfNeeded: bits >> 32)))
  }

  private static func noise(_ bits: UInt64) -> Int32 {
    Int32(bits & 0xFFFF) % (2 * noiseMilliGravity + 1) - noiseMilliGravity
  }

  private func requirePresence() throws(DeviceFailure) {
    if let failure = world.failure(of: .accelerometer) { throw failure }
  }
}

package struct SimLEDs: LEDDriver, ~Copyable {
  package private(set) var lit = LEDSet()
  private let world: SimWorld?

  /// - Parameter world: the world with the faults; nil for no faults.
  package init(world: SimWorld? = nil) { self.world = world }

  package mutating func open() throws(DeviceFailure) {}

  /// A stuck line keeps its level.
  package mutating func show(_ lit: LEDSet) throws(DeviceFailure) {
    if let failure = world?.failure(of: .leds) { throw failure }
    guard world?.fault(of: .leds)?.kind != .stuck else { return }
    self.lit = lit
  }

  package mutating func readLevels() throws(DeviceFailure) -> LEDSet? {
    if let failure = world?.failure(of: .leds) { throw failure }
    return lit
  }
}

/// The temperature of the simulated machine.
package struct SimHeat: Sendable {
  /// The sensor's reading; nil without a sensor.
  package var milliCelsius: Int32?
  /// The firmware's `get_throttled`; nil without a firmware.
  package var throttlingRegister: UInt32?

  package init(milliCelsius: Int32? = nil, throttlingRegister: UInt32? = nil) {
    self.milliCelsius = milliCelsius
    self.throttlingRegister = throttlingRegister
  }
}

/// A sensor of the world's temperature.
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
