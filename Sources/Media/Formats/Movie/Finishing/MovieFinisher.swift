import Base

/// Turns a movie that grew in fragments into an ordinary one, in place and without moving media data, even if a power
/// cut interrupted it.
///
/// A first pass over the fragments measures the tables. If no fragment can be read at some point, it searches for the
/// next one: the bytes in between stay in the file. A second pass writes the tables after the media data into a box of
/// type `free`, and a third compares them with the file's contents. Once all of it is safe, four bytes turn the box
/// into the `moov`. Only then is the front written: eight bytes say where the `moov` is, and eight turn the `free`
/// there into an `mdat` that covers everything up to the `moov`, including the fragments' boxes. Until the last of
/// these writes the file plays as fragments, and after it as an ordinary movie; a finisher that starts again at any
/// point ends with the same movie.
///
/// A card may corrupt everything around a write. If a file's front is lost, its `moov` is searched for, and the file
/// gets a new front: then everything after the corrupt part plays.
///
/// Only bytes that were never confirmed are cut off. If a file seems inconsistent, it is read a second time before that
/// is accepted.
///
/// Each step does a bounded amount of work: a fragment, a table, or a piece of a search. After a step that throws, call
/// ``restart()``.
package struct MovieFinisher<File: MediaFile & ~Copyable> {
  let confirmed: ConfirmedLength
  private var phase = Phase.inspecting
  /// How many times the movie may be read from the start, including this one.
  var readingsLeft = MovieLimits.readingsPerMovie
  var template: MovieTemplate?
  var tables = InlineArray<2, TrackTables>(repeating: TrackTables(commonSampleByteCount: 0))
  var pass = TablePass(.writing)
  var longestTrackTicks: UInt64 = 0
  /// What each track has after its tables; 0 without a timecode.
  var referenceByteCount: UInt64 = 0
  /// The 16-byte box at the front that becomes the `mdat`.
  var frontStart: UInt64 = 0
  /// Where an earlier finisher of this movie placed the `moov`; nil if none did.
  private(set) var markedMoovStart: UInt64?
  /// The first `moov`.
  private(set) var headerStart: UInt64 = 0
  private(set) var headerByteCount = 0
  /// How many whole fragments have been found so far.
  package internal(set) var fragmentCount = 0
  /// Bytes of unreadable fragments: they stay in the file, but the movie does not show them.
  package internal(set) var unreadableByteCount: UInt64 = 0

  enum Phase {
    case inspecting
    /// The front cannot be read: a finished `moov` is searched for, starting at `from`.
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

  /// The number of pictures in the movie, once it is finished.
  package var pictureCount: UInt64 { sampleCount(of: .video) }

  /// The number of sound frames in the movie, once it is finished.
  package var audioFrameCount: UInt64 { sampleCount(of: .audio) }

  /// The duration of the sound in frames, once the movie is finished: ``audioFrameCount``, unless a fragment gives a
  /// start other than its actual one.
  package var audioDurationFrames: UInt64 {
    guard let index = index(of: .audio) else { return 0 }
    return tables[index].durationTicks
  }

  private func sampleCount(of track: MovieTrack) -> UInt64 {
    guard let index = index(of: track) else { return 0 }
    return UInt64(tables[index].sampleSize.table.sampleCount)
  }

  private func index(of track: MovieTrack) -> Int? { template?.trackIndex(trackID: track.rawValue) }

  /// What the next steps will write, once everything else is safe; nil before that.
  package var frontChange: FrontChange? {
    guard case .sealing(let moovStart) = phase else { return nil }
    return FrontChange(moovStart: moovStart, frontStart: frontStart)
  }

  /// What the ledger for the next step must know; nil if that step needs none.
  package var end: MovieEnd? {
    guard case .placing(let moovStart) = phase, let template else { return nil }
    var offset = moovStart + 8 + UInt64(template.head.count + template.tail.count)
    for index in 0..<trackCount {
      offset += track(index).byteCount(tablesByteCount: tables[index].byteCount) + MovieTimecode.referenceByteCount
    }
    return MovieEnd(
      start: template.movieStart, created: template.created, timescale: template.timescale,
      durationTicks: longestTrackTicks, pictureCount: pictureCount, offset: offset, trackCount: trackCount)
  }

  /// - Parameters:
  ///   - scratch: at least ``MovieLimits/finisherScratchByteCount`` bytes; nothing in it is kept between steps.
  ///   - ledger: as made by ``LedgerCoding``; empty if there is none. The same for all steps that need it.
  ///   - hashes: the list before the ledger; also the same for all these steps.
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

  /// Starts again if that is still allowed: the inconsistency may be a read error.
  /// - Parameter progress: how the work ends otherwise.
  mutating func readAgain(orEndAs progress: MovieProgress) -> Phase {
    guard readingsLeft > 1 else { return .ended(progress) }
    var next = MovieFinisher(confirmed: confirmed)
    next.readingsLeft = readingsLeft - 1
    self = next
    return .inspecting
  }

  /// Recognises the kind of file from its first boxes.
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

  /// - Parameter type: the type of the box found in place of the front.
  private func lostFront(with type: FourCharacterCode) -> Phase {
    FrontBox.isOfAnother(type) ? .ended(.foreign) : .recovering(from: confirmed.byteCount, orEndAs: .foreign)
  }

  /// For a front that already says that an ordinary movie's `moov` is at `moovStart`.
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
  /// The file is now an ordinary movie, as reading it back has confirmed.
  case finished
  /// Parts of the movie could not be read. They stay in the file; the other parts now form an ordinary movie, or still
  /// play as fragments if that could not be written.
  case damaged
  /// The file was already an ordinary movie; nothing was written.
  case alreadyFinished
  /// There is no complete fragment; nothing was written.
  case empty
  /// ``MovieDescription`` did not start this file, or its header is incomplete; nothing was written.
  case foreign
  /// It has more samples than an ordinary movie can count (``MovieLimits/audioFramesPerMovie``); it stays in fragments,
  /// and nothing was written.
  case tooLong
}

/// The box after `ftyp`: `free` while the movie grows, the header of the only `mdat` once it is finished.
///
/// Its 16 bytes are a 32-bit size, a type and a 64-bit size, which a growing movie does not use (ISO/IEC 14496-12,
/// 4.2). The 64-bit size is written first, and tells a later finisher where this one placed the `moov`. After that,
/// whichever of the first eight bytes survive a power cut, the file stays valid: size 16 skips only these bytes, size 1
/// everything up to the finished `moov`.
enum FrontBox {
  static var byteCount: Int { 16 }

  /// A 32-bit size of 1: the size follows the type, in 64 bits.
  static var sizeIsIn64Bits: UInt32 { 1 }

  /// Whether other programs begin movies with this box (QuickTime File Format, "Overview of the file structure").
  static func isOfAnother(_ type: FourCharacterCode) -> Bool {
    type == "mdat" || type == "moov" || type == "wide" || type == "free" || type == "skip" || type == "pnot"
  }
}
