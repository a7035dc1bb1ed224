import Base

/// The sensors of the processor and its supply, or simulated ones.
package struct Thermometer: ThermometerDriver, ~Copyable {
  var sensor: SysfsThermometer?
  var simulated: SimThermometer?

  package mutating func read() throws(DeviceFailure) -> HeatReading {
    if sensor != nil { return try sensor!.read() }
    return try simulated!.read()
  }
}

/// The battery's gauge, or a simulated one.
package struct Battery: BatteryDriver, ~Copyable {
  var gauge: LinuxBattery?
  var simulated: SimBattery?

  @export(interface)
  package mutating func read() throws(DeviceFailure) -> BatteryReading? {
    if gauge != nil { return try gauge!.read() }
    return try simulated!.read()
  }

  /// Sets the voltage of a simulated battery.
  package mutating func inject(volts: Double) { simulated!.inject(volts: volts) }
}

/// The satellite receiver, or a simulated one.
package struct Receiver: ReceiverDriver, ~Copyable {
  var line: LinuxReceiver?
  var simulated: SimReceiver?

  @export(interface)
  package mutating func read() throws(DeviceFailure) -> ReceiverReport? {
    if line != nil { return try line!.read() }
    return try simulated!.read()
  }
}

/// Sets the clock: through the system's service, or in the simulated world.
package struct TimeService: TimeServiceDriver, ~Copyable {
  var service: SystemTimeService?
  var simulated: SimTimeService?

  package mutating func set(unixSeconds: Int64) throws(DeviceFailure) -> TimeServiceReply {
    if service != nil { return try service!.set(unixSeconds: unixSeconds) }
    return try simulated!.set(unixSeconds: unixSeconds)
  }
}

/// Reports on the system to a person, with the drivers of the real or the simulated devices.
package struct Inspector: InspectorDriver, ~Copyable {
  var linux: LinuxInspector?
  var simulated: SimInspector?

  /// Makes an order's calls.
  @export(interface)
  package mutating func carryOut(_ order: InspectorRequest) throws(DeviceFailure) -> InspectorReply {
    if linux != nil { return try linux!.carryOut(order) }
    return try simulated!.carryOut(order)
  }

  package mutating func drivers(_ names: DeviceNames) throws(DeviceFailure) -> DeviceDrivers {
    if linux != nil { return try linux!.drivers(names) }
    return try simulated!.drivers(names)
  }

  package mutating func card(isFallback: Bool) throws(DeviceFailure) -> CardReport {
    if linux != nil { return try linux!.card(isFallback: isFallback) }
    return try simulated!.card(isFallback: isFallback)
  }

  package mutating func power(_ wishes: PowerWishes) throws(DeviceFailure) -> PowerReport {
    if linux != nil { return try linux!.power(wishes) }
    return try simulated!.power(wishes)
  }

  package mutating func switchOff() throws(DeviceFailure) {
    if linux != nil { return try linux!.switchOff() }
    try simulated!.switchOff()
  }

  package mutating func sleep(_ order: SleepOrder) throws(DeviceFailure) {
    if linux != nil { return try linux!.sleep(order) }
    try simulated!.sleep(order)
  }

  package mutating func process() throws(DeviceFailure) -> ProcessReport {
    if linux != nil { return try linux!.process() }
    return try simulated!.process()
  }

  package mutating func controls(
    of camera: FixedText<64>, _ change: ControlChange
  ) throws(DeviceFailure) -> ControlList {
    if linux != nil { return try linux!.controls(of: camera, change) }
    return try simulated!.controls(of: camera, change)
  }

  package mutating func gains(of card: FixedText<64>, _ change: ControlChange) throws(DeviceFailure) -> ControlList {
    if linux != nil { return try linux!.gains(of: card, change) }
    return try simulated!.gains(of: card, change)
  }

  package mutating func update(_ order: UpdateOrder) throws(DeviceFailure) -> UpdateReport {
    if linux != nil { return try linux!.update(order) }
    return try simulated!.update(order)
  }
}

/// The byte stream to and from a person. On the simulated machine the line can stall or disappear.
package struct ConsoleLine: ConsoleLineDriver, ~Copyable {
  private let place = StaysInPlace()
  private var base: HostTerminal
  /// Nil on a real machine.
  private let world: SimWorld?

  package init(_ base: consuming HostTerminal, world: SimWorld? = nil) {
    self.base = base
    self.world = world
  }

  package var isTerminal: Bool { Self.isTerminal(base) }
  package var terminalSize: TerminalSize { Self.terminalSize(base) }
  package var unsentByteCount: Int? { Self.unsentByteCount(base) }
  package var isThere: Bool { Self.isThere(base) && (world?.fault(of: .console)?.kind ?? .stalled) == .stalled }

  package var hasInput: Bool { world?.fault(of: .console) == nil && Self.hasInput(base) }

  package func add(to sources: inout WakeSources) { Self.add(base, to: &sources) }

  package mutating func read(into space: inout MutableRawSpan) -> Int? {
    world?.fault(of: .console) == nil ? base.read(into: &space) : 0
  }

  /// Accepts nothing while the line is stalled. A line that is gone accepts everything and loses it.
  package mutating func write(_ bytes: RawSpan) -> Int {
    guard let fault = world?.fault(of: .console) else { return base.write(bytes) }
    return fault.kind == .stalled ? 0 : bytes.byteCount
  }

  private static func isTerminal(_ line: borrowing HostTerminal) -> Bool { line.isTerminal }
  private static func terminalSize(_ line: borrowing HostTerminal) -> TerminalSize { line.terminalSize }
  private static func unsentByteCount(_ line: borrowing HostTerminal) -> Int? { line.unsentByteCount }
  private static func isThere(_ line: borrowing HostTerminal) -> Bool { line.isThere }
  private static func hasInput(_ line: borrowing HostTerminal) -> Bool { line.hasInput }
  private static func add(_ line: borrowing HostTerminal, to sources: inout WakeSources) { line.add(to: &sources) }
}
