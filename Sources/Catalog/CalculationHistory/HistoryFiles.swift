import Base
import Kit
import Machine

/// What is known about the files of the history, and how to write them.
struct HistoryFiles: BitwiseCopyable {
  /// The number of complete lines in the old file and in the new one.
  private(set) var oldCount = 0
  private(set) var newCount = 0
  /// Where the next line goes in the new file. Anything after it is a torn line.
  private(set) var end: UInt64 = 0

  var count: Int { oldCount + newCount }

  /// How many of the oldest are surplus: no longer kept, or not wanted.
  func surplus(wanted: Int) -> Int { count - min(count, min(wanted, HistoryLimits.calculations)) }

  mutating func add(_ part: HistoryPart) {
    switch part {
    case .old: oldCount += 1
    case .new: newCount += 1
    }
  }

  /// Notes that all lines have been counted.
  mutating func finish(_ scan: HistoryScan) { end = scan.end }

  /// Appends a line, which survives a power cut once the file has been synchronised.
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

  /// Makes the appended lines survive a power cut.
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

  /// The new file alone holds all that are kept: it replaces the old one.
  private mutating func turnOver(_ storage: inout Storage) throws(DeviceFailure) {
    try synchronise(&storage)
    try storage.removeIfThere(HistoryPart.old.path)
    try storage.synchroniseFolder("")
    try storage.rename(HistoryPart.new.path, to: HistoryPart.old.path)
    try storage.synchroniseFolder("")
    (oldCount, newCount, end) = (newCount, 0, 0)
  }
}

/// The files of the history. Calculations are appended to the new one; once it holds as many as are kept, it replaces
/// the old one. So the newest are always in one of the two, whatever a power cut leaves.
enum HistoryPart: BitwiseCopyable {
  case old, new

  var path: FixedText<128> { self == .old ? "calculations.old" : "calculations" }
}

/// A walk through the calculations of both files, oldest first.
struct HistoryScan: BitwiseCopyable {
  private(set) var part = HistoryPart.old
  private(set) var lines = LineScan(HistoryPart.old.path)
  /// The end of the file's last complete line.
  private(set) var end: UInt64 = 0

  /// Reads the next piece, or proceeds to the next file.
  /// - Returns: false at the end.
  mutating func read(
    from storage: inout Storage, into buffer: inout FixedBuffer
  ) throws(DeviceFailure) -> Bool {
    do throws(DeviceFailure) {
      if try lines.read(from: &storage, into: &buffer) { return true }
    } catch {
      guard error.kind == .absent else { throw error }
    }
    guard part == .old else { return false }
    part = .new
    lines = LineScan(part.path)
    end = 0
    return true
  }

  /// The next calculation in the piece; nil after the last. Incomplete lines are skipped.
  mutating func next(in buffer: borrowing FixedBuffer) -> CalculationLine? {
    while let line = lines.next(in: buffer) {
      guard line.isEnded else { continue }
      end = lines.offset
      if let calculation = CheckedLine.calculation(line.text.bytes) { return calculation }
    }
    return nil
  }
}

/// A walk through the lines of a file, piece by piece. They may end as on any system, and a byte order mark may come first.
struct LineScan: BitwiseCopyable {
  struct Line {
    /// The text without its line ending; if it is too long, it is truncated (``FixedText/isTruncated``).
    var text: FixedText<480>
    /// Whether it has a line ending: the last line of a file may have none.
    var isEnded: Bool
  }

  let path: FixedText<128>
  /// The offset in the file at which the next line begins.
  private(set) var offset: UInt64 = 0
  /// The size of the piece that was read, and where the next line begins in it.
  private var byteCount = 0
  private var index = 0
  private var isLastPiece = false

  init(_ path: FixedText<128>) { self.path = path }

  /// Reads the piece that begins with the next line.
  /// - Returns: false if there is none.
  /// - Throws: with kind `absent` if there is no such file.
  mutating func read(
    from storage: inout Storage, into buffer: inout FixedBuffer
  ) throws(DeviceFailure) -> Bool {
    if isLastPiece { return false }
    var file = try storage.open(path)
    var space = buffer.mutableBytes
    byteCount = try file.read(at: offset, into: &space)
    isLastPiece = byteCount < buffer.byteCount
    index = 0
    return byteCount > 0
  }

  /// The next line in the piece; nil if it continues in the next piece.
  mutating func next(in buffer: borrowing FixedBuffer) -> Line? {
    let piece = buffer.text(byteCount)
    let (lineFeed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
    var end = index
    while end < byteCount, piece[end] != lineFeed, piece[end] != carriageReturn { end += 1 }
    let isEnded = end < byteCount
    var next = min(end + 1, byteCount)
    if isEnded, piece[end] == carriageReturn {
      // The line feed that belongs to it may be in the next piece.
      if next == byteCount, !isLastPiece, index > 0 { return nil }
      if next < byteCount, piece[next] == lineFeed { next += 1 }
    }
    // A line that fills a whole piece is not one of ours and is returned in parts.
    guard isEnded || (end > index && (isLastPiece || index == 0)) else { return nil }
    var line = piece.extracting(index..<end)
    if offset == 0, let rest = line.removingPrefix("\u{FEFF}") { line = rest }
    let text = FixedText<480>(line)
    offset += UInt64(next - index)
    index = next
    return Line(text: text, isEnded: isEnded)
  }
}

/// A calculation with its checksum, as stored in the file: `9c1f02ab 1 + 1 = 2`. The checksum reveals a line torn by a
/// power cut.
struct CheckedLine {
  /// Includes the line ending.
  let text: FixedText<460>

  init(_ calculation: CalculationLine) {
    text = "\(hexadecimal: Self.checksum(calculation.bytes), width: 8) \(calculation)\n"
  }

  /// - Parameter line: without its line ending.
  /// - Returns: nil for anything but a complete line.
  static func calculation(_ line: Span<UInt8>) -> CalculationLine? {
    guard line.count > 9, line[8] == UInt8(ascii: " ") else { return nil }
    let calculation = CalculationLine(line.extracting(droppingFirst: 9))
    let checked = CheckedLine(calculation).text
    return checked.bytes.extracting(droppingLast: 1).equals(line) ? calculation : nil
  }

  /// CRC-32 (ISO 3309).
  private static func checksum(_ bytes: Span<UInt8>) -> UInt32 {
    var rest = UInt32.max
    for index in bytes.indices {
      rest ^= UInt32(bytes[index])
      for _ in 0..<8 { rest = rest & 1 == 1 ? rest >> 1 ^ 0xEDB8_8320 : rest >> 1 }
    }
    return ~rest
  }
}
