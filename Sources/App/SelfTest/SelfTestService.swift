import Base
import Console
import Kit
import Machine
import Record

/// `selftest`: its phase and its results. ``Services`` brings together what it needs of the other services.
struct SelfTestService: ~Copyable {
  /// The phases, in order; the devices watched in the first share all of its time.
  enum Phase {
    case none
    /// Buttons, LEDs, accelerometer, camera and microphone are watched.
    case looking
    /// The worker analyses the microphone's sound.
    case surveying
    /// The system is asked how much memory is locked, and replies with this ticket; nil if it is too busy yet.
    case inquiring(ticket: UInt32?)
    /// The speaker is being given a chirp.
    case chirping
    /// The chirp is audible. It should be found from this position on, before this instant.
    case hearing(AudioFormat, from: TimelinePosition, until: Instant)
    /// The worker searches for it.
    case seeking
    /// The card is being written to.
    case writing
  }

  private let place = StaysInPlace()
  /// The job that the command is pending for, whatever it waits for.
  var sound: Job<SoundTestRequest, SoundTestReply>
  private(set) var order = SelfTest(scope: .all, form: .lines)
  var phase = Phase.none
  private var results = InlineArray<9, TestResult?>(repeating: nil)
  var buttons = ButtonTest()
  var accelerometer = AccelerometerTest()
  var leds = LEDTest(at: 0)
  var camera: CameraTest?
  /// The number of accelerometer readings before the last look.
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

  /// The LEDs to light during the test; nil to leave them to the recorder.
  func leds(at now: Instant) -> LEDSet? {
    if case .looking = phase { leds.show(at: now) } else { nil }
  }

  /// Stores a result, and reports it to a person.
  mutating func tell(_ result: TestResult, _ console: inout ConsoleSession) {
    results[result.device.rawValue] = result
    if order.form == .lines { result.reply(&console) }
  }

  /// Ends the test, and reports all results to a program.
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

/// The limits of `selftest`, with their derivation.
///
/// A full test takes 2 s of watching, at most 2 s for the system's answers, 2 s until the speaker has the chirp, 1 s in
/// which it is heard, 2 s for the search, and 20 s of writing to the card: half a minute.
enum SelfTestLimits {
  /// How long buttons, accelerometer, camera and microphone are watched: 40 readings of an accelerometer that is read
  /// every 50 ms, and 50 pictures at 25 a second.
  static var lookMilliseconds: UInt64 { 2000 }

  /// How long each LED is lit: a person who looks sees it.
  static var lightMilliseconds: UInt64 { 500 }

  /// When its line is read: the loop sets it one tick after it is due.
  static var lightReadMilliseconds: UInt64 { 400 }

  /// The largest usual error of the three axes of the known chips: 80 mg of offset and 3 % of scale (MPU-6050 and
  /// LIS3DH).
  static var usualMilliGravity: Double { 110 }

  /// The largest error by the data sheets: the ADXL345's 250 mg of offset on one axis, and 10 % of scale.
  static var mostMilliGravity: Double { 350 }

  /// The largest spread of readings at rest: ten times the noise of the worst of the chips.
  static var stillMilliGravity: Double { 200 }

  /// The fewest readings that show a stuck chip if all are equal: its noise is several of its units.
  static var leastReadings: Int { 10 }

  /// The lowest fractions of the agreed rate at which a camera passes, and at which it is usable. One picture more or
  /// less may come at each end of the test.
  static var usualRate: Double { 0.95 }
  static var leastRate: Double { 0.8 }
  static var mostRate: Double { 1.1 }

  /// How long pictures must be unchanged, or black, to count as such: six looks of a quarter of a second. A change in a
  /// two-hundredth of the picture is missed in all of them with a probability of e^(-2.5 · 6), as in ``PictureLimits``.
  static var pictureMilliseconds: UInt64 { 1500 }

  /// The offset of a channel, as a fraction of full scale, from which it costs headroom: 1 % is 0.1 dB, 10 % is 1 dB.
  static var usualOffset: Float { 0.01 }
  static var mostOffset: Float { 0.1 }

  /// Above this level the quietest tenth of a second masks most other sound: music, or a bad cable.
  static var loudDecibels: Double { -30 }

  /// The channels are identical if every sample of this time is.
  static var surveySeconds: UInt64 { 1 }

  /// How long the worker may take: a chirp costs at most 66 million multiplications, a quarter of a second on a slow
  /// processor that does nothing else.
  static var workerMilliseconds: UInt64 { 2000 }

  /// How long before the speaker's reported time the search for the chirp starts: the error of some cards.
  static var chirpEarlyMilliseconds: UInt64 { 10 }

  /// The sound that a search takes, including the microphone's latency.
  static var chirpMilliseconds: UInt64 { 1000 }

  /// How far the chirp must stand out, in decibels of power. In noise, or a beep, the clearest of 800 positions is 7 to
  /// 12 dB above the mean: below 17 dB nothing was heard.
  static var heardDecibels: Double { 17 }

  /// From here on the chirp is clear, even in a noisy room, or in one that echoes for as long as the chirp.
  static var clearDecibels: Double { 23 }
}
