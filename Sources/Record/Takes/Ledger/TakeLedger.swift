import Base
import Machine
import Media

/// What happened in an open take, as text in a small file beside it: repair puts what a power cut leaves of it into the
/// take.
///
/// It never burdens the take: its lines are written after a fragment, its file is flushed rarely, and if the card
/// refuses them the take is not affected.
struct TakeLedger: ~Copyable {
  private let place = StaysInPlace()
  /// Nil if it could not be created.
  private var file: StoredFile?
  private let time: TakeTime
  private let key: SigningKey
  /// The first line.
  private let head: FixedText<256>
  private var rateLine: FixedText<96>
  /// Which of the two seals in the file is written next: never the one flushed last.
  private var slot = 0
  /// Hash of the lines after the first.
  private var entries = RunningHash()
  private var entryByteCount = 0
  /// Size of the text in the file.
  private var byteCount: UInt64 = 0
  /// Lines not written to the file yet.
  private var pending = FixedText<1024>()
  /// The number of hashes in the file.
  private var hashCount = 0
  /// Hashes not written to the file yet.
  private var pendingHashes = FixedText<1024>()
  /// Whether a hash had no room, so that the sealed content no longer grows.
  private var hasLostHash = false
  private var leftOutCount = 0
  private var nextRate: TimelinePosition
  private var nextFlush: TimelinePosition
  private var hasFailed = false

  static var folder: FixedText<128> { "ledger" }

  /// The path of the ledger of a take's file: `ledger/NNNN`.
  static func path(ofTake path: borrowing FixedText<128>) -> FixedText<128> {
    "\(folder)/\(TakeName(stemOf: path.lastPart)?.number ?? 0, width: 4)"
  }

  /// - Parameters:
  ///   - file: empty.
  ///   - head: the first line.
  ///   - key: seals the take.
  init(file: consuming StoredFile?, head: FixedText<256>, time: TakeTime, key: SigningKey) {
    self.file = file
    self.time = time
    self.key = key
    self.head = head
    rateLine = time.rateLine(driftPartsPerMillion: 0)
    nextRate = time.startPosition + UInt64(time.rateHz)
    nextFlush = nextRate
    pending.append(head)
  }

  /// How many fragments the finished take has room to list.
  var mostHashes = HashListCoding.mostEntries

  var hasFile: Bool { file != nil }

  mutating func attach(_ file: consuming StoredFile) { self.file = consume file }

  /// Adds an entry, and writes the earlier ones if there are many.
  /// - Returns: why nothing could be written, the first time only.
  mutating func append(_ text: FixedText<96>, at position: TimelinePosition) -> DeviceFailure? {
    // Without trailing spaces: the text in the finished take has none, and is sealed.
    let text = FixedText<96>(text.bytes.withoutSpacesAtEnd)
    let line: FixedText<192> = "\(time.stamp(of: position)) \(text)\n"
    let failure = hasRoom(for: line) ? nil : writePending()
    let end = byteCount + UInt64(pending.byteCount + line.byteCount)
    let isFitting = end + TakeLimits.ledgerReserveByteCount <= UInt64(LedgerCoding.textByteCount)
    if isFitting, hasRoom(for: line) { enter(line) } else { leftOutCount += 1 }
    return failure
  }

  private func hasRoom(for line: FixedText<192>) -> Bool { pending.byteCount + line.byteCount <= 1024 }

  private mutating func enter(_ line: FixedText<192>) {
    pending.append(line)
    entryByteCount += line.byteCount
    unsafe entries.add(line.bytes.bytes)
  }

  /// Milliseconds between the file's first instant and `position`.
  func milliseconds(at position: TimelinePosition) -> UInt32 {
    UInt32(clamping: position.distance(since: time.startPosition) * 1000 / UInt64(time.rateHz))
  }

  /// Adds the hash of the take's next fragment.
  mutating func list(_ hash: FragmentHash) {
    let bytes = hash.bytes
    let isFitting = pendingHashes.byteCount + bytes.count <= 1024
    let count = hashCount + pendingHashes.byteCount / HashListCoding.entryByteCount
    guard isFitting, count < mostHashes, !hasLostHash else { return hasLostHash = true }
    for index in bytes.indices { pendingHashes.append(byte: bytes[index]) }
  }

  /// After each fragment, writes what has accumulated and seals what the take contains. Occasionally it notes the rate
  /// and flushes the file.
  /// - Parameters:
  ///   - position: the end of what has been written of the take.
  ///   - content: the hash of the file's bytes in `range`.
  /// - Returns: why nothing could be written, the first time only.
  mutating func keep(
    at position: TimelinePosition, driftPartsPerMillion: Double, _ content: ContentHash, in range: Range<UInt64>
  ) -> DeviceFailure? {
    if position >= nextRate {
      nextRate = position + TakeLimits.ledgerRateSeconds * UInt64(time.rateHz)
      rateLine = time.rateLine(driftPartsPerMillion: driftPartsPerMillion)
    }
    let isFlushDue = position >= nextFlush
    if isFlushDue { nextFlush = position + TakeLimits.ledgerFlushSeconds * UInt64(time.rateHz) }
    return writePending() ?? writeSeal(of: content, in: range, isFlushed: isFlushDue)
  }

