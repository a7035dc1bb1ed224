import Base

/// The buttons: GPIO lines of the header, or those of the simulated machine.
package struct Buttons: ButtonsDriver, ~Copyable {
  var lines: GPIOButtons?
  var simulated: SimButtons?

  @export(interface)
  package mutating func open() throws(DeviceFailure) {
    if lines != nil { try lines!.open() } else { try simulated!.open() }
  }

  @export(interface)
  package mutating func read(at now: Instant) throws(DeviceFailure) -> ButtonSet {
    if lines != nil { return try lines!.read(at: now) }
    return try simulated!.read(at: now)
  }

  @export(interface)
  package mutating func nextEdge() throws(DeviceFailure) -> ButtonEdge? {
    lines == nil ? nil : try lines!.nextEdge()
  }

  package var tellsEdges: Bool {
    switch lines {
    case .some(let lines): lines.tellsEdges
    case .none: true
    }
  }

  package func add(to sources: inout WakeSources) {
    switch lines {
    case .some(let lines): lines.add(to: &sources)
    case .none: break
    }
  }

  package mutating func inject(_ button: Button, from: Instant, to: Instant) {
    if lines != nil { lines!.inject(button, from: from, to: to) } else { simulated!.inject(button, from: from, to: to) }
  }
}

/// The accelerometer: a chip on the I2C bus, or a simulated one.
package struct Accelerometer: AccelerometerDriver, ~Copyable {
  var chip: I2CAccelerometer?
  var simulated: SimAccelerometer?

  @export(interface)
  package mutating func open() throws(DeviceFailure) -> FixedText<32> {
    if chip != nil { return try chip!.open() }
    return try simulated!.open()
  }

  @export(interface)
  package mutating func read() throws(DeviceFailure) -> Acceleration {
    if chip != nil { return try chip!.read() }
    return try simulated!.read()
  }

  package var raw: InlineArray<3, Int32> {
    switch chip {
    case .some(let chip): return chip.raw
    case .none: break
    }
    switch simulated {
    case .some(let simulated): return simulated.raw
    case .none: return [0, 0, 0]
    }
  }

  package mutating func inject(_ acceleration: Acceleration) {
    if chip != nil { chip!.inject(acceleration) } else { simulated!.inject(acceleration) }
  }
}

/// The LEDs: GPIO lines of the header, or simulated ones.
package struct LEDs: LEDDriver, ~Copyable {
  var lines: GPIOLEDs?
  var simulated: SimLEDs?

  package mutating func open() throws(DeviceFailure) {
    if lines != nil { try lines!.open() } else { try simulated!.open() }
  }

  @export(interface)
  package mutating func show(_ lit: LEDSet) throws(DeviceFailure) {
    if lines != nil { try lines!.show(lit) } else { try simulated!.show(lit) }
  }

  @export(interface)
  package mutating func readLevels() throws(DeviceFailure) -> LEDSet? {
    if lines != nil { return try lines!.readLevels() }
    return try simulated!.readLevels()
  }
}
