import Base

/// What is still to be written of a movie whose tables are safe: the type of its `moov`, and its front.
///
/// Whoever wants to know the finished movie's bytes before that gets them here. Once the front says that the movie is
/// finished, nothing is written near the tables any more: a card that turns what is around a write to garbage would take
/// them, and the fragments are covered.
package struct FrontChange: Sendable {
  /// Where the `moov` starts.
  package let moovStart: UInt64
  let frontStart: UInt64

  /// Makes a piece of the file what it will be.
  /// - Parameter position: where `bytes` begin in the file.
  package func apply(to bytes: inout MutableRawSpan, at position: UInt64) {
    store(FrontBox.sizeIsIn64Bits, at: frontStart, in: &bytes, position)
    store(("mdat" as FourCharacterCode).bigEndianValue, at: frontStart + 4, in: &bytes, position)
    let byteCount = moovStart - frontStart
    store(UInt32(truncatingIfNeeded: byteCount >> 32), at: frontStart + 8, in: &bytes, position)
    store(UInt32(truncatingIfNeeded: byteCount), at: frontStart + 12, in: &bytes, position)
    store(("moov" as FourCharacterCode).bigEndianValue, at: moovStart + 4, in: &bytes, position)
  }

  /// As much of it as is in these bytes.
  private func store(_ word: UInt32, at place: UInt64, in bytes: inout MutableRawSpan, _ position: UInt64) {
    for index in 0..<4 as Range<UInt64> where place + index >= position {
      let offset = place + index - position
      guard offset < UInt64(bytes.byteCount) else { return }
      let byte = UInt8(truncatingIfNeeded: word >> UInt32(24 - 8 * index))
      bytes.storeBytes(of: byte, toByteOffset: Int(offset), as: UInt8.self)
    }
  }
}