  /// Writes the last lines.
  /// - Parameters:
  ///   - entry: the last; empty for none.
  ///   - position: of the entry.
  mutating func end(
    as ending: TakeEnding, _ entry: FixedText<96>, at position: TimelinePosition, driftPartsPerMillion: Double,
    _ content: ContentHash, in range: Range<UInt64>
  ) -> DeviceFailure? {
    if !ending.goesOn {
      do throws(DeviceFailure) {
        try unsafe file?.write(LedgerFile.endMark.utf8Bytes.bytes, at: LedgerFile.endOffset)
      } catch {}
    }
    var failure = writePending()
    if leftOutCount > 0 { enter("\(leftOutCount) more entries had no room here\n") }
    failure = failure ?? writePending()
    let last: FixedText<192> = entry.isEmpty ? "" : "\(time.stamp(of: position)) \(entry)\n"
    if hasRoom(for: last) { enter(last) }
    let end: FixedText<192> = "\(ending.line)"
    if hasRoom(for: end) { enter(end) }
    rateLine = time.rateLine(driftPartsPerMillion: driftPartsPerMillion)
    return failure ?? writePending() ?? writeSeal(of: content, in: range, isFlushed: false)
  }

  /// Whether lines or hashes that belong in the file have not been written.
  var isBehind: Bool { hasFile && (!pending.isEmpty || !pendingHashes.isEmpty) }

  /// Flushes what has been written, as well as possible.
  mutating func synchronise() {
    do throws(DeviceFailure) { try file?.synchronise() } catch {}
  }

  private mutating func writePending() -> DeviceFailure? {
    guard hasFile, !pending.isEmpty else { return nil }
    do throws(DeviceFailure) {
      try unsafe file?.write(pending.bytes.bytes, at: LedgerFile.textOffset + byteCount)
      byteCount += UInt64(pending.byteCount)
      pending.removeAll()
      return nil
    } catch {
      return first(error)
    }
  }

  /// A flush secures this seal and the hashes it needs, so the next ones go to the other place.
  private mutating func writeSeal(
    of content: ContentHash, in range: Range<UInt64>, isFlushed: Bool
  ) -> DeviceFailure? {
    guard hasFile, pending.isEmpty else { return nil }
    do throws(DeviceFailure) {
      try writeHashes()
      if !hasLostHash, !range.isEmpty {
        let lines = sealedRate(of: content, in: range)
        try unsafe file?.write(lines.bytes.bytes, at: LedgerFile.sealOffset(slot))
      }
      guard isFlushed else { return nil }
      try file?.synchronise()
      slot = 1 - slot
      return nil
    } catch {
      return first(error)
    }
  }

  private mutating func writeHashes() throws(DeviceFailure) {
    guard !pendingHashes.isEmpty else { return }
    let offset = HashListCoding.sourceOffset + UInt64(hashCount * HashListCoding.entryByteCount)
    try unsafe file?.write(pendingHashes.bytes.bytes, at: offset)
    hashCount += pendingHashes.byteCount / HashListCoding.entryByteCount
    pendingHashes.removeAll()
  }

  private mutating func first(_ failure: DeviceFailure) -> DeviceFailure? {
    defer { hasFailed = true }
    return hasFailed ? nil : failure
  }

  /// The rate line and the seal line. The seal covers the lines before it as they will be in the take, without trailing
  /// spaces.
  private func sealedRate(of content: ContentHash, in range: Range<UInt64>) -> FixedText<512> {
    var hash = entries
    unsafe hash.add(head.bytes.bytes)
    let rate = rateLine.bytes
    unsafe hash.add(rate.extracting(first: rate.count - 1).withoutSpacesAtEnd.bytes)
    hash.add(byte: UInt8(ascii: "\n"))
    let seal = Seal(
      content: range, contentHash: content.digest, entryByteCount: entryByteCount, entryHash: hash.digest)
    return "\(rateLine)\(seal.line(signedBy: key))"
  }

  /// The file, to be read when the take is completed.
  consuming func takeFile() -> StoredFile? { file }
}

/// The times of a take's file.
struct TakeTime {
  let startPosition: TimelinePosition
  /// The time of day at ``startPosition``, in milliseconds since 1970.
  let startUnixMilliseconds: Int64
  let rateHz: UInt32
  let hasSound: Bool

