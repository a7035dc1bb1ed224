import Port
import Rings

/// A simulated board: all devices are simulated, while console, files and processes are the host's.
///
/// The devices' behaviour depends only on the settings and on when they are called. On a virtual clock, two runs with
/// the same seed and the same commands are identical in every byte.
public struct SimHardware<Host: SimHost & ~Copyable>: Hardware, ~Copyable {
  private let host: Host

  /// The world shared by all devices.
  public let world: SimWorld
  /// The world's clock.
  public var clock: SimClock
  /// Six buttons, pressed from the console.
  public var buttons: SimButtons
  /// Reports the position set on the console.
  public var accelerometer: SimAccelerometer
  /// Hears ``SimSound``.
  public var microphone: SimMicrophone
  /// Plays into a file.
  public var speaker: SimSpeaker
  /// Sees numbered frames.
  public var camera: SimCamera
  /// Lights that tests can read.
  public var indicators = SimIndicators()
  /// The host's console.
  public var consoleLine: SimConsoleLine<Host.BoardConsoleLine>
  /// Always true: the console is the only input device here.
  public let allowsInjection = true

  /// Bytes of boot memory needed by the board.
  public static func byteCount(_ settings: SimBoardSettings) -> Int {
    SimWorld.byteCount + SimCamera.byteCount(settings)
  }

  /// - Returns: nil when `memory` has less than ``byteCount(_:)`` left.
  public init?(
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
  public var isStorageStalled: Bool { world.mode == .virtual && world.fault(of: .storage)?.kind == .stalled }

  /// The host's storage, with the world's faults.
  public func openStorage() throws(DeviceFailure) -> SimStorage<Host.BoardStorage> {
    SimStorage(try host.openStorage(), world: world)
  }

  /// The host's.
  public func openMediaFolders() throws(DeviceFailure) -> Host.BoardMediaFolders { try host.openMediaFolders() }

  /// The host's.
  public func openDecoder(_ setup: DecoderSetup) throws(DeviceFailure) -> Host.BoardDecoder {
    try host.openDecoder(setup)
  }

  /// The host's.
  public func openVideoEncoder(_ request: VideoEncoderRequest) throws(DeviceFailure) -> Host.BoardVideoEncoder {
    try host.openVideoEncoder(request)
  }

  /// The host's.
  public func openView(_ setup: ViewSetup) throws(DeviceFailure) -> Host.BoardView { try host.openView(setup) }
}

/// A console line that can stall or disappear.
public struct SimConsoleLine<Base: ConsoleLine & ~Copyable>: ConsoleLine, ~Copyable {
  private var base: Base
  private let world: SimWorld

  init(_ base: consuming Base, world: SimWorld) {
    self.base = base
    self.world = world
  }

  /// The host's.
  public var isTerminal: Bool { base.isTerminal }
  /// The host's.
  public var terminalSize: TerminalSize { base.terminalSize }

  /// Reads nothing while the line has a fault.
  public mutating func read(into space: inout MutableRawSpan) -> Int? {
    world.fault(of: .console) == nil ? base.read(into: &space) : 0
  }

  /// Accepts nothing while the line is stalled. A line that is gone accepts and loses everything.
  public mutating func write(_ bytes: RawSpan) -> Int {
    guard let fault = world.fault(of: .console) else { return base.write(bytes) }
    return fault.kind == .stalled ? 0 : bytes.byteCount
  }
}
