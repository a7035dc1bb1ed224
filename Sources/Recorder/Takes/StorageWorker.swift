import Port
import Formats
import Values
import Rings
import Stills
import Text

/// Moves what the rings hold into files, one stretch a step, and makes each stretch safe before the next.
///
/// It alone touches the card, on a thread of its own: when the card stalls, this waits and the rings fill.
public struct StorageWorker<Store: Storage & ~Copyable>: ~Copyable {
  var storage: Store
  var orders: QueueConsumer<TakeOrder>
  var reports: QueueProducer<TakeReport>
  var tracks: RecordedTracks
  var intake: StillIntake
  let progress: TakeProgress
  let settings: WritingSettings
  var ledger: TakeLedger
  var repairs: InlineArray<4, FixedText<128>>
  var scratch: FixedBuffer
  var formats = StreamFormats(audio: nil, video: nil)
  var take: OpenTake<Store.File>?
  var completion: TakeCompletion<Store.File>?
  var awaited: AwaitedTake?
  private(set) var parameterSets = ParameterSetWatch()
  /// Bytes left on the card, as it said last.
  private(set) var freeByteCount = UInt64.max

  /// - Parameters:
  ///   - ledger: as it was loaded at boot; files that it lists as open are repaired when there is time.
  ///   - scratch: ``scratchByteCount`` bytes at least.
  public init(
    storage: consuming Store, orders: consuming QueueConsumer<TakeOrder>, reports: consuming QueueProducer<TakeReport>,
    tracks: consuming RecordedTracks, stills: consuming StillIntake, progress: TakeProgress, settings: WritingSettings,
    ledger: TakeLedger,
    scratch: consuming FixedBuffer
  ) {
    precondition(scratch.byteCount >= Self.scratchByteCount, "the storage worker has too little room")
    self.storage = storage
    self.orders = orders
    self.reports = reports
    self.tracks = tracks
    intake = stills
    self.progress = progress
    self.settings = settings
    self.ledger = ledger
    repairs = ledger.openPaths
    self.scratch = scratch
    discardUnfinishedStill()
    measureFreeRoom()
  }

  /// The room that headers are built in and samples are turned in.
  public static var scratchByteCount: Int { TakeLimits.copyByteCount }

  /// Does the next bounded piece of work.
  /// - Returns: false when there was none: then wait before asking again.
  public mutating func step() -> Bool {
    guard reports.freeCount >= Self.reportsPerStep else { return false }
    let isAccepted = acceptOrder()
    if formats.video != nil, formats.codec == .h264 { parameterSets.look(at: tracks) }
    let isBusy = writeStretch() || beginAwaited() || writeStill() || completeFile() || repairNext()
    releaseWhatIsNotNeeded()
    if isBusy { measureFreeRoom() }
    return isAccepted || isBusy
  }

  /// Tells the loop how much room the card has left; a card that does not say keeps its last word.
  mutating func measureFreeRoom() {
    do throws(DeviceFailure) {
      freeByteCount = try storage.freeByteCount()
      progress.publish(freeByteCount: freeByteCount)
    } catch {}
  }

  private mutating func acceptOrder() -> Bool {
    guard let order = orders.peek() else { return false }
    switch order {
    case .arm(let formats): self.formats = settings.kept(of: formats)
    case .begin(let start):
      guard take == nil, awaited == nil else { return false }
      awaited = AwaitedTake(start: start)
    case .end(let position):
      if awaited == nil { take?.end(at: position) } else { awaited?.endPosition = position }
    case .turn(let turn):
      guard awaited == nil, take?.turn == nil else { return false }
      take?.end(atTurn: turn)
    case .keep(let rotation): keep(rotation)
    case .disarm:
      guard take == nil, awaited == nil else { return false }
      tracks.releaseAll()
      report(.disarmed)
    }
    return orders.pop() != nil
  }

  private mutating func keep(_ rotation: Rotation) {
    ledger.rotation = rotation
    do throws(DeviceFailure) { try ledger.save(to: &storage) } catch { report(.completionFailed(error)) }
  }

  /// What no take that was ordered needs, and what is older than a pre-roll, goes back to the writers.
  private mutating func releaseWhatIsNotNeeded() {
    let now = tracks.timeline.now
    let kept = (settings.prerollSeconds + TakeLimits.backdatingSeconds) * UInt64(formats.timelineRateHz)
    var needed = now > kept ? now - kept : 0
    if case .begin(let start) = orders.peek() { needed = min(needed, start.startPosition) }
    if let awaited { needed = min(needed, awaited.start.startPosition) }
    needed = openingKeyframe(near: needed).map { min(needed, tracks.position(of: $0)) } ?? needed
    if let written = take?.writtenPosition { needed = min(needed, written) }
    tracks.release(before: needed, keepingPicturesFrom: take?.nextPicture)
  }

  /// The keyframe that a file whose start is wanted at `position` begins with; nil while there is none, or where every
  /// picture is one.
  func openingKeyframe(near position: UInt64) -> UInt64? {
    guard formats.hasDependentPictures else { return nil }
    let reach = TakeLimits.keyframeSeconds * UInt64(formats.timelineRateHz)
    let earliest = max(position - min(position, reach), formats.audio == nil ? 0 : tracks.samples.first)
    return tracks.keyframe(near: position, atOrAfter: earliest)
  }

  mutating func report(_ report: TakeReport) {
    let isTold = reports.push(report)
    precondition(isTold, "a step makes more reports than it made sure to have room for")
  }

  /// A split tells of a file completed before, of the one that is full, of the new one, and perhaps of failures.
  private static var reportsPerStep: Int { 8 }
}
