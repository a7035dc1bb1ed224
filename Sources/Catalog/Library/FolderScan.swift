import Base
import Machine
import Wire

/// A scan of one of the library's folders and its subfolders, a few entries at a time.
struct FolderScan {
  /// How deep subfolders may be nested.
  static var deepest: Int { 8 }

  let kind: MediaKind
  private(set) var folder: FixedText<256>
  private var depth = 0
  /// Where the scan of each folder on the path continues; nil once it is finished.
  private var places = InlineArray<9, UInt64?>(repeating: 0)

  init(_ kind: MediaKind) {
    self.kind = kind
    folder = "\(kind.name)"
  }

  /// Scans at most `entryCount` more entries of one folder.
  /// - Returns: false once all have been scanned.
  mutating func advance(
    entryCount: Int, _ folders: inout Storage, _ pass: inout LibraryPass,
    _ growing: borrowing GrowingTakes, _ index: inout MediaIndex
  ) -> Bool {
    guard let place = places[depth] else { return leave() }
    var left = entryCount
    if depth == 0, place == 0 {
      left -= 1
      if isLeftOut(&folders, &pass) { return false }
    }
    var subfolder: FixedText<256>?
    let folder = folder
    let growing = copy growing
    do throws(DeviceFailure) {
      places[depth] = try folders.forEachEntry(of: folder, from: place) { entry in
        left -= 1
        if pass.leavesOut(entry) { return left > 0 }
        if entry.isFolder {
          subfolder = entry.name
          return false
        }
        let path: FixedText<256> = "\(folder)/\(entry.name)"
        if !path.isTruncated {
          pass.meet(entry, at: path, growing, &index)
        } else if LibraryPath.isPlayedByName(entry.name.bytes) {
          pass.unnamedCount += 1
        }
        return left > 0
      }
    } catch {
      // The sweep then checks its files one by one.
      places[depth] = nil
    }
    if let subfolder { enter(subfolder) }
    return true
  }

  /// Whether the library's own folder is on another device and left out.
  private func isLeftOut(_ folders: inout Storage, _ pass: inout LibraryPass) -> Bool {
    do throws(DeviceFailure) { return pass.leavesOut(try folders.entry(at: folder)) } catch { return false }
  }

  private mutating func enter(_ name: FixedText<256>) {
    let path: FixedText<256> = "\(folder)/\(name)"
    guard !path.isTruncated, depth < Self.deepest,
      kind == .music || (depth == 0 && CivilTime.dayNumber(ofDateText: name.bytes) != nil)
    else { return }
    folder = path
    depth += 1
    places[depth] = 0
  }

  private mutating func leave() -> Bool {
    guard depth > 0 else { return false }
    depth -= 1
    folder = folder.parentFolder
    return true
  }
}

/// One pass through the folders, and its rules for the files found.
struct LibraryPass: BitwiseCopyable {
  /// Modulo 256. Files with another number at the end of the pass were not found.
  var number: UInt8
  /// The number of files for which there was no room.
  var leftOutCount: UInt32 = 0
  /// The number of files whose path cannot be printed in a line.
  var unnamedCount: UInt32 = 0
  /// The number of files and folders left out because they are on other devices than the data folder.
  var elsewhereCount: UInt32 = 0
  /// Whether files on other devices are listed too.
  let crossesDevices: Bool
  /// The present time, for the age of files.
  var unixSeconds: Int64 = 0

  /// A file that changed more recently than this may still be written to.
  private static var restNanoseconds: Int64 { 3_000_000_000 }

  /// Whether an entry is left out because of its device; if so, counts it.
  mutating func leavesOut(_ entry: borrowing FolderEntry) -> Bool {
    guard entry.isOnOtherDevice, !crossesDevices else { return false }
    elsewhereCount += 1
    return true
  }

  /// Indexes a file. One that may still be written to is left for a later pass.
  mutating func meet(
    _ entry: borrowing FolderEntry, at path: borrowing FixedText<256>, _ growing: borrowing GrowingTakes,
    _ index: inout MediaIndex
  ) {
    if let slot = index.slot(of: path.bytes) { index.meet(slot, passNumber: number) }
    guard !growing.contains(path.bytes), isAtRest(entry.modifiedNanoseconds) else { return }
    meetComplete(entry, at: path, &index)
  }

  /// Indexes a file that is known to be complete.
  /// - Returns: its slot; nil if it is left out.
  @discardableResult mutating func meetComplete(
    _ entry: borrowing FolderEntry, at path: borrowing FixedText<256>, _ index: inout MediaIndex
  ) -> UInt32? {
    guard let kind = LibraryPath.kind(of: path.bytes) else { return nil }
    guard path.isPrintable else {
      unnamedCount += 1
      return nil
    }
    guard let slot = index.slot(of: path.bytes) else {
      let slot = index.insert(path.bytes, kind: kind, entry, passNumber: number)
      if slot == nil { leftOutCount += 1 }
      return slot
    }
    index.meet(slot, passNumber: number)
    let (byteCount, modifiedNanoseconds) = (entry.byteCount, entry.modifiedNanoseconds)
    let known = index[slot]
    let isSame = known.byteCount == byteCount && known.modifiedNanoseconds == modifiedNanoseconds
    // A machine that was busy says nothing about the file: each pass tries it again.
    if !isSame || known.state == .unplayable(.tooSlow) { index.noteChange(of: slot, entry) }
    return slot
  }

  /// A modification time in the far future means a wrong clock, not a growing file.
  private func isAtRest(_ modifiedNanoseconds: Int64) -> Bool {
    let (now, tooLate) = unixSeconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (age, tooLong) = now.subtractingReportingOverflow(modifiedNanoseconds)
    return tooLate || tooLong || age.magnitude >= Self.restNanoseconds.magnitude
  }
}

/// The takes being written, which are not in the library yet.
struct GrowingTakes {
  /// As many as the recorder can have open.
  private var paths = InlineArray<4, FixedText<256>>(repeating: "")
  private var nextIndex = 0

  func contains(_ path: Span<UInt8>) -> Bool {
    for index in paths.indices where paths[index].bytes.equals(path) { return true }
    return false
  }

  func path(ofTake number: UInt32) -> FixedText<256>? {
    for index in paths.indices where number > 0 && LibraryPath.takeNumber(of: paths[index].bytes) == number {
      return paths[index]
    }
    return nil
  }

  /// If the list is full, the oldest is replaced.
  mutating func add(_ path: FixedText<256>) {
    guard !contains(path.bytes) else { return }
    for index in paths.indices where paths[index].isEmpty {
      paths[index] = path
      return
    }
    paths[nextIndex] = path
    nextIndex = (nextIndex + 1) % paths.count
  }

  mutating func remove(_ path: FixedText<256>) {
    for index in paths.indices where paths[index] == path { paths[index].removeAll() }
  }
}
