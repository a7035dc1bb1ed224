import Base
import Machine
import Wire

/// The index of the files in the data folder, kept up to date by passes through the folders.
struct Catalog: ~Copyable {
  private enum State {
    /// Waiting for the next pass.
    case resting
    case scanning(FolderScan)
    /// Checking the files that the scan did not find, from this slot on.
    case sweeping(slot: UInt32)
  }

  var folders: Storage
  var index: MediaIndex
  private let time: LibraryTime
  private let rescanNanoseconds: UInt64
  private var state = State.scanning(FolderScan(.audio))
  private var pass: LibraryPass
  private var passStart: Instant
  private(set) var passCount: UInt32 = 0
  private var isRescanRequested = false
  private var isComplete = false
  private var growing = GrowingTakes()
  private var moves: QueueConsumer<FixedText<128>>

  init(
    _ folders: consuming Storage, _ index: consuming MediaIndex, _ moves: consuming QueueConsumer<FixedText<128>>,
    _ time: LibraryTime, rescanSeconds: UInt32, crossesDevices: Bool
  ) {
    self.folders = folders
    self.moves = moves
    self.index = index
    self.time = time
    rescanNanoseconds = UInt64(rescanSeconds) * 1_000_000_000
    passStart = time.now
    pass = LibraryPass(number: 1, crossesDevices: crossesDevices)
  }

  var coverage: LibraryCoverage {
    LibraryCoverage(
      indexedCount: UInt32(index.count), leftOutCount: pass.leftOutCount, unreadCount: UInt32(index.unreadCount),
      isComplete: isComplete, unnamedCount: pass.unnamedCount, elsewhereCount: pass.elsewhereCount)
  }

  /// The number of the current or last pass, modulo 256.
  var passNumber: UInt8 { pass.number }

  /// Whether all take folders have been scanned once.
  var knowsTakes: Bool {
    guard passCount == 0, case .scanning(let scan) = state else { return true }
    return scan.kind == .photo || scan.kind == .music
  }

  /// Continues the pass, or begins one that is due.
  /// - Returns: false if none is due.
  mutating func step() -> Bool {
    takeUpMoves()
    pass.unixSeconds = time.unixSeconds
    switch state {
    case .resting:
      guard isPassDue else { return false }
      pass = LibraryPass(number: pass.number &+ 1, crossesDevices: pass.crossesDevices)
      passStart = time.now
      isRescanRequested = false
      state = .scanning(FolderScan(.audio))
    case .scanning(var scan):
      let isUnfinished = scan.advance(
        entryCount: LibraryLimits.entriesPerStep, &folders, &pass, growing, &index)
      state = isUnfinished ? .scanning(scan) : scan.kind.next.map { .scanning(FolderScan($0)) } ?? .sweeping(slot: 0)
    case .sweeping(let slot): sweep(from: slot)
    }
    return true
  }

  private var isPassDue: Bool {
    let elapsed = time.now.distance(since: passStart)
    return isRescanRequested || (rescanNanoseconds > 0 && elapsed >= rescanNanoseconds)
  }

  /// Checks each file that the pass did not find: a folder may have changed while it was scanned.
  private mutating func sweep(from firstSlot: UInt32) {
    var slot = firstSlot
    var entriesLeft = LibraryLimits.entriesPerStep
    let end = min(index.usedSlotCount, Int(firstSlot) + LibraryLimits.slotsPerStep)
    while slot < end, entriesLeft > 0 {
      if index.isUsed(slot), index[slot].passNumber != pass.number {
        check(slot)
        entriesLeft -= 1
      }
      slot += 1
    }
    state = .sweeping(slot: slot)
    if slot >= index.usedSlotCount {
      state = .resting
      passCount &+= 1
    }
  }

