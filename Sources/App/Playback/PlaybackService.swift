import Base
import Catalog
import Configuration
import Console
import Kit
import Machine
import Playback
import Record

/// Playback, controlled by three buttons and its commands.
struct PlaybackService: ~Copyable {
  private let place = StaysInPlace()
  var player: Player
  let hasSpeaker: Bool
  /// Nil if nobody can listen.
  var sharing: SoundSharing?
  /// Whether sharing began with the item that is being opened.
  var hasBegunSharing = false
  /// Items that the pending `queue` has appended; nil if the queue could not be emptied first: they are skipped.
  private var appendedCount: UInt32? = 0
  /// The microphone's format; nil while it is closed.
  var microphone: AudioFormat?
  /// The microphone's sound.
  private let samples: SampleRingTap
  private var tone: ToneSettings
  /// The file that keeps the queue's modes; nil if there is none.
  private let modesFile: KeptText?
  /// The file that is heard or was opened, until the library knows it, whose artwork the display shows.
  var heardPath: FixedText<256>?
  /// Whether the queue was listed last, so that numbers refer to it.
  var hasListedQueue = false

  init(
    player: consuming Player, sharing: consuming SoundSharing? = nil, samples: SampleRingTap, settings: Settings,
    modes: QueueModes = QueueModes(),
    keptIn modesFile: KeptText? = nil
  ) {
    self.player = player
    self.sharing = sharing
    self.samples = samples
    hasSpeaker = settings.speaker.deviceName != nil
    tone = settings.tone
    self.modesFile = modesFile
    // With nothing open the player refuses neither.
    try? self.player.setRepetition(modes.repetition)
    try? self.player.setShuffled(modes.isShuffled)
  }

  /// At each exchange: feeds the speaker, and reports the player's events. A command that opens a file is answered once
  /// that succeeds or fails.
  /// - Parameter microphone: the microphone's format; nil while it is closed.
  mutating func step(
    _ speaker: inout SharedDevice<some SpeakerDriver & ~Copyable>, microphone: AudioFormat?,
    _ console: inout ConsoleSession, at now: Instant
  ) {
    guard hasSpeaker else { return }
    self.microphone = microphone
    if sharing?.step(&player, &speaker, at: now) == nil { player.step(&speaker, at: now) }
    while let event = player.nextEvent() { tell(event, &console) }
    if case .player(let failure) = console.pending, !player.state.isPreparing { answerOpening(failure, &console) }
  }

  /// What is sent as linear timecode while no file plays; nil for nothing.
  var sentTimecode: TimecodeSource? {
    get { player.sentTimecode }
    set { if hasSpeaker { player.sentTimecode = newValue } }
  }

  /// Why timecode is not sent now; nil if it can be.
  var sendingRefusal: FixedText<128>? {
    guard hasSpeaker else { return Self.noSpeaker }
    if sharingStatus?.isOn == true { return "sound is shared: end it with share off" }
    return player.kitRefusal?.line
  }

  /// Whether something is or will soon be heard, here or over a network.
  var isBusy: Bool {
    guard hasSpeaker else { return false }
    return player.isBusy || sharingStatus?.isOn == true
  }

  /// How long a busy speaker may be left alone; nil if it must be served at each exchange.
  var patienceNanoseconds: UInt64? { sharingStatus?.isOn == true ? nil : player.patienceNanoseconds }

