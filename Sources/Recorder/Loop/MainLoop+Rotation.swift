import Port
import Capture
import Configuration
import Console
import Controls
import Values
import Takes
import Text
import Trace

extension MainLoop where Machine: ~Copyable {
  /// At boot: what a person chose before holds on.
  mutating func take(over rotation: Rotation) {
    panel.rotation = rotation
    followedOrientation = panel.orientation
    if rotation != .automatic { console.announce("rotation \(rotation.name), as it was left" as FixedText<64>) }
  }

  /// What a finger on the rotate button means.
  mutating func serveRotate(_ gesture: Gesture, atNanoseconds now: UInt64) {
    switch gesture {
    case .short: turnByButton(to: .fixed(panel.otherOrientation), atNanoseconds: now)
    case .long: turnByButton(to: .automatic, atNanoseconds: now)
    case .pressed, .released, .double: break
    }
  }

  /// Serves `rotate`.
  mutating func serve(_ rotation: Rotation?, atNanoseconds now: UInt64) {
    guard let rotation else {
      console.reply("rotation \(panel.rotation.name), \(panel.orientation.name)" as FixedText<64>)
      return console.complete()
    }
    guard choose(rotation, atNanoseconds: now) else { return console.refuse("\(Self.cardIsStalled)") }
    console.complete()
  }

  /// At each tick, and when a person has chosen: takes down a turn during a take, and lets the take go on upright where
  /// that is wanted.
  mutating func followTurn(atNanoseconds now: UInt64) {
    let orientation = panel.orientation
    guard orientation != followedOrientation else { return }
    let position = capture.position(atNanoseconds: now)
    lastTurn = TakeTurn(position: position, orientation: followedOrientation)
    followedOrientation = orientation
    guard recorder.state == .recording, hasPictures, let take else { return }
    events.record(Event(kind: .deviceTurned, amount: 1, samplePosition: position))
    let seconds = Double(position - min(position, take.startPosition)) / Double(capture.timelineRateHz)
    console.announce("turned to \(orientation.name) \(seconds, decimals: 1) s into the take" as FixedText<96>)
    guard context.settings.record.splitsOnRotate, recorder.takesOrders else { return }
    recorder.send(.turn(TakeTurn(position: position, orientation: orientation)))
  }

  /// Where each file is to be upright, the turn that a take has in its pre-roll, and which way up pictures were before it.
  func turn(inPrerollFrom startPosition: UInt64) -> TakeTurn? {
    guard context.settings.record.splitsOnRotate, hasPictures, let lastTurn, lastTurn.position > startPosition else {
      return nil
    }
    return lastTurn
  }

  private mutating func turnByButton(to rotation: Rotation, atNanoseconds now: UInt64) {
    guard choose(rotation, atNanoseconds: now) else { return console.announce("\(Self.cardIsStalled)") }
    console.announce("rotation \(rotation.name)" as FixedText<64>)
  }

  /// - Returns: false, and nothing is changed, when it cannot be kept because the card does not answer.
  private mutating func choose(_ rotation: Rotation, atNanoseconds now: UInt64) -> Bool {
    guard rotation != panel.rotation else { return true }
    guard recorder.takesOrders else { return false }
    panel.rotation = rotation
    recorder.send(.keep(rotation))
    followTurn(atNanoseconds: now)
    return true
  }

  /// Whether takes have pictures, which can be one way up or another.
  private var hasPictures: Bool { capture.videoFormat != nil && context.settings.record.content == .video }

  private static var cardIsStalled: StaticString { "the card does not answer: the rotation stays as it was" }
}
