import Base
import Catalog
import Configuration
import Console
import Machine
import Media
import Wire

extension RetentionSettings {
  /// The rules in force, for the boot message.
  var line: FixedText<256> {
    guard !isOff else { return "retention: off, no take is removed" }
    var line: FixedText<256> = "retention: "
    if days > 0 {
      line.append("takes of today and the \(count: days, "day") before are kept, older ones removed" as FixedText<96>)
    }
    if days > 0, leastFreeByteCount > 0 { line.append("; ") }
    if leastFreeByteCount > 0 {
      line.append("the oldest are removed when less than \(size: leastFreeByteCount) is free" as FixedText<96>)
    }
    if takesOnlyCopied { line.append("; only takes marked as copied are removed") }
    return line
  }
}

extension PurgeEvent {
  func line(isDryRun: Bool) -> FixedText<400> {
    switch self {
    case .absent(let root): "\(root.name)/ does not exist: skipped"
    case .day(let day): day.line(isDryRun: isDryRun)
    case .stays(let path, let reason): "\(path) stays: \(reason.text)"
    case .failed(let folder, let failure): "nothing more is removed from \(folder)/ for now: \(failure.line)"
    }
  }
}

extension DaySummary {
  /// `video/20261101 removed: 12 files, 3.46 GB`
  func line(isDryRun: Bool) -> FixedText<400> {
    let files = Self.text(fileCount: fileCount, byteCount: byteCount)
    if fileCount == 0, !isGone { return "\(path): nothing to remove" }
    guard !isGone else { return isDryRun ? "\(path) would be removed: \(files)" : "\(path) removed: \(files)" }
    let verb: StaticString = isDryRun ? "would be removed" : "removed"
    return "\(path): \(files) \(verb); the rest stays"
  }

  static func text(fileCount: UInt32, byteCount: UInt64) -> FixedText<64> {
    "\(count: fileCount, "file"), \(size: byteCount)"
  }
}

extension PurgeSummary {
  /// The last line of a reply.
  func line(isDryRun: Bool) -> FixedText<256> {
    let files = DaySummary.text(fileCount: fileCount, byteCount: byteCount)
    let verb: StaticString = isDryRun ? "would be removed" : "removed"
    return "\(count: folderCount, "folder") and \(files) \(verb)"
  }
}

extension SealVerdict {
  /// The verdict on the take at `path`.
  func line(_ path: FixedText<128>) -> FixedText<448> {
    switch self {
    case .whole(let parts): return "\(path) is whole: \(parts.text)"
    case .notSealed where path.bytes.removingPrefix("photo/") != nil:
      return "\(path) is a still: only takes have a seal"
    case .notSealed: return "\(path) has no seal: an earlier version recorded it, or another program changed it"
    case .forged: return "\(path) has a seal whose signature does not match the key: somebody has changed it"
    case .damaged(let damage): return "\(path) is not as it was recorded: there is damage in \(damage.text)"
    case .hashesDamaged: return "\(path) cannot be compared: the list of its hashes is damaged"
    case .shortened(let byteCount): return "\(path) is not whole: it ends at byte \(byteCount)"
    case .ledgerChanged:
      return "\(path) has the sound and the pictures that were recorded, but somebody has changed its ledger"
    case .ledgerShortened:
      return "\(path) has the sound and the pictures that were recorded; the last entries of its ledger are lost"
    case .restChanged:
      return """
        \(path) has the sound and the pictures that were sealed while they were recorded, but the rest of the file, such \
        as tables and date, is not as it was sealed
        """
    }
  }
}

extension SealedParts {
  fileprivate var text: FixedText<320> {
    let device = Self.text(isOwn ? nil : key)
    guard contentByteCount > 0 else {
      return "it was interrupted before anything was sealed, and is as \(device) sealed it when it was repaired"
    }
    var text: FixedText<320> = "its \(grouped: contentByteCount) bytes are as \(device) recorded them"
    switch (isEnded, rest) {
    case (true, .finished), (true, .repaired): break
    case (true, nil): text.append("; its tables and its date are not sealed")
    case (false, nil): text.append("; it was interrupted, and its last seconds are not sealed")
    case (false, _):
      text.append(
        "; it was interrupted, and what follows byte \(contentEnd) was sealed when it was repaired" as FixedText<128>)
    }
    if let restKey { text.append("; the rest was sealed by \(Self.text(restKey))" as FixedText<128>) }
    return text
  }

