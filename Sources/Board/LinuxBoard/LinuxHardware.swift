import CDeviceArena
import Port
import Posix

/// The recorder's hardware through Linux's drivers. Each device is opened on its own: the others work without it.
package struct LinuxHardware: Hardware, PosixHost, ~Copyable {
  package var clock = MonotonicClock()
  package var buttons: GPIOButtons
  package var accelerometer: I2CAccelerometer
  package var microphone = ALSAMicrophone()
  package var speaker = ALSASpeaker()
  package var camera = V4L2Camera()
  package var indicators: GPIOIndicators
  package var consoleLine: TerminalLine
  package var allowsInjection: Bool { settings.allowsInjection }
  /// As they were handed over.
  package let settings: LinuxBoardSettings
  /// The decoder runs ahead: time passes by itself.
  package let decodesInStep = false

  /// Opens nothing yet.
  /// - Parameter consoleLine: standard input and output, or a serial port.
  package init(settings: LinuxBoardSettings, consoleLine: consuming TerminalLine) {
    self.settings = settings
    self.consoleLine = consoleLine
    buttons = GPIOButtons(settings: settings)
    accelerometer = I2CAccelerometer(busPath: settings.i2cBusPath)
    indicators = GPIOIndicators(settings: settings)
  }

  package func openVideoEncoder(_ request: VideoEncoderRequest) throws(DeviceFailure) -> V4L2Encoder {
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
