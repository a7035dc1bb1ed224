import Base
import Configuration
import Console
import Machine
import Media
import Record

/// Measures how quickly the card takes fragments of a take's size, one after another. This is harder than a take, which
/// leaves the card time between two.
struct CardTest {
  enum Verdict {
    /// A take is written in less than half its duration, and the rings bridge twice the longest stall.
    case yes
    /// A take is written in less than nine tenths of its duration, and the rings bridge the longest stall.
    case tight
    case no
  }

  let fragmentByteCount: UInt32
  private let fragmentNanoseconds: UInt64
  private let bridgedNanoseconds: UInt64
  private let start: Instant
  private var fragmentStart: Instant
  private var fragmentCount: UInt64 = 0
  private var longestNanoseconds: UInt64 = 0

  /// - Parameters:
  ///   - bytesPerSecond: the take's data rate.
  ///   - bridgedSeconds: the seconds that the rings hold.
  init(bytesPerSecond: UInt64, fragmentMilliseconds: UInt32, bridgedSeconds: UInt32, at now: Instant) {
    fragmentByteCount = UInt32(clamping: bytesPerSecond * UInt64(fragmentMilliseconds) / 1000)
    fragmentNanoseconds = UInt64(fragmentMilliseconds) * 1_000_000
    bridgedNanoseconds = UInt64(bridgedSeconds) * 1_000_000_000
    start = now
    fragmentStart = now
  }

  /// Notes that a fragment was written and the next one begins.
  mutating func noteFragment(at now: Instant) {
    fragmentCount += 1
    longestNanoseconds = max(longestNanoseconds, now.distance(since: fragmentStart))
    fragmentStart = now
  }

  /// Whether enough has been written.
  func isDone(at now: Instant) -> Bool {
    fragmentCount * fragmentNanoseconds >= Limits.cardTestTakeSeconds * 1_000_000_000
      || now.distance(since: start) >= Limits.cardTestSeconds * 1_000_000_000
  }

  /// Whether the measurement is long enough to be used although the card is full.
  var isLongEnough: Bool { fragmentCount >= 10 }

  /// Whether the card has not answered for longer than the rings can bridge.
  func isHanging(at now: Instant) -> Bool { now.distance(since: fragmentStart) > bridgedNanoseconds }

  private var averageNanoseconds: UInt64 {
    fragmentStart.distance(since: start) / max(fragmentCount, 1)
  }

  var verdict: Verdict {
    guard fragmentCount > 0, longestNanoseconds < bridgedNanoseconds,
      averageNanoseconds < fragmentNanoseconds * 9 / 10
    else { return .no }
    return longestNanoseconds < bridgedNanoseconds / 2 && averageNanoseconds < fragmentNanoseconds / 2 ? .yes : .tight
  }

  /// `card yes: 30 fragments of 900.00 kB, 0.5 s of a take each, took 12 ms, the slowest 31 ms; 10 s are bridged`
  var line: FixedText<256> {
    let verdict: StaticString =
      switch self.verdict {
      case .yes: "yes"
      case .tight: "tight"
      case .no: "no"
      }
    return """
      card \(verdict): \(count: fragmentCount, "fragment") of \(size: UInt64(fragmentByteCount)), \
      \(Double(fragmentNanoseconds) / 1e9, decimals: 1) s of a take each, took \
      \(grouped: Double(averageNanoseconds) / 1e6, decimals: 0) ms, the slowest \
      \(grouped: Double(longestNanoseconds) / 1e6, decimals: 0) ms; \(bridgedNanoseconds / 1_000_000_000) s are bridged
      """
  }

  /// The result as one of several tests. With fewer than 1,000 fragments the slowest is also the 99.9th percentile.
  var result: TestResult {
    var result =
      switch verdict {
      case .yes: TestResult(.card, .pass)
      case .tight: TestResult(.card, .tight, .tightCard)
      case .no: TestResult(.card, .fail, .slowCard)
      }
    let load = Double(averageNanoseconds) * 100 / Double(fragmentNanoseconds)
    result.add("fragments", "fragments", .count(fragmentCount))
    result.add("busy for", "busy_percent", .decimal(load, decimals: 0), "%")
    result.add("slowest", "slowest_ms", .decimal(Double(longestNanoseconds) / 1e6, decimals: 0), "ms")
    result.add("bridges", "bridged_seconds", .count(bridgedNanoseconds / 1_000_000_000), "s")
    return result
  }

