import Base

/// One pass over the finished `moov`: writes it, or compares it with the file's contents.
struct TablePass: BitwiseCopyable {
  enum Purpose {
    case writing
    case checking
  }

  let purpose: Purpose
  /// How many pieces in the file differ from what they should be.
  private(set) var mismatchCount = 0

  init(_ purpose: Purpose) { self.purpose = purpose }

  /// Writes a piece to `position`, or compares it with the file's contents there.
  /// - Parameters:
  ///   - range: the piece, in the first half of `scratch`; for a comparison, the file is read into the second half.
  mutating func settle<File: MediaFile & ~Copyable>(
    _ range: Range<Int>, of scratch: inout MutableRawSpan, at position: UInt64, in file: inout File
  ) throws(File.Failure) {
    switch purpose {
    case .writing: try file.write(scratch.bytes.extracting(range), at: position)
    case .checking:
      let half = scratch.byteCount / 2
      precondition(range.upperBound <= half, "a piece of a movie is larger than half of the scratch")
      var room = scratch._mutatingExtracting(half..<half + range.count)
      let readByteCount = try file.read(at: position, into: &room)
      let isThere = readByteCount == range.count && scratch.bytes.isSame(range, as: half)
      if !isThere { mismatchCount += 1 }
    }
  }

  /// The same for a piece of any length.
  mutating func settle<File: MediaFile & ~Copyable>(
    _ bytes: RawSpan, at position: UInt64, in file: inout File, scratch: inout MutableRawSpan
  ) throws(File.Failure) {
    guard purpose == .checking else { return try file.write(bytes, at: position) }
    var start = 0
    while start < bytes.byteCount {
      let end = min(start + scratch.byteCount, bytes.byteCount)
      var room = scratch._mutatingExtracting(first: end - start)
      let readByteCount = try file.read(at: position + UInt64(start), into: &room)
      let isThere = readByteCount == end - start && room.bytes.isSame(as: bytes.extracting(start..<end))
      if !isThere { mismatchCount += 1 }
      start = end
    }
  }
}