  /// Handles a gesture of one of the player's buttons.
  mutating func serve(_ gesture: Gesture, of button: Button, _ console: inout ConsoleSession) -> Effect? {
    switch (button, gesture) {
    case (.play, .short(let pressedAt)) where player.rhythm != nil: tap(at: pressedAt, for: .button, &console)
    case (.stop, .short) where player.rhythm != nil: stopCounting(for: .button, &console)
    case (.prepare, .short) where player.state == .none: return prepare(nil, for: .button, &console)
    case (.prepare, .short):
      order(for: .button, &console) { player throws(PlayerRefusal) in try player.dispose() }
    case (.prepare, .long): return prepareFollowing(&console)
    case (.play, .short): return play(at: nil, for: .button, &console)
    case (.play, .long):
      order(for: .button, &console) { player throws(PlayerRefusal) in try player.markSection() }
    case (.stop, .short): order(for: .button, &console) { player throws(PlayerRefusal) in try player.pause() }
    case (.stop, .long): order(for: .button, &console) { player throws(PlayerRefusal) in try player.stop() }
    default: break
    }
    return nil
  }

  /// - Parameter microphone: the microphone's format; nil while it is closed.
  mutating func run(
    _ command: PlayerCommand, microphone: AudioFormat?, _ console: inout ConsoleSession
  ) -> Effect? {
    switch command {
    case .prepare(let path): return prepare(path, for: .console, &console)
    case .playFile(let path):
      guard path.isStreamAddress else { return .find(.describe(path: path), .play(at: nil), .console) }
      open(MediaItem(path: path), for: .play(at: nil), .console, &console)
    case .stream(let address): open(MediaItem(path: address), for: .play(at: nil), .console, &console)
    case .stopListening: order(&console) { player throws(PlayerRefusal) in try player.stopListening() }
    case .play(let instant): return play(at: instant, for: .console, &console)
    case .dispose: order(&console) { player throws(PlayerRefusal) in try player.dispose() }
    case .pause: order(&console) { player throws(PlayerRefusal) in try player.pause() }
    case .stop: order(&console) { player throws(PlayerRefusal) in try player.stop() }
    case .seek(let seconds): order(&console) { player throws(PlayerRefusal) in try player.seek(seconds: seconds) }
    case .skip(let seconds): order(&console) { player throws(PlayerRefusal) in try player.skip(seconds: seconds) }
    case .section(let section): order(&console) { player throws(PlayerRefusal) in try player.setSection(section) }
    case .rate(let rate?): order(&console) { player throws(PlayerRefusal) in try player.setRate(rate) }
    case .volume(let volume?): order(&console) { player throws(PlayerRefusal) in try player.setVolume(volume) }
    case .next: order(&console) { player throws(PlayerRefusal) in try player.goToNext() }
    case .previous: order(&console) { player throws(PlayerRefusal) in try player.goToPrevious() }
    case .clearQueue: order(&console) { player throws(PlayerRefusal) in try player.clearQueue() }
    case .tone(.off): order(&console) { player throws(PlayerRefusal) in player.toneOff() }
    case .tone(.on): sound(hertz: tone.frequencyHz, nil, &console)
    case .tone(.sine(let hertz, let level)): sound(hertz: hertz, level, &console)
    case .standby(let isStandby?): order(&console) { player throws(PlayerRefusal) in player.setStandby(isStandby) }
    case .rate(nil): console.answer("rate \(player.status.rate, decimals: 3)")
    case .volume(nil): console.answer("volume \(player.status.volume, decimals: 3)")
    case .standby(nil): console.answer(player.status.isStandby ? "standby on" : "standby off")
    case .tone(.show): console.answer(toneLine)
    case .metronome(.show): console.answer(metronomeLine)
    case .metronome(.off): stopCounting(for: .console, &console)
    case .metronome(.tap): tap(at: console.now, for: .console, &console)
    case .metronome(.count(let rhythm)):
      order(&console) { player throws(PlayerRefusal) in try player.count(rhythm) }
    case .monitor(let isWanted): monitor(isWanted, microphone, &console)
    case .share(let order): return share(order, &console)
    case .show: report(&console)
    case .newest(let use): return .find(.newestTake, use, .console)
    case .listed(let number, let use): return open(number, for: use, &console)
    case .repetition(let repetition?):
      keepModes(&console) { player throws(PlayerRefusal) in
        try player.setRepetition(repetition)
      }
    case .shuffle(let isShuffled?):
      keepModes(&console) { player throws(PlayerRefusal) in
        try player.setShuffled(isShuffled)
      }
    case .repetition(nil): console.answer("repeat \(player.repetition.name)")
    case .shuffle(nil): console.answer(player.isShuffled ? "shuffle on" : "shuffle off")
    case .showQueue(let form):
      console.pending = .queue(nextIndex: 0, form)
      hasListedQueue = player.queue.count > 0
      if hasListedQueue { return .tellLibrary(.unlist) }
    }
    return nil
  }

