import Port
import Values
import Rings
import Text

extension LibraryWorker where Folders: ~Copyable, Prober: ~Copyable {
  /// Goes on with the pass, or begins one that is due.
  /// - Returns: false when none is due.
  mutating func lookThroughFolders() -> Bool {
    pass.unixSeconds = time.unixSeconds
    switch activity {
    case .resting:
      guard isPassDue else { return false }
      beginPass()
    case .scanning(var scan):
      let isOnTheWay = scan.advance(
        entryCount: LibraryLimits.entriesPerStep, &folders, &pass, growing, &index)
      activity = isOnTheWay ? .scanning(scan) : scan.kind.next.map { .scanning(FolderScan($0)) } ?? .sweeping(slot: 0)
    case .sweeping(let slot):
      sweep(from: slot)
    }
    return true
  }

  private var isPassDue: Bool {
    if isRescanWanted { return true }
    let elapsed = time.monotonicNanoseconds &- passBeginNanoseconds
    return rescanNanoseconds > 0 && elapsed >= rescanNanoseconds
  }

  private mutating func beginPass() {
    pass = LibraryPass(number: pass.number &+ 1)
    passBeginNanoseconds = time.monotonicNanoseconds
    isRescanWanted = false
    activity = .scanning(FolderScan(.audio))
    if case .unavailable = probe { probe = .idle }
  }

  /// Looks at each file that the pass has not met: a folder can change while it is gone through.
  private mutating func sweep(from firstSlot: UInt32) {
    var slot = firstSlot
    var entriesLeft = LibraryLimits.entriesPerStep
    let end = min(index.usedSlotCount, Int(firstSlot) + LibraryLimits.slotsPerStep)
    while slot < end, entriesLeft > 0 {
      if index.isUsed(slot), index[slot].passNumber != pass.number {
        lookAgain(at: slot)
        entriesLeft -= 1
      }
      slot += 1
    }
    activity = .sweeping(slot: slot)
    if slot >= index.usedSlotCount { endPass() }
  }

  private mutating func endPass() {
    activity = .resting
    passCount &+= 1
  }

  private mutating func lookAgain(at slot: UInt32) {
    let path = FixedText<256>(index.path(of: slot))
    do throws(DeviceFailure) {
      let entry = try folders.entry(at: path)
      if entry.isFolder { return index.remove(slot) }
      pass.meet(entry, at: path, growing, &index)
    } catch  where error.kind == .absent {
      index.remove(slot)
    } catch {
      // A card that cannot be read now has not lost its files.
      index.meet(slot, passNumber: pass.number)
    }
  }

  /// A take begins: whatever lies at its path is no part of the library until it is complete.
  mutating func noteGrowing(_ path: FixedText<256>) {
    growing.add(path)
    if let slot = index.slot(of: path.bytes) { index.remove(slot) }
  }

  /// A take is complete, however young.
  mutating func noteComplete(_ path: FixedText<256>) {
    growing.remove(path)
    do throws(DeviceFailure) {
      let entry = try folders.entry(at: path)
      if !entry.isFolder { pass.meetComplete(entry, at: path, &index) }
    } catch {
      // A pass will meet it, if it is there.
    }
  }

  /// Whether the takes have been gone through once.
  var knowsTakes: Bool {
    guard passCount == 0, case .scanning(let scan) = activity else { return true }
    return scan.kind == .photo || scan.kind == .music
  }
}

extension MediaKind {
  /// The folder that is gone through after this one's; nil behind the last. Takes come first: their buttons wait.
  fileprivate var next: MediaKind? { MediaKind(rawValue: rawValue + 1) }
}
