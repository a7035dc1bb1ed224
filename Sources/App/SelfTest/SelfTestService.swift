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
    case looking(until: Instant)
    /// The worker surveys what the microphone has delivered.
    case surveying(AudioFormat, from: TimelinePosition, isAsked: Bool, until: Instant)
    /// The system tells how much memory is locked.
    case inquiring(isAsked: Bool, until: Instant)
    /// The speaker is given a chirp.
    case chirping(until: Instant)
    /// The chirp is heard, and then sought from this position on.
    case hearing(AudioFormat, from: TimelinePosition, isAsked: Bool, until: Instant)
    /// The card is written to.
    case writing
  }

  private let place = StaysInPlace()
  private var requests: QueueProducer<SoundTestRequest>
  private var answers: QueueConsumer<SoundTestAnswer>
  /// The worker has a request that it has not answered.
  private var isAsking = false
  private(set) var order = SelfTest(scope: .all, form: .lines)
  var phase = Phase.none
  private var results = InlineArray<9, TestResult?>(repeating: nil)
  var buttons = ButtonTest()
  var accelerometer = AccelerometerTest()
  var leds = LEDTest(at: 0)
  var camera: CameraTest?
  /// Readings of the accelerometer before the last look.
  var readingCount = 0

  init(requests: consuming QueueProducer<SoundTestRequest>, answers: consuming QueueConsumer<SoundTestAnswer>) {
    precondition(results.count == TestedDevice.count, "a device has no place for its result")
    self.requests = requests
    self.answers = answers
  }

  mutating func begin(_ order: SelfTest, _ capture: borrowing CaptureUnit, at now: Instant) {
    self.order = order
    results = InlineArray(repeating: nil)
    buttons = ButtonTest()
    accelerometer = AccelerometerTest()
    leds = LEDTest(at: now)
    camera = CameraTest(capture, at: now)
    phase = .looking(until: now + SelfTestLimits.lookMilliseconds * 1_000_000)
  }

  /// Tests the card alone.
  mutating func beginCard(_ order: SelfTest) {
    self.order = order
    results = InlineArray(repeating: nil)
    phase = .writing
  }

  /// What the LEDs are to show while it looks; nil: what they show otherwise.
  func leds(at now: Instant) -> IndicatorLevels? {
    if case .looking = phase { leds.show(at: now) } else { nil }
  }

  /// Asks the worker.
  /// - Returns: false while it has not answered what was asked before a test was cancelled.
  mutating func ask(_ request: SoundTestRequest) -> Bool {
    if isAsking, answers.pop() != nil { isAsking = false }
    guard !isAsking else { return false }
    isAsking = requests.push(request)
    return isAsking
  }

  /// The answer to what was asked last; nil until it comes.
  mutating func takeAnswer() -> SoundTestAnswer? {
    guard let answer = answers.pop() else { return nil }
    isAsking = false
    return answer
  }

  /// Keeps a result, and tells a person.
  mutating func tell(_ result: TestResult, _ console: inout ConsoleSession) {
    results[result.device.rawValue] = result
    if order.form == .lines { result.reply(&console) }
  }

  /// All is tested: tells a program.
  mutating func end(_ console: inout ConsoleSession) {
    phase = .none
    guard order.form == .json else { return console.complete() }
    var writer = ListingWriter(.json)
    writer.fact("", "verdict", .name(worst.name), &console)
    writer.beginRows("tests", "", &console)
    for index in 0..<TestedDevice.count { results[index]?.write(to: &writer, &console) }
    writer.endRows()
    writer.end(&console)
  }

  private var worst: TestVerdict {
    var worst = TestVerdict.absent
    for index in results.indices {
      if let verdict = results[index]?.verdict, verdict.rawValue > worst.rawValue { worst = verdict }
    }
    return worst
  }
}