  /// Applies a new volume of the configuration.
  mutating func setVolume(_ volume: Double) { try? player.setVolume(volume) }

  /// Applies new tones of the configuration.
  mutating func follow(_ settings: ToneSettings) {
    player.followTones(standby: settings.standby, from: tone.usual, to: settings.usual)
    tone = settings
  }

  /// Opens the file with a number in the queue or the list, whichever was shown last.
  private mutating func open(_ number: UInt32, for use: FileUse, _ console: inout ConsoleSession) -> Effect? {
    guard hasListedQueue else { return .find(.listed(number: number), use, .console) }
    guard use != .share || sharingStatus != nil else {
      console.refuse(Self.noListeners)
      return nil
    }
    order(&console) { player throws(PlayerRefusal) in
      try player.go(toItem: Int(number) - 1)
      try Self.play(&player, for: use)
    }
    beginSharing(for: use, console)
    return nil
  }

  private mutating func keepModes(
    _ console: inout ConsoleSession, _ body: (inout Player) throws(PlayerRefusal) -> Void
  ) {
    order(&console, body)
    guard let modesFile, case .player = console.pending else { return }
    modesFile.write(QueueModes(repetition: player.repetition, isShuffled: player.isShuffled).text)
    console.pending = .queueModes
  }

  /// At each tick while a command waits for the card.
  func answerKeeping(_ console: inout ConsoleSession) {
    guard let modesFile, !modesFile.isBeingWritten else { return }
    if let failure = modesFile.failure { return console.refuse(failure.line) }
    console.complete()
  }

  /// Opens a file that the library found, and plays it if asked to.
  mutating func open(_ item: MediaItem, for use: FileUse, _ origin: Origin, _ console: inout ConsoleSession) {
    if use == .share, sharingStatus == nil { return console.refuse(Self.noListeners, for: origin) }
    order(for: origin, &console) { player throws(PlayerRefusal) in
      try player.prepare(item)
      try Self.play(&player, for: use)
    }
    beginSharing(for: use, console)
  }

  private static func play(_ player: inout Player, for use: FileUse) throws(PlayerRefusal) {
    switch use {
    case .prepare: break
    case .play(let instant): try player.play(at: instant)
    case .share: try player.play()
    }
  }

  /// Whether a configured speaker is missing, as far as it has been tried.
  var lacksSpeaker: Bool { hasSpeaker && (player.speakerFailure != nil || player.isSpeakerClosed) }

  /// Whether the button `stop` pauses a file or ends the metronome.
  var usesStop: Bool { player.canPause || player.rhythm != nil }

  /// Whether a long press of the button `stop` means nothing to the player.
  var leavesLongStop: Bool { player.state == .none && player.rhythm == nil }

  mutating func strum(_ shape: ChordShape, _ tuning: Tuning) { if hasSpeaker { player.strum(shape, tuning) } }

  /// Restarts a metronome if there is a speaker; nil ends it.
  mutating func countIn(_ rhythm: Rhythm?) {
    guard hasSpeaker else { return }
    if let rhythm { try? player.countIn(rhythm) } else { player.stopCounting() }
  }

  /// Begins a slate's beep.
  /// - Returns: why it cannot; nil if it can.
  mutating func beginSlate() -> FixedText<128>? {
    guard hasSpeaker else { return Self.noSpeaker }
    do throws(PlayerRefusal) { try player.beginSlate() } catch { return error.line }
    return nil
  }

