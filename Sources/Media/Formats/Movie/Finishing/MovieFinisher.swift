import Values

/// Makes an ordinary movie of one that grew in fragments, in place and without moving media data; of a movie that a
/// power cut left open as well.
///
/// A first walk over the fragments measures the tables, up to the first fragment that is not whole; what lies there is
/// cut off. A second walk writes them after the last fragment into a box of type `free`, which becomes the `moov` by
/// four bytes, once all of it is safe. Then eight bytes at the front turn the `free` there into an `mdat` that covers
/// everything up to the `moov`, the fragments' boxes included. Up to the last of these writes the file plays as
/// fragments, from there on as an ordinary movie; a finisher that starts again at any point ends the same.
///
/// Each step does a bounded amount of work: a fragment, or a table. After a step that throws, start with a new one.
public struct MovieFinisher<File: MediaFile & ~Copyable> {
  private var phase = Phase.inspecting
  var template: MovieTemplate?
  var tables = InlineArray<2, TrackTables>(repeating: TrackTables(commonSampleByteCount: 0))
  var longestTrackTicks: UInt64 = 0
  /// The 16-byte box in front that becomes the `mdat`.
  private(set) var frontStart: UInt64 = 0
  /// The first `moov`.
  private(set) var headerStart: UInt64 = 0
  private(set) var headerByteCount = 0
  /// How many whole fragments the file has, as far as it was walked.
  public internal(set) var fragmentCount = 0

  enum Phase {
    case inspecting
    case verifying(moovStart: UInt64, isCovered: Bool)
    case measuring(from: UInt64)
    case placing(moovStart: UInt64)
    case filling(from: UInt64, moovStart: UInt64)
    case sealing(moovStart: UInt64)
    case covering
    case ended(MovieProgress)
  }

  /// A finisher at the start of its work.
  public init() {}

  var trackCount: Int { template?.trackCount ?? 0 }

  func track(_ index: Int) -> TrackTemplate { template?.tracks[index] ?? TrackTemplate() }

  /// - Parameter scratch: at least ``MovieLimits/finisherScratchByteCount`` bytes; nothing in it is kept between steps.
  public mutating func step(_ file: inout File, scratch: inout MutableRawSpan) throws(File.Failure) -> MovieProgress {
    precondition(scratch.byteCount >= MovieLimits.finisherScratchByteCount, "the finisher's scratch is too small")
    switch phase {
    case .inspecting: phase = try inspect(&file, &scratch)
    case .verifying(let moovStart, let isCovered):
      phase = try verify(&file, &scratch, moovStart: moovStart, isCovered: isCovered)
    case .measuring(let position): phase = try measure(&file, &scratch, from: position)
    case .placing(let moovStart): phase = try place(&file, &scratch, moovStart: moovStart)
    case .filling(let position, let moovStart):
      phase = try fill(&file, &scratch, from: position, moovStart: moovStart)
    case .sealing(let moovStart): phase = try seal(&file, &scratch, moovStart: moovStart)
    case .covering: phase = try cover(&file, &scratch)
    case .ended: break
    }
    if case .ended(let progress) = phase { return progress }
    return .working
  }

  /// Recognises what the file is from its first boxes.
  private mutating func inspect(_ file: inout File, _ scratch: inout MutableRawSpan) throws(File.Failure) -> Phase {
    let readByteCount = try file.read(at: 0, into: &scratch)
    let bytes = scratch.bytes.extracting(first: readByteCount)
    guard let firstType = bytes.code(at: 4), firstType != FourCharacterCode(bigEndianValue: 0) else {
      return .ended(.empty)
    }
    guard firstType == "ftyp" else { return .ended(.foreign) }
    guard let fileType = bytes.box(in: 0..<readByteCount), let frontSize = bytes.big32(at: fileType.end) else {
      return .ended(.empty)
    }
    frontStart = UInt64(fileType.end)
    if frontSize == FrontBox.byteCount {
      return readTemplate(bytes, start: fileType.end + FrontBox.byteCount, fileByteCount: file.byteCount)
    }
    guard frontSize == FrontBox.sizeIsIn64Bits, let mediaDataByteCount = bytes.big64(at: fileType.end + 8) else {
      return .ended(.foreign)
    }
    let isCovered = bytes.code(at: fileType.end + 4) == "mdat"
    return .verifying(moovStart: frontStart &+ mediaDataByteCount, isCovered: isCovered)
  }

  /// The front already says that an ordinary movie's `moov` is at `moovStart`.
  private func verify(
    _ file: inout File, _ scratch: inout MutableRawSpan, moovStart: UInt64, isCovered: Bool
  ) throws(File.Failure) -> Phase {
    guard try isMovieUpToEnd(&file, &scratch, at: moovStart) else { return .ended(.foreign) }
    return isCovered ? .ended(.alreadyFinished) : .covering
  }

  private mutating func readTemplate(_ bytes: RawSpan, start: Int, fileByteCount: UInt64) -> Phase {
    guard let boxByteCount = bytes.big32(at: start), boxByteCount > 0,
      UInt64(start) + UInt64(boxByteCount) <= fileByteCount
    else { return .ended(.empty) }
    guard let box = bytes.box(in: start..<bytes.byteCount),
      let template = MovieTemplate(bytes.extracting(box.range)), template.trackCount > 0
    else {
      return .ended(.foreign)
    }
    self.template = template
    headerStart = UInt64(box.start)
    headerByteCount = box.range.count
    for index in 0..<template.trackCount {
      tables[index] = template.tracks[index].emptyTables
    }
    return .measuring(from: UInt64(box.end))
  }
}

/// The progress of a ``MovieFinisher``.
public enum MovieProgress: Equatable, Sendable {
  case working
  /// The file is now an ordinary movie.
  case finished
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
/// (ISO/IEC 14496-12, 4.2). The last is written first; after that, whichever bytes of the first eight a cut lets
/// through, the file stays whole: size 16 skips these bytes alone, size 1 everything up to the finished `moov`.
enum FrontBox {
  static var byteCount: Int { 16 }

  /// A 32-bit size of 1: the size stands after the type, in 64 bits.
  static var sizeIsIn64Bits: UInt32 { 1 }
}
