import Board
import Posix

/// The recorder's hardware as Linux drives it. Each device is opened on its own: one that is missing hurts no other.
public struct LinuxHardware: Hardware, ~Copyable {
  public var clock = MonotonicClock()
  public var buttons: GPIOButtons
  public var accelerometer: I2CAccelerometer
  public var microphone = ALSAMicrophone()
  public var camera = V4L2Camera()
  public var indicators: GPIOIndicators
  public var consoleLine: TerminalLine
  public let allowsInjection: Bool
  private let settings: LinuxBoardSettings

  public init(settings: LinuxBoardSettings, consoleLine: consuming TerminalLine) {
    self.settings = settings
    self.consoleLine = consoleLine
    buttons = GPIOButtons(settings: settings)
    accelerometer = I2CAccelerometer(busPath: settings.i2cBusPath)
    indicators = GPIOIndicators(settings: settings)
    allowsInjection = settings.allowsInjection
  }

  public func openStorage() throws(DeviceFailure) -> FolderStorage {
    try FolderStorage(folder: settings.dataFolder)
  }
}
