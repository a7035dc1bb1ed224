import Base

extension MovieFinisher where File: ~Copyable {
  /// `moov` and its first box, `mvhd`, up to version and flags.
  private static var movieStartByteCount: Int { 8 + 8 + 4 }

  /// Searches a piece of the file for a finished `moov`: one of this recorder's that ends with the file. It was
  /// compared with the fragments before it became a `moov`.
  mutating func recover(
    _ file: inout File, _ scratch: inout MutableRawSpan, from position: UInt64, orEndAs progress: MovieProgress
  ) throws(File.Failure) -> Phase {
    let readByteCount = try file.read(at: position, into: &scratch)
    if let offset = movieOffset(in: scratch.bytes.extracting(first: readByteCount), at: position, file.byteCount) {
      return try restoreFront(&file, &scratch, moovStart: position + UInt64(offset))
    }
    guard readByteCount == scratch.byteCount else { return .ended(progress) }
    return .recovering(from: position + UInt64(readByteCount - Self.movieStartByteCount + 1), orEndAs: progress)
  }

  /// The offset of a finished `moov` in `bytes`, which are at `position` in the file.
  private func movieOffset(in bytes: RawSpan, at position: UInt64, _ fileByteCount: UInt64) -> Int? {
    var offset = 0
    while offset + Self.movieStartByteCount <= bytes.byteCount {
      if isMovie(bytes, at: offset, byteCount: fileByteCount - position - UInt64(offset)) { return offset }
      offset += 1
    }
    return nil
  }

  private func isMovie(_ bytes: RawSpan, at offset: Int, byteCount: UInt64) -> Bool {
    bytes.code(at: offset + 4) == "moov" && bytes.code(at: offset + 12) == "mvhd"
      && bytes.big32(at: offset).map(UInt64.init) == byteCount && TimeWidth(bytes, contentStart: offset + 16) != nil
  }

  /// Writes the front as it was when the `moov` had been marked.
  private mutating func restoreFront(
    _ file: inout File, _ scratch: inout MutableRawSpan, moovStart: UInt64
  ) throws(File.Failure) -> Phase {
    var front = ByteWriter(&scratch)
    MovieDescription.encodeFileType(into: &front)
    frontStart = UInt64(front.byteCount)
    front.big32(UInt32(FrontBox.byteCount))
    front.code("free")
    front.big64(moovStart - frontStart)
    // Nobody can tell how much around it is lost.
    unreadableByteCount = UInt64(front.byteCount)
    try file.write(front.bytes, at: 0)
    try file.synchronise()
    return .covering(moovStart: moovStart)
  }
}

/// How much of a growing file was flushed.
package enum ConfirmedLength: BitwiseCopyable, Equatable, Sendable {
  /// This many bytes: what follows was never confirmed.
  case exactly(UInt64)
  /// At least this many bytes: what follows may be confirmed too.
  case atLeast(UInt64)

  /// Bytes from the start of the file that are certainly confirmed.
  package var byteCount: UInt64 {
    switch self {
    case .exactly(let byteCount), .atLeast(let byteCount): byteCount
    }
  }
}

/// The remaining writes for a movie whose tables are safe: the type of its `moov`, and its front.
///
/// It gives the finished movie's bytes before they are written. Once the front says that the movie is finished, nothing
/// near the tables is written any more: a card that corrupts the bytes around a write would destroy them, and the
/// fragments are covered.
package struct FrontChange: Sendable {
  package let moovStart: UInt64
  let frontStart: UInt64

  /// Changes a piece of the file to what it will be.
  /// - Parameter position: the file offset of `bytes`.
  package func apply(to bytes: inout MutableRawSpan, at position: UInt64) {
    store(FrontBox.sizeIsIn64Bits, at: frontStart, in: &bytes, position)
    store(("mdat" as FourCharacterCode).bigEndianValue, at: frontStart + 4, in: &bytes, position)
    let byteCount = moovStart - frontStart
    store(UInt32(truncatingIfNeeded: byteCount >> 32), at: frontStart + 8, in: &bytes, position)
    store(UInt32(truncatingIfNeeded: byteCount), at: frontStart + 12, in: &bytes, position)
    store(("moov" as FourCharacterCode).bigEndianValue, at: moovStart + 4, in: &bytes, position)
  }

  /// Stores the part of a word that lies within these bytes.
  private func store(_ word: UInt32, at place: UInt64, in bytes: inout MutableRawSpan, _ position: UInt64) {
    for index in 0..<4 as Range<UInt64> where place + index >= position {
      let offset = place + index - position
      guard offset < UInt64(bytes.byteCount) else { return }
      let byte = UInt8(truncatingIfNeeded: word >> UInt32(24 - 8 * index))
      bytes.storeBytes(of: byte, toByteOffset: Int(offset), as: UInt8.self)
    }
  }
}
