import Base

/// How the machine is wired, from the configuration.
package struct LinuxSettings: Sendable {
  /// Files and displays.
  package var host: HostSettings
  /// The GPIO chip of the buttons, such as `/dev/gpiochip0`.
  package var buttonChipPath: FixedText<64> = ""
  /// The GPIO line of each button on that chip, indexed by the button's number; nil for a button that is not wired.
  package var buttonLineOffsets = InlineArray<7, UInt32?>(repeating: nil)
  /// Whether a pressed button pulls its line to ground. The bias pulls it the other way.
  package var buttonsAreActiveLow = true
  /// Whether the power-failure line is active low.
  package var powerIsActiveLow = true
  /// The GPIO chip of the LEDs, which may be the same.
  package var ledChipPath: FixedText<64> = ""
  /// The GPIO line of each LED on that chip; nil for an LED that is not wired.
  package var ledLineOffsets = PerLED<UInt16?>(repeating: nil)
  /// The accelerometer's bus, such as `/dev/i2c-1`.
  package var i2cBusPath: FixedText<64> = ""
  /// What is done to the microphone's sound.
  package var sound = SoundProcessing()
  /// The format in which that sound is recorded; nil for the card's.
  package var recordedFormat: SampleFormat?
  /// Where the battery is measured.
  package var battery = BatteryWiring()
  /// The satellite receiver's serial port; nil if there is none.
  package var receiver: SerialDevice?
  /// Whether the console may press buttons and tilt the device.
  package var allowsInjection = false

  package init(host: HostSettings) { self.host = host }
}

/// The limits of what a sound card may report about itself, with their reasons.
enum CardLimits {
  /// Sample rates in Hz that the recorder can use, as in ``AudioFormat``.
  static var sampleRatesHz: ClosedRange<UInt32> { 8_000...192_000 }

  /// The length of a card's buffer in frames: 2^24 are 87 s at 192 kHz, hundreds of times what is requested, and
  /// multiplied by 10^9 nanoseconds they fit 64 bits.
  static var bufferFrames: ClosedRange<UInt> { 1...1 << 24 }

  /// The number of mixer elements examined: a large interface has about fifty.
  static var mixerElements: UInt32 { 128 }
}

/// The limits of what a camera may report about itself, with their reasons.
enum CameraLimits {
  /// The sides of a picture in pixels, as in ``VideoFormat``.
  static var sidePixels: ClosedRange<UInt16> { 16...4096 }

  /// Bytes from one row to the next: 4096 pixels of 2 bytes, doubled for a driver's padding.
  static var longestRowByteCount: UInt32 { 16_384 }

  /// Pictures per second: eight times the fastest rate that can be requested. A higher rate is a driver's mistake, and
  /// memory for so many pictures would be refused.
  static var fastestFramesPerSecond: Double { 960 }

  /// The sides of a sensor in pixels, and the distance of its edges from its origin: sixteen times the largest
  /// picture's.
  static var sensorPixels: UInt32 { 65_536 }

  /// The number of controls queried. A camera has one or two dozen, and V4L2 defines about 200 for cameras.
  static var queriedControls: Int { 256 }
}

/// How many entries of sysfs are searched for a sensor: known machines have fewer of each.
enum SysfsLimits {
  /// At one reading per second, a search is repeated every minute if there is no such sensor. Each tries 16 files,
  /// which takes 300,000 instructions.
  static var readingsBetweenSearches: Int { 59 }

  /// A Raspberry Pi has one; systems with a zone per cluster and block have ten.
  static var thermalZones: Int { 16 }

  /// A Raspberry Pi 5 with a fan and an NVMe disk has six.
  static var hardwareMonitors: Int { 16 }
}
