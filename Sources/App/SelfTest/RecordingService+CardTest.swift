import Base
import Configuration
import Machine
import Media
import Record

extension RecordingService {
  /// - Returns: why it cannot begin; nil if it has.
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

  /// At each tick while somebody waits for it.
  /// - Returns: what became of it, once.
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

  /// Nobody waits for it any more.
  mutating func breakOffCardTest() {
    switch cardTest {
    case .running: cardTest = .ending
    case .ended: cardTest = .none
    case .none, .ending: break
    }
  }

  /// The card has taken a fragment, or has not.
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

  /// What a take has a second, at most.
  private var bytesPerSecond: UInt64 {
    let video = settings.record.content == .video ? capture.videoFormat ?? camera.format : nil
    return RecordingRate(audio: settings.requestedAudioFormat, video: video).map { UInt64($0.bytesPerSecond) } ?? 0
  }
}
