import Base
import Machine
import TestSupport

/// The folders of a ``FakeCard``. A place is the index of an entry, so in a folder that changes between two calls
/// entries are skipped or listed twice.
struct FakeFolders: PartialStorage, ~Copyable {
  let card: FakeCard

  mutating func forEachEntry(
    of folder: borrowing FixedText<256>, from place: UInt64, isExamined: Bool,
    _ visit: (borrowing FolderEntry) -> Bool
  ) throws(DeviceFailure) -> UInt64? {
    let name = String(copy folder)
    guard let entries = card.entries(of: name) else { throw failure(.absent) }
    var place = Int(place)
    var told = 0
    while place < entries.count {
      if let limit = card.brokenFolders[name], told == limit { throw failure(.failed) }
      card.entryCount += 1
      told += 1
      place += 1
      guard visit(entries[place - 1]) else { return UInt64(place) }
    }
    return nil
  }

  mutating func entry(at path: borrowing FixedText<256>) throws(DeviceFailure) -> FolderEntry {
    let name = String(copy path)
    card.entryCount += 1
    if card.brokenFiles.contains(name) { throw failure(.failed) }
    let last = name.split(separator: "/").last ?? ""
    if let file = card.files[name] {
      return FolderEntry(
        name: FixedText(String(last)), kind: .file, byteCount: file.byteCount,
        modifiedNanoseconds: file.modifiedNanoseconds, isOnOtherDevice: card.isElsewhere(name))
    }
    guard card.entries(of: name == "/" ? "" : name) != nil else { throw failure(.absent) }
    return FolderEntry(
      name: FixedText(String(last)), kind: .folder,
      isOnOtherDevice: card.isElsewhere(name))
  }

  private func failure(_ kind: DeviceFailure.Kind) -> DeviceFailure {
    DeviceFailure(device: .storage, kind: kind, subject: "", problem: "broke", remedy: "mend it")
  }
}
