import CDeviceArena
import Port
import Posix

/// The recorder's hardware through Linux's drivers. Each device is opened on its own: the others work without it.
public struct LinuxHardware: Hardware, PosixHost, ~Copyable {
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
  public var allowsInjection: Bool { settings.allowsInjection }
  /// As they were handed over.
  public let settings: LinuxBoardSettings
  /// The decoder runs ahead: time passes by itself.
  public let decodesInStep = false

  /// Opens nothing yet.
  /// - Parameter consoleLine: standard input and output, or a serial port.
  public init(settings: LinuxBoardSettings, consoleLine: consuming TerminalLine) {
    self.settings = settings
    self.consoleLine = consoleLine
    buttons = GPIOButtons(settings: settings)
    accelerometer = I2CAccelerometer(busPath: settings.i2cBusPath)
    indicators = GPIOIndicators(settings: settings)
  }

  /// A Video for Linux device.
  public func openVideoEncoder(_ request: VideoEncoderRequest) throws(DeviceFailure) -> V4L2Encoder {
    try V4L2Encoder(request)
  }
}

/// The fixed memory for device libraries when a device is opened or closed after boot.
enum DeviceArena {
  /// Once boot is over, `malloc` on this thread is served from the arena during `body`.
  static func serve<Result: ~Copyable, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    device_arena_enter()
    defer { device_arena_leave() }
    return try body()
  }
}
