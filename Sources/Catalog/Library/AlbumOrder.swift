import Base

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
