import Port
import Posix
import Rings

/// A board without a board: every device is simulated, while console and files are real.
///
/// All that the devices do follows from the settings and from when they are asked: on a virtual clock, two runs with
/// the same seed and the same commands are the same in every byte.
public struct SimHardware<BoardConsoleLine: ConsoleLine & ~Copyable>: Hardware, ~Copyable {
  private let settings: SimBoardSettings

  /// The world's clock.
  public var clock: SimClock
  /// Six buttons, pressed from the console.
  public var buttons: SimButtons
  /// Shows the position that the console sets.
  public var accelerometer: SimAccelerometer
  /// Hears ``SimSound``.
  public var microphone: SimMicrophone
  /// Sounds into a file.
  public var speaker: SimSpeaker
  /// Sees numbered frames.
  public var camera: SimCamera
  /// Lights that tests look at.
  public var indicators = SimIndicators()
  /// The real console, or a test's own.
  public var consoleLine: BoardConsoleLine
  /// Always: the console is the only hand here.
  public let allowsInjection = true

  /// What the board takes of boot memory.
  public static func byteCount(_ settings: SimBoardSettings) -> Int {
    SimWorld.byteCount + SimCamera.byteCount(settings)
  }

  /// - Returns: nil when `memory` has not ``byteCount(_:)`` left.
  public init?(_ settings: SimBoardSettings, consoleLine: consuming BoardConsoleLine, in memory: inout BootMemory) {
    guard let world = SimWorld(settings.timeMode, in: &memory),
      let camera = SimCamera(settings, world: world, in: &memory)
    else { return nil }
    self.settings = settings
    self.camera = camera
    clock = SimClock(world: world)
    buttons = SimButtons(seed: settings.seed)
    accelerometer = SimAccelerometer(isPresent: settings.hasAccelerometer, seed: settings.seed)
    microphone = SimMicrophone(settings, world: world)
    speaker = SimSpeaker(settings, world: world)
    self.consoleLine = consoleLine
  }

  /// The settings' data folder, on the real file system.
  public func openStorage() throws(DeviceFailure) -> FolderStorage {
    try FolderStorage(folder: settings.dataFolder)
  }

  /// The data folder of ``openStorage()``.
  public func openMediaFolders() throws(DeviceFailure) -> PosixMediaFolders {
    try PosixMediaFolders(dataFolder: settings.dataFolder)
  }

  /// A real process; on a virtual clock its answers are waited for.
  public func openDecoder(_ setup: DecoderSetup) throws(DeviceFailure) -> DecoderProcess {
    try DecoderProcess(
      dataFolder: settings.dataFolder, ringByteCount: setup.ringByteCount, format: setup.format,
      isInStep: settings.timeMode == .virtual)
  }

  /// None.
  public func openVideoEncoder(_ request: VideoEncoderRequest) throws(DeviceFailure) -> AbsentVideoEncoder {
    throw .noVideoEncoder(request)
  }

  /// A real process on a real display, where the settings name one.
  public func openView(_ setup: ViewSetup) throws(DeviceFailure) -> ViewProcess {
    try ViewProcess(
      display: settings.displayName, scaling: settings.displayScaling,
      mounting: settings.displayMounting, setup: setup)
  }
}
