import Base

/// Why a file of a take ended.
package enum TakeEnding: UInt8, BitwiseCopyable, Sendable {
  /// The record button or `record stop` ended it.
  case stopped
  /// The recorder was told to quit.
  case quit
  /// The file reached its maximum length or size.
  case split
  /// The device was turned.
  case turned
  case cardFull
  /// The card accepted no more data for another reason.
  case cardFailed
  /// The recorder ended without ending the take.
  case interrupted

  /// The last line of a ledger.
  package var line: FixedText<96> {
    let reason: StaticString =
      switch self {
      case .stopped: "stopped"
      case .quit: "stopped because the recorder was told to end"
      case .split: "split, the take goes on in the next file"
      case .turned: "turned, the take goes on in the next file"
      case .cardFull: "the card was full"
      case .cardFailed: "the card failed"
      case .interrupted: "interrupted"
      }
    return "\(Self.lineStart)\(reason)\n"
  }

  package static var lineStart: StaticString { "ended: " }

  /// Whether a take that ends this way continues in another file.
  package var goesOn: Bool { self == .split || self == .turned || self == .interrupted }

  /// The last whole ending in a piece of a ledger; nil if there is none.
  package init?(lastIn text: Span<UInt8>) {
    var rest = text
    var last: TakeEnding?
    while let start = rest.firstLine(startingWith: Self.lineStart) {
      rest = rest.extracting(droppingFirst: start)
      var rawValue: UInt8 = 0
      while let ending = TakeEnding(rawValue: rawValue) {
        if rest.starts(with: ending.line.bytes) { last = ending }
        rawValue += 1
      }
    }
    guard let last else { return nil }
    self = last
  }

  /// The reason in a header, always of the same length: a header torn while it is updated still has its chunks where
  /// they were.
  var word: StaticString {
    switch self {
    case .stopped: "stopped    "
    case .quit: "quit       "
    case .split: "split      "
    case .turned: "turned     "
    case .cardFull: "card full  "
    case .cardFailed: "card failed"
    case .interrupted: "interrupted"
    }
  }
}

/// Where a finished file's closing part starts, after its media: the tables of a MOV, and hashes and ledger.
///
/// Only the closing part is searched for seals. The bytes before it may hold the remains of an attempt to finish the
/// file that a power cut interrupted.
package enum ClosingPlace {
  /// The number of bytes that ``start(front:fileByteCount:)`` needs.
  package static var frontByteCount: Int { AudioFileDescription.headerByteCount }

  /// The offset of its first byte; nil if the file is not finished, or its front is damaged.
  /// - Parameter front: the beginning of the file.
  package static func start(front: RawSpan, fileByteCount: UInt64) -> UInt64? {
    let start = movieStart(front) ?? soundStart(front)
    return start.flatMap { $0 < fileByteCount ? $0 : nil }
  }

  /// Where a finished file's ledger is to be looked for, and where the closing part ends; nil as for
  /// ``start(front:fileByteCount:)``. Only a FLAC file has it before the sound, after the list of hashes.
  /// - Parameter tailByteCount: the ledger of another file begins within so many bytes of its end.
  package static func ledger(front: RawSpan, fileByteCount: UInt64, tailByteCount: UInt64) -> Range<UInt64>? {
    guard let start = start(front: front, fileByteCount: fileByteCount) else { return nil }
    guard front.code(at: 0) == "fLaC" else {
      return max(start, fileByteCount - min(fileByteCount, tailByteCount))..<fileByteCount
    }
    let head = front.big32(at: frontByteCount) ?? 0
    let list = head & 0xFF00_0000 == FLACHeader.application ? UInt64(head & 0xFF_FFFF) : 0
    // The end of the list says how long the take is.
    let skipped = list - min(list, UInt64(HashListCoding.footByteCount + HashListCoding.entryByteCount))
    return min(start + skipped, AudioContainer.flac.dataStart)..<AudioContainer.flac.dataStart
  }

  /// Whether a file that may be unfinished begins as one of ours.
  /// - Parameter front: the beginning of the file.
  package static func isOwn(front: RawSpan) -> Bool {
    if front.code(at: 4) == "ftyp", let fileType = front.box(in: 0..<front.byteCount) {
      return front.code(at: fileType.end + 4) == "free"
    }
    return front.byteCount >= frontByteCount && AudioHeaderLayout(front.extracting(first: frontByteCount)) != nil
  }

  private static func movieStart(_ front: RawSpan) -> UInt64? {
    guard front.code(at: 4) == "ftyp", let fileType = front.box(in: 0..<front.byteCount),
      front.big32(at: fileType.end) == FrontBox.sizeIsIn64Bits, front.code(at: fileType.end + 4) == "mdat",
      let byteCount = front.big64(at: fileType.end + 8)
    else { return nil }
    return byteCount.addingReportingOverflow(UInt64(fileType.end)).partialValue
  }

  private static func soundStart(_ front: RawSpan) -> UInt64? {
    guard let dataByteCount = soundByteCount(front: front),
      let layout = AudioHeaderLayout(front.extracting(first: frontByteCount))
    else { return nil }
    if layout.container == .flac { return UInt64(frontByteCount) }
    return UInt64(frontByteCount + layout.container.paddingByteCount(dataByteCount: dataByteCount)) + dataByteCount
  }

  /// Bytes of sound in a finished file with nothing else; nil for another file.
  /// - Parameter front: the beginning of the file.
  package static func soundByteCount(front: RawSpan) -> UInt64? {
    guard front.byteCount >= frontByteCount else { return nil }
    let header = front.extracting(first: frontByteCount)
    guard let layout = AudioHeaderLayout(header), let dataByteCount = layout.closedByteCount(in: header),
      dataByteCount <= layout.container.maximumDataByteCount
    else { return nil }
    return dataByteCount
  }
}
