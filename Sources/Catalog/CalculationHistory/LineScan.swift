import Base
import Machine

/// A walk through the lines of a file, piece by piece.
struct LineScan: BitwiseCopyable {
  struct Line {
    /// Without its end; what is too long is cut, and ``FixedText/isTruncated``.
    var text: FixedText<480>
    /// Whether it has an end: the last line of a file may have none.
    var isEnded: Bool
  }

  let path: FixedText<128>
  /// Where in the file the next line begins.
  private(set) var offset: UInt64 = 0
  /// The piece that was read: its size, and where the next line begins in it.
  private var byteCount = 0
  private var index = 0
  private var isLastPiece = false

  init(_ path: FixedText<128>) { self.path = path }

  /// Reads the piece that begins with the next line.
  /// - Returns: false when there is none.
  /// - Throws: with kind `absent` when there is no such file.
  mutating func read(
    from storage: inout Storage, into buffer: inout FixedBuffer
  ) throws(DeviceFailure) -> Bool {
    if isLastPiece { return false }
    var file = try storage.open(path)
    var space = buffer.mutableBytes
    byteCount = try file.read(at: offset, into: &space)
    isLastPiece = byteCount < buffer.byteCount
    index = 0
    return byteCount > 0
  }

  /// The next line of the piece; nil when the rest of it is in the next one.
  mutating func next(in buffer: borrowing FixedBuffer) -> Line? {
    let piece = buffer.text(byteCount)
    var end = index
    while end < byteCount, piece[end] != UInt8(ascii: "\n") { end += 1 }
    let isEnded = end < byteCount
    // A line that fills a piece is none of ours: it is given out in parts.
    guard isEnded || (end > index && (isLastPiece || index == 0)) else { return nil }
    let text = FixedText<480>(piece.extracting(index..<end))
    offset += UInt64(end - index + (isEnded ? 1 : 0))
    index = isEnded ? end + 1 : end
    return Line(text: text, isEnded: isEnded)
  }
}
