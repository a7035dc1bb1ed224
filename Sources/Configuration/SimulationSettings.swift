import Base

/// `[sim]`: the clock errors of the simulated devices, how they fail, what the camera delivers, where the sound goes,
/// the temperature, the battery, the satellite receiver, and what can be switched off.
package struct SimulationSettings: Equatable, Sendable {
  /// The clock error of the microphone, -500…500; positive runs fast.
  package var microphonePartsPerMillion: Int32 = 0
  /// The clock error of the camera, -500…500; positive runs fast.
  package var cameraPartsPerMillion: Int32 = 0
  /// The clock error of the speaker, -500…500; positive runs fast.
  package var speakerPartsPerMillion: Int32 = 0
  /// The file that receives the speaker's output as raw samples; relative to the data folder, or absolute.
  package var speakerFileName: DeviceName?
  /// The level of the speaker at the microphone, in decibels relative to its output, -60…0; nil for no echo.
  package var echoDecibels: Double?
  /// The delay of the echo, 0…500.
  package var echoMilliseconds: UInt32 = 5

  /// The largest preset that the camera offers; nil for any size.
  package var largestPicture: VideoPreset?
  /// Whether the JPEGs of an MJPEG camera include their Huffman tables.
  package var hasHuffmanTables = true
  /// The period in seconds in whose last two the camera's picture moves and is otherwise still, 3…86,400; 0 for a
  /// picture that always moves.
  package var motionPeriodSeconds: UInt32 = 0
  /// The period within which every simulated device fails once, at a time that the seed decides, 1…86,400; 0 for never.
  package var faultPeriodSeconds: UInt32 = 0

  /// How the clock is wrong.
  package var clock = SimulatedClock.right
  /// When a wrong clock is set, in seconds after the start, 1…86,400; 0 for never. A jumping clock is set once per this
  /// many seconds.
  package var clockSetSeconds: UInt32 = 0
  /// The true time at the start of a virtual clock, in Unix seconds, 1,767,225,600…4,102,444,799: 2026 to 2099.
  package var startSeconds: UInt32 = 1_767_225_600

  /// The temperature of the processor, -40…125 °C; nil if there is no sensor.
  package var celsius: Int32? = 45
  /// The firmware's flags for supply and throttling: bits as in a Raspberry Pi's `get_throttled`, 1…15; 0 for none.
  package var throttlingBits: UInt32 = 0
  /// The chip that measures the battery.
  package var battery = SimulatedGauge.none
  /// The battery's voltage at the start, 0…30.
  package var batteryVolts = 3.9
  /// How fast it falls, in volts an hour, 0…60.
  package var batteryFall = 0.0
  /// The current out of it, 0…20 A.
  package var batteryAmperes = 0.4
  /// The satellite receiver.
  package var receiver = SimulatedReceiver.none
  /// A folder with files as in sysfs, for what `[power]` switches off; nil if there is nothing.
  package var sysfsFolder: DeviceName?

  mutating func visit(_ visitor: inout SettingsTable) {
    visitor.section("sim")
    visitor.setting("microphone_ppm", &microphonePartsPerMillion, WholeNumberKind(-500...500, "parts per million"))
    visitor.setting("camera_ppm", &cameraPartsPerMillion, WholeNumberKind(-500...500, "parts per million"))
    visitor.setting("speaker_ppm", &speakerPartsPerMillion, WholeNumberKind(-500...500, "parts per million"))
    visitor.setting("speaker_file", &speakerFileName, OptionalKind(word: "none", wrapped: DeviceNameKind("a file")))
    visitor.setting("echo_db", &echoDecibels, OptionalKind(word: "none", wrapped: DecimalKind(-60...0, "decibels")))
    visitor.setting("echo_milliseconds", &echoMilliseconds, WholeNumberKind(0...500, "milliseconds"))
    visitor.setting("largest_picture", &largestPicture, OptionalKind(word: "any", wrapped: ChoiceKind()))
    visitor.setting("huffman_tables", &hasHuffmanTables, YesOrNoKind())
    visitor.setting(
      "motion_period_seconds", &motionPeriodSeconds, WholeNumberKind(3...86_400, "seconds", zeroMeaning: "never"))
    visitor.setting(
      "fault_period_seconds", &faultPeriodSeconds, WholeNumberKind(1...86_400, "seconds", zeroMeaning: "never"))
    visitor.setting("clock", &clock, ChoiceKind())
    visitor.setting("clock_set_seconds", &clockSetSeconds, WholeNumberKind(1...86_400, "seconds", zeroMeaning: "never"))
    visitor.setting("start_seconds", &startSeconds, WholeNumberKind(1_767_225_600...4_102_444_799, "Unix seconds"))
    visitor.setting(
      "temperature_celsius", &celsius,
      OptionalKind(word: "none", wrapped: WholeNumberKind(-40...125, "degrees Celsius")))
    visitor.setting(
      "throttled", &throttlingBits, WholeNumberKind(1...15, "bits as in get_throttled", zeroMeaning: "not at all"))
    visitor.setting("battery", &battery, ChoiceKind())
    visitor.setting("battery_volts", &batteryVolts, DecimalKind(0...30, "volts"))
    visitor.setting("battery_fall", &batteryFall, DecimalKind(0...60, "volts an hour"))
    visitor.setting("battery_amperes", &batteryAmperes, DecimalKind(0...20, "amperes"))
    visitor.setting("gps", &receiver, ChoiceKind())
    visitor.setting("sysfs", &sysfsFolder, OptionalKind(word: "none", wrapped: DeviceNameKind("a folder")))
  }
}

/// The chip that measures the simulated battery; the raw value is one more than its place in the list of known ones.
package enum SimulatedGauge: UInt8, Choice, Sendable {
  case none
  case max17048
  case ina226
  case ina219

  /// Its name in the configuration.
  package var name: StaticString {
    switch self {
    case .none: "none"
    case .max17048: "max17048"
    case .ina226: "ina226"
    case .ina219: "ina219"
    }
  }

  /// Its place in the list of known chips; nil for none.
  package var number: Int? { self == .none ? nil : Int(rawValue) - 1 }
}

/// How a simulated clock is wrong.
package enum SimulatedClock: UInt8, Choice, Sendable {
  /// The clock is right.
  case right
  /// The clock starts in 1970.
  case epoch
  /// The clock is two hours behind, and nothing shows it.
  case stale
  /// The clock starts in 1970 or at a past date, and jumps at times that the seed decides.
  case jumping

  /// Its name in the configuration.
  package var name: StaticString {
    switch self {
    case .right: "right"
    case .epoch: "1970"
    case .stale: "stale"
    case .jumping: "jumping"
    }
  }
}