  /// Begins a chirp for a test. Call it only if a speaker is configured.
  /// - Returns: why it cannot; nil if it can.
  mutating func beginChirp() -> FixedText<128>? {
    do throws(PlayerRefusal) { try player.beginChirp() } catch { return error.line }
    return nil
  }

  /// When the beep of a slate, or a chirp, is first heard: returned once, when the card reports it.
  mutating func takeSlateInstant() -> Instant? { player.takeSlateInstant() }

  /// Drops the part of a beep or chirp that the card has not taken.
  mutating func cancelSlate() { player.cancelSlate() }

  static var noSpeaker: FixedText<128> { "there is no speaker: set [speaker] device" }

  /// Appends an item that the library found to the queue; those that do not fit are counted at the end.
  mutating func append(_ item: MediaItem, replaces: Bool) {
    if replaces { appendedCount = (try? player.beginQueue()) != nil ? 0 : nil }
    if let count = appendedCount, (try? player.append(item)) != nil { appendedCount = count + 1 }
  }

  /// Answers `queue` once all items have come.
  mutating func endAppending(wantedCount: UInt32, _ console: inout ConsoleSession) {
    guard let count = appendedCount else {
      appendedCount = 0
      return console.refuse(PlayerRefusal.decoderBusy.line)
    }
    appendedCount = 0
    if count < wantedCount {
      return console.refuse(
        "the queue holds \(count: player.queue.capacity, "item"): \(grouped: wantedCount - count) of \(grouped: wantedCount) left out"
          as FixedText<128>)
    }
    console.answer("\(count) queued, \(player.queue.count) in the queue")
  }

  /// Prints the queue from the item at `index` on, as far as the console has space for it.
  func showQueue(from index: Int, _ form: StatusForm, _ console: inout ConsoleSession) {
    let isBrokenOff = console.takeInterrupt()
    if form == .lines, index == 0, player.queue.count > 0, let item = player.itemBeforeQueue {
      console.reply("- > \(named(item)), which is not in the queue" as FixedText<600>)
    }
    var index = index
    while !isBrokenOff, let item = player.queue.item(at: index) {
      guard console.canReply else { return console.pending = .queue(nextIndex: index, form) }
      report(item, at: index, form, &console)
      index += 1
    }
    let hasModes = player.queue.count > 0 && (player.repetition != .off || player.isShuffled)
    if hasModes, form == .lines { console.reply(modesLine) }
    console.complete()
  }

  private mutating func monitor(
    _ isWanted: Bool?, _ microphone: AudioFormat?, _ console: inout ConsoleSession
  ) {
    let samples = samples
    switch isWanted {
    case true?: order(&console) { player throws(PlayerRefusal) in try player.monitor(samples, microphone) }
    case false?: order(&console) { player throws(PlayerRefusal) in player.stopMonitoring() }
    case nil:
      guard let milliseconds = player.monitorDelayMilliseconds else { return console.answer("monitor off") }
      console.answer("monitor on, heard \(milliseconds, decimals: 0) ms late, plus the delay of the two cards")
    }
  }

  /// Opens a file; for nil the chosen or queued one, or else the newest take.
  private mutating func prepare(
    _ path: FixedText<256>?, for origin: Origin, _ console: inout ConsoleSession
  ) -> Effect? {
    // The library knows which name is meant, and the open file is closed only if the new one exists.
    if let path, !path.isStreamAddress { return .find(.describe(path: path), .prepare, origin) }
    let hasChoice = attempt(for: origin, &console) { player throws(PlayerRefusal) in
      if let path { try player.prepare(MediaItem(path: path)) } else { try player.prepare() }
    }
    return hasChoice ? nil : .find(.newestTake, .prepare, origin)
  }

