import Base
import Machine
import Media
import Record

/// What a sound report says of a take.
package struct TakeRecord: BitwiseCopyable, Sendable {
  package let listed: ListedTake
  package private(set) var format = RecordedFormat()
  package private(set) var project = FixedText<64>()
  package private(set) var scene = FixedText<64>()
  /// The number of the take in its scene; empty if it has none.
  package private(set) var sceneTake = FixedText<16>()
  package private(set) var tape = FixedText<64>()
  package private(set) var part: TakePart
  /// `1 boom; 2 lavalier`.
  package private(set) var tracks = FixedText<320>()
  package internal(set) var verdict = TakeVerdict.neither
  package internal(set) var remarks = TakeRemarks()
  /// Why the file ended; empty for one that has not, or that does not say.
  package fileprivate(set) var ending = FixedText<64>()
  /// By EBU R 128; empty if it was not measured.
  package private(set) var loudness = FixedText<96>()

  init(_ listed: ListedTake) {
    self.listed = listed
    part = TakePart(index: 1, take: listed.number)
  }

  mutating func readFormat(_ folders: inout Storage, _ buffer: inout FixedBuffer) throws(DeviceFailure) {
    let path = listed.path
    let count = try folders.read(path, at: 0, into: &buffer)
    guard AudioContainer(ofFile: path) == nil else {
      return format.readSound(front: buffer.bytes.extracting(first: min(count, ClosingPlace.frontByteCount)))
    }
    guard
      let tables = ClosingPlace.start(
        front: buffer.bytes.extracting(first: count), fileByteCount: listed.byteCount)
    else { return }
    let tableCount = try folders.read(path, at: tables, into: &buffer)
    guard var place = RecordedFormat.firstTrack(tables: buffer.bytes.extracting(first: tableCount)) else { return }
    for _ in 0..<2 {
      let trackCount = try folders.read(path, at: tables + place, into: &buffer)
      guard let byteCount = format.readTrack(buffer.bytes.extracting(first: trackCount)) else { return }
      place += byteCount
    }
  }

  /// - Parameter tail: the end of the file, with its ledger. After ``readFormat(_:_:)``, for the number of tracks.
  mutating func note(_ tail: Span<UInt8>) {
    let ledger = LedgerFacts(in: tail)
    project = FixedText(ledger.entry("project: ").bytes)
    scene = FixedText(ledger.entry("scene: ").bytes)
    sceneTake = FixedText(ledger.entry("take: ").bytes)
    tape = FixedText(ledger.entry("tape: ").bytes)
    part = ledger.part(ofFile: listed.number)
    verdict = ledger.verdict
    remarks = ledger.remarks
    ending = FixedText(ledger.ending.bytes)
    loudness = ledger.entry(Loudness.key)
    for channel in 0..<min(format.channelCount, 8) {
      let separator: StaticString = channel > 0 ? "; " : ""
      tracks.append(
        "\(separator)\(channel + 1) \(ledger.trackName(channel + 1, of: format.channelCount))" as FixedText<128>)
    }
  }
}

extension TakeKeeper {
  /// - Returns: nil if the take has vanished.
  mutating func record(of take: FoundTake) throws(DeviceFailure) -> TakeRecord? {
    guard let listed = try summary(of: take, isInBin: false) else { return nil }
    var record = TakeRecord(listed)
    if listed.state == .complete {
      do throws(DeviceFailure) { try read(&record) } catch { record.ending = "cannot be read" }
    } else if listed.state == .unreadable {
      record.ending = "cannot be read"
    }
    guard let kept = try? remarks(of: take.number) else { return record }
    record.verdict = kept.verdict ?? record.verdict
    if !kept.remarks.isEmpty { record.remarks.add(remark: kept.remarks.bytes) }
    return record
  }

  private mutating func read(_ record: inout TakeRecord) throws(DeviceFailure) {
    let listed = record.listed
    try record.readFormat(&folders, &buffer)
    let front = try folders.read(listed.path, at: 0, into: &buffer)
    let ledger = ClosingPlace.ledger(
      front: buffer.bytes.extracting(first: front), fileByteCount: listed.byteCount,
      tailByteCount: UInt64(KeeperLimits.verificationByteCount))
    let tail = listed.byteCount - min(listed.byteCount, UInt64(KeeperLimits.verificationByteCount))
    let count = try folders.read(listed.path, at: ledger?.lowerBound ?? tail, into: &buffer)
    record.note(buffer.text(count))
  }

  /// Reports one take of a day; after the last of the table, searches for those after it.
  mutating func report(_ day: Int64, place: Int) throws(KeeperRefusal) {
    guard place < table.count else {
      guard table.isFull, place > 0 else {
        work = .none
        return replies.tell(.ended(count: 0, of: 0))
      }
      return beginReport(of: day, from: UInt64(table[place - 1].number) + 1)
    }
    work = .reporting(day, place: place + 1)
    let take = table[place]
    if let record = try onCard({ () throws(DeviceFailure) in try record(of: take) }) { replies.tell(.record(record)) }
  }

  /// - Parameter start: the first number.
  mutating func beginReport(of day: Int64, from start: UInt64 = 0) {
    table.begin(keeping: KeeperLimits.listedTakes, isLowestFirst: true)
    work = .searching(TakeSearch(ofDay: day, from: start), TakeTask(kind: .report(day)))
  }
}
