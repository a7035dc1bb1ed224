import Formats
import Port
import Text
import Values

/// What happened in an open take, as text in a small file of its own beside it: what a power cut leaves of it, repair
/// puts into the take.
///
/// It costs the take nothing: its lines are written when a fragment was, its file is flushed rarely, and a card that does
/// not take them is no trouble of the take.
struct TakeLedger<File: MediaFile & ~Copyable>: ~Copyable where File.Failure == DeviceFailure {
  /// Nil while it could not be made.
  private var file: File?
  private let time: TakeTime
  private let rateOffset: UInt64
  private var byteCount: UInt64
  /// Lines that are not in the file yet.
  private var pending = FixedText<1024>()
  private var leftOutCount = 0
  /// Whether the file has changed since it was flushed.
  private var isStale = true
  private var nextRate: TimelinePosition
  private var nextFlush: TimelinePosition
  private var hasFailed = false

  /// The folder of all ledgers.
  static var folder: FixedText<128> { "ledger" }

  /// Where the ledger of a take's file is: `ledger/NNNN` of `video/yyyyMMdd/HHMMSS-NNNN.mov`.
  static func path(ofTake path: borrowing FixedText<128>) -> FixedText<128> {
    let name = FixedText<32>(path.lastPart)
    var number = FixedText<32>()
    for index in 7..<max(name.byteCount, 7) {
      let byte = name.bytes[index]
      guard byte != UInt8(ascii: ".") else { break }
      number.append(byte: byte)
    }
    return "\(folder)/\(number)"
  }

  /// - Parameters:
  ///   - file: empty.
  ///   - head: the first line.
  init(file: consuming File?, head: FixedText<256>, time: TakeTime) {
    self.file = file
    self.time = time
    pending.append(head)
    rateOffset = UInt64(pending.byteCount)
    pending.append(time.rateLine(driftPartsPerMillion: 0))
    byteCount = 0
    nextRate = time.startPosition + UInt64(time.rateHz)
    nextFlush = nextRate
  }

  var hasFile: Bool { file != nil }

  mutating func attach(_ file: consuming File) { self.file = consume file }

  /// Adds an entry, and writes those before it if there are many.
  /// - Returns: why nothing could be written, the first time.
  mutating func append(_ text: FixedText<96>, at position: TimelinePosition) -> DeviceFailure? {
    let line: FixedText<192> = "\(time.stamp(of: position)) \(text)\n"
    let failure = hasRoom(for: line) ? nil : write(rate: nil, isFlushed: false)
    let end = byteCount + UInt64(pending.byteCount + line.byteCount)
    let isFitting = end + TakeLimits.ledgerReserveByteCount <= UInt64(LedgerCoding.textByteCount)
    if isFitting, hasRoom(for: line) { pending.append(line) } else { leftOutCount += 1 }
    return failure
  }

  private func hasRoom(for line: FixedText<192>) -> Bool {
    pending.byteCount + line.byteCount <= Self.pendingByteCount
  }

  /// The last lines have room in the rest of ``pending``.
  private static var pendingByteCount: Int { 1024 - Int(TakeLimits.ledgerReserveByteCount) }

  /// After each fragment: writes what has gathered. Once in a while it notes the rate, and flushes the file.
  /// - Parameter position: up to where the take is written.
  /// - Returns: why nothing could be written, the first time.
  mutating func keep(at position: TimelinePosition, driftPartsPerMillion: Double) -> DeviceFailure? {
    let isRateDue = position >= nextRate
    if isRateDue { nextRate = position + TakeLimits.ledgerRateSeconds * UInt64(time.rateHz) }
    let isFlushDue = position >= nextFlush
    if isFlushDue { nextFlush = position + TakeLimits.ledgerFlushSeconds * UInt64(time.rateHz) }
    return write(rate: isRateDue ? driftPartsPerMillion : nil, isFlushed: isFlushDue)
  }

  /// Writes the last lines.
  mutating func end(as ending: TakeEnding, driftPartsPerMillion: Double) -> DeviceFailure? {
    if leftOutCount > 0 { pending.append("\(leftOutCount) more entries had no room here\n" as FixedText<96>) }
    pending.append(ending.line)
    return write(rate: driftPartsPerMillion, isFlushed: false)
  }

  private mutating func write(rate: Double?, isFlushed: Bool) -> DeviceFailure? {
    guard hasFile else { return nil }
    do throws(DeviceFailure) {
      if !pending.isEmpty {
        try unsafe file?.write(pending.bytes.bytes, at: byteCount)
        byteCount += UInt64(pending.byteCount)
        pending.removeAll()
        isStale = true
      }
      if let rate {
        let line = time.rateLine(driftPartsPerMillion: rate)
        try unsafe file?.write(line.bytes.bytes, at: rateOffset)
        isStale = true
      }
      if isFlushed, isStale {
        try file?.synchronise()
        isStale = false
      }
      return nil
    } catch {
      defer { hasFailed = true }
      return hasFailed ? nil : error
    }
  }

  /// The file, to be read when the take is completed.
  consuming func takeFile() -> File? { file }
}

/// The times of a take's file.
struct TakeTime {
  let startPosition: TimelinePosition
  /// The time of day at ``startPosition``, in milliseconds since 1970.
  let startUnixMilliseconds: Int64
  let rateHz: UInt32
  let hasSound: Bool

  /// A place in the file as time since its start, as the number of its sample frame, and as time of day.
  func stamp(of position: TimelinePosition) -> FixedText<80> {
    let frames = position.distance(since: startPosition)
    let milliseconds = frames * 1000 / UInt64(rateHz)
    let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
    let unixMilliseconds = startUnixMilliseconds + Int64(milliseconds)
    let time = CivilTime(unixSeconds: unixMilliseconds / 1000)
    return """
      \(seconds / 3600):\(seconds / 60 % 60, width: 2):\(seconds % 60, width: 2).\(rest, width: 3) sample \(frames) \
      \(time.isoDate)T\(time.isoTime).\(unixMilliseconds % 1000, width: 3)Z
      """
  }

  /// A line of ``rateLineByteCount`` bytes, whatever the rate, so that it can be written again.
  func rateLine(driftPartsPerMillion: Double) -> FixedText<96> {
    var line: FixedText<96> = ""
    if hasSound {
      let rate = Double(rateHz) * (1 + driftPartsPerMillion / 1e6)
      let sign: StaticString = driftPartsPerMillion < 0 ? "" : "+"
      line.append(
        "sample rate \(rate, decimals: 3) Hz, \(sign)\(driftPartsPerMillion, decimals: 2) ppm" as FixedText<95>)
    } else {
      line.append("no sound: \(rateHz) samples a second of the system's clock" as FixedText<95>)
    }
    while line.byteCount < Self.rateLineByteCount - 1 { line.append(byte: UInt8(ascii: " ")) }
    line.append(byte: UInt8(ascii: "\n"))
    return line
  }

  /// `sample rate 192000.000 Hz, -1000.00 ppm` has 39, and a rate as large as 32 bits allow 43.
  static var rateLineByteCount: Int { 60 }
}
