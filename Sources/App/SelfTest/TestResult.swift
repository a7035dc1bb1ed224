import Base
import Console
import Machine

/// The result of testing one device.
struct TestResult {
  let device: TestedDevice
  let verdict: TestVerdict
  /// Why the device is not well and what to do; nil if there is nothing to say.
  var remark: TestRemark?
  /// The driver's own words, used instead of the remark.
  var failure: DeviceFailure?
  private var figures = InlineArray<4, TestFigure?>(repeating: nil)
  private var figureCount = 0

  private static var nameColumns: Int { 15 }
  private static var verdictColumns: Int { 9 }

  init(_ device: TestedDevice, _ verdict: TestVerdict, _ remark: TestRemark? = nil) {
    self.device = device
    self.verdict = verdict
    self.remark = remark
  }

  init(_ device: TestedDevice, failing failure: DeviceFailure?, _ cause: Cause) {
    self.init(device, .fail, TestRemark(cause))
    self.failure = failure
  }

  /// - Parameters:
  ///   - label: one or two words for people.
  ///   - key: the key for programs, with the unit.
  ///   - unit: the unit as people write it, in every language.
  mutating func add(_ label: StaticString, _ key: StaticString, _ value: ReportValue, _ unit: StaticString = "") {
    precondition(figureCount < figures.count, "a test has more figures than a result holds")
    figures[figureCount] = TestFigure(label: label, key: key, value: value, unit: unit)
    figureCount += 1
  }

  /// `microphone     pass     noise -64.8 dBFS, offset 0.00 %`, and below it a reason and remedy if it is not well.
  func reply(_ console: inout ConsoleSession) {
    var line: FixedText<256> = "\(console.label(device.name, columns: Self.nameColumns))"
    line.append(console.label(verdict.name, columns: Self.verdictColumns))
    for index in 0..<figureCount {
      guard let figure = figures[index] else { continue }
      if index > 0 { line.append(", ") }
      line.append(figure.text(console))
    }
    while line.bytes.hasSuffix(" ") { line.truncate(to: line.byteCount - 1) }
    console.quote(line, inRowsIndentedBy: Self.nameColumns)
    var reason: FixedText<320>?
    if let failure {
      reason = "               \(failure.problemLine): \(failure.remedy)"
    } else if let remark {
      reason = "               \(remark.text): \(remark.remedy)"
    }
    if let reason { console.reply(reason, inRowsIndentedBy: Self.nameColumns) }
  }

  /// The last line: the worst verdict, and the devices that got it, unless all is well.
  static func replyVerdict(
    _ verdict: TestVerdict, of results: InlineArray<9, TestResult?>, _ console: inout ConsoleSession
  ) {
    var line: FixedText<256> = "\(console.label("verdict", columns: nameColumns))"
    line.append(console.label(verdict.name, columns: verdictColumns))
    var isFirst = true
    for index in results.indices where verdict > .pass {
      guard let result = results[index], result.verdict == verdict else { continue }
      if !isFirst { line.append(", ") }
      isFirst = false
      line.append(console.label(result.device.name, columns: 0))
    }
    while line.bytes.hasSuffix(" ") { line.truncate(to: line.byteCount - 1) }
    console.quote(line, inRowsIndentedBy: nameColumns)
  }

  /// Adds the result to an object.
  func write(_ console: inout ConsoleSession) {
    console.beginRow()
    console.member("device", .name(device.name))
    console.member("verdict", .name(verdict.name))
    for index in 0..<figureCount {
      if let figure = figures[index] { console.member(figure.key, figure.value) }
    }
    if let failure {
      console.member("reason", text: failure.problemLine.bytes)
      console.member("remedy", .word(failure.remedy))
    } else if let remark {
      console.member("reason", .word(remark.text))
      console.member("remedy", .word(remark.remedy))
    }
    console.endRow()
  }
}

/// A figure that a test has measured.
private struct TestFigure {
  let label: StaticString
  let key: StaticString
  let value: ReportValue
  let unit: StaticString

  func text(_ console: borrowing ConsoleSession) -> FixedText<128> {
    var text: FixedText<128> = "\(console.label(label, columns: 0)) \(console.text(value))"
    if unit.utf8CodeUnitCount > 0 { text.append(" \(unit)" as FixedText<16>) }
    return text
  }
}

