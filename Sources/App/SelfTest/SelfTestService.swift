import Base
import Console
import Kit
import Machine
import Record

/// `selftest`: where it is, and what it has found. What it needs of the other services ``Services`` brings together.
struct SelfTestService: ~Copyable {
  /// One after the other; what is looked at in the first has all of its time.
  enum Phase {
    case none
    /// Buttons, LEDs, accelerometer, camera and microphone are watched.
    case looking
    /// The worker surveys what the microphone has delivered.
    case surveying
    /// The system tells how much memory is locked, in the reply with this ticket; nil: it has too much to do yet.
    case inquiring(ticket: UInt32?)
    /// The speaker is given a chirp.
    case chirping
    /// The chirp is heard. It is to be found, from this position on, until this instant.
    case hearing(AudioFormat, from: TimelinePosition, until: Instant)
    /// The worker seeks it.
    case seeking
    /// The card is written to.
    case writing
  }

  private let place = StaysInPlace()
  /// What it is pending for, whatever it waits for.
  var sound: Job<SoundTestRequest, SoundTestReply>
  private(set) var order = SelfTest(scope: .all, form: .lines)
  var phase = Phase.none
  private var results = InlineArray<9, TestResult?>(repeating: nil)
  var buttons = ButtonTest()
  var accelerometer = AccelerometerTest()
  var leds = LEDTest(at: 0)
  var camera: CameraTest?
  /// Readings of the accelerometer before the last look.
  var readingCount = 0

  init(_ sound: consuming Job<SoundTestRequest, SoundTestReply>) {
    precondition(results.count == TestedDevice.count, "a device has no place for its result")
    self.sound = sound
  }

  mutating func begin(_ order: SelfTest, _ capture: borrowing CaptureUnit, _ console: inout ConsoleSession) {
    let now = console.now
    self.order = order
    results = InlineArray(repeating: nil)
    buttons = ButtonTest()
    accelerometer = AccelerometerTest()
    leds = LEDTest(at: now)
    camera = CameraTest(capture, at: now)
    phase = .looking
    sound.wait(until: now + SelfTestLimits.lookMilliseconds * 1_000_000, &console)
  }

  /// Tests the card alone.
  mutating func beginCard(_ order: SelfTest, _ console: inout ConsoleSession) {
    self.order = order
    results = InlineArray(repeating: nil)
    phase = .writing
    sound.wait(until: nil, &console)
  }

  /// What the LEDs are to show while it looks; nil: what they show otherwise.
  func leds(at now: Instant) -> LEDSet? {
    if case .looking = phase { leds.show(at: now) } else { nil }
  }

  /// Keeps a result, and tells a person.
  mutating func tell(_ result: TestResult, _ console: inout ConsoleSession) {
    results[result.device.rawValue] = result
    if order.form == .lines { result.reply(&console) }
  }

  /// All is tested: tells a program.
  mutating func end(_ console: inout ConsoleSession) {
    phase = .none
    guard order.form == .json else {
      TestResult.replyVerdict(worst, of: results, &console)
      return console.complete()
    }
    console.beginReport(.json)
    console.member("verdict", .name(worst.name))
    console.beginRows("tests")
    for index in 0..<TestedDevice.count { results[index]?.write(&console) }
    console.endRows()
    console.endReport()
  }

  private var worst: TestVerdict {
    var worst = TestVerdict.absent
    for index in results.indices {
      if let verdict = results[index]?.verdict, verdict.rawValue > worst.rawValue { worst = verdict }
    }
    return worst
  }
}

/// The bounds of `selftest`, with their derivation.
///
/// All of it takes 2 s of looking, 2 s at most for the system's answers, 2 s until the speaker has the chirp, 1 s in
/// which it is heard, 2 s in which it is sought, and 20 s of writing to the card: half a minute.
enum SelfTestLimits {
  /// How long buttons, accelerometer, camera and microphone are looked at: 40 readings of an accelerometer that is read
  /// every 50 ms, and 50 pictures at 25 a second.
  static var lookMilliseconds: UInt64 { 2000 }

  /// For how long each LED is lit: a person who looks there sees it.
  static var lightMilliseconds: UInt64 { 500 }

  /// When its line is read: the loop has set it a tick after it was to be lit.
  static var lightReadMilliseconds: UInt64 { 400 }

  /// What the three axes of the known chips are off at most when nothing is wrong: 80 mg of offset and 3 % of scale
  /// (MPU-6050 and LIS3DH).
  static var usualMilliGravity: Double { 110 }

  /// What they can be off by their data sheets: the ADXL345 250 mg of offset on one axis, and 10 % of scale.
  static var mostMilliGravity: Double { 350 }

  /// How far readings are apart when nobody touches the device: ten times the noise of the worst of the chips.
  static var stillMilliGravity: Double { 200 }

  /// Readings that are all the same show that a chip is stuck: its noise is several of its units.
  static var leastReadings: Int { 10 }

  /// The least part of the agreed rate at which a camera is well, and at which it is of use. One picture more or less
  /// may come at both ends of the look.
  static var usualRate: Double { 0.95 }
  static var leastRate: Double { 0.8 }
  static var mostRate: Double { 1.1 }

  /// Pictures that have been the same, or black, for so long are: six looks of a quarter of a second. What changes in a
  /// two-hundredth of the picture is missed in all of them with a probability of e^(-2.5 · 6), as in ``PictureLimits``.
  static var pictureMilliseconds: UInt64 { 1500 }

  /// The offset of a channel, as a part of full scale, from which on it costs room for sound: 1 % is 0.1 dB, 10 % is 1
  /// dB.
  static var usualOffset: Float { 0.01 }
  static var mostOffset: Float { 0.1 }

  /// From here on the quietest tenth of a second is so loud that little else is heard in it: music, or a bad cable.
  static var loudDecibels: Double { -30 }

  /// The channels are identical when every sample of a second is.
  static var surveySeconds: UInt64 { 1 }

  /// How long the worker may take: a chirp costs at most 66 million multiplications, a quarter of a second on a slow
  /// processor that does nothing else.
  static var workerMilliseconds: UInt64 { 2000 }

  /// The chirp is sought so long before the speaker says that it is heard: what some cards are off.
  static var chirpEarlyMilliseconds: UInt64 { 10 }

  /// What a search takes of the microphone, and what that delivers late.
  static var chirpMilliseconds: UInt64 { 1000 }

  /// How much clearer the chirp is than everything else, in decibels of power. Of noise the clearest of 800 places is
  /// 7 to 12 dB above the mean, and so is a beep: below 17 dB nothing was heard.
  static var heardDecibels: Double { 17 }

  /// From here on it is clear in a room with noise, and in one that echoes as long as it sounds.
  static var clearDecibels: Double { 23 }
}
