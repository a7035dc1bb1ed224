import Base

/// How the machine is wired, as the configuration says.
package struct LinuxSettings: Sendable {
  /// Files and displays.
  package var host: HostSettings
  /// The GPIO chip of the buttons, such as `/dev/gpiochip0`.
  package var buttonChipPath: FixedText<64> = ""
  /// The line of each button on that chip, at the button's number; nil for one that is not wired.
  package var buttonLineOffsets = InlineArray<7, UInt32?>(repeating: nil)
  /// Whether a pressed button pulls its line to ground. The bias pulls it the other way.
  package var buttonsAreActiveLow = true
  /// The same for the line that tells that the power is failing.
  package var powerIsActiveLow = true
  /// The GPIO chip of the LEDs, the same or another.
  package var ledChipPath: FixedText<64> = ""
  /// The line of each LED on that chip; nil for one that is not wired.
  package var ledLineOffsets = PerLED<UInt16?>(repeating: nil)
  /// The accelerometer's bus, such as `/dev/i2c-1`.
  package var i2cBusPath: FixedText<64> = ""
  /// Whether the console may press buttons and tilt the device.
  package var allowsInjection = false

  package init(host: HostSettings) { self.host = host }
}

/// The limits of what a sound card may say of itself, with their reasons.
enum CardLimits {
  /// Sample rates in Hz that the recorder can use, as ``AudioFormat`` has them.
  static var sampleRatesHz: ClosedRange<UInt32> { 8_000...192_000 }

  /// The length of a card's buffer: 2^24 frames are 87 s at 192 kHz, hundreds of times what is requested, and times
  /// 10^9 nanoseconds they fit 64 bits.
  static var bufferFrames: ClosedRange<UInt> { 1...1 << 24 }

  /// Elements of a mixer that are looked at: a large interface has some fifty.
  static var mixerElements: UInt32 { 128 }
}

/// The limits of what a camera may say of itself, with their reasons.
enum CameraLimits {
  /// The sides of a picture in pixels, as ``VideoFormat`` has them.
  static var sidePixels: ClosedRange<UInt16> { 16...4096 }

  /// Bytes from one row to the next: 4096 pixels of 2 bytes, and as many again for what a driver leaves free.
  static var longestRowByteCount: UInt32 { 16_384 }

  /// Pictures a second: eight times the fastest rate that can be requested. A rate beyond it is a driver's mistake, and
  /// memory for so many pictures would be refused.
  static var fastestFramesPerSecond: Double { 960 }

  /// The sides of a sensor, and the distance of its edges from its origin, in pixels: sixteen times the largest
  /// picture.
  static var sensorPixels: UInt32 { 65_536 }

  /// Controls that a driver is asked for. A camera has a dozen or two, and V4L2 knows some 200 for cameras.
  static var queriedControls: Int { 256 }
}

/// How much of sysfs is looked through for a sensor: the machines that we know have fewer of each.
enum SysfsLimits {
  /// A reading a second: where there is no such sensor, a minute passes from one search to the next. Each tries 16 files,
  /// which are 300,000 instructions.
  static var readingsBetweenSearches: Int { 59 }

  /// A Raspberry Pi has one; systems with a zone for each cluster and block have ten.
  static var thermalZones: Int { 16 }

  /// A Raspberry Pi 5 with a fan and an NVMe disk has six.
  static var hardwareMonitors: Int { 16 }
}