  /// The line for a card that does not answer.
  var hangingLine: FixedText<256> {
    "card no: it has not answered for \(bridgedNanoseconds / 1_000_000_000) s, after \(count: fragmentCount, "fragment")"
  }
}

enum CardTestState {
  case none
  case running(CardTest)
  /// The test was cancelled, and the card has not answered yet.
  case ending
  case ended(CardTestEnd)
}

enum CardTestEnd {
  case measured(CardTest)
  /// The card did not answer for as long as the rings bridge.
  case hanging(CardTest)
  case failed(DeviceFailure)

  /// Answers with one sentence.
  func answer(_ console: inout ConsoleSession) {
    switch self {
    case .measured(let test): console.answer(test.line)
    case .hanging(let test): console.answer(test.hangingLine)
    case .failed(let failure): console.refuse(failure.line)
    }
  }

  /// The result as one of several tests.
  var result: TestResult {
    switch self {
    case .measured(let test): return test.result
    case .hanging: return TestResult(.card, .fail, .hangingCard)
    case .failed(let failure): return TestResult(.card, failing: failure, .takeFailed)
    }
  }
}

extension RecordingService {
  /// - Returns: why the test cannot begin; nil if it has begun.
  mutating func beginCardTest(at now: Instant) -> FixedText<256>? {
    guard !hasOpenTake else { return "a take is being recorded: the card is not tested" }
    guard case .none = cardTest, takesOrders else { return "the card does not answer: try again in a moment" }
    let test = CardTest(
      bytesPerSecond: bytesPerSecond, fragmentMilliseconds: settings.record.fragmentMilliseconds,
      bridgedSeconds: settings.record.stallSeconds, at: now)
    cardTest = .running(test)
    recorder.send(.tryCard(byteCount: test.fragmentByteCount))
    return nil
  }

  /// At each tick while a command waits for the test.
  /// - Returns: the outcome, once.
  mutating func takeCardTestEnd(at now: Instant) -> CardTestEnd? {
    switch cardTest {
    case .running(let test) where test.isHanging(at: now):
      cardTest = .ending
      return .hanging(test)
    case .ended(let end):
      cardTest = .none
      return end
    case .none, .running, .ending: return nil
    }
  }

  /// Cancels a test that nobody waits for any more.
  mutating func breakOffCardTest() {
    switch cardTest {
    case .running: cardTest = .ending
    case .ended: cardTest = .none
    case .none, .ending: break
    }
  }

  /// Takes the card's answer to a fragment.
  mutating func cardWasTried(_ failure: DeviceFailure?, at now: Instant) {
    guard case .running(var test) = cardTest else { return endCardTest(.none) }
    if let failure {
      let isMeasured = failure.kind == .full && test.isLongEnough
      return endCardTest(.ended(isMeasured ? .measured(test) : .failed(failure)))
    }
    test.noteFragment(at: now)
    guard !test.isDone(at: now), takesOrders else { return endCardTest(.ended(.measured(test))) }
    cardTest = .running(test)
    recorder.send(.tryCard(byteCount: test.fragmentByteCount))
  }

  private mutating func endCardTest(_ state: CardTestState) {
    cardTest = state
    if takesOrders { recorder.send(.endTrial) }
  }

  /// A take's highest data rate.
  private var bytesPerSecond: UInt64 {
    let video = form.content == .video ? capture.videoFormat ?? camera.format : nil
    return RecordingRate(audio: settings.requestedAudioFormat, video: video).map { UInt64($0.bytesPerSecond) } ?? 0
  }
}

extension Limits {
  /// How much of a take `selftest card` writes: 60 fragments, so that a stall that comes every few seconds is caught.
  static var cardTestTakeSeconds: UInt64 { 30 }

  /// How long the test writes at most, as somebody is waiting.
  static var cardTestSeconds: UInt64 { 20 }
}
