import Base

/// The machine: everything that the recorder needs from its devices, real or simulated, and from its system. The
/// simulator runs the production code: only the devices' internals differ.
///
/// ``Storage``, ``Decoder``, ``VideoEncoder`` and ``View`` belong to their workers' threads. A ``SharedDevice`` belongs
/// to the main loop's thread or to its worker's. Everything else belongs to the loop, and its calls never block. Each
/// device is opened on its own: if one fails, the others still work.
package struct Hardware: ~Copyable {
  private let place = StaysInPlace()
  /// The clock of all instants.
  package var clock: Clock
  /// The buttons on the case.
  package var buttons: SharedDevice<Buttons>
  /// How the device is held.
  package var accelerometer: SharedDevice<Accelerometer>
  /// The processor's temperature.
  package var thermometer: SharedDevice<Thermometer>
  /// The battery's gauge.
  package var battery: SharedDevice<Battery>
  /// The satellite receiver.
  package var receiver: SharedDevice<Receiver>
  /// Sets the clock; nil once its worker has it.
  package var timeService: TimeService?
  /// The sound card's capture side.
  package var microphone: SharedDevice<Microphone>
  /// The sound card's playback side.
  package var speaker: SharedDevice<Speaker>
  /// The one camera.
  package var camera: SharedDevice<Camera>
  /// The camera's zoom.
  package var lens: SharedDevice<CameraLens<Camera.Zooming>>
  /// Reports on the system to a person; nil once its worker has it.
  package var inspector: Inspector?
  package var leds: LEDs
  /// The byte stream to and from a person.
  package var consoleLine: ConsoleLine

  /// The serial number from the machine's firmware; empty if it has none.
  package let serialNumber: FixedText<64>
  /// Whether the console may press buttons and tilt the device.
  package let allowsInjection: Bool
  /// Whether the machine runs the card's image, which the console can update.
  package let runsImage: Bool

  private let host: Host
  /// The world of the simulated devices; nil for real ones.
  package let simulatedWorld: SimWorld?
}

extension Hardware {
  /// Whether a storage call would block now. On a virtual clock, where all workers take turns on one thread, the
  /// storage worker and the keeper are then skipped. In real time the calls themselves block.
  package var isStorageStalled: Bool {
    guard let world = simulatedWorld, world.mode == .virtual else { return false }
    return world.fault(of: .storage)?.kind == .stalled || world.isDiskBusy
  }

  /// Whether opening or setting a device would block now. On a virtual clock the device's worker is then skipped.
  package func isSlow(_ device: Device) -> Bool {
    guard let world = simulatedWorld, world.mode == .virtual else { return false }
    return world.fault(of: device)?.isSlow == true
  }

  /// In real time, sleeps until `end`, until the signal is posted, or until one of the sources can be read. A stalled
  /// simulated scheduler wakes nobody earlier.
  /// - Parameter signal: if nil, only `end` ends the sleep.
  /// - Returns: whether the signal was posted.
  package mutating func sleep(until end: Instant, or signal: LoopSignal?, _ sources: inout WakeSources) -> Bool {
    guard let signal, simulatedWorld?.fault(of: .scheduler, at: end) == nil else {
      clock.sleep(until: end)
      return false
    }
    return signal.wait(until: end, orFor: &sources)
  }

  /// The data folder, for the storage worker's thread.
  package func openStorage() throws(DeviceFailure) -> Storage {
    Storage(try host.openStorage(), world: simulatedWorld)
  }

  /// See ``HostDriver/checkFallback()``.
  package func checkFallback() throws(DeviceFailure) { try host.checkFallback() }

  /// The folder with the second copy of the device's identity, for the storage worker's thread; nil if there is none.
  @export(interface)
  package func openIdentityCopy() throws(DeviceFailure) -> IdentityFolder<Storage>? {
    guard let copy = try host.openIdentityCopy() else { return nil }
    let (path, isInUse) = (copy.path, copy.isInUse)
    return IdentityFolder(Storage(copy.storage, world: simulatedWorld), path: path, isInUse: isInUse)
  }

  /// Opens the data folder again, for the thread of another worker. For browsing, a simulated card has no faults.
  @export(interface)
  package func openFolder(for use: FolderUse) throws(DeviceFailure) -> Storage {
    Storage(try host.openFolder(for: use), for: use, world: use == .browsing ? nil : simulatedWorld)
  }

  /// See ``HostDriver/openDecoder(_:)``.
  package func openDecoder(_ setup: DecoderSetup) throws(DeviceFailure) -> Decoder { try host.openDecoder(setup) }

  /// See ``HostDriver/openVideoEncoder(_:)``.
  package func openVideoEncoder(_ request: VideoEncoderRequest) throws(DeviceFailure) -> VideoEncoder {
    try host.openVideoEncoder(request)
  }

