import Base
import Machine
import Media
import Record

/// What a list of takes shows of each.
package struct ListedTake: BitwiseCopyable, Sendable {
  package enum State: BitwiseCopyable, Sendable {
    case complete
    /// It is being recorded or completed.
    case growing
    /// It waits to be completed: a card that failed took nothing more.
    case leftOpen
    /// Its file cannot be read, so that only its name and size are known.
    case unreadable
  }

  /// NNNN.
  package let number: UInt32
  /// Its path now, or before it was deleted.
  package let path: FixedText<128>
  /// Size of the file.
  package let byteCount: UInt64
  /// Whether it is protected from removal.
  package let isProtected: Bool
  /// Whether its file is complete.
  package internal(set) var state: State
  /// The user's name for it; empty if it has none.
  package internal(set) var name = KeptName()
  /// Its length, for sound alone up to the last sealed fragment; nil if the file does not state it.
  package private(set) var milliseconds: UInt64?
  /// When it begins, by the date inside it, in seconds since 1970-01-01 UTC; nil if the file does not state it. The time
  /// in its name may be later: names are in the order of recording.
  package private(set) var recordedUnixSeconds: Int64?
  /// How far a player rotates its pictures, clockwise; nil without pictures.
  package private(set) var clockwiseDegrees: UInt16?
  /// The number of marks in its ledger.
  package private(set) var markCount: UInt16 = 0
  /// The number of losses, stalls and alarms in its ledger, and of unwanted ends.
  package private(set) var faultCount: UInt16 = 0

  init(_ take: FoundTake, _ entry: FolderEntry, _ state: State) {
    number = take.number
    path = FixedText(take.path.bytes)
    byteCount = entry.byteCount
    isProtected = entry.isProtected
    self.state = state
  }

  /// Reads the rest from the take: the beginning of its tables, and the ledger at its end.
  /// - Parameter place: where the file is now.
  mutating func read(
    at place: FixedText<128>, _ folders: inout Storage, _ buffer: inout FixedBuffer
  ) throws(DeviceFailure) {
    var count = try folders.read(place, at: 0, into: &buffer)
    guard let closing = closingPlace(buffer, count) else { return }
    let ledger = ClosingPlace.ledger(
      front: buffer.bytes.extracting(first: count), fileByteCount: byteCount,
      tailByteCount: UInt64(KeeperLimits.verificationByteCount))
    if AudioContainer(ofFile: path) == nil {
      count = try folders.read(place, at: closing, into: &buffer)
      note(buffer, count)
    } else {
      recordedUnixSeconds = RecordedDate.unixSeconds(
        front: buffer.bytes.extracting(first: min(count, ClosingPlace.frontByteCount)))
    }
    count = try folders.read(place, at: ledger?.lowerBound ?? closing, into: &buffer)
    scan(buffer.text(count))
  }

  private func closingPlace(_ buffer: borrowing FixedBuffer, _ count: Int) -> UInt64? {
    ClosingPlace.start(front: buffer.bytes.extracting(first: count), fileByteCount: byteCount)
  }

  private mutating func note(_ buffer: borrowing FixedBuffer, _ count: Int) {
    guard let movie = MovieSummary(buffer.bytes.extracting(first: count)) else { return }
    milliseconds = movie.milliseconds
    recordedUnixSeconds = movie.recordedUnixSeconds
    clockwiseDegrees = movie.clockwiseDegrees
  }

  private mutating func scan(_ text: Span<UInt8>) {
    var start = 0
    for index in text.indices {
      // The list of hashes ends with these words, right before the ledger.
      if milliseconds == nil, text[index] == UInt8(ascii: "f") { noteLength(in: text, at: index) }
      guard text[index] == UInt8(ascii: "\n") else { continue }
      let line = text.extracting(start..<index)
      start = index + 1
      if let reason = line.removingPrefix(TakeEnding.lineStart) {
        if !Self.isWanted(reason) { faultCount &+= 1 }
        // A WAV of earlier versions contains its ledger twice.
        return
      }
      if let entry = line.ledgerEntry { note(entry) }
    }
  }

  private mutating func noteLength(in text: Span<UInt8>, at index: Int) {
    let rest = text.extracting(droppingFirst: index)
    guard index >= FragmentHash.byteCount, rest.removingPrefix("fraghash") != nil else { return }
    let last = FragmentHash(text.extracting(index - FragmentHash.byteCount..<index))
    milliseconds = UInt64(last.endMilliseconds)
  }

  private mutating func note(_ entry: Span<UInt8>) {
    if let rest = entry.removingPrefix("mark"), rest.isEmpty || rest[0] == UInt8(ascii: ":") { markCount &+= 1 }
    for index in Self.faults.indices where entry.removingPrefix(Self.faults[index]) != nil { faultCount &+= 1 }
  }

  /// The beginnings of entries about something missing or wrong in the take.
  private static var faults: InlineArray<10, StaticString> {
    [
      "overrun: ", "pictures dropped: ", "microphone lost", "camera lost", "stall: ", "microphone: digital silence",
      "microphone: the same value", "microphone: clips all", "camera: black", "camera: the same picture",
    ]
  }

  private static func isWanted(_ reason: Span<UInt8>) -> Bool {
    reason.removingPrefix("stopped") != nil || reason.removingPrefix("split") != nil
      || reason.removingPrefix("turned") != nil
  }
}
