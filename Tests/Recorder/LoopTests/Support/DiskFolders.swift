import Port
import TestSupport
import Text

/// The folders of a disk in memory, and the files of a scripted decoder, which lie nowhere.
struct DiskFolders: MediaFolders, ~Copyable {
  let disk: MemoryDisk
  let decoder: DecoderModel

  mutating func forEachEntry(
    of folder: borrowing FixedText<256>, from place: UInt64, _ visit: (borrowing FolderEntry) -> Bool
  ) throws(DeviceFailure) -> UInt64? {
    let prefix = String(copy folder) + "/"
    let names = disk.image.names.keys.filter { $0.hasPrefix(prefix) }.map { $0.dropFirst(prefix.count) }
    guard !names.isEmpty else { throw Self.absent }
    let entries = Set(names.map { $0.split(separator: "/")[0] }).sorted()
    for (index, name) in entries.enumerated().dropFirst(Int(place)) {
      let goesOn = visit(entry(String(name), isFolder: !names.contains(name), of: prefix))
      guard goesOn else { return UInt64(index + 1) }
    }
    return nil
  }

  mutating func entry(at path: borrowing FixedText<256>) throws(DeviceFailure) -> FolderEntry {
    let name = String(copy path)
    guard disk.image[name] != nil || decoder.files[name] != nil else { throw Self.absent }
    return entry(String(name.split(separator: "/").last ?? ""), isFolder: false, of: "")
  }

  private func entry(_ name: String, isFolder: Bool, of prefix: String) -> FolderEntry {
    FolderEntry(
      name: FixedText(name), isFolder: isFolder, byteCount: UInt64(disk.image[prefix + name]?.count ?? 0),
      modifiedNanoseconds: 0)
  }

  private static var absent: DeviceFailure {
    DeviceFailure(device: .storage, kind: .absent, subject: "", problem: "is not there", remedy: "look for it")
  }
}
