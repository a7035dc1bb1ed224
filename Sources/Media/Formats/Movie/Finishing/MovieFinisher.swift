import Base

/// Makes an ordinary movie of one that grew in fragments, in place and without moving media data; of a movie that a
/// power cut left open as well.
///
/// A first walk over the fragments measures the tables. Where no fragment can be read, it searches for the next one:
/// what is between stays in the file. A second walk writes the tables behind the media data into a box of type `free`,
/// and a third compares them with what the file holds. Then the box becomes the `moov` by four bytes, once all of it is
/// safe. Only now the front is written: eight bytes say where the `moov` is, and eight turn the `free` there into an
/// `mdat` that covers everything up to the `moov`, the fragments' boxes included. Up to the last of these writes the
/// file plays as fragments, from there on as an ordinary movie; a finisher that starts again at any point ends with the
/// same movie.
///
/// A card may turn all that stands around a write to garbage. Of a file whose front is lost the `moov` is searched for,
/// and the file gets a new front: then everything behind the garbage plays.
///
/// Only what was never confirmed is cut off. A file in which something does not fit is read a second time before that
/// is believed.
///
/// Each step does a bounded amount of work: a fragment, a table, or a piece of a search. After a step that throws,
/// ``restart()``.
package struct MovieFinisher<File: MediaFile & ~Copyable> {
  let confirmed: ConfirmedLength
  private var phase = Phase.inspecting
  /// How often the movie may be read from the start, this time included.
  var readingsLeft = MovieLimits.readingsPerMovie
  var template: MovieTemplate?
  var tables = InlineArray<2, TrackTables>(repeating: TrackTables(commonSampleByteCount: 0))
  var pass = TablePass(.writing)
  var longestTrackTicks: UInt64 = 0
  /// The 16-byte box in front that becomes the `mdat`.
  var frontStart: UInt64 = 0
  /// Where an earlier finisher of this movie placed the `moov`; nil if none did.
  private(set) var markedMoovStart: UInt64?
  /// The first `moov`.
  private(set) var headerStart: UInt64 = 0
  private(set) var headerByteCount = 0
  /// How many whole fragments the file has, as far as it was walked.
  package internal(set) var fragmentCount = 0
  /// Bytes of fragments that could not be read: they stay in the file, but the movie does not show them.
  package internal(set) var unreadableByteCount: UInt64 = 0

  enum Phase {
    case inspecting
    /// The front cannot be read: a finished `moov` is searched for, from `from` on.
    case recovering(from: UInt64, orEndAs: MovieProgress)
    case verifying(moovStart: UInt64, isCovered: Bool)
    /// The last whole fragment ends at `wholeEnd`; if that is before `from`, the next one is searched for.
    case measuring(from: UInt64, wholeEnd: UInt64)
    case placing(moovStart: UInt64)
    case filling(from: UInt64, moovStart: UInt64)
    case sealing(moovStart: UInt64)
    case marking(moovStart: UInt64)
    case covering(moovStart: UInt64)
    case confirming(moovStart: UInt64)
    case ended(MovieProgress)
  }

  /// A finisher at the start of its work.
  /// - Parameter confirmed: how much of the file was flushed.
  package init(confirmed: ConfirmedLength = .atLeast(0)) {
    self.confirmed = confirmed
  }

  /// Goes back to the start of the work.
  package mutating func restart() { self = MovieFinisher(confirmed: confirmed) }

  var trackCount: Int { template?.trackCount ?? 0 }

  func track(_ index: Int) -> TrackTemplate { template?.tracks[index] ?? TrackTemplate() }

  /// How many pictures the movie has, once it is finished.
  package var pictureCount: UInt64 { sampleCount(of: .video) }

  /// How many frames of sound the movie has, once it is finished.
  package var audioFrameCount: UInt64 { sampleCount(of: .audio) }

  /// How many frames the sound lasts, once the movie is finished: ``audioFrameCount``, unless a fragment says that it
  /// starts at another time than it does.
  package var audioDurationFrames: UInt64 {
    guard let index = index(of: .audio) else { return 0 }
    return tables[index].durationTicks
  }

  private func sampleCount(of track: MovieTrack) -> UInt64 {
    guard let index = index(of: track) else { return 0 }
    return UInt64(tables[index].sampleSize.table.sampleCount)
  }

  private func index(of track: MovieTrack) -> Int? { template?.trackIndex(trackID: track.rawValue) }

  /// What the next steps will write, once all else is safe; nil before that.
  package var frontChange: FrontChange? {
    guard case .sealing(let moovStart) = phase else { return nil }
    return FrontChange(moovStart: moovStart, frontStart: frontStart)
  }

  /// Whether the next step needs the ledger.
  package var needsLedger: Bool { if case .placing = phase { true } else { false } }

  /// - Parameters:
  ///   - scratch: at least ``MovieLimits/finisherScratchByteCount`` bytes; nothing in it is kept between steps.
  ///   - ledger: as ``LedgerCoding`` makes it; empty for none. The same for all steps that need it.
  ///   - hashes: what stands in front of the ledger; likewise.
  package mutating func step(
    _ file: inout File, scratch: inout MutableRawSpan, ledger: RawSpan = RawSpan(), _ hashes: inout HashList<File>
  ) throws(File.Failure) -> MovieProgress {
    precondition(scratch.byteCount >= MovieLimits.finisherScratchByteCount, "the finisher's scratch is too small")
    switch phase {
    case .inspecting: phase = try inspect(&file, &scratch)
    case .recovering(let position, let progress):
      phase = try recover(&file, &scratch, from: position, orEndAs: progress)
    case .verifying(let moovStart, let isCovered):
      phase = try verify(&file, &scratch, moovStart: moovStart, isCovered: isCovered)
    case .measuring(let position, let wholeEnd):
      phase = try measure(&file, &scratch, from: position, wholeEnd: wholeEnd)
    case .placing(let moovStart): phase = try place(&file, &scratch, moovStart: moovStart, ledger, &hashes)
    case .filling(let position, let moovStart):
      phase = try fill(&file, &scratch, from: position, moovStart: moovStart)
    case .sealing(let moovStart): phase = try seal(&file, &scratch, moovStart: moovStart)
    case .marking(let moovStart): phase = try mark(&file, &scratch, moovStart: moovStart)
    case .covering(let moovStart): phase = try cover(&file, &scratch, moovStart: moovStart)
    case .confirming(let moovStart): phase = try confirm(&file, &scratch, moovStart: moovStart)
    case .ended: break
    }
    if case .ended(let progress) = phase { return progress }
    return .working
  }

  /// Starts again while that is allowed: what did not fit may have been read wrongly.
  /// - Parameter progress: the end of the work if it is not.
  mutating func readAgain(orEndAs progress: MovieProgress) -> Phase {
    guard readingsLeft > 1 else { return .ended(progress) }
    var next = MovieFinisher(confirmed: confirmed)
    next.readingsLeft = readingsLeft - 1
    self = next
    return .inspecting
  }

  /// Recognises what the file is from its first boxes.
  private mutating func inspect(_ file: inout File, _ scratch: inout MutableRawSpan) throws(File.Failure) -> Phase {
    let readByteCount = try file.read(at: 0, into: &scratch)
    let phase = recognise(scratch.bytes.extracting(first: readByteCount), fileByteCount: file.byteCount)
    switch phase {
    case .ended(let progress): return readAgain(orEndAs: progress)
    case .recovering(_, let progress) where readingsLeft > 1: return readAgain(orEndAs: progress)
    default: break
    }
    if case .measuring = phase, case .exactly(let byteCount) = confirmed, file.byteCount > byteCount {
      try file.truncate(to: byteCount)
    }
    return phase
  }

  private mutating func recognise(_ bytes: RawSpan, fileByteCount: UInt64) -> Phase {
    guard let firstType = bytes.code(at: 4), firstType != FourCharacterCode(bigEndianValue: 0) else {
      return .recovering(from: confirmed.byteCount, orEndAs: .empty)
    }
    guard firstType == "ftyp" else { return lostFront(with: firstType) }
    guard let fileType = bytes.box(in: 0..<bytes.byteCount), let frontSize = bytes.big32(at: fileType.end),
      let frontType = bytes.code(at: fileType.end + 4), let mediaDataByteCount = bytes.big64(at: fileType.end + 8)
    else { return .ended(.empty) }
    frontStart = UInt64(fileType.end)
    let moovStart = frontStart &+ mediaDataByteCount
    if frontSize == FrontBox.byteCount {
      markedMoovStart = mediaDataByteCount > 0 ? moovStart : nil
      return readTemplate(bytes, start: fileType.end + FrontBox.byteCount, fileByteCount: fileByteCount)
    }
    guard frontSize == FrontBox.sizeIsIn64Bits else { return lostFront(with: frontType) }
    return .verifying(moovStart: moovStart, isCovered: frontType == "mdat")
  }

  /// - Parameter type: of the box that stands where the front should.
  private func lostFront(with type: FourCharacterCode) -> Phase {
    FrontBox.isOfAnother(type) ? .ended(.foreign) : .recovering(from: confirmed.byteCount, orEndAs: .foreign)
  }

  /// The front already says that an ordinary movie's `moov` is at `moovStart`.
  private mutating func verify(
    _ file: inout File, _ scratch: inout MutableRawSpan, moovStart: UInt64, isCovered: Bool
  ) throws(File.Failure) -> Phase {
    guard try isMovieUpToEnd(&file, &scratch, at: moovStart) else { return readAgain(orEndAs: .foreign) }
    return isCovered ? .ended(.alreadyFinished) : .covering(moovStart: moovStart)
  }

  private mutating func readTemplate(_ bytes: RawSpan, start: Int, fileByteCount: UInt64) -> Phase {
    guard let boxByteCount = bytes.big32(at: start), boxByteCount > 0,
      UInt64(start) + UInt64(boxByteCount) <= fileByteCount
    else { return .recovering(from: confirmed.byteCount, orEndAs: .empty) }
    guard let box = bytes.box(in: start..<bytes.byteCount),
      let template = MovieTemplate(bytes.extracting(box.range)), template.trackCount > 0,
      box.range.count <= MovieLimits.headerByteCount
    else { return .recovering(from: confirmed.byteCount, orEndAs: .foreign) }
    self.template = template
    headerStart = UInt64(box.start)
    headerByteCount = box.range.count
    for index in 0..<template.trackCount {
      tables[index] = template.tracks[index].emptyTables
    }
    return .measuring(from: UInt64(box.end), wholeEnd: UInt64(box.end))
  }
}

