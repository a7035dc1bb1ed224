import Retention
import Sealing
import Text

extension RetentionPolicy {
  /// What is in force, for the boot message.
  var line: FixedText<256> {
    guard !isOff else { return "retention: off, no take is removed" }
    var line: FixedText<256> = "retention: "
    if days > 0 {
      line.append("takes of today and the \(grouped: days) days before stay, older ones go" as FixedText<96>)
    }
    if days > 0, leastFreeByteCount > 0 { line.append("; ") }
    if leastFreeByteCount > 0 {
      line.append("the oldest go when less than \(size: leastFreeByteCount) are free" as FixedText<96>)
    }
    if takesOnlyCopied { line.append("; only what is marked as copied goes") }
    return line
  }
}

extension DaySummary {
  /// `video/20261101 removed: 12 files, 3.46 GB`
  func line(isDryRun: Bool) -> FixedText<400> {
    let files = Self.text(fileCount: fileCount, byteCount: byteCount)
    if fileCount == 0, !isGone { return "\(path): nothing goes" }
    guard !isGone else { return isDryRun ? "\(path) goes: \(files)" : "\(path) removed: \(files)" }
    let verb: StaticString = isDryRun ? "would go" : "removed"
    return "\(path): \(files) \(verb); the rest stays"
  }

  static func text(fileCount: UInt32, byteCount: UInt64) -> FixedText<64> {
    let noun: StaticString = fileCount == 1 ? "file" : "files"
    return "\(grouped: fileCount) \(noun), \(size: byteCount)"
  }
}

extension PurgeSummary {
  /// The last line of a reply.
  func line(isDryRun: Bool) -> FixedText<256> {
    let files = DaySummary.text(fileCount: fileCount, byteCount: byteCount)
    let noun: StaticString = folderCount == 1 ? "folder" : "folders"
    let verb: StaticString = isDryRun ? "would be removed" : "removed"
    return "\(grouped: folderCount) \(noun) and \(files) \(verb)"
  }
}

extension SealVerdict {
  var isWhole: Bool { if case .whole = self { true } else { false } }

  /// The verdict on the take at `path`.
  func line(_ path: FixedText<128>) -> FixedText<256> {
    switch self {
    case .whole(let byteCount, let isOwn, let key, let isEnded):
      let device: FixedText<96> = isOwn ? "this device" : "the device with the key \(key.text)"
      let rest: StaticString =
        isEnded ? "" : "; it was interrupted, and its last seconds are not sealed"
      return "\(path) is whole: its \(grouped: byteCount) bytes are as \(device) has recorded them\(rest)"
    case .notSealed: return "\(path) has no seal: an earlier version has recorded it, or another program has changed it"
    case .forged: return "\(path) has a seal with a signature that is not the key's: somebody has changed it"
    case .damaged(let start, let end):
      return "\(path) is not as it was recorded: there is damage in bytes \(start) to \(end - 1)"
    case .shortened(let byteCount): return "\(path) is not whole: it ends at byte \(byteCount)"
    case .ledgerChanged:
      return "\(path) has the sound and the pictures that were recorded, but somebody has changed its ledger"
    case .ledgerShortened:
      return "\(path) has the sound and the pictures that were recorded; the last entries of its ledger are lost"
    }
  }
}
