import Base

/// The system that the simulated machine runs on, and the controls of the simulated camera and microphone.
package struct SimInspector: InspectorDriver, ~Copyable {
  private let system: SystemInspector
  private let world: SimWorld
  private var switches: SysfsPower?
  private var list = ControlList()

  package init(_ settings: SimSettings, world: SimWorld) {
    let host = settings.host
    system = SystemInspector(dataFolder: host.dataFolder, fallbackFolder: host.fallbackFolder, updates: host.updates)
    self.world = world
    // Without the node of the radio switches: a file that stands for one takes what is written to sysfs.
    switches = settings.sysfsRoot.map { SysfsPower(root: $0, radios: "") }
    list.append(Self.control(0x98_0900, "brightness", -64...64, usual: 0))
    list.append(Self.control(0x98_0913, "gain", 0...100, usual: 16))
    list.append(Self.control(0x9A_0902, "exposure_time_absolute", 5...2_500, step: 5, usual: 155))
  }

  @export(interface)
  package mutating func drivers(_ names: DeviceNames) throws(DeviceFailure) -> DeviceDrivers {
    var drivers = system.drivers(names)
    for index in names.indices where !names[index].isEmpty {
      switch ListedDevice(rawValue: index) {
      // These belong to the host.
      case nil, .display, .card: break
      default: drivers[index] = DeviceDriver(bus: "sim", driver: "sim")
      }
    }
    return drivers
  }

  package mutating func card(isFallback: Bool) throws(DeviceFailure) -> CardReport {
    try system.card(isFallback: isFallback)
  }

  package mutating func process() throws(DeviceFailure) -> ProcessReport { try system.process() }

  package mutating func update(_ order: UpdateOrder) throws(DeviceFailure) -> UpdateReport {
    try system.update(order)
  }

  /// The gain is always even, whatever step the camera reports: such drivers exist.
  package mutating func controls(
    of camera: FixedText<64>, _ change: ControlChange
  ) throws(DeviceFailure) -> ControlList {
    if let failure = world.failure(of: .camera, camera) { throw failure }
    for index in 0..<list.count {
      guard let control = list[index] else { continue }
      switch change {
      case .set(control.identifier, let value):
        list.set(control.name == "gain" ? value & ~1 : value, ofControlAt: index)
      case .reset: list.set(control.usual, ofControlAt: index)
      case .none, .set: break
      }
    }
    return list
  }

  /// The card can only double its gain: it takes the nearest one that it has.
  @export(interface)
  package mutating func gains(of card: FixedText<64>, _ change: ControlChange) throws(DeviceFailure) -> ControlList {
    if let failure = world.failure(of: .microphone, card) { throw failure }
    switch change {
    case .set(Self.gainIdentifier, let value):
      world.gainDoublings = min(max((value + Self.doubling / 2) / Self.doubling, 0), Self.mostDoublings)
    case .reset: world.gainDoublings = 0
    case .none, .set: break
    }
    var gain = Self.control(Self.gainIdentifier, "capture", 0...Self.mostDoublings * Self.doubling, usual: 0)
    gain.value = world.gainDoublings * Self.doubling
    var list = ControlList()
    list.append(gain)
    return list
  }

  package mutating func power(_ wishes: PowerWishes) throws(DeviceFailure) -> PowerReport {
    if switches != nil { return switches!.set(wishes) }
    return PowerReport(repeating: PartPower())
  }

  /// The simulated machine stays on.
  package mutating func switchOff() throws(DeviceFailure) {}

  /// The simulated machine is suspended only on a virtual clock, and is never without power.
  package mutating func sleep(_ order: SleepOrder) throws(DeviceFailure) {
    var sleep = world.sleep
    let left = order.unixSeconds - SimClock(world: world).unixSeconds
    try sleep.suspend(order, seconds: left)
    world.sleep = sleep
  }

  private static var gainIdentifier: UInt32 { 1 }
  private static var mostDoublings: Int64 { 6 }
  /// In hundredths of a decibel.
  private static var doubling: Int64 { 602 }

  private static func control(
    _ identifier: UInt32, _ name: FixedText<32>, _ range: ClosedRange<Int64>, step: UInt64 = 1, usual: Int64
  ) -> DeviceControl {
    var control = DeviceControl()
    control.identifier = identifier
    control.name = name
    control.least = range.lowerBound
    control.most = range.upperBound
    control.step = step
    control.usual = usual
    control.value = usual
    return control
  }
}

/// How a simulated machine sleeps, and what goes wrong with it.
package struct SimSleep: Sendable {
  /// What happens at the next order to sleep, and at all later ones.
  package enum Outcome: Sendable, Equatable {
    case wakesInTime
    /// So many seconds after the planned time: the alarm was lost, and somebody came.
    case wakesLate(seconds: Int64)
    /// After so many seconds at the latest: somebody pressed a button.
    case wakesEarly(afterSeconds: Int64)
    /// The script refuses.
    case refuses
  }

  package var outcome = Outcome.wakesInTime
  /// How often it was suspended, and powered off.
  package private(set) var suspendCount = 0
  package private(set) var powerOffCount = 0
  /// How long it was suspended.
  package private(set) var suspendedNanoseconds: UInt64 = 0

  package init() {}

  mutating func suspend(_ order: SleepOrder, seconds planned: Int64) throws(DeviceFailure) {
    var seconds = planned
    switch outcome {
    case .wakesInTime: break
    case .wakesLate(let more): seconds += more
    case .wakesEarly(let most): seconds = min(seconds, most)
    case .refuses: throw .sleep("no clock has an alarm", "is why the machine does not sleep")
    }
    guard order.depth == .suspend else { return powerOffCount += 1 }
    suspendCount += 1
    suspendedNanoseconds += UInt64(max(seconds, 0)) * 1_000_000_000
  }
}
