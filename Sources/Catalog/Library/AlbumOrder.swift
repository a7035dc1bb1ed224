import Base

/// In which order the files of one folder are played: an album's by disc and track, all others by name.
///
/// A folder is an album's if no two of its files have the same place on one, and it has few files: many songs of many
/// albums in one folder, or in the folder for music itself, stay in the order of their names. Subfolders keep their
/// places among the files.
struct AlbumOrder: ~Copyable {
  /// The most files of an album's folder.
  private static var capacity: Int { 256 }

  private var folder = FixedText<256>()
  /// The index's ``MediaIndex/changeCount`` when it was read.
  private var changeCount: UInt64?
  private var fileCount = 0
  /// Where the files are in the order of names.
  private var places = InlineArray<256, UInt32>(repeating: 0)
  /// What is played there.
  private var slots = InlineArray<256, UInt32>(repeating: 0)

  /// The slot of the file that is played at a place of the order of names.
  mutating func slot(at place: Int, in index: borrowing MediaIndex) -> UInt32 {
    let slot = index.slot(at: place)
    guard index[slot].kind == .music else { return slot }
    read(folderOf: slot, index)
    for file in 0..<fileCount where places[file] == place { return slots[file] }
    return slot
  }

  /// The place at which the file is played that is at a place of the order of names.
  mutating func place(of place: Int, in index: borrowing MediaIndex) -> Int {
    let slot = index.slot(at: place)
    guard index[slot].kind == .music else { return place }
    read(folderOf: slot, index)
    for file in 0..<fileCount where slots[file] == slot { return Int(places[file]) }
    return place
  }

  /// Leaves ``fileCount`` at 0 when the folder is no album's.
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

  /// By insertion, which keeps the order of names among files without a number; these come last.
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
