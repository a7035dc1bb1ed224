/// What `selftest` tests, in the order in which it tells it.
enum TestedDevice: Int {
  case buttons
  case leds
  case accelerometer
  case camera
  case clock
  case microphone
  case memory
  case speaker
  case card

  static var count: Int { card.rawValue + 1 }

  /// Also for programs.
  var name: StaticString {
    switch self {
    case .buttons: "buttons"
    case .leds: "leds"
    case .accelerometer: "accelerometer"
    case .camera: "camera"
    case .clock: "clock"
    case .microphone: "microphone"
    case .memory: "memory"
    case .speaker: "speaker"
    case .card: "card"
    }
  }
}

/// What a test comes to; the worst is the last.
enum TestVerdict: Int {
  /// There is no such device, and none is wanted.
  case absent
  /// It could not be tested.
  case skipped
  case pass
  /// It did what it should, as far as we can tell: a person has to look.
  case look
  /// It works, with little to spare.
  case tight
  case fail

  /// Also for programs.
  var name: StaticString {
    switch self {
    case .absent: "absent"
    case .skipped: "skipped"
    case .pass: "pass"
    case .look: "look"
    case .tight: "tight"
    case .fail: "fail"
    }
  }
}