/// The devices that `selftest` tests, in the order in which it reports them.
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

  /// The name in text and machine-readable output.
  var name: StaticString { Self.names[rawValue] }

  private static var names: InlineArray<9, StaticString> {
    ["buttons", "leds", "accelerometer", "camera", "clock", "microphone", "memory", "speaker", "card"]
  }
}

/// The verdict of a test; the worst is the last.
enum TestVerdict: Int, Comparable {
  /// The device does not exist, and is not wanted.
  case absent
  /// The device could not be tested.
  case skipped
  case pass
  /// The device worked as far as the test can tell: a person has to look.
  case look
  /// The device works, with little margin.
  case tight
  case fail

  static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  /// The name in text and machine-readable output.
  var name: StaticString { Self.names[rawValue] }

  private static var names: InlineArray<6, StaticString> {
    ["absent", "skipped", "pass", "look", "tight", "fail"]
  }
}

/// Why a device is not well, and what to do.
struct TestRemark {
  let text: StaticString
  let remedy: StaticString

  init(_ text: StaticString, _ remedy: StaticString) {
    self.text = text
    self.remedy = remedy
  }

  /// Uses the words of `why`.
  init(_ cause: Cause) { self.init(cause.text, cause.remedy) }

  static var buttonHeld: Self {
    Self("it was down all the time", "release it, or look for a short circuit in its wires")
  }
  static var buttonPressed: Self { Self("it was down for a while", "test again with no hand on the buttons") }
  static var ledsFollow: Self {
    Self("their lines respond", "each was lit for half a second; only you can see whether it shone")
  }
  static var ledsUnread: Self { Self("their lines cannot be read", "each was lit for half a second; did both shine?") }
  static var lightStuck: Self { Self("a line does not respond", "look for a short circuit in its wires") }
  static var noLEDs: Self { Self("none is wired", "set the lines in [leds]") }
  static var offGravity: Self { Self("it does not read 1 g", "check its supply; rotate fixes the orientation") }
  static var nearGravity: Self { Self("its reading of 1 g is inaccurate", "orientations still work; check its supply") }
  static var moved: Self { Self("it was moved", "lay it still, and test again") }
  static var stuck: Self { Self("its reading never changes", "check its wires and its supply") }
  static var closed: Self { Self("it is opened at the press", "set [record] arm = boot, or test it with a take") }
  static var notWanted: Self { Self("it is turned off", "the configuration sets that") }
  static var tooSlow: Self { Self("it sends too few frames", "add light, or lower [video] frame_rate or preset") }
  static var slow: Self { Self("it skips frames", "add light, or use another port") }
  static var tooFast: Self { Self("it sends more frames than agreed", "set [video] frame_rate") }
  static var leftOut: Self { Self("every second frame is left out", "improve its airflow, or shade it") }
  static var tooLittleSound: Self { Self("it sent too little to judge", "test again in a moment") }
  static var deadChannel: Self { Self("a channel sends a constant value", "check its cable or switch") }
  static var identical: Self { Self("two channels are the same", "set [audio] channels = 1, or check the cable") }
  static var largeOffset: Self { Self("its DC offset is large", "use another input or sound card") }
  static var offset: Self { Self("it has a DC offset", "it hardly matters; another card may do better") }
  static var loud: Self { Self("it is loud all the time", "test where it is quiet, or lower its level; gain sets it") }
  static var clips: Self { Self("it clips", "lower its level; gain sets it") }
  static var heapUsed: Self { Self("the heap was used after the start", "please report this bug") }
  static var notLocked: Self {
    Self("it is not locked, and may be swapped out", "start it by its service, or raise the limit memlock")
  }
  static var unknownMemory: Self { Self("the system does not report what is locked", "test again in a moment") }
  static var noSpeaker: Self { Self("none is configured", "set [speaker] device") }
  static var filePlays: Self { Self("a file is playing", "type stop, and test again") }
  static var noEar: Self { Self("there is no microphone to hear it", "plug one in, and test again") }
  static var deafSpeaker: Self { Self("it accepts no sound", "check its cable, and test again") }
  static var unheard: Self {
    Self("the microphone does not hear it", "raise volume and the speaker's own; check its cable")
  }
  static var faint: Self { Self("the microphone hardly hears it", "raise volume, or test where it is quiet") }
  static var slowCard: Self { Self("takes would have gaps", "use another card, or lower [video] preset") }
  static var tightCard: Self { Self("takes just fit", "use another card, or lower [video] preset, to be safe") }
  static var hangingCard: Self { Self("it stalled for as long as is bridged", "use another card") }
}