  /// See ``HostDriver/openView(_:)``.
  package func openView(_ setup: ViewSetup) throws(DeviceFailure) -> View { try host.openView(setup) }

  /// Creates Linux's devices, but opens none yet.
  /// - Throws: if `memory` is used up.
  @export(interface)
  package init(
    _ settings: LinuxSettings, host: Host, terminal: consuming HostTerminal, in memory: inout BootMemory
  ) throws(DeviceFailure) {
    self.init(
      clock: Clock(), buttons: try SharedDevice(Buttons(lines: GPIOButtons(settings: settings)), in: &memory),
      accelerometer: try SharedDevice(
        Accelerometer(chip: I2CAccelerometer(busPath: settings.i2cBusPath)), in: &memory),
      thermometer: try SharedDevice(Thermometer(sensor: SysfsThermometer()), in: &memory),
      battery: try SharedDevice(Battery(gauge: LinuxBattery(settings.battery)), in: &memory),
      receiver: try SharedDevice(Receiver(line: LinuxReceiver(settings.receiver)), in: &memory),
      timeService: TimeService(service: SystemTimeService()),
      microphone: try SharedDevice(
        Microphone(
          card: ALSAMicrophone(),
          processed: try ProcessedSound(settings.sound, wanted: settings.recordedFormat, in: &memory)),
        in: &memory),
      speaker: try SharedDevice(Speaker(card: ALSASpeaker()), in: &memory),
      camera: try SharedDevice(Camera(driven: V4L2Camera()), in: &memory),
      lens: try SharedDevice(CameraLens(), in: &memory),
      inspector: Inspector(
        linux: LinuxInspector(
          dataFolder: settings.host.dataFolder, fallbackFolder: settings.host.fallbackFolder,
          updates: settings.host.updates)),
      leds: LEDs(lines: GPIOLEDs(settings: settings)), consoleLine: ConsoleLine(terminal),
      // From the device tree, which every Raspberry Pi has.
      serialNumber: firstLine(of: "/proc/device-tree/serial-number") ?? "",
      allowsInjection: settings.allowsInjection, runsImage: settings.host.updates != nil, host: host,
      simulatedWorld: nil)
  }

  /// Creates simulated devices, which need no opening; files, processes and terminal are the host's. The devices'
  /// behaviour depends only on the settings and on when they are called: on a virtual clock, two runs with the same
  /// seed and the same commands are identical in every byte.
  /// - Throws: if `memory` is used up.
  @export(interface)
  package init(
    _ settings: SimSettings, host: Host, terminal: consuming HostTerminal, in memory: inout BootMemory
  ) throws(DeviceFailure) {
    guard
      let world = SimWorld(
        settings.timeMode, faults: settings.faults, wall: settings.wallClock, heat: settings.heat, in: &memory)
    else {
      throw .memoryRefused(byteCount: memory.refusedByteCount ?? 0)
    }
    let buttons = try SharedDevice(Buttons(simulated: SimButtons(seed: settings.seed, world: world)), in: &memory)
    let accelerometer = try SharedDevice(
      Accelerometer(simulated: SimAccelerometer(seed: settings.seed, world: world)), in: &memory)
    let thermometer = try SharedDevice(Thermometer(simulated: SimThermometer(world: world)), in: &memory)
    let battery = try SharedDevice(Battery(simulated: SimBattery(settings.battery, world: world)), in: &memory)
    let receiver = try SharedDevice(Receiver(simulated: SimReceiver(settings.receiver, world: world)), in: &memory)
    let air = try SimAir.between(settings, world: world, in: &memory)
    let processed = try ProcessedSound(settings.sound, wanted: settings.recordedFormat, in: &memory)
    let microphone = try SharedDevice(
      Microphone(simulated: SimMicrophone(settings, world: world, air: air), processed: processed), in: &memory)
    let speaker = try SharedDevice(Speaker(simulated: SimSpeaker(settings, world: world, air: air)), in: &memory)
    let camera = try SharedDevice(Camera(simulated: SimCamera(settings, world: world, in: &memory)), in: &memory)
    self.init(
      clock: Clock(SimClock(world: world)), buttons: buttons, accelerometer: accelerometer, thermometer: thermometer,
      battery: battery, receiver: receiver, timeService: TimeService(simulated: SimTimeService(world: world)),
      microphone: microphone, speaker: speaker, camera: camera, lens: try SharedDevice(CameraLens(), in: &memory),
      inspector: Inspector(simulated: SimInspector(settings, world: world)),
      leds: LEDs(simulated: SimLEDs(world: world)), consoleLine: ConsoleLine(terminal, world: world),
      serialNumber: "", allowsInjection: true, runsImage: settings.host.updates != nil, host: host,
      simulatedWorld: world)
  }
}
