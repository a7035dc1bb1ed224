import Base

extension ArtworkCell {
  /// The picture in 120,000 bytes, padded with the value 7; nil while a picture is being written.
  package func copy() -> (size: PixelSize, version: UInt64, bytes: [UInt8])? {
    var bytes = [UInt8](repeating: 7, count: Artwork.largestByteCount)
    var span = bytes.mutableSpan
    var room = unsafe span.mutableBytes
    guard let read = read(into: &room) else { return nil }
    return (read.size, read.version, bytes)
  }
}
