import Base
import Configuration
import Machine
import Media

/// Writes what the rings hold into files, one fragment a step, and flushes each before the next. Everything else, such as
/// completing files, waits while a fragment can be written.
///
/// Only this worker writes to the card, on its own thread: if the card stalls, it waits and the rings fill.
package struct StorageWorker: ~Copyable {
  private let place = StaysInPlace()
  var storage: Storage
  /// Where the device's identity is kept besides; nil for nowhere.
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
  /// What this boot has recorded, for the case that the clock is set.
  var dated: DatedFiles
  /// The Unix time minus the time of the boot clock by which files are to be dated; nil once all are.
  var datingOffset: Int64?
  var scratch: FixedBuffer
  /// Small files that the loop changes.
  private let kept: KeptTexts?
  var formats = StreamFormats(audio: nil, video: nil)
  /// Whether the devices run, and so the timeline advances.
  private(set) var isArmed = false
  var take: OpenTake?
  var completions = CompletionQueue()
  var pending: PendingTake?
  /// In beginning and writing the take.
  var trouble = CardTrouble()
  /// In completing files.
  var completionTrouble = CardTrouble()
  /// In writing stills.
  var stillTrouble = CardTrouble()
  /// In saving the journal, which then is newer than the file.
  var journalTrouble = CardTrouble()
  var card = CardState.works
  /// What a card test writes; nil while there is none.
  var trial: CardTrial?
  /// When the next try is to give a file its true date, after the card has refused.
  var nextDating: TimelinePosition = 0
  private(set) var parameterSets = ParameterSetWatch()
  /// Free bytes on the card, as last reported.
  private(set) var freeByteCount = UInt64.max

  /// - Parameters:
  ///   - journal: as loaded at boot; the files that it lists as open are repaired when there is time.
  ///   - scratch: ``scratchByteCount`` bytes at least.
  ///   - kept: small files that the loop changes.
  package init(
    storage: consuming Storage, identityCopy: consuming Storage? = nil, orders: consuming QueueConsumer<TakeOrder>,
    reports: consuming QueueProducer<TakeReport>,
    tracks: consuming RecordedTracks, stills: consuming StillIntake, ledgers: consuming LedgerIntake,
    progress: TakeProgress, settings: WritingSettings, journal: TakeJournal, dated: consuming DatedFiles,
    scratch: consuming FixedBuffer, kept: KeptTexts? = nil
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
    self.kept = kept
    discardUnfinishedStill()
    endTrial()
    discardLedgers()
    measureFreeSpace()
  }

  /// The buffer in which headers are built and samples are swapped.
  package static var scratchByteCount: Int { TakeLimits.copyByteCount }

  /// Does the next bounded piece of work.
  /// - Returns: false if there was none.
  package mutating func step() -> Bool {
    guard reports.freeCount >= Self.reportsPerStep else { return false }
    reportRefusedPath()
    let isAccepted = acceptOrder()
    if formats.video != nil, formats.codec == .h264 { parameterSets.look(at: tracks) }
    let isBusy =
      (trouble.isDue(at: moment) && (writeFragment() || beginPending())) || saveStaleJournal() || writeStill()
      || completeFile() || repairNext() || dateNext() || kept?.writeNext(to: &storage) == true || lookForFolder()
    releaseWhatIsNotNeeded()
    if isBusy { measureFreeSpace() }
    return isAccepted || isBusy
  }

  /// Publishes the free space of the card; on failure the last figure stays.
  mutating func measureFreeSpace() {
    do throws(DeviceFailure) {
      freeByteCount = try storage.freeByteCount()
      progress.publish(freeByteCount: freeByteCount)
    } catch {}
  }

  private mutating func acceptOrder() -> Bool {
    guard let order = orders.peek() else { return false }
    switch order {
    case .arm(let formats):
      self.formats = settings.kept(of: formats)
      isArmed = true
    case .begin(let start):
      guard take == nil, pending == nil else { return false }
      pending = PendingTake(start: start)
    case .end(let position, let ending): end(at: position, as: ending)
    case .turn(let turn):
      guard pending == nil, take?.turn == nil else {
        endAsOrdered()
        return false
      }
      take?.end(atTurn: turn)
    case .keep(let rotation): keep(rotation)
    case .date(let offset): datingOffset = offset
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

  /// Ends the take that is to begin if there is one, otherwise the open one.
  private mutating func end(at position: TimelinePosition, as ending: TakeEnding) {
    guard pending != nil else { return take?.end(at: position, as: ending) ?? () }
    pending?.endPosition = position
    pending?.ending = ending
  }

  private mutating func keep(_ rotation: Rotation) {
    journal.rotation = rotation
    saveJournal()
  }

  /// Releases what is older than the pre-roll and no ordered take needs.
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
    tracks.release(before: needed, keepingPicturesFrom: take?.nextPicture ?? pending?.opening?.picture)
  }

  /// The keyframe that a file with the wanted start `position` begins with; nil while there is none, or if every
  /// picture is a keyframe.
  func openingKeyframe(near position: TimelinePosition) -> PictureNumber? {
    guard formats.hasDependentPictures else { return nil }
    let reach = TakeLimits.keyframeSeconds * UInt64(formats.timelineRateHz)
    let earliest = max(position.earlier(by: reach), formats.audio == nil ? 0 : tracks.samples.first)
    return tracks.keyframe(near: position, atOrAfter: earliest)
  }

  mutating func report(_ report: TakeReport) {
    let isReported = reports.push(report)
    precondition(isReported, "a step made more reports than reportsPerStep")
  }

  /// A split reports a file completed before, the full one, the new one, and perhaps failures, those of both ledgers among
  /// them; the first step also a path that was refused, and perhaps a failure.
  private static var reportsPerStep: Int { 12 }
}

extension StorageWorker {
  /// For judging errors of the card.
  var moment: CardTrouble.Moment? {
    guard isArmed else { return nil }
    return CardTrouble.Moment(
      now: tracks.timeline.now, timelineRateHz: formats.timelineRateHz,
      stallSeconds: UInt64(settings.record.stallSeconds))
  }

  /// Saves the journal, now or when the card works again.
  mutating func saveJournal() {
    do throws(DeviceFailure) {
      try journal.save(to: &storage)
      journalTrouble.clear()
    } catch {
      if !journalTrouble.mayRetry(after: error, at: moment) { report(.completionFailed(error)) }
    }
  }

  /// The take has ended: the next boot does not go on with it.
  mutating func noteTakeEnd() {
    journal.noteTakeEnd()
    saveJournal()
  }

  /// The same for a take that the card has ended: the failure was reported.
  mutating func noteTakeFailure(_ failure: DeviceFailure) {
    journal.noteTakeEnd()
    do throws(DeviceFailure) { try journal.save(to: &storage) } catch {}
    if failure.kind != .full, failure.kind != .unsupported { card.noteFailure(at: tracks.timeline.now) }
  }

  private mutating func saveStaleJournal() -> Bool {
    guard journalTrouble.isPresent, journalTrouble.isDue(at: moment) else { return false }
    saveJournal()
    return !journalTrouble.isPresent
  }
}
