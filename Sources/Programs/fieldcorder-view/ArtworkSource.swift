import Base
import Drawing

/// The artwork of what is played, copied from the recorder's memory.
@safe struct ArtworkSource: ~Copyable {
  // Sound: a piece of boot memory with no other user, which lives as long as the process.
  private let pixels: UnsafeMutableRawBufferPointer
  private var size = PixelSize(width: 0, height: 0)
  private var version: UInt64 = 0

  /// - Returns: nil when `memory` is used up.
  init?(in memory: inout BootMemory) {
    guard let piece = unsafe memory.cut(byteCount: Artwork.largestByteCount) else { return nil }
    unsafe pixels = piece
  }

  /// Nil while there is none.
  var picture: DecodedPicture? {
    @_lifetime(borrow self)
    borrowing get {
      // Sound: written only when nobody borrows this.
      let bytes = unsafe RawSpan(_unsafeBytes: UnsafeRawBufferPointer(pixels))
      let picture = DecodedPicture(bytes, size: size, codedSize: size)
      return unsafe _overrideLifetime(picture, borrowing: self)
    }
  }

  /// - Returns: whether there is another picture than before, or none any more.
  mutating func readNewest(_ cell: ArtworkCell) -> Bool {
    guard cell.version != version else { return false }
    var room = unsafe MutableRawSpan(_unsafeBytes: pixels)
    guard let newest = cell.read(into: &room) else { return false }
    (size, version) = newest
    return true
  }
}
