import Base
import Console
import Machine
import Record
import Wire

extension RecordingService {
  /// Sets a mark in the open take.
  /// - Parameters:
  ///   - text: empty for none.
  ///   - instant: of the press, or of the command.
  mutating func mark(
    _ text: FixedText<64>, for origin: Origin, _ console: inout ConsoleSession, at instant: Instant
  ) {
    guard recorder.state == .recording, let take else {
      return console.refuse("no take is being recorded" as FixedText<64>, for: origin)
    }
    let position = capture.position(at: instant)
    let separator: StaticString = text.isEmpty ? "" : ": "
    guard ledger.note("mark\(separator)\(text.printable)", at: position) else {
      return console.refuse("the card does not answer: this mark is not kept" as FixedText<64>, for: origin)
    }
    let seconds = Double(position.distance(since: take.startPosition)) / Double(capture.timelineRateHz)
    let line: FixedText<128> = "mark \(seconds, decimals: 1) s into the take\(separator)\(text.printable)"
    switch origin {
    case .button: console.announce(line)
    case .console:
      console.reply(line)
      console.complete()
    }
  }

  /// After each step of the devices: notes what they lost, and which was lost or is back, and tells who is back.
  /// - Parameters:
  ///   - microphone: the state before the step.
  ///   - camera: the same.
  mutating func noteDevices(
    _ microphone: DeviceState, _ camera: DeviceState, _ console: inout ConsoleSession, at now: Instant
  ) {
    let position = capture.position(at: now)
    ledger.note(
      lostFrameCount: captureLosses.frameCount, soundEnd: capture.audio.end, lostPictureCount: losses.pictures,
      pictureEnd: position, at: now)
    if microphone == .running, capture.microphone.isLost {
      ledger.note("microphone lost: silence from here on", at: capture.audio.end)
    }
    if microphone.isLost, capture.microphone == .running {
      ledger.note("microphone works again", at: position)
      console.announce("microphone works again")
    }
    if camera == .running, capture.camera.isLost { ledger.note("camera lost", at: position) }
    if camera.isLost, capture.camera == .running {
      ledger.note("camera works again", at: position)
      announceCamera(&console)
    }
  }
}

extension RecordingService {
  /// At each exchange, before the camera is read: leaves pictures out while it is hot.
  mutating func follow(_ heat: HeatReport, at now: Instant) {
    if self.heat.level == .hot, heat.level != .hot, recorder.state == .recording {
      noteLeftOut(at: capture.position(at: now))
    }
    self.heat = heat
    capture.leavesOutPictures = heat.level == .hot
  }

  /// At the beginning of a take: enters what holds already, for it may have begun before the pre-roll.
  mutating func enterHeat(at position: TimelinePosition) {
    notedLeftOutCount = captureLosses.leftOutCount
    if heat.level == .hot { ledger.note("at the press: every second picture is left out", at: position) }
    guard let flags = heat.throttling else { return }
    for index in 0..<UInt8(ThrottlingReason.count) {
      guard let reason = ThrottlingReason(rawValue: index), flags.contains(reason) else { continue }
      ledger.note("at the press: firmware: \(reason.name)", at: position)
    }
  }

  /// In a take: enters how many pictures were left out since the last such entry.
  mutating func noteLeftOut(at position: TimelinePosition) {
    let count = captureLosses.leftOutCount - notedLeftOutCount
    notedLeftOutCount = captureLosses.leftOutCount
    if count > 0 { ledger.note("pictures left out for heat: \(count)", at: position) }
  }
}

/// What the loop knows of a take, on its way to the ledger.
struct LedgerNotes: ~Copyable {
  private var notes: QueueProducer<TakeNote>
  /// Notes for which there was no space, and that are not noted themselves yet.
  private var missingCount = 0
  private var sound = LossRun()
  private var pictures = LossRun()

  init(notes: consuming QueueProducer<TakeNote>) { self.notes = notes }

  /// How full the queue is.
  var level: RingLevel { notes.level }

  /// - Returns: whether there was space for it.
  @discardableResult mutating func note(_ text: FixedText<96>, at position: TimelinePosition) -> Bool {
    if missingCount > 0, notes.push(TakeNote(position: position, text: "\(missingCount) entries are missing here")) {
      missingCount = 0
    }
    guard missingCount == 0, notes.push(TakeNote(position: position, text: text)) else {
      missingCount += 1
      return false
    }
    return true
  }

  /// At each exchange. Losses that follow each other within a second are one entry, at the place of the first.
  /// - Parameters:
  ///   - lostFrameCount: frames that the sound card lost since boot.
  ///   - soundEnd: where the silence begins that stands for those it lost last.
  ///   - lostPictureCount: pictures lost since boot.
  mutating func note(
    lostFrameCount: UInt64, soundEnd: TimelinePosition, lostPictureCount: UInt64, pictureEnd: TimelinePosition,
    at now: Instant
  ) {
    sound.count(upTo: lostFrameCount, at: soundEnd, now)
    pictures.count(upTo: lostPictureCount, at: pictureEnd, now)
    noteLosses(at: now)
  }

  /// Notes what was lost and is not noted yet; nil: without waiting for more.
  mutating func noteLosses(at now: Instant?) {
    if let (count, position) = sound.takeEnded(at: now) {
      note("overrun: \(count) frames of sound are lost, silence stands for them", at: position)
    }
    if let (count, position) = pictures.takeEnded(at: now) { note("pictures dropped: \(count)", at: position) }
  }
}

/// Losses of one kind that become one entry.
private struct LossRun {
  private var countBefore: UInt64 = 0
  private var lostCount: UInt64 = 0
  private var start: TimelinePosition = 0
  private var end: Instant = 0

  mutating func count(upTo count: UInt64, at position: TimelinePosition, _ now: Instant) {
    guard count > countBefore else { return }
    if lostCount == 0 {
      start = position
      end = now + Limits.lossRunMilliseconds * 1_000_000
    }
    lostCount += count - countBefore
    countBefore = count
  }

  /// - Returns: how many were lost, and where the first was; nil while more may follow, or if none was.
  mutating func takeEnded(at now: Instant?) -> (UInt64, TimelinePosition)? {
    guard lostCount > 0, now.map({ $0 >= end }) ?? true else { return nil }
    defer { lostCount = 0 }
    return (lostCount, start)
  }
}
