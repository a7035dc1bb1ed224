import Base

extension MovieFinisher where File: ~Copyable {
  /// `moov` and its first box, `mvhd` of version 1, up to version and flags.
  private static var movieStartByteCount: Int { 8 + 8 + 4 }

  /// Searches a piece of the file for a finished `moov`: one of this recorder that ends with the file. It was compared with
  /// the fragments before it became one.
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

  /// Where in `bytes`, which stand at `position`, a finished `moov` starts.
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
      && bytes.big32(at: offset).map(UInt64.init) == byteCount && bytes.big32(at: offset + 16).map { $0 >> 24 } == 1
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
    // How much around it is lost, nobody can tell.
    unreadableByteCount = UInt64(front.byteCount)
    try file.write(front.bytes, at: 0)
    try file.synchronise()
    return .covering(moovStart: moovStart)
  }
}