  private static func text(_ key: KeyBytes?) -> FixedText<96> {
    guard let key else { return "this device" }
    return "the device with the key \(key.text)"
  }
}

extension ContentDamage {
  /// `bytes 4096 to 100351, 0:00:02.000 to 0:00:02.500, and in 2 more places`
  fileprivate var text: FixedText<160> {
    var text: FixedText<160> = "bytes \(start) to \(end - 1), "
    let (from, to) = (UInt64(startMilliseconds), UInt64(endMilliseconds))
    text.append("\(elapsedMilliseconds: from) to \(elapsedMilliseconds: to)" as FixedText<64>)
    if furtherCount > 0 { text.append(", and in \(count: furtherCount, "more place")" as FixedText<64>) }
    return text
  }
}

extension VerificationProgress {
  /// `12 %, 492 of 4,100 MB`
  var text: FixedText<96> {
    let percent = fileByteCount == 0 ? 100 : min(byteCount, fileByteCount) * 100 / fileByteCount
    let part: FixedText<96> =
      "\(percent) %, \(grouped: byteCount / 1_000_000) of \(grouped: fileByteCount / 1_000_000) MB"
    return number > 0 ? "take \(grouped: number): \(part)" : part
  }
}

extension ListedTake {
  /// Prints the head of a list of takes.
  static func reportHead(_ console: inout ConsoleSession) {
    console.beginReport(.lines)
    console.head("number              when    length      size  turned  marks  faults")
  }

  /// Reports the take in 69 columns and its name, or as an object of its own.
  func report(_ form: StatusForm, _ localTime: LocalTime, _ console: inout ConsoleSession) {
    console.beginReport(form)
    let unixSeconds = recordedUnixSeconds ?? TakeFilePath(path)?.unixSeconds ?? 0
    let time = localTime.civilTime(unixSeconds: unixSeconds)
    let day: FixedText<16> = "\(time.isoDate)"
    console.cell("number", .count(number), as: "\(number)", columns: 6)
    console.member("path", text: path.bytes)
    console.member("recorded", text: CivilTime(unixSeconds: unixSeconds).iso8601.bytes)
    console.shown("\(day) \(time.hour, width: 2):\(time.minute, width: 2)", columns: 18)
    console.member("bytes", .size(byteCount))
    console.cell("milliseconds", .count(milliseconds), as: Self.length(milliseconds), columns: 10)
    console.shown("\(size: byteCount)", columns: 10)
    console.cell(
      "clockwise_degrees", .count(clockwiseDegrees), as: clockwiseDegrees.map { "\($0)°" } ?? "-", columns: 8)
    console.cell("marks", .count(markCount), as: "\(markCount)", columns: 7)
    console.cell("faults", .count(faultCount), as: "\(faultCount)", columns: 8)
    console.member("protected", .flag(isProtected))
    console.member("recording", .flag(state == .growing))
    switch state {
    case .complete: break
    case .growing: console.shown("  \(console.words("recording"))")
    case .leftOpen: console.shown("  \(console.words("not complete"))")
    case .unreadable: console.shown("  \(console.words("cannot be read"))")
    }
    if isProtected { console.shown("  \(console.words("protected"))") }
    if !name.text.isEmpty { console.shown("  \(name.text.printable)") }
    if name.isDamaged { console.shown("  \(console.words("the file with its name is damaged"))") }
    console.member("name", text: name.text.bytes)
    form == .lines ? console.endRow() : console.endPart()
  }

  private static func length(_ milliseconds: UInt64?) -> FixedText<96> {
    guard let milliseconds else { return "-" }
    let seconds = (milliseconds + 500) / 1000
    return "\(seconds / 3600):\(seconds / 60 % 60, width: 2):\(seconds % 60, width: 2)"
  }
}
