import Base
import Catalog
import Console
import Media
import Wire

/// The list that `takes` prints.
struct TakeLines {
  let form: StatusForm
  let localTime: LocalTime

  private static var titles: InlineArray<7, StaticString> {
    ["number", "when", "length", "size", "turned", "marks", "faults"]
  }

  /// 69 columns, and the name.
  private static func columns(_ index: Int) -> Int {
    let columns: InlineArray<7, Int> = [6, 18, 10, 10, 8, 7, 8]
    return columns[index]
  }

  func head(_ console: borrowing ConsoleSession) -> FixedText<256> {
    var line = FixedText<256>()
    for index in Self.titles.indices {
      line.append(right: FixedText(console.words(Self.titles[index]).bytes), columns: Self.columns(index))
    }
    return line
  }

  func line(_ take: ListedTake, _ console: borrowing ConsoleSession) -> FixedText<320> {
    form == .json ? json(take) : row(take, console)
  }

  private func row(_ take: ListedTake, _ console: borrowing ConsoleSession) -> FixedText<320> {
    var line = FixedText<256>()
    let time = localTime.civilTime(unixSeconds: take.unixSeconds)
    let date: FixedText<16> = "\(time.isoDate)"
    line.append(right: "\(take.number)", columns: Self.columns(0))
    line.append(right: "\(date) \(time.hour, width: 2):\(time.minute, width: 2)", columns: Self.columns(1))
    var length: FixedText<32> = "-"
    if let milliseconds = take.milliseconds {
      let seconds = (milliseconds + 500) / 1000
      length = "\(seconds / 3600):\(seconds / 60 % 60, width: 2):\(seconds % 60, width: 2)"
    }
    line.append(right: length, columns: Self.columns(2))
    line.append(right: "\(size: take.byteCount)", columns: Self.columns(3))
    line.append(right: take.clockwiseDegrees.map { "\($0)°" as FixedText<32> } ?? "-", columns: Self.columns(4))
    line.append(right: "\(take.markCount)", columns: Self.columns(5))
    line.append(right: "\(take.faultCount)", columns: Self.columns(6))
    if take.isOpen { line.append("  \(console.words("recording"))" as FixedText<64>) }
    if take.isProtected { line.append("  \(console.words("protected"))" as FixedText<64>) }
    if !take.name.isEmpty { line.append("  \(take.name.printable)" as FixedText<80>) }
    return FixedText(line.bytes)
  }

  private func json(_ take: ListedTake) -> FixedText<320> {
    var line: FixedText<320> = "{\"number\":\(take.number),\"path\":\"\(json: take.path)\","
    line.append("\"recorded\":\"\(CivilTime(unixSeconds: take.unixSeconds).iso8601)\"," as FixedText<64>)
    line.append("\"bytes\":\(take.byteCount),\"milliseconds\":" as FixedText<64>)
    line.append(Self.number(take.milliseconds))
    line.append(",\"clockwise_degrees\":")
    line.append(Self.number(take.clockwiseDegrees.map { UInt64($0) }))
    line.append(",\"marks\":\(take.markCount),\"faults\":\(take.faultCount)" as FixedText<64>)
    line.append(",\"protected\":\(take.isProtected),\"recording\":\(take.isOpen)" as FixedText<64>)
    line.append(",\"name\":\"\(json: take.name)\"}" as FixedText<160>)
    return line
  }

  private static func number(_ number: UInt64?) -> FixedText<32> { number.map { "\($0)" as FixedText<32> } ?? "null" }
}

extension ListedTake {
  /// Its first instant, by its name: seconds since 1970.
  fileprivate var unixSeconds: Int64 {
    let day = CivilTime.dayNumber(ofDateText: path.parentFolder.lastPart) ?? 0
    let name = path.lastPart
    func part(_ range: Range<Int>) -> Int64 { name.extracting(range).parseInteger(as: Int64.self) ?? 0 }
    return day * 86_400 + part(0..<2) * 3600 + part(2..<4) * 60 + part(4..<6)
  }
}

extension RetentionPolicy {
  /// What is in force, for the boot message.
  var line: FixedText<256> {
    guard !isOff else { return "retention: off, no take is removed" }
    var line: FixedText<256> = "retention: "
    if days > 0 {
      line.append("takes of today and the \(grouped: days) days before are kept, older ones removed" as FixedText<96>)
    }
    if days > 0, leastFreeByteCount > 0 { line.append("; ") }
    if leastFreeByteCount > 0 {
      line.append("the oldest are removed when less than \(size: leastFreeByteCount) is free" as FixedText<96>)
    }
    if takesOnlyCopied { line.append("; only takes marked as copied are removed") }
    return line
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
  /// The verdict on the take at `path`.
  func line(_ path: FixedText<128>) -> FixedText<448> {
    switch self {
    case .whole(let parts): return "\(path) is whole: \(parts.text)"
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
    text.append("\(Self.time(startMilliseconds)) to \(Self.time(endMilliseconds))" as FixedText<64>)
    let noun: StaticString = furtherCount == 1 ? "place" : "places"
    if furtherCount > 0 { text.append(", and in \(grouped: furtherCount) more \(noun)" as FixedText<64>) }
    return text
  }

  private static func time(_ milliseconds: UInt32) -> FixedText<32> {
    let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
    return "\(seconds / 3600):\(seconds / 60 % 60, width: 2):\(seconds % 60, width: 2).\(rest, width: 3)"
  }
}

extension VerificationProgress {
  /// `12 %, 492 of 4,100 MB`
  var text: FixedText<96> {
    let percent = fileByteCount == 0 ? 100 : min(byteCount, fileByteCount) * 100 / fileByteCount
    let part: FixedText<96> =
      "\(percent) %, \(grouped: byteCount / 1_000_000) of \(grouped: fileByteCount / 1_000_000) MB"
    return place > 0 ? "take \(grouped: place): \(part)" : part
  }
}
