import Capture
import Configuration
import Console
import Encode
import Imaging
import Port
import Takes
import Text
import Values

extension RecordingService {
  /// `selftest card`
  mutating func testCard(_ console: inout ConsoleSession, at now: Instant) {
    guard !hasOpenTake else { return console.refuse("a take is being recorded: the card is left to it") }
    guard case .none = cardTest, takesOrders else {
      return console.refuse("the card does not answer: try again in a moment")
    }
    let test = CardTest(
      bytesPerSecond: bytesPerSecond, fragmentMilliseconds: settings.record.fragmentMilliseconds,
      bridgedSeconds: settings.record.stallSeconds, at: now)
    cardTest = .running(test)
    recorder.send(.tryCard(byteCount: test.fragmentByteCount))
    console.pending = .selfTest
  }

  /// At each tick while it is pending.
  mutating func watchCardTest(_ console: inout ConsoleSession, at now: Instant) {
    guard case .running(let test) = cardTest else { return }
    if hasOpenTake {
      cardTest = .ending
      console.refuse("a take began: the card is left to it")
    } else if console.takeInterrupt() {
      cardTest = .ending
      console.refuse("broken off")
    } else if test.isHanging(at: now) {
      cardTest = .ending
      console.reply(test.hangingLine)
      console.complete()
    }
  }

  /// The card has taken a fragment, or has not.
  mutating func cardWasTried(_ failure: DeviceFailure?, _ console: inout ConsoleSession, at now: Instant) {
    guard case .running(var test) = cardTest else { return endCardTest() }
    if let failure {
      endCardTest()
      if failure.kind == .full, test.isLongEnough { return tell(test, &console) }
      return console.refuse(failure.line)
    }
    test.noteFragment(at: now)
    guard !test.isDone(at: now), takesOrders else {
      endCardTest()
      return tell(test, &console)
    }
    cardTest = .running(test)
    recorder.send(.tryCard(byteCount: test.fragmentByteCount))
  }

  private func tell(_ test: CardTest, _ console: inout ConsoleSession) {
    console.reply(test.line)
    console.complete()
  }

  private mutating func endCardTest() {
    cardTest = .none
    if takesOrders { recorder.send(.endTrial) }
  }

  /// What a take has a second, at most.
  private var bytesPerSecond: UInt64 {
    let video = settings.record.content == .video ? capture.videoFormat ?? camera.format : nil
    return RecordingRate(audio: settings.requestedAudioFormat, video: video).map { UInt64($0.bytesPerSecond) } ?? 0
  }
}
