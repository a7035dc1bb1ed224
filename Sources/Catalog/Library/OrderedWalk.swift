import Base
import Machine
import Wire

/// Walks in order through a folder that is not indexed, and its subfolders. Folders list their entries unsorted, so the
/// next few names are selected from all of them each time.
@safe struct OrderedWalk: ~Copyable {
  private struct Name: BitwiseCopyable {
    var text: FixedText<256>
    var isFolder: Bool
  }

  /// A folder of n files is listed n/256 times.
  private static var nameCapacity: Int { 256 }

  // Safe: a block of boot memory with no other owner; only the first `nameCount` names are ever read.
  private let names: UnsafeMutableBufferPointer<Name>
  private var nameCount = 0
  private var nextName = 0
  /// Whether nothing follows the last of ``names``.
  private var isWhole = false
  private var folder: FixedText<256> = ""
  private var depth = 0
  /// The last name returned from the folder.
  private var lastName: FixedText<256> = ""

  enum Step {
    case file(FixedText<256>)
    /// Call again.
    case onTheWay
    case end
  }

  init?(in memory: inout BootMemory) {
    guard let names = unsafe memory.cut(byteCount: Self.nameCapacity * MemoryLayout<Name>.stride) else { return nil }
    unsafe self.names = names.bindMemory(to: Name.self)
  }

  /// Begins a walk at a folder.
  mutating func begin(_ folder: FixedText<256>) {
    self.folder = folder
    depth = 0
    forgetNames(after: "")
  }

  /// The next file with a playable extension, or a step towards it: at most one folder is listed.
  mutating func next(_ folders: inout Storage) -> Step {
    guard nextName < nameCount else {
      if isWhole { return leave() }
      pickNames(&folders)
      return .onTheWay
    }
    let name = unsafe names[nextName]
    nextName += 1
    lastName = name.text
    let separator: StaticString = folder == "/" ? "" : "/"
    let path: FixedText<256> = "\(folder)\(separator)\(name.text)"
    guard !path.isTruncated, path.isPrintable else { return .onTheWay }
    if name.isFolder { return enter(path) }
    return LibraryPath.isPlayedByName(path.bytes) ? .file(path) : .onTheWay
  }

  private mutating func enter(_ path: FixedText<256>) -> Step {
    guard depth < FolderScan.deepest else { return .onTheWay }
    folder = path
    depth += 1
    forgetNames(after: "")
    return .onTheWay
  }

  private mutating func leave() -> Step {
    guard depth > 0 else { return .end }
    depth -= 1
    let name = FixedText<256>(folder.lastPart)
    folder = FixedText(LibraryPath.parent(of: folder.bytes))
    forgetNames(after: name)
    return .onTheWay
  }

  private mutating func forgetNames(after name: FixedText<256>) {
    lastName = name
    nameCount = 0
    nextName = 0
    isWhole = false
  }

  private mutating func pickNames(_ folders: inout Storage) {
    nameCount = 0
    nextName = 0
    isWhole = true
    let folder = folder
    do throws(DeviceFailure) {
      // Lists the whole folder: `visit` never returns false.
      _ = try folders.forEachEntry(of: folder, from: 0) { entry in
        consider(entry)
        return true
      }
    } catch {
      // A folder that cannot be listed counts as empty.
    }
  }

  /// Keeps the name if it is among the first ones after ``lastName``.
  private mutating func consider(_ entry: borrowing FolderEntry) {
    guard Self.precedes(lastName, entry.name) else { return }
    let name = Name(text: entry.name, isFolder: entry.isFolder)
    let isLeftOut = unsafe names.insert(name, count: &nameCount, limit: Self.nameCapacity) {
      Self.precedes($0.text, $1.text)
    }
    if isLeftOut { isWhole = false }
  }

  private static func precedes(_ left: borrowing FixedText<256>, _ right: borrowing FixedText<256>) -> Bool {
    LibraryPath.precedes(left.bytes, takeNumber: 0, right.bytes, takeNumber: 0)
  }
}

