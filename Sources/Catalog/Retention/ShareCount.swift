import Base
import Machine

/// Counts what takes, stills and the bin have of the card: each step one folder.
struct ShareCount {
  let ticket: RetentionTicket
  private(set) var shares = TakeShares()
  private var rootIndex = 0
  private var lastDay: FixedText<256> = ""

  init(_ ticket: RetentionTicket) { self.ticket = ticket }

  /// Counts the next folder.
  /// - Returns: whether that was the last.
  mutating func step(_ folders: inout Storage) throws(DeviceFailure) -> Bool {
    guard rootIndex < TakeRoots.count else {
      shares.binByteCount = try Self.byteCount(of: BinPath.folder, &folders)
      return true
    }
    let root = TakeRoots.root(rootIndex)
    var next: FixedText<256>?
    do throws(DeviceFailure) { next = try folders.firstName(in: "\(root.name)", after: lastDay) } catch {
      guard error.kind == .absent else { throw error }
    }
    guard let day = next else {
      rootIndex += 1
      lastDay = ""
      return false
    }
    lastDay = day
    guard CivilTime.dayNumber(ofDateText: day.bytes) != nil else { return false }
    let byteCount = try Self.byteCount(of: "\(root.name)/\(day)", &folders)
    if root == .photo { shares.stillByteCount += byteCount } else { shares.takeByteCount += byteCount }
    return false
  }

  /// What is no folder, or vanished meanwhile, has nothing.
  private static func byteCount(
    of folder: FixedText<128>, _ folders: inout Storage
  ) throws(DeviceFailure) -> UInt64 {
    var byteCount: UInt64 = 0
    do throws(DeviceFailure) {
      _ = try folders.forEachEntry(of: FixedText(folder.bytes), from: 0) { entry in
        if entry.kind == .file { byteCount += entry.byteCount }
        return true
      }
    } catch {
      guard error.kind == .absent || error.kind == .unsupported else { throw error }
    }
    return byteCount
  }
}
