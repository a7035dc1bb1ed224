import Base
import Configuration
import Machine
import Media

/// Writes the content of the rings into files, one fragment per step, and flushes each before the next. Everything
/// else, such as completing files, waits while a fragment can be written.
///
/// Only this worker writes to the card, on its own thread: if the card stalls, it blocks and the rings fill.
package struct StorageWorker: ~Copyable {
  private let place = StaysInPlace()
  var storage: Storage
  /// The second folder for the device's identity; nil if there is none.
  var identityCopy: Storage?
  var orders: QueueConsumer<TakeOrder>
  var reports: QueueProducer<TakeReport>
  var tracks: RecordedTracks
  var intake: StillIntake
  var ledgers: LedgerIntake
  let progress: TakeProgress
  let settings: WritingSettings
  var journal: TakeJournal
  var repairs: InlineArray<8, FixedText<128>>
  /// What this boot has recorded, in case the clock is set.
  var dated: DatedFiles
  /// Unix time minus boot clock time, by which files are to be dated; nil once all are.
  var datingOffset: Int64?
  var scratch: FixedBuffer
  var encoder: FLACEncoder
  var meter: LoudnessMeter
  /// Everything in the file before this position was measured; nil if it is not measured.
  var measuredPosition: TimelinePosition?
  /// Small files that the loop changes.
  let kept: KeptTexts?
  /// The formats that the devices deliver.
  private(set) var delivered = StreamFormats(audio: nil, video: nil)
  /// The formats of the current or last take.
  var formats = StreamFormats(audio: nil, video: nil)
  /// Whether the devices are running, so that the timeline advances.
  private(set) var isArmed = false
  var take: OpenTake?
  var completions = CompletionQueue()
  var pending: PendingTake?
  /// While beginning and writing the take.
  var trouble = CardTrouble()
  /// While completing files.
  var completionTrouble = CardTrouble()
  /// While writing stills.
  var stillTrouble = CardTrouble()
  /// While saving the journal, which is then newer than the file.
  var journalTrouble = CardTrouble()
  var card = CardState.works
  /// The folder of the newest file that was to begin; empty before the first.
  var usedFolder: FixedText<128> = ""
  /// The size at which a file had to end although its file system had not stated a limit.
  var foundFileLimit = UInt64.max
  /// The file that a card test writes; nil while there is none.
  var trial: CardTrial?
  /// Space reserved for the end of a take; none unless one is being recorded or completed.
  var spare = SpareRoom()
  /// When the next attempt is due to give a file its true date, after the card has refused.
  var nextDating: TimelinePosition = 0
  private(set) var parameterSets = ParameterSetWatch()
  /// Free space on the card, as last reported.
  private(set) var freeByteCount = UInt64.max

  /// - Parameters:
  ///   - journal: as loaded at boot; the files that it lists as open are repaired when there is time.
  ///   - scratch: at least ``scratchByteCount`` bytes.
  ///   - kept: small files that the loop changes.
  package init(
    storage: consuming Storage, identityCopy: consuming Storage? = nil, orders: consuming QueueConsumer<TakeOrder>,
    reports: consuming QueueProducer<TakeReport>,
    tracks: consuming RecordedTracks, stills: consuming StillIntake, ledgers: consuming LedgerIntake,
    progress: TakeProgress, settings: WritingSettings, journal: TakeJournal, dated: consuming DatedFiles,
    scratch: consuming FixedBuffer, encoder: consuming FLACEncoder, meter: consuming LoudnessMeter,
    kept: KeptTexts? = nil
  ) {
    precondition(scratch.byteCount >= Self.scratchByteCount, "the storage worker has too little buffer")
    self.storage = storage
    self.identityCopy = identityCopy
    self.orders = orders
    self.reports = reports
    self.tracks = tracks
    intake = stills
    self.ledgers = ledgers
    self.progress = progress
    self.settings = settings
    self.journal = journal
    repairs = journal.openPaths
    self.dated = dated
    self.dated.removeAll(floors: journal.newestSeconds)
    self.scratch = scratch
    self.encoder = encoder
    self.meter = meter
    self.kept = kept
    discardUnfinishedStill()
    discardSpare()
    endTrial()
    discardLedgers()
    measureFreeSpace()
    progress.publish(hasRefusedFolder: journal.hasRefusedFolder)
  }

  /// Size of the buffer in which headers are built and samples are byte-swapped.
  package static var scratchByteCount: Int { TakeLimits.copyByteCount }

  /// Does the next bounded piece of work.
  /// - Returns: false if there was none.
  @export(interface)
  package mutating func step() -> Bool {
    guard reports.freeCount >= Self.reportsPerStep else { return false }
    reportNotices()
    let isAccepted = acceptOrder()
    if delivered.video != nil, delivered.codec == .h264 { parameterSets.look(at: tracks) }
    let isBusy =
      (trouble.isDue(at: moment) && (writeFragment() || beginPending())) || saveStaleJournal() || writeStill()
      || completeFile() || repairNext() || dateNext() || kept?.writeNext(to: &storage) == true || lookForFolder()
      || giveUpUnneededSpare()
    releaseWhatIsNotNeeded()
    if isBusy { measureFreeSpace() }
    tracks.timeline.publish(awaited: nextCutPosition)
    return isAccepted || isBusy
  }

  /// Publishes the free space on the card; on failure the last figure stays.
  mutating func measureFreeSpace() {
    do throws(DeviceFailure) {
      freeByteCount = try storage.freeByteCount()
      progress.publish(freeByteCount: freeByteCount)
    } catch {}
  }

  /// How long it may sleep unless it is woken. The loop wakes it once the next fragment can have arrived; anything that
  /// waits longer, or for the card, is polled at intervals.
  package var patienceNanoseconds: UInt64 {
    let isWaiting =
      pending != nil || trouble.isPresent || completionTrouble.isPresent || tracks.timeline.now >= nextCutPosition
    let milliseconds = isWaiting ? TakeLimits.waitMilliseconds : TakeLimits.releaseMilliseconds
    return milliseconds * 1_000_000
  }

  /// Before the timeline has reached this position there is nothing to write.
  private var nextCutPosition: TimelinePosition {
    switch take {
    case .some(let take): take.nextCutPosition
    case .none: .max
    }
  }

  private mutating func acceptOrder() -> Bool {
    guard let order = orders.peek() else { return false }
    switch order {
    case .arm(let formats):
      delivered = formats
      self.formats = formats.kept(in: settings.record.content)
      isArmed = true
    case .begin(let start):
      guard take == nil, pending == nil else { return false }
      pending = PendingTake(start: start)
      formats = delivered.kept(in: settings.form(of: start).content)
    case .end(let position, let ending): end(at: position, as: ending)
    case .turn(let turn):
      guard pending == nil, take?.turn == nil else {
        endAsOrdered()
        return false
      }
      take?.end(atTurn: turn)
    case .keep(let rotation): keep(rotation)
    case .date(let offset): datingOffset = offset
    case .slept(let nanoseconds):
      dated.shiftOffsets(by: nanoseconds)
      datingOffset? += nanoseconds
    case .dropInterruption: noteTakeEnd()
    case .tryCard(let byteCount): tryCard(byteCount: UInt64(byteCount))
    case .endTrial: endTrial()
    case .resetIdentity(let record): reset(to: record)
    case .disarm:
      guard take == nil, pending == nil else { return false }
      tracks.releaseAll()
      isArmed = false
      report(.disarmed)
    }
    return orders.pop() != nil
  }

  /// The end of a take must not wait for its rotations.
  private mutating func endAsOrdered() {
    for index in 1..<max(orders.count, 1) {
      switch orders.peek(at: index) {
      case .end(let position, let ending)?: return end(at: position, as: ending)
      case .begin?: return
      default: break
      }
    }
  }

  /// Ends the pending take if there is one, otherwise the open one.
  private mutating func end(at position: TimelinePosition, as ending: TakeEnding) {
    guard pending != nil else { return take?.end(at: position, as: ending) ?? () }
    pending?.endPosition = position
    pending?.ending = ending
  }

  private mutating func keep(_ rotation: Rotation) {
    journal.rotation = rotation
    saveJournal()
  }

  /// Releases what is older than the pre-roll and not needed by an ordered take.
  private mutating func releaseWhatIsNotNeeded() {
    let now = tracks.timeline.now
    let kept = (UInt64(settings.record.prerollSeconds) + TakeLimits.backdatingSeconds) * UInt64(formats.timelineRateHz)
    var needed = now.earlier(by: kept)
    for index in 0..<orders.count {
      if case .begin(let start) = orders.peek(at: index) { needed = min(needed, start.startPosition) }
    }
    if let pending { needed = min(needed, pending.neededPosition) }
    needed = openingKeyframe(near: needed).map { min(needed, tracks.position(of: $0)) } ?? needed
    if let written = take?.writtenPosition { needed = min(needed, written) }
    dropNotes(before: needed)
    // A take of sound alone does not need the pictures.
    let wanted = formats.video == nil ? nil : take?.nextPicture ?? pending?.opening?.picture
    tracks.release(before: needed, keepingPicturesFrom: wanted)
  }

  /// The keyframe with which a file with the wanted start `position` begins; nil if there is none, or if every picture
  /// is a keyframe.
  func openingKeyframe(near position: TimelinePosition) -> PictureNumber? {
    guard delivered.hasDependentPictures else { return nil }
    let reach = TakeLimits.keyframeSeconds * UInt64(formats.timelineRateHz)
    let earliest = max(position.earlier(by: reach), formats.audio == nil ? 0 : tracks.samples.first)
    return tracks.keyframe(near: position, atOrAfter: earliest)
  }

  mutating func report(_ report: TakeReport) {
    let isReported = reports.push(report)
    precondition(isReported, "a step made more reports than reportsPerStep")
  }

  /// A split reports a file completed before, the full one, the new one, and perhaps failures, including those of both
  /// ledgers, that of the fallback folder, and two folders that were recreated; the first steps also report two notices
  /// each, and perhaps a failure.
  private static var reportsPerStep: Int { 15 }
}