  private mutating func check(_ slot: UInt32) {
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

  /// Begins another pass once the current one has ended.
  /// - Returns: the number of passes once that one has ended.
  mutating func requestRescan() -> UInt32 {
    isRescanRequested = true
    if case .resting = state { return passCount &+ 1 }
    return passCount &+ 2
  }

  /// Notes that a take begins: its file is not in the library until it is complete.
  mutating func noteGrowing(_ path: FixedText<256>) {
    growing.add(path)
    if let slot = index.slot(of: path.bytes) { index.remove(slot) }
  }

  /// Checks again the takes that were moved into the bin or out of it.
  mutating func takeUpMoves() {
    while let path = moves.pop() {
      noteGone(FixedText(path.bytes))
      noteComplete(FixedText(path.bytes))
    }
  }

  /// Notes that a file is no longer at this path.
  mutating func noteGone(_ path: FixedText<256>) {
    if let slot = index.slot(of: path.bytes) { index.remove(slot) }
  }

  /// Notes that a take is complete, however recent it is.
  /// - Parameter soundSeconds: see ``LibraryRequest/complete(path:soundSeconds:)``.
  mutating func noteComplete(_ path: FixedText<256>, soundSeconds: Double? = nil) {
    growing.remove(path)
    do throws(DeviceFailure) {
      let entry = try folders.entry(at: path)
      guard !entry.isFolder, let slot = pass.meetComplete(entry, at: path, &index) else { return }
      if let soundSeconds, index[slot].state == .waiting {
        index.setTags(of: slot, title: "", artist: "", durationSeconds: soundSeconds, albumPlace: 0)
        index.setState(.playable, of: slot)
      }
    } catch {
      // A pass will find it, if it exists.
    }
  }

  /// Notes that no file waits to be probed: after a whole pass the library is then complete.
  /// - Returns: whether it is complete.
  mutating func noteAllProbed() -> Bool {
    guard passCount > 0, case .resting = state else { return false }
    isComplete = true
    return true
  }

  mutating func isAbsent(_ path: FixedText<256>) -> Bool {
    do throws(DeviceFailure) {
      _ = try folders.entry(at: path)
      return false
    } catch {
      return error.kind == .absent
    }
  }

  /// The file or folder that a person means: the one at this path, or else the file in the library with the same name
  /// to a person.
  /// - Throws: if there is none, or the path cannot be printed in a line.
  mutating func find(_ path: FixedText<256>) throws(LibraryRefusal) -> (path: FixedText<256>, isFolder: Bool) {
    do throws(LibraryRefusal) {
      return (path, try isFolder(path))
    } catch {
      guard case .absent = error, index.slot(of: path.bytes) == nil else { throw error }
      for slot in 0..<UInt32(index.usedSlotCount) where index.isUsed(slot) {
        guard index.path(of: slot).isSameName(as: path.bytes) else { continue }
        let path = FixedText<256>(index.path(of: slot))
        return (path, try isFolder(path))
      }
      throw error
    }
  }

  /// - Throws: if nothing is at the path, or the path cannot be printed in a line.
  private mutating func isFolder(_ path: FixedText<256>) throws(LibraryRefusal) -> Bool {
    guard !path.isEmpty else { throw .noName }
    guard path.isPrintable, !path.isTruncated else { throw .unprintable }
    guard !path.isStreamAddress else { return false }
    do throws(DeviceFailure) {
      return try folders.entry(at: path).isFolder
    } catch {
      throw error.kind == .absent ? .absent(path) : .unreadable(path)
    }
  }

  /// A take that is being recorded has a number, although it is not in the library.
  func explained(_ refusal: LibraryRefusal) -> LibraryRefusal {
    guard case .noTakeNumber(let number) = refusal, let path = growing.path(ofTake: number) else { return refusal }
    return .open(path)
  }

  /// A list on the card is not read; one on a server is.
  func refusePlaylist(_ path: FixedText<256>) throws(LibraryRefusal) {
    if !path.isStreamAddress, LibraryPath.isPlaylist(path.bytes) { throw .playlist(path) }
  }
}

extension MediaKind {
  /// The folder to scan after this one; nil after the last. Takes come first, because buttons wait for them.
  fileprivate var next: MediaKind? { MediaKind(rawValue: rawValue + 1) }
}