/// The progress of a ``MovieFinisher``.
package enum MovieProgress: Equatable, Sendable {
  case working
  /// The file is now an ordinary movie, as was read back from it.
  case finished
  /// Parts of the movie could not be read. They stay in the file; the others are an ordinary movie now, or still play
  /// as fragments if that could not be written.
  case damaged
  /// The file was an ordinary movie already; nothing was written.
  case alreadyFinished
  /// There is no complete fragment; nothing was written.
  case empty
  /// ``MovieDescription`` did not start this file, or its header is incomplete; nothing was written.
  case foreign
  /// More samples than an ordinary movie can count (``MovieLimits/audioFramesPerMovie``); it stays in fragments, and
  /// nothing was written.
  case tooLong
}

/// The box after `ftyp`: `free` while the movie grows, the head of the one `mdat` once it is finished.
///
/// Its 16 bytes are a 32-bit size, a type and a 64-bit size, of which a growing movie does not use the last
/// (ISO/IEC 14496-12, 4.2). The last is written first, and tells a finisher that starts again where the one before it
/// placed the `moov`; after that, whichever bytes of the first eight a cut lets through, the file stays whole: size 16
/// skips these bytes alone, size 1 everything up to the finished `moov`.
enum FrontBox {
  static var byteCount: Int { 16 }

  /// A 32-bit size of 1: the size stands after the type, in 64 bits.
  static var sizeIsIn64Bits: UInt32 { 1 }

  /// Whether other programs begin movies with such a box (QuickTime File Format, "Overview of the file structure").
  static func isOfAnother(_ type: FourCharacterCode) -> Bool {
    type == "mdat" || type == "moov" || type == "wide" || type == "free" || type == "skip" || type == "pnot"
  }
}
