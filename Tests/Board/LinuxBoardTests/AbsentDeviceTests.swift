import Base
import Testing

@testable import Machine

@Suite struct AbsentDeviceTests {
  private let settings: LinuxSettings

  init() {
    var host = HostSettings()
    host.dataFolder = "/nonexistent"
    var settings = LinuxSettings(host: host)
    settings.buttonChipPath = "/dev/nonexistent-gpio"
    settings.buttonLineOffsets = [5, 6, 13, 16, 26, 12, nil]
    settings.ledChipPath = "/dev/nonexistent-leds"
    settings.ledLineOffsets[Int(LED.record.rawValue)] = 23
    settings.i2cBusPath = "/dev/nonexistent-i2c"
    self.settings = settings
  }

  @Test("Absent button lines are reported once at opening; presses from the console still arrive")
  func namesButtons() throws {
    var buttons = GPIOButtons(settings: settings)
    #expect(
      line { try buttons.open() }
        == "buttons /dev/nonexistent-gpio cannot be opened (errno 2): set chip in [buttons] and [leds]; gpiodetect lists the chips"
    )
    buttons.inject(.record, from: 10, to: 20)
    #expect(try buttons.read(at: 15).contains(.record))
    #expect(try buttons.read(at: 20) == ButtonSet())
  }

  @Test("Absent LEDs are reported at opening and then ignored")
  func namesLEDs() throws {
    var leds = GPIOLEDs(settings: settings)
    #expect(line { try leds.open() }?.hasPrefix("indicators /dev/nonexistent-leds cannot be opened") == true)
    var lit = LEDSet()
    (lit[.record], lit[.fault]) = (true, true)
    try leds.show(lit)
  }

  @Test("A file that is no GPIO chip is distinguished from an absent one")
  func refusesAFile() {
    var settings = settings
    settings.buttonChipPath = "/dev/null"
    var buttons = GPIOButtons(settings: settings)
    let said = line { try buttons.open() }
    #expect(said?.hasPrefix("buttons /dev/null is not a GPIO chip") == true, "\(said ?? "nothing")")
  }

  @Test("An absent bus is reported with how to turn it on; a tilt from the console still works")
  func namesAccelerometer() throws {
    var accelerometer = I2CAccelerometer(busPath: settings.i2cBusPath)
    #expect(
      line { _ = try accelerometer.open() }
        == "accelerometer /dev/nonexistent-i2c cannot be opened (errno 2): "
        + "turn the bus on (dtparam=i2c_arm=on, modprobe i2c-dev), or set [accelerometer] bus")
    let tilted = Acceleration(xMilliGravity: 1, yMilliGravity: 2, zMilliGravity: 3)
    accelerometer.inject(tilted)
    #expect(try accelerometer.read() == tilted)
  }

  @Test("An absent microphone is reported by its ALSA name")
  func namesMicrophone() {
    var microphone = ALSAMicrophone()
    let request = SoundCardRequest(
      deviceName: "hw:31,7", sampleRateHz: 48_000, channelCount: 2, sampleFormat: nil, bufferMilliseconds: 100)
    #expect(
      line { _ = try microphone.open(request) }
        == "microphone hw:31,7 cannot be opened (errno 2): plug it in, or set [audio] device; arecord -L lists them")
  }

  @Test("A converting device delivers any format; by default it delivers 16 bits")
  func opensAConverter() throws {
    // alsa-lib's null device accepts every format, as plugins in front of a card do.
    var microphone = ALSAMicrophone()
    for (wish, expected) in [(nil, SampleFormat.int16), (.int24, .int24), (.float32, .float32)]
      as [(SampleFormat?, SampleFormat)]
    {
      let format = try microphone.open(
        SoundCardRequest(
          deviceName: "null", sampleRateHz: 44_100, channelCount: 2, sampleFormat: wish, bufferMilliseconds: 100))
      #expect(format == AudioFormat(sampleRateHz: 44_100, channelCount: 2, sampleFormat: expected))
    }
  }

  @Test("An absent camera is reported, and distinguished from a node that is not a camera")
  func namesCamera() {
    var camera = V4L2Camera()
    #expect(
      line { _ = try camera.open(request("/dev/nonexistent-video")) }
        == "camera /dev/nonexistent-video cannot be opened (errno 2): "
        + "plug it in, or set [video] device; v4l2-ctl --list-devices names them")
    #expect(line { _ = try camera.open(request("/dev/null")) }?.hasPrefix("camera /dev/null is not a camera: ") == true)
    #expect(camera.bufferCount == 0)
  }

  private func request(_ deviceName: FixedText<64>) -> CameraRequest {
    CameraRequest(
      deviceName: deviceName, size: FrameSize(widthPixels: 640, heightPixels: 480), frameRate: FrameRate(frames: 15),
      pixelFormat: nil)
  }

  /// The message of a failing call; nil if it does not fail.
  private func line(_ call: () throws -> Void) -> String? {
    do {
      try call()
      return nil
    } catch {
      guard let failure = error as? DeviceFailure else { return nil }
      let line = failure.line
      return String(decoding: line.bytes.indices.map { line.bytes[$0] }, as: UTF8.self)
    }
  }
}