  /// A position in the file as time since its start, as sample frame number, and as time of day.
  func stamp(of position: TimelinePosition) -> FixedText<80> {
    let frames = position.distance(since: startPosition)
    let milliseconds = frames * 1000 / UInt64(rateHz)
    let unixMilliseconds = startUnixMilliseconds + Int64(milliseconds)
    let time = CivilTime(unixSeconds: unixMilliseconds / 1000)
    return """
      \(elapsedMilliseconds: milliseconds) sample \(frames) \
      \(time.isoDate)T\(time.isoTime).\(unixMilliseconds % 1000, width: 3)Z
      """
  }

  /// A line of always ``rateLineByteCount`` bytes, so that it can be overwritten.
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

  /// `sample rate 192000.000 Hz, -1000.00 ppm` has 39; the largest 32-bit rate needs 43.
  static var rateLineByteCount: Int { 60 }
}

/// The layout of a ledger's file.
///
/// The rate line and the seal after it are rewritten repeatedly. The file contains them twice, each in a sector of its
/// own, which a power cut leaves intact: if the newer one lacks its hashes, the older one counts.
enum LedgerFile {
  /// Size of the two lines.
  static var sealByteCount: Int { TakeTime.rateLineByteCount + Seal.lineByteCount }
  /// - Parameter slot: 0 or 1.
  static func sealOffset(_ slot: Int) -> UInt64 { UInt64(512 * slot) }
  /// A mark that the take has ended, in the first sector after its seal, which ends at 465. It needs no space, so it
  /// can be written even on a full card.
  static var endOffset: UInt64 { 504 }
  static var endMark: StaticString { "ended\n" }
  /// Offset of the other lines, which are shorter than ``LedgerCoding/textByteCount`` and end before the hashes.
  static var textOffset: UInt64 { 1024 }
}

/// What the journal stores about an open audio file: enough to rebuild its header, if a card loses that together with
/// the unit being written. A line of five numbers; earlier versions wrote the first four.
struct SoundNote: BitwiseCopyable {
  var format: AudioFormat
  /// The instant of the first sample, seconds since 1970-01-01 UTC.
  var createdUnixSeconds: UInt64
  /// How many frames later than that second it is.
  var createdFrames: UInt32

  init(_ audio: AudioFileDescription) {
    format = audio.format
    createdUnixSeconds = audio.provenance.createdUnixSeconds
    createdFrames = audio.provenance.createdFrames
  }

  /// - Returns: nil if the line is damaged.
  init?(_ line: Span<UInt8>) {
    var numbers = InlineArray<5, UInt64>(repeating: 0)
    var start = 0
    for place in numbers.indices {
      if place == 4, start > line.count { break }
      guard start <= line.count else { return nil }
      var end = start
      while end < line.count, line[end] != UInt8(ascii: " ") { end += 1 }
      guard let number = line.extracting(start..<end).parseInteger() else { return nil }
      numbers[place] = number
      start = end + 1
    }
    guard numbers[0] >= 8_000, numbers[0] <= 192_000, numbers[1] >= 1, numbers[1] <= 8,
      let sampleFormat = SampleFormat(bits: numbers[2])
    else { return nil }
    format = AudioFormat(
      sampleRateHz: UInt32(numbers[0]), channelCount: UInt16(numbers[1]), sampleFormat: sampleFormat)
    createdUnixSeconds = numbers[3]
    createdFrames = UInt32(min(numbers[4], numbers[0] - 1))
  }

  /// At most 6 + 1 + 1 + 1 + 2 + 1 + 20 + 1 + 6 = 39 bytes.
  var line: FixedText<64> {
    """
    \(format.sampleRateHz) \(format.channelCount) \(format.sampleFormat.bitsPerSample) \(createdUnixSeconds) \
    \(createdFrames)
    """
  }

  /// The file's description; nil if the path is not that of an audio file.
  func description(of path: borrowing FixedText<128>, settings: WritingSettings) -> AudioFileDescription? {
    guard let container = AudioContainer(ofFile: path) else { return nil }
    var provenance = Provenance(
      device: settings.identity, createdUnixSeconds: createdUnixSeconds, createdFrames: createdFrames,
      software: settings.software)
    provenance.fileNumber = TakeName(stemOf: path.lastPart)?.number ?? 0
    return AudioFileDescription(container: container, format: format, provenance: provenance)
  }
}

extension SampleFormat {
  fileprivate init?(bits: UInt64) {
    switch bits {
    case 16: self = .int16
    case 24: self = .int24
    case 32: self = .float32
    default: return nil
    }
  }
}

/// Something that happened while the devices were running: a ledger entry in each take that covers it.
package struct TakeNote: BitwiseCopyable, Sendable {
  /// Where it happened on the timeline.
  package var position: TimelinePosition
  /// What happened, without position and time.
  package var text: FixedText<96>

  package init(position: TimelinePosition, text: FixedText<96>) {
    self.position = position
    self.text = text
  }
}
