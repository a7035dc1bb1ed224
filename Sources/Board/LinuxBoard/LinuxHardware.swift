import Port
import Posix

/// The recorder's hardware as Linux drives it. Each device is opened on its own: one that is missing hurts no other.
public struct LinuxHardware: Hardware, ~Copyable {
  /// The system's clocks.
  public var clock = MonotonicClock()
  /// Through libgpiod.
  public var buttons: GPIOButtons
  /// Through `i2c-dev`.
  public var accelerometer: I2CAccelerometer
  /// Through alsa-lib.
  public var microphone = ALSAMicrophone()
  /// Through alsa-lib.
  public var speaker = ALSASpeaker()
  /// Through Video for Linux.
  public var camera = V4L2Camera()
  /// Through libgpiod.
  public var indicators: GPIOIndicators
  /// As it was handed over.
  public var consoleLine: TerminalLine
  /// As the settings say.
  public let allowsInjection: Bool
  private let settings: LinuxBoardSettings

  /// Opens nothing yet.
  /// - Parameter consoleLine: standard input and output, or a serial port.
  public init(settings: LinuxBoardSettings, consoleLine: consuming TerminalLine) {
    self.settings = settings
    self.consoleLine = consoleLine
    buttons = GPIOButtons(settings: settings)
    accelerometer = I2CAccelerometer(busPath: settings.i2cBusPath)
    indicators = GPIOIndicators(settings: settings)
    allowsInjection = settings.allowsInjection
  }

  /// Makes the data folder when it is missing.
  public func openStorage() throws(DeviceFailure) -> FolderStorage {
    try FolderStorage(folder: settings.dataFolder)
  }

  /// The data folder of ``openStorage()``.
  public func openMediaFolders() throws(DeviceFailure) -> PosixMediaFolders {
    try PosixMediaFolders(dataFolder: settings.dataFolder)
  }

  /// `fieldcorder-decode` beside this program.
  public func openDecoder(_ setup: DecoderSetup) throws(DeviceFailure) -> DecoderProcess {
    try DecoderProcess(
      dataFolder: settings.dataFolder, ringByteCount: setup.ringByteCount, format: setup.format,
      isInStep: false)
  }

  /// A Video for Linux device.
  public func openVideoEncoder(_ request: VideoEncoderRequest) throws(DeviceFailure) -> V4L2Encoder {
    try V4L2Encoder(request)
  }

  /// `fieldcorder-view` beside this program, where there is a display.
  public func openView(_ setup: ViewSetup) throws(DeviceFailure) -> ViewProcess {
    try ViewProcess(
      display: settings.displayName, scaling: settings.displayScaling,
      mounting: settings.displayMounting, setup: setup)
  }
}