extension StorageWorker {
  /// The basis for judging errors of the card.
  var moment: CardTrouble.Moment? {
    guard isArmed else { return nil }
    return CardTrouble.Moment(
      now: tracks.timeline.now, timelineRateHz: formats.timelineRateHz,
      stallSeconds: UInt64(settings.record.stallSeconds))
  }

  /// Saves the journal, now or when the card works again.
  /// - Returns: whether it is saved.
  @discardableResult mutating func saveJournal() -> Bool {
    do throws(DeviceFailure) {
      try storeJournal()
      journalTrouble.clear()
      return true
    } catch {
      if !journalTrouble.mayRetry(after: error, at: moment) { report(.completionFailed(error)) }
      return false
    }
  }

  private mutating func storeJournal() throws(DeviceFailure) {
    do throws(DeviceFailure) { try journal.save(to: &storage) } catch {
      guard error.kind == .full, giveUpSpare() else { throw error }
      try journal.save(to: &storage)
    }
  }

  /// The take has ended: the next boot must not continue it. If the journal cannot be saved, the ledger records it.
  mutating func noteTakeEnd() {
    journal.noteTakeEnd()
    if !saveJournal() { take?.ledger.synchronise() }
  }

  /// The same for a take that ended because of the card, after the failure was reported.
  mutating func noteTakeFailure(_ failure: DeviceFailure) {
    journal.noteTakeEnd()
    do throws(DeviceFailure) { try storeJournal() } catch {}
    if failure.kind != .full, failure.kind != .unsupported { card.noteFailure(at: tracks.timeline.now) }
  }

