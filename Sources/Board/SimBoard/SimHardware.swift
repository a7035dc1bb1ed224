import Port
import Rings

/// A simulated board: all devices are simulated, while console, files and processes are the host's.
///
/// The devices' behaviour depends only on the settings and on when they are called. On a virtual clock, two runs with
/// the same seed and the same commands are identical in every byte.
package struct SimHardware<Host: SimHost & ~Copyable>: Hardware, ~Copyable {
  private let host: Host

  /// The world shared by all devices.
  package let world: SimWorld
  package var clock: SimClock
  /// Six buttons, pressed from the console.
  package var buttons: SharedDevice<SimButtons>
  package var accelerometer: SharedDevice<SimAccelerometer>
  package var thermometer: SharedDevice<SimThermometer>
  package var timeService: SharedDevice<SimTimeService>
  package var microphone: SharedDevice<SimMicrophone>
  package var speaker: SharedDevice<SimSpeaker>
  package var camera: SharedDevice<SimCamera>
  package var lens: SharedDevice<CameraLens<SimZooming>>
  package var inspector: SharedDevice<SimInspector>
  package var indicators: SimIndicators
  package var consoleLine: SimConsoleLine<Host.BoardConsoleLine>
  /// Always true: the console is the only input device here.
  package let allowsInjection = true

  /// - Throws: when `memory` is used up.
  package init(
    _ settings: SimBoardSettings, host: consuming Host, consoleLine: consuming Host.BoardConsoleLine,
    in memory: inout BootMemory
  ) throws(DeviceFailure) {
    guard
      let world = SimWorld(
        settings.timeMode, faults: settings.faults, wall: settings.wallClock, heat: settings.heat, in: &memory)
    else {
      throw .memoryRefused(byteCount: memory.refusedByteCount ?? 0)
    }
    let buttons = try SharedDevice(SimButtons(seed: settings.seed, world: world), in: &memory)
    let accelerometer = try SharedDevice(SimAccelerometer(seed: settings.seed, world: world), in: &memory)
    let thermometer = try SharedDevice(SimThermometer(world: world), in: &memory)
    let timeService = try SharedDevice(SimTimeService(world: world), in: &memory)
    let air = try settings.echo.map { echo throws(DeviceFailure) in
      guard
        let air = SimAir(
          echo, worldStart: world.start, speakerPartsPerMillion: settings.speakerPartsPerMillion, in: &memory)
      else { throw .memoryRefused(byteCount: memory.refusedByteCount ?? 0) }
      return air
    }
    let microphone = try SharedDevice(SimMicrophone(settings, world: world, air: air), in: &memory)
    let speaker = try SharedDevice(SimSpeaker(settings, world: world, air: air), in: &memory)
    let camera = try SharedDevice(SimCamera(settings, world: world, in: &memory), in: &memory)
    let lens = try SharedDevice(CameraLens<SimZooming>(), in: &memory)
    inspector = try SharedDevice(SimInspector(settings, world: world), in: &memory)
    indicators = SimIndicators(world: world)
    self.world = world
    clock = SimClock(world: world)
    self.buttons = buttons
    self.accelerometer = accelerometer
    self.thermometer = thermometer
    self.timeService = timeService
    self.microphone = microphone
    self.speaker = speaker
    self.camera = camera
    self.lens = lens
    self.consoleLine = SimConsoleLine(consoleLine, world: world)
    self.host = host
  }

  /// True only on a virtual clock: in real time the calls themselves wait.
  package var isStorageStalled: Bool {
    world.mode == .virtual && (world.fault(of: .storage)?.kind == .stalled || world.isDiskBusy)
  }

  /// As ``isStorageStalled``.
  package func isSlow(_ device: Device) -> Bool { world.mode == .virtual && world.fault(of: device)?.isSlow == true }

  package func openStorage() throws(DeviceFailure) -> SimStorage<Host.BoardStorage> {
    SimStorage(try host.openStorage(), world: world)
  }

  package func openIdentityCopy() throws(DeviceFailure) -> SimStorage<Host.BoardStorage>? {
    guard let copy = try host.openIdentityCopy() else { return nil }
    return SimStorage(copy, world: world)
  }

  package func openMediaFolders() throws(DeviceFailure) -> Host.BoardMediaFolders { try host.openMediaFolders() }

  package func openDayFolders() throws(DeviceFailure) -> SimDayFolders<Host.BoardDayFolders> {
    SimDayFolders(try host.openDayFolders(), world: world)
  }

  package func openNotes() throws(DeviceFailure) -> SimStorage<Host.BoardStorage> {
    SimStorage(try host.openNotes(), world: world)
  }

  package func openDecoder(_ setup: DecoderSetup) throws(DeviceFailure) -> Host.BoardDecoder {
    try host.openDecoder(setup)
  }

  package func openVideoEncoder(_ request: VideoEncoderRequest) throws(DeviceFailure) -> Host.BoardVideoEncoder {
    try host.openVideoEncoder(request)
  }

  package func openView(_ setup: ViewSetup) throws(DeviceFailure) -> Host.BoardView { try host.openView(setup) }
}

/// A console line that can stall or disappear.
package struct SimConsoleLine<Base: ConsoleLine & ~Copyable>: ConsoleLine, ~Copyable {
  private var base: Base
  private let world: SimWorld

  init(_ base: consuming Base, world: SimWorld) {
    self.base = base
    self.world = world
  }

  package var isTerminal: Bool { base.isTerminal }
  package var terminalSize: TerminalSize { base.terminalSize }

  package var unsentByteCount: Int? { base.unsentByteCount }

  package var isThere: Bool { base.isThere && (world.fault(of: .console)?.kind ?? .stalled) == .stalled }

  package mutating func read(into space: inout MutableRawSpan) -> Int? {
    world.fault(of: .console) == nil ? base.read(into: &space) : 0
  }

  /// Accepts nothing while the line is stalled. A line that is gone accepts and loses everything.
  package mutating func write(_ bytes: RawSpan) -> Int {
    guard let fault = world.fault(of: .console) else { return base.write(bytes) }
    return fault.kind == .stalled ? 0 : bytes.byteCount
  }
}
