import Base
import Machine

/// A scan of one of the library's folders and its subfolders, a few entries at a time.
struct FolderScan {
  /// How deep subfolders may be nested.
  static var deepest: Int { 8 }

  let kind: MediaKind
  private(set) var folder: FixedText<256>
  private var depth = 0
  /// Where the scan of each folder on the path continues; nil: it is scanned.
  private var places = InlineArray<9, UInt64?>(repeating: 0)

  init(_ kind: MediaKind) {
    self.kind = kind
    folder = "\(kind.name)"
  }

  /// Scans at most `entryCount` more entries of one folder.
  /// - Returns: false when all are scanned.
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

  /// Whether the library's folder itself is on another device.
  private func isLeftOut(_ folders: inout Storage, _ pass: inout LibraryPass) -> Bool {
    do throws(DeviceFailure) { return pass.leavesOut(try folders.entry(at: folder)) } catch { return false }
  }

  private mutating func enter(_ name: FixedText<256>) {
    let path: FixedText<256> = "\(folder)/\(name)"
    guard !path.isTruncated, depth < Self.deepest, kind == .music || (depth == 0 && isDay(name)) else { return }
    folder = path
    depth += 1
    places[depth] = 0
  }

  private mutating func leave() -> Bool {
    guard depth > 0 else { return false }
    depth -= 1
    folder = FixedText(LibraryPath.parent(of: folder.bytes))
    return true
  }

  /// `yyyyMMdd`.
  private func isDay(_ name: FixedText<256>) -> Bool {
    name.byteCount == 8 && name.bytes.parseInteger(as: UInt32.self) != nil
  }
}