  private mutating func saveStaleJournal() -> Bool {
    guard journalTrouble.isPresent, journalTrouble.isDue(at: moment) else { return false }
    saveJournal()
    return !journalTrouble.isPresent
  }
}

extension StorageWorker {
  /// Replaces the device's identity, first in the data folder. If a power cut leaves the other copy as it was, the new
  /// identity knows that it replaced that one.
  mutating func reset(to record: IdentityRecord) {
    do throws(DeviceFailure) { try storage.keep(record) } catch { return report(.identityKept(error)) }
    var failure: DeviceFailure?
    do throws(DeviceFailure) { try identityCopy?.keep(record) } catch { failure = error }
    report(.identityReset(copyFailure: failure))
  }
}

/// The state of the card with the data folder.
enum CardState {
  case works
  /// It has ended a take; it is checked again at this position.
  case failed(nextLook: TimelinePosition)
  /// The same, and recording continues in the fallback folder.
  case replaced(nextLook: TimelinePosition)

  /// Notes that a take has failed.
  mutating func noteFailure(at now: TimelinePosition) {
    if case .replaced = self { return }
    self = .failed(nextLook: now)
  }

  /// - Returns: whether it is time to check the card; not again before `next`.
  mutating func isLookDue(at now: TimelinePosition, next: TimelinePosition) -> Bool {
    switch self {
    case .failed(let look) where now >= look: self = .failed(nextLook: next)
    case .replaced(let look) where now >= look: self = .replaced(nextLook: next)
    case .works, .failed, .replaced: return false
    }
    return true
  }
}

extension StorageWorker {
  /// After a take that ended because of the card, or that ended in the fallback folder, checks once a second whether
  /// the data folder is present and writable.
  mutating func lookForFolder() -> Bool {
    let now = tracks.timeline.now
    guard isArmed, take == nil, pending == nil, completions.isEmpty,
      card.isLookDue(at: now, next: now + UInt64(formats.timelineRateHz))
    else { return false }
    do throws(DeviceFailure) {
      try takeUpFolder()
      report(.storageReturned)
    } catch {
      return false
    }
    return true
  }

