import Base
import Machine

/// What is known of the files of the history, and how they are written.
struct HistoryFiles: BitwiseCopyable {
  /// Whole lines of the old file and of the new one.
  private(set) var oldCount = 0
  private(set) var newCount = 0
  /// Where the next line of the new one goes. What stands behind it is torn.
  private(set) var end: UInt64 = 0

  var count: Int { oldCount + newCount }

  /// How many of the oldest are not kept any more, or not wanted.
  func surplus(wanted: Int) -> Int { count - min(count, min(wanted, HistoryLimits.calculations)) }

  mutating func add(_ part: HistoryPart) {
    switch part {
    case .old: oldCount += 1
    case .new: newCount += 1
    }
  }

  /// All lines were counted.
  mutating func finish(_ scan: HistoryScan) { end = scan.end }

  /// Appends a line, which survives a power cut once the file was synchronised.
  mutating func append(
    _ line: CheckedLine, to storage: inout Storage
  ) throws(DeviceFailure) {
    if newCount >= HistoryLimits.calculations { try turnOver(&storage) }
    var file = try Self.openOrCreate(&storage)
    end = min(end, file.byteCount)
    if file.byteCount > end { try file.truncate(to: end) }
    try unsafe file.write(line.text.bytes.bytes, at: end)
    end += UInt64(line.text.byteCount)
    newCount += 1
  }

  /// Makes what was appended survive a power cut.
  func synchronise(_ storage: inout Storage) throws(DeviceFailure) {
    var file = try storage.open(HistoryPart.new.path)
    try file.synchronise()
  }

  private static func openOrCreate(
    _ storage: inout Storage
  ) throws(DeviceFailure) -> StoredFile {
    do throws(DeviceFailure) { return try storage.open(HistoryPart.new.path) } catch {
      guard error.kind == .absent else { throw error }
    }
    let file = try storage.create(HistoryPart.new.path)
    try storage.synchroniseFolder("")
    return file
  }

  /// The new file alone holds all that are kept: the old one goes, and the new one becomes it.
  private mutating func turnOver(_ storage: inout Storage) throws(DeviceFailure) {
    try synchronise(&storage)
    do throws(DeviceFailure) { try storage.remove(HistoryPart.old.path) } catch {
      guard error.kind == .absent else { throw error }
    }
    try storage.synchroniseFolder("")
    try storage.rename(HistoryPart.new.path, to: HistoryPart.old.path)
    try storage.synchroniseFolder("")
    (oldCount, newCount, end) = (newCount, 0, 0)
  }
}
