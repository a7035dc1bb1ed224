import Base
import Machine
import Media

extension StorageWorker {
  /// The ledger of a file that was just created. A failure to create it must not stop the recording, and is retried
  /// with each fragment.
  mutating func makeLedger(for path: FixedText<128>, _ provenance: Provenance, _ time: TakeTime) -> TakeLedger {
    var file: StoredFile?
    do throws(DeviceFailure) { file = try makeLedgerFile(TakeLedger.path(ofTake: path)) } catch {
      report(.ledgerFailed(error))
    }
    return TakeLedger(file: file, head: "\(provenance.line)\n", time: time, key: settings.signingKey)
  }

  /// An existing file of that name belongs to a file of this number that is gone.
  private mutating func makeLedgerFile(_ path: FixedText<128>) throws(DeviceFailure) -> StoredFile {
    try makeFolder(TakeLedger.folder)
    do throws(DeviceFailure) { return try storage.create(path) } catch {
      guard error.kind == .exists else { throw error }
    }
    var file = try storage.open(path)
    try file.truncate(to: 0)
    return file
  }

  /// The times of a file that starts at `position`.
  func time(from position: TimelinePosition, _ order: TakeStart) -> TakeTime {
    TakeTime(
      startPosition: position, startUnixMilliseconds: unixNanoseconds(at: position, order) / 1_000_000,
      rateHz: formats.timelineRateHz, hasSound: formats.audio != nil)
  }

  /// After a fragment, enters what happened up to its end.
  mutating func keepLedger() {
    guard let path = take?.path, let end = take?.writtenPosition, let range = take?.contentRange else { return }
    if take?.ledger.hasFile == false {
      do throws(DeviceFailure) {
        let file = try makeLedgerFile(TakeLedger.path(ofTake: path))
        take?.ledger.attach(file)
      } catch {}
    }
    enterNotes(before: end)
    let drift = tracks.timeline.driftPartsPerMillion
    guard let content = take?.content,
      let failure = take?.ledger.keep(at: end, driftPartsPerMillion: drift, content, in: range)
    else { return }
    report(.ledgerFailed(failure))
  }

  /// Events before the file belong to another file, or to none.
  /// - Parameter last: of a take that ends, the instant of its end. An event at that instant belongs to the take, although
  ///   its last frame is before it; nil if the take goes on.
  private mutating func enterNotes(before end: TimelinePosition, until last: TimelinePosition? = nil) {
    guard let start = take?.startPosition, let takeStart = take?.order.startPosition else { return }
    while let note = ledgers.notes.peek(), note.position < end || last.map({ note.position <= $0 }) ?? false {
      _ = ledgers.notes.pop()
      if note.position >= start {
        enter(note.text, at: min(note.position, max(start, end.earlier(by: 1))))
      } else if note.position >= takeStart {
        // Losses are accumulated for a second, in which the take may have continued in this file.
        enter("\(note.text), in the file before", at: start)
      }
    }
  }

  /// Drops events from before any file that can still be created, and from before the open take.
  mutating func dropNotes(before needed: TimelinePosition) {
    let needed = min(needed, take?.order.startPosition ?? needed)
    while let note = ledgers.notes.peek(), note.position < needed { _ = ledgers.notes.pop() }
  }

  /// Enters a card error that is about to be retried.
  mutating func enterCardTrouble(_ failure: DeviceFailure) {
    guard let position = take?.writtenPosition else { return }
    enter("card: error \(failure.systemErrorNumber), tried again", at: position)
  }

  mutating func enter(_ text: FixedText<96>, at position: TimelinePosition) {
    if let failure = take?.ledger.append(text, at: position) { report(.ledgerFailed(failure)) }
  }

  /// Ends the ledger of the open take's file.
  /// - Parameter last: the instant at which the take ends; nil if it goes on in another file.
  mutating func endLedger(as ending: TakeEnding, until last: TimelinePosition? = nil) {
    guard let end = take?.writtenPosition, let range = take?.contentRange, let content = take?.content else { return }
    enterNotes(before: end, until: last)
    take?.ending = ending
    let drift = tracks.timeline.driftPartsPerMillion
    let loudness = measuredPosition == nil ? "" : meter.finish().text
    measuredPosition = nil
    var failure = take?.ledger.end(
      as: ending, loudness.isEmpty ? "" : "\(Loudness.key)\(loudness)", at: end.earlier(by: 1),
      driftPartsPerMillion: drift, content, in: range)
    if take?.ledger.isBehind == true, giveUpSpare() {
      failure = take?.ledger.keep(at: end, driftPartsPerMillion: drift, content, in: range)
    }
    guard let failure else { return }
    report(.ledgerFailed(failure))
  }

  /// The ledger of a file that was left open; nil if there is none.
  mutating func ledger(ofTake path: FixedText<128>) -> StoredFile? {
    do throws(DeviceFailure) { return try storage.open(TakeLedger.path(ofTake: path)) } catch { return nil }
  }

  /// Removes the ledger of a file that is complete or gone.
  mutating func removeLedger(of path: FixedText<128>) {
    do throws(DeviceFailure) { try storage.remove(TakeLedger.path(ofTake: path)) } catch {}
  }

  /// Removes the ledgers of all files that are not open. Those that cannot be removed are removed the next time.
  @export(interface)
  mutating func discardLedgers() {
    let folder = TakeLedger.folder
    // More than can be left behind: each take begins with this.
    for _ in 0..<openLedgerCount {
      var found = FixedText<128>()
      do throws(DeviceFailure) {
        try storage.forEachName(in: folder) { [journal] entry in
          let name = FixedText<128>(entry.name.bytes)
          if entry.kind != .folder, !name.isTruncated, !Self.isOpen("\(folder)/\(name)", journal) { found = name }
        }
        guard !found.isEmpty else { return }
        try storage.remove("\(folder)/\(found)")
      } catch {
        return
      }
    }
  }

  private var openLedgerCount: Int { 2 * journal.openPaths.count }

  private static func isOpen(_ ledger: FixedText<128>, _ journal: TakeJournal) -> Bool {
    for index in journal.openPaths.indices where !journal.openPaths[index].isEmpty {
      if TakeLedger.path(ofTake: journal.openPaths[index]) == ledger { return true }
    }
    return false
  }
}
