import Base
import Machine
import Record

/// The folders that contain takes, in the order in which they are purged.
struct TakeRoots {
  static var count: Int { 3 }

  static func root(_ index: Int) -> MediaKind {
    switch index {
    case 0: .video
    case 1: .audio
    default: .photo
    }
  }
}

/// The folder of a day, `video/20261121`.
struct DayPath: BitwiseCopyable {
  let rootIndex: Int
  /// Days since 1970-01-01.
  let day: Int64

  var root: MediaKind { TakeRoots.root(rootIndex) }

  var path: FixedText<128> {
    "\(root.name)/\(CivilTime(unixSeconds: day * 86_400).dateText)"
  }

  /// Whether it precedes another one: by day, then by root.
  func precedes(_ other: DayPath) -> Bool {
    day < other.day || (day == other.day && rootIndex < other.rootIndex)
  }
}

/// A walk through all day folders, root by root, each in the order of names.
struct DayCursor {
  private var rootIndex = 0
  private var lastName: FixedText<256> = ""

  /// - Returns: the next folder; nil after the last.
  mutating func next(_ folders: inout Storage) throws(DeviceFailure) -> FixedText<128>? {
    while rootIndex < TakeRoots.count {
      let root = TakeRoots.root(rootIndex)
      let found = try folders.firstNameIfThere(in: "\(root.name)", after: lastName) {
        CivilTime.dayNumber(ofDateText: $0.bytes) != nil
      }
      guard let name = found else {
        rootIndex += 1
        lastName = ""
        continue
      }
      lastName = name
      return "\(root.name)/\(name)"
    }
    return nil
  }
}

/// The path of a take or a still, `video/20261121/20261121_021005_0001.mov`.
package struct TakeFilePath: Sendable {
  /// `video/20261121`.
  let folder: FixedText<128>
  /// NNNN.
  package let number: UInt32
  /// The time in the name, in seconds since 1970-01-01 UTC.
  package let unixSeconds: Int64
  let isStill: Bool

  /// - Returns: nil for any other path.
  @export(interface)
  package init?(_ path: borrowing FixedText<128>) {
    guard !path.isTruncated else { return nil }
    let folder = path.parentFolder
    guard let root = LibraryPath.root(of: path.bytes), root != .music, folder.parentFolder == root.name,
      let day = CivilTime.dayNumber(ofDateText: folder.lastPart), let name = TakeName(path.lastPart, of: root)
    else { return nil }
    self.folder = folder
    number = name.number
    unixSeconds = name.unixSeconds(inFolderOf: day)
    isStill = root == .photo
  }
}

extension FixedText {
  /// Whether it precedes another text, compared byte by byte.
  func precedes(_ other: borrowing Self) -> Bool {
    let shared = min(byteCount, other.byteCount)
    for index in 0..<shared where bytes[index] != other.bytes[index] { return bytes[index] < other.bytes[index] }
    return byteCount < other.byteCount
  }
}

/// Where a deleted take is kept: its day and its name, `bin/20261121-20261121_021005_0001.mov`. The names sort by time and
/// tell where the take comes from. The bin is on the takes' card, so that one rename moves a take.
enum BinPath {
  static var folder: FixedText<128> { "bin" }

  /// - Parameter path: of a take that is not deleted.
  static func path(of path: FixedText<128>) -> FixedText<128> {
    "\(folder)/\(FixedText<16>(path.parentFolder.lastPart))-\(FixedText<48>(path.lastPart))"
  }

  /// Where a take was before it was deleted; nil if the name is not that of a take.
  static func origin(of name: Span<UInt8>) -> FixedText<128>? {
    guard name.count > 9, name[8] == UInt8(ascii: "-") else { return nil }
    let day = FixedText<16>(name.extracting(first: 8))
    let file = FixedText<48>(name.extracting(droppingFirst: 9))
    for index in 0..<TakeRoots.count {
      let path: FixedText<128> = "\(TakeRoots.root(index).name)/\(day)/\(file)"
      if TakeFilePath(path) != nil { return path }
    }
    return nil
  }
}

