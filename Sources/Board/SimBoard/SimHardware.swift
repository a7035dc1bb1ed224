import Port
import Posix
import Rings

/// A board without a board: every device is simulated, while console and files are real.
///
/// All that the devices do follows from the settings and from when they are asked: on a virtual clock, two runs with
/// the same seed and the same commands are the same in every byte.
public struct SimHardware<BoardConsoleLine: ConsoleLine & ~Copyable>: PosixHardware, ~Copyable {
  /// As they were handed over.
  public let settings: SimBoardSettings
  /// On a virtual clock the decoder's answers are waited for.
  public var decodesInStep: Bool { settings.timeMode == .virtual }

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

  /// None.
  public func openVideoEncoder(_ request: VideoEncoderRequest) throws(DeviceFailure) -> AbsentVideoEncoder {
    throw .noVideoEncoder(request)
  }
}