  /// Uses the card that has been put in instead of the one before, if there is one.
  /// - Returns: whether there is.
  @inline(never) @discardableResult
  mutating func followCard() -> Bool {
    guard case .works = card, storage.isReplaced else { return false }
    do throws(DeviceFailure) { try takeUpFolder() } catch { return false }
    return true
  }

  /// Continues on the card that has been put in instead of the one that has failed.
  /// - Returns: whether there is one.
  mutating func goOnWithOtherCard(after failure: DeviceFailure) -> Bool {
    guard followCard() else { return false }
    beginAnew()
    report(.completionFailed(failure))
    report(.storageReturned)
    return true
  }

  /// On failure a folder that replaces the card stays in use.
  mutating func takeUpFolder() throws(DeviceFailure) {
    _ = giveUpSpare()
    let isOther = storage.isReplaced
    try storage.reopen()
    guard case .replaced = card else {
      do throws(DeviceFailure) {
        try storage.requireAccess(to: usedFolder.parentFolder)
        try storage.requireAccess(to: usedFolder)
      } catch {
        guard !usedFolder.isEmpty else { throw error }
        try makeFolder(usedFolder)
      }
      if isOther { try storage.keepIfMissing(settings.identity, settings.signingKey) }
      try takeOverJournal(isElsewhere: false)
      return card = .works
    }
    do throws(DeviceFailure) {
      try requireRoom()
      try takeOverJournal(isElsewhere: true)
    } catch {
      do throws(DeviceFailure) { try storage.fallBack() } catch { card = .failed(nextLook: tracks.timeline.now) }
      throw error
    }
    card = .works
  }

  /// - Throws: if no take can begin on the card, or in the fallback folder.
  private func requireRoom() throws(DeviceFailure) {
    guard try storage.freeByteCount() >= settings.firstByteCount else { throw cardIsFull }
  }

  /// The folder may not be the same as before: its journal counts, and its open files are repaired.
  /// - Parameter isElsewhere: whether it is certainly another one.
  private mutating func takeOverJournal(isElsewhere: Bool) throws(DeviceFailure) {
    var found = try TakeJournal(from: &storage)
    let isBehind = found.newestUnixSeconds > journal.newestUnixSeconds
    found.goOn(from: journal)
    // What was completed while another folder's journal was in use has been reported.
    for index in found.openPaths.indices where !found.openPaths[index].isEmpty {
      let path = found.openPaths[index]
      if storage.isFinished(path) { found.note(closed: path) }
    }
    try found.save(to: &storage)
    progress.publish(hasRefusedFolder: found.hasRefusedFolder)
    journal = found
    discardSpare()
    // Another card, or the fallback folder: files that are not there cannot be dated anew.
    if isBehind || isElsewhere { dated.removeAll(floors: journal.newestSeconds) }
    retryRepairs()
  }

  /// Continues in the fallback folder. When the take has ended, the card is checked.
  /// - Returns: whether that is possible.
  mutating func fallBack(after failure: DeviceFailure) -> Bool {
    if case .replaced = card { return false }
    do throws(DeviceFailure) { try enterFallback() } catch {
      report(.fallbackFailed(error))
      return false
    }
    card = .replaced(nextLook: tracks.timeline.now)
    spare = SpareRoom()
    beginAnew()
    report(.fellBack(failure))
    return true
  }

  private mutating func enterFallback() throws(DeviceFailure) {
    try storage.fallBack()
    do throws(DeviceFailure) {
      try requireRoom()
      try takeOverJournal(isElsewhere: true)
    } catch {
      // What follows belongs on the card: the end of the take in its journal, and the takes that come.
      do throws(DeviceFailure) { try storage.reopen() } catch { card = .failed(nextLook: tracks.timeline.now) }
      throw error
    }
  }

  /// Continues on the card, because the fallback folder has failed or is full.
  /// - Returns: whether that is possible.
  mutating func returnToCard(after failure: DeviceFailure) -> Bool {
    guard case .replaced = card else { return false }
    do throws(DeviceFailure) { try takeUpFolder() } catch { return false }
    beginAnew()
    report(.fallbackFailed(failure))
    report(.storageReturned)
    return true
  }

  private mutating func beginAnew() {
    trouble.clear()
    journalTrouble.clear()
    measureFreeSpace()
  }
}
