import CDeviceArena
import Port
import Posix
import Rings
import Text
import Values

/// The recorder's hardware through Linux's drivers. Each device is opened on its own: the others work without it.
package struct LinuxHardware: Hardware, PosixHost, ~Copyable {
  private let place = StaysInPlace()
  package var clock = MonotonicClock()
  package var buttons: SharedDevice<GPIOButtons>
  package var accelerometer: SharedDevice<I2CAccelerometer>
  package var thermometer: SharedDevice<SysfsThermometer>
  package var timeService: SharedDevice<SystemTimeService>
  package var microphone: SharedDevice<ALSAMicrophone>
  package var speaker: SharedDevice<ALSASpeaker>
  package var camera: SharedDevice<V4L2Camera>
  package var lens: SharedDevice<CameraLens<V4L2Zooming>>
  package var inspector: SharedDevice<LinuxInspector>
  package var indicators: GPIOIndicators
  package var consoleLine: TerminalLine
  /// From the device tree, as on every Raspberry Pi.
  package var serialNumber: FixedText<64> { firstLine(of: "/proc/device-tree/serial-number") ?? "" }
  package var allowsInjection: Bool { settings.allowsInjection }
  /// As they were handed over.
  package let settings: LinuxBoardSettings
  /// The decoder runs ahead: time passes by itself.
  package let decodesInStep = false

  /// Opens nothing yet.
  /// - Parameters:
  ///   - consoleLine: standard input and output, or a serial port.
  ///   - memory: for the devices.
  /// - Throws: when `memory` is used up.
  package init(
    settings: LinuxBoardSettings, consoleLine: consuming TerminalLine, in memory: inout BootMemory
  ) throws(DeviceFailure) {
    let buttons = try SharedDevice(GPIOButtons(settings: settings), in: &memory)
    let accelerometer = try SharedDevice(I2CAccelerometer(busPath: settings.i2cBusPath), in: &memory)
    let thermometer = try SharedDevice(SysfsThermometer(), in: &memory)
    let timeService = try SharedDevice(SystemTimeService(), in: &memory)
    let microphone = try SharedDevice(ALSAMicrophone(), in: &memory)
    let speaker = try SharedDevice(ALSASpeaker(), in: &memory)
    let camera = try SharedDevice(V4L2Camera(), in: &memory)
    let lens = try SharedDevice(CameraLens<V4L2Zooming>(), in: &memory)
    inspector = try SharedDevice(
      LinuxInspector(dataFolder: settings.dataFolder, fallbackFolder: settings.fallbackFolder), in: &memory)
    self.buttons = buttons
    self.accelerometer = accelerometer
    self.thermometer = thermometer
    self.timeService = timeService
    self.microphone = microphone
    self.speaker = speaker
    self.camera = camera
    self.lens = lens
    indicators = GPIOIndicators(settings: settings)
    self.settings = settings
    self.consoleLine = consoleLine
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