/// What the user enters for a complete take, and where it is stored: `names/0001`, `remarks/0001`. Neither a new date
/// nor the bin moves it, and a number is never reused.
enum EnteredText {
  case name
  case remarks

  var folder: FixedText<128> { self == .name ? "names" : "remarks" }

  func path(ofTake number: UInt32) -> FixedText<128> { "\(folder)/\(number, width: 4)" }

  /// The take whose text is stored in a file of this name; nil for any other file.
  static func number(in name: Span<UInt8>) -> UInt32? { name.parseInteger(as: UInt32.self) }
}

extension Storage {
  /// Whether the storage worker's journal lists the file at this path, or a file in that folder, as open.
  mutating func hasOpenFile(at path: borrowing FixedText<128>) throws(DeviceFailure) -> Bool {
    // TakeJournal.largestByteCount.
    var bytes = InlineArray<2048, UInt8>(repeating: 0)
    let byteCount = try readIfThere(TakeJournal.path, into: &bytes)
    return TakeJournal.hasOpenFile(at: path, journal: bytes.span.extracting(first: byteCount))
  }

  /// The first name in a folder after another one, in byte order; nil after the last. The folder is listed again each
  /// time, because a position in it would not survive the removal of entries.
  mutating func firstName(
    in folder: borrowing FixedText<128>, after last: FixedText<256>,
    where isWanted: (borrowing FixedText<256>) -> Bool = { _ in true }
  ) throws(DeviceFailure) -> FixedText<256>? {
    var first: FixedText<256>?
    try forEachName(in: folder) { entry in
      guard last.precedes(entry.name), isWanted(entry.name) else { return }
      if let best = first, !entry.name.precedes(best) { return }
      first = entry.name
    }
    return first
  }

  /// The same; nil also for a missing folder.
  mutating func firstNameIfThere(
    in folder: borrowing FixedText<128>, after last: FixedText<256>,
    where isWanted: (borrowing FixedText<256>) -> Bool = { _ in true }
  ) throws(DeviceFailure) -> FixedText<256>? {
    do throws(DeviceFailure) { return try firstName(in: folder, after: last, where: isWanted) } catch {
      guard error.kind == .absent else { throw error }
      return nil
    }
  }

  /// Visits the entries of a folder. Anything that is not a folder, or has vanished meanwhile, has none.
  mutating func visitEntries(
    of folder: borrowing FixedText<128>, isExamined: Bool = false, _ visit: (borrowing FolderEntry) -> Void
  ) throws(DeviceFailure) {
    do throws(DeviceFailure) {
      _ = try forEachEntry(of: FixedText(folder.bytes), from: 0, isExamined: isExamined) { entry in
        visit(entry)
        return true
      }
    } catch {
      guard error.kind == .absent || error.kind == .unsupported else { throw error }
    }
  }

  /// The entry at a path; nil if there is none.
  mutating func find(_ path: borrowing FixedText<128>) throws(DeviceFailure) -> FolderEntry? {
    do throws(DeviceFailure) {
      return try entry(at: FixedText(path.bytes))
    } catch {
      guard error.kind == .absent else { throw error }
      return nil
    }
  }

  /// Reads the beginning of a small file.
  /// - Returns: the number of bytes read; 0 if there is no such file.
  mutating func readIfThere<let capacity: Int>(
    _ path: borrowing FixedText<128>, into bytes: inout InlineArray<capacity, UInt8>
  ) throws(DeviceFailure) -> Int {
    try readStart(of: copy path, into: &bytes) ?? 0
  }

  /// Removes a take, and then the user's name and remarks for it. If the power fails in between, they remain, and no
  /// other take gets them.
  mutating func removeTake(_ number: UInt32, at path: borrowing FixedText<128>) throws(DeviceFailure) {
    try remove(path)
    try removeIfThere(EnteredText.name.path(ofTake: number))
    try removeIfThere(EnteredText.remarks.path(ofTake: number))
  }

  /// Removes a file if it exists.
  mutating func removeIfThere(_ path: borrowing FixedText<128>) throws(DeviceFailure) {
    do throws(DeviceFailure) { try remove(path) } catch { guard error.kind == .absent else { throw error } }
  }
}
