import Base
import Drawing
import Media

extension Sign {
  /// What stands for the camera's pictures while it is lost.
  static var noPicture: Sign {
    let words: StaticString = "NO PICTURE"
    return Sign(columnCount: words.utf8CodeUnitCount * Glyph.advance - 1) { column, row in
      let (letter, column) = column.quotientAndRemainder(dividingBy: Glyph.advance)
      return column < Glyph.width && Glyph.hasInk(words.utf8Bytes[letter], column: column, row: row)
    }
  }
}

extension CameraBuffers {
  /// Encodes the stand-in, once at boot. Pictures that cannot be encoded have none.
  /// - Throws: `memoryTooSmall`.
  func makeStandIn(
    _ format: VideoFormat, with coder: inout PictureCoder, in memory: inout BootMemory
  ) throws(JPEGEncoderError) {
    guard let piece = unsafe memory.cut(byteCount: PictureCoder.signByteCount(format: format)) else {
      throw .memoryTooSmall
    }
    coder.prepareThread()
    // Sound: boot memory outlives every thread, and is written only here.
    var room = unsafe MutableRawSpan(_unsafeBytes: piece)
    guard let byteCount = coder.code(.noPicture, into: &room) else { return }
    unsafe setStandIn(UnsafeRawBufferPointer(rebasing: piece[..<byteCount]))
  }
}
