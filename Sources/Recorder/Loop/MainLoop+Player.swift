import Port
import Configuration
import Console
import Controls
import Decoding
import Library
import Values
import Playback
import Text

extension MainLoop where Machine: ~Copyable {
  /// Once an exchange: feeds the speaker, and tells what has happened to the player.
  mutating func stepPlayer(atNanoseconds now: UInt64) {
    guard context.settings.speaker.deviceName != nil else { return }
    player.step(&machine.speaker, atNanoseconds: now)
    while let event = player.nextEvent() { tell(event) }
    answerOpening()
  }

  /// What a finger on one of the player's buttons means.
  mutating func serve(_ gesture: Gesture, of button: Button) {
    switch (button, gesture) {
    case (.prepare, .short) where player.state == .none: prepare(nil, for: .button)
    case (.prepare, .short): order(for: .button) { player throws(PlayerRefusal) in try player.dispose() }
    case (.prepare, .long): prepareFollowing()
    case (.play, .short): play(atNanoseconds: nil, for: .button)
    case (.play, .long): order(for: .button) { player throws(PlayerRefusal) in try player.markSection() }
    case (.stop, .short): order(for: .button) { player throws(PlayerRefusal) in try player.pause() }
    case (.stop, .long): order(for: .button) { player throws(PlayerRefusal) in try player.stop() }
    default: break
    }
  }

  /// Opens a file; nil: what was chosen or is queued, or else the newest take.
  mutating func prepare(_ path: FixedText<256>?, for asker: Asker) {
    if let path, player.state != .none {
      // What is open is closed only for a file that is there.
      return askLibrary(.describe(path: path), for: .prepare(asker))
    }
    refusing(for: asker) { loop throws(PlayerRefusal) in
      if let path { return try loop.player.prepare(MediaItem(path: path)) }
      try loop.player.prepare()
    } whenNothingIsChosen: { loop in
      loop.askLibrary(.newestTake, for: .prepare(asker))
    }
  }

  /// Starts or goes on.
  mutating func play(atNanoseconds instant: UInt64?, for asker: Asker) {
    refusing(for: asker) { loop throws(PlayerRefusal) in
      try loop.player.play(atNanoseconds: instant)
    } whenNothingIsChosen: { loop in
      loop.askLibrary(.newestTake, for: .play(asker, atNanoseconds: instant))
    }
  }

  /// Opens what the library found, and plays it where that is wanted.
  mutating func open(_ item: MediaItem, andPlayAt instant: PlayInstant?, for asker: Asker) {
    order(for: asker) { player throws(PlayerRefusal) in
      try player.prepare(item)
      switch instant {
      case .now: try player.play()
      case .monotonic(let nanoseconds): try player.play(atNanoseconds: nanoseconds)
      case nil: break
      }
    }
  }

  /// The long press of `prepare`: the queue's next item, or without a queue the library's next file.
  private mutating func prepareFollowing() {
    guard player.queue.count == 0 else {
      return order(for: .button) { player throws(PlayerRefusal) in try player.goToNext() }
    }
    let path = player.status.item?.path ?? player.chosen?.path ?? ""
    askLibrary(
      .following(path: path), for: player.state == .playing ? .play(.button, atNanoseconds: nil) : .prepare(.button))
  }

  /// Gives the player an order; whoever asked is told what it objects to.
  mutating func order(for asker: Asker, _ body: (inout Player) throws(PlayerRefusal) -> Void) {
    refusing(for: asker) { loop throws(PlayerRefusal) in
      try body(&loop.player)
    } whenNothingIsChosen: { loop in
      loop.refuse(PlayerRefusal.nothingChosen.line, for: asker)
    }
  }

  private mutating func refusing(
    for asker: Asker, _ body: (inout Self) throws(PlayerRefusal) -> Void,
    whenNothingIsChosen ask: (inout Self) -> Void
  ) {
    guard context.settings.speaker.deviceName != nil else {
      return refuse("there is no speaker: set [speaker] device" as FixedText<64>, for: asker)
    }
    do throws(PlayerRefusal) {
      try body(&self)
      if asker == .console { opening = .unanswered(failure: nil) }
    } catch {
      if error == .nothingChosen { ask(&self) } else { refuse(error.line, for: asker) }
    }
  }

  /// Tells whoever asked that it is not done.
  mutating func refuse<let capacity: Int>(_ reason: FixedText<capacity>, for asker: Asker) {
    switch asker {
    case .button: console.announce(reason)
    case .console: console.refuse(reason)
    }
  }

  private mutating func tell(_ event: PlayerEvent) {
    if case .unanswered = opening, event.isFailureToOpen {
      opening = .unanswered(failure: event.line)
    } else {
      console.announce(event.line)
    }
  }

  /// A command that opens a file is answered once it is open, or cannot be.
  private mutating func answerOpening() {
    guard case .unanswered(let failure) = opening, !player.state.isPreparing else { return }
    opening = .answered
    guard let failure else { return console.complete() }
    if player.state == .none { return console.refuse(failure) }
    // Of a queue the next item was taken.
    console.announce(failure)
    console.complete()
  }
}