extension UnsafeMutableBufferPointer where Element: BitwiseCopyable {
  /// Inserts an item among the first `count`, which are in order. Of more than `limit`, the last is left out.
  /// - Returns: whether one was.
  @discardableResult
  func insert(_ item: Element, count: inout Int, limit: Int, precedes: (Element, Element) -> Bool) -> Bool {
    var place = count
    while place > 0, unsafe precedes(item, self[place - 1]) { place -= 1 }
    let isFull = count >= limit
    guard place < limit else { return true }
    if !isFull { count += 1 }
    for index in (place..<count - 1).reversed() { unsafe self[index + 1] = self[index] }
    unsafe self[place] = item
    return isFull
  }
}

/// The playing order of the files in one folder: an album's by disc and track, all others by name.
///
/// A folder counts as an album if no two of its files have the same place on one, and it has few files: a folder with
/// many songs of many albums, or the music folder itself, keeps the order of names. Subfolders keep their places among
/// the files.
struct AlbumOrder: ~Copyable {
  /// The most files in an album's folder.
  private static var capacity: Int { 256 }

  private var folder = FixedText<256>()
  /// The index's ``MediaIndex/changeCount`` when the folder was read.
  private var changeCount: UInt64?
  private var fileCount = 0
  /// The files' places in the order of names.
  private var places = InlineArray<256, UInt32>(repeating: 0)
  /// The slots of the files that play at these places.
  private var slots = InlineArray<256, UInt32>(repeating: 0)

  /// The slot of the file that plays at a place of the order of names.
  mutating func slot(at place: Int, in index: borrowing MediaIndex) -> UInt32 {
    let slot = index.slot(at: place)
    guard index[slot].kind == .music else { return slot }
    read(folderOf: slot, index)
    for file in 0..<fileCount where places[file] == place { return slots[file] }
    return slot
  }

  /// The place at which a file plays, given its place in the order of names.
  mutating func place(of place: Int, in index: borrowing MediaIndex) -> Int {
    let slot = index.slot(at: place)
    guard index[slot].kind == .music else { return place }
    read(folderOf: slot, index)
    for file in 0..<fileCount where slots[file] == slot { return Int(places[file]) }
    return place
  }

  /// Reads the folder. If it is not an album, ``fileCount`` stays 0.
  private mutating func read(folderOf slot: UInt32, _ index: borrowing MediaIndex) {
    let parent = LibraryPath.parent(of: index.path(of: slot))
    if changeCount == index.changeCount, folder.bytes.equals(parent) { return }
    folder = FixedText(parent)
    changeCount = index.changeCount
    fileCount = 0
    guard folder != "music" else { return }
    collect(index)
    sort(index)
  }

  private mutating func collect(_ index: borrowing MediaIndex) {
    let inside: FixedText<256> = "\(folder)/"
    var place = index.place(of: inside.bytes).place
    while place < index.count, index.path(of: index.slot(at: place)).starts(with: inside.bytes) {
      let slot = index.slot(at: place)
      if LibraryPath.parent(of: index.path(of: slot)).count == folder.byteCount {
        guard fileCount < Self.capacity else { return fileCount = 0 }
        places[fileCount] = UInt32(place)
        slots[fileCount] = slot
        fileCount += 1
      }
      place += 1
    }
  }

  /// Insertion sort, which keeps the order of names among files without a number; these come last.
  private mutating func sort(_ index: borrowing MediaIndex) {
    for end in 1..<max(fileCount, 1) {
      let slot = slots[end]
      let number = index[slot].albumPlace
      var file = end
      while number != 0, file > 0 {
        let other = index[slots[file - 1]].albumPlace
        if other == number { return fileCount = 0 }
        guard other == 0 || other > number else { break }
        slots[file] = slots[file - 1]
        file -= 1
      }
      slots[file] = slot
    }
  }
}
