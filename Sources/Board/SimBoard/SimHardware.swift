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
  package var buttons: SimButtons
  package var accelerometer: SimAccelerometer
  package var microphone: SimMicrophone
  package var speaker: SimSpeaker
  package var camera: SimCamera
  package var indicators = SimIndicators()
  package var consoleLine: SimConsoleLine<Host.BoardConsoleLine>
  /// Always true: the console is the only input device here.
  package let allowsInjection = true

  /// - Returns: nil when `memory` is used up.
  package init?(
    _ settings: SimBoardSettings, host: consuming Host, consoleLine: consuming Host.BoardConsoleLine,
    in memory: inout BootMemory
  ) {
    guard let world = SimWorld(settings.timeMode, faults: settings.faults, in: &memory),
      let camera = SimCamera(settings, world: world, in: &memory)
    else { return nil }
    self.host = host
    self.world = world
    self.camera = camera
    clock = SimClock(world: world)
    buttons = SimButtons(seed: settings.seed, world: world)
    accelerometer = SimAccelerometer(seed: settings.seed, world: world)
    microphone = SimMicrophone(settings, world: world)
    speaker = SimSpeaker(settings, world: world)
    self.consoleLine = SimConsoleLine(consoleLine, world: world)
  }

  /// True only on a virtual clock: in real time the calls themselves wait.
  package var isStorageStalled: Bool { world.mode == .virtual && world.fault(of: .storage)?.kind == .stalled }

  package func openStorage() throws(DeviceFailure) -> SimStorage<Host.BoardStorage> {
    SimStorage(try host.openStorage(), world: world)
  }

  package func openMediaFolders() throws(DeviceFailure) -> Host.BoardMediaFolders { try host.openMediaFolders() }

  package func openDayFolders() throws(DeviceFailure) -> SimDayFolders<Host.BoardDayFolders> {
    SimDayFolders(try host.openDayFolders(), world: world)
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

  package mutating func read(into space: inout MutableRawSpan) -> Int? {
    world.fault(of: .console) == nil ? base.read(into: &space) : 0
  }

  /// Accepts nothing while the line is stalled. A line that is gone accepts and loses everything.
  package mutating func write(_ bytes: RawSpan) -> Int {
    guard let fault = world.fault(of: .console) else { return base.write(bytes) }
    return fault.kind == .stalled ? 0 : bytes.byteCount
  }
}