  private mutating func play(
    at instant: Instant?, for origin: Origin, _ console: inout ConsoleSession
  ) -> Effect? {
    let hasChoice = attempt(for: origin, &console) { player throws(PlayerRefusal) in
      try player.play(at: instant)
    }
    return hasChoice ? nil : .find(.newestTake, .play(at: instant), origin)
  }

  /// The long press of `prepare`: opens the queue's next item, or, without a queue, the library's next file.
  private mutating func prepareFollowing(_ console: inout ConsoleSession) -> Effect? {
    guard player.queue.count == 0 else {
      order(for: .button, &console) { player throws(PlayerRefusal) in try player.goToNext() }
      return nil
    }
    let path = player.status.item?.path ?? player.chosen?.path ?? ""
    return .find(.following(path: path), player.state == .playing ? .play(at: nil) : .prepare, .button)
  }

  private mutating func tap(at instant: Instant, for origin: Origin, _ console: inout ConsoleSession) {
    order(for: origin, &console) { player throws(PlayerRefusal) in _ = try player.tap(at: instant) }
    if origin == .button { console.announce(metronomeLine) }
  }

  private mutating func stopCounting(for origin: Origin, _ console: inout ConsoleSession) {
    order(for: origin, &console) { player throws(PlayerRefusal) in player.stopCounting() }
    if origin == .button { console.announce(metronomeLine) }
  }

  private mutating func sound(hertz: Double, _ levelDecibels: Double?, _ console: inout ConsoleSession) {
    let level = levelDecibels ?? tone.levelDecibels
    order(&console) { player throws(PlayerRefusal) in try player.setTone(hertz: hertz, levelDecibels: level) }
  }

  /// Gives the player an order; a refusal goes to the order's origin.
  mutating func order(
    for origin: Origin = .console, _ console: inout ConsoleSession,
    _ body: (inout Player) throws(PlayerRefusal) -> Void
  ) {
    guard !attempt(for: origin, &console, body) else { return }
    console.refuse(PlayerRefusal.nothingChosen.line, for: origin)
  }

  /// - Returns: false if nothing playable is chosen; that is not reported.
  mutating func attempt(
    for origin: Origin, _ console: inout ConsoleSession, _ body: (inout Player) throws(PlayerRefusal) -> Void
  ) -> Bool {
    guard hasSpeaker else {
      console.refuse(Self.noSpeaker, for: origin)
      return true
    }
    var refusal: PlayerRefusal?
    do throws(PlayerRefusal) { try body(&player) } catch { refusal = error }
    return Self.settle(refusal, for: origin, &console)
  }

  /// Not inlined: the optimiser copies what precedes it for each order.
  @inline(never)
  private static func settle(
    _ refusal: PlayerRefusal?, for origin: Origin, _ console: inout ConsoleSession
  ) -> Bool {
    switch refusal {
    case nil: if origin == .console { console.pending = .player(failure: nil) }
    case .nothingChosen?: return false
    case let refusal?: console.refuse(refusal.line, for: origin)
    }
    return true
  }

  private mutating func tell(_ event: PlayerEvent, _ console: inout ConsoleSession) {
    if case .itemChanged(let item) = event { heardPath = item.path }
    if case .player(let earlier) = console.pending, event.isFailureToOpen {
      // The reply has room for one.
      if let earlier { console.announce(earlier) }
      console.pending = .player(failure: event.line)
    } else {
      console.announce(event.line)
    }
  }

  private mutating func answerOpening(_ failure: FixedText<384>?, _ console: inout ConsoleSession) {
    let hasBegunSharing = hasBegunSharing
    self.hasBegunSharing = false
    guard let failure else { return console.complete() }
    if player.state == .none || player.hasGoneOn {
      if player.state == .none || hasBegunSharing { sharing?.end() }
      return console.refuse(failure)
    }
    // The queue's next item was to be opened.
    console.announce(failure)
    console.complete()
  }
}
