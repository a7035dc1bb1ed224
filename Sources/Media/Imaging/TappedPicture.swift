import Base

/// A copy of a picture that a tap read from a ring, and its decoded RGB.
package struct TappedPicture: ~Copyable {
  private var decoder: JPEGDecoder
  private var jpeg: FixedBuffer
  private var rgb: FixedBuffer
  private var jpegByteCount = 0
  /// The size of ``pixels``; nil before the first picture, and if the last one could not be decoded.
  package private(set) var size: PixelSize?

  /// - Parameters:
  ///   - largest: the largest width and height of any picture; each side 1 or more.
  ///   - jpegByteCount: the size of the largest JPEG to read.
  ///   - rgbByteCount: the size of the largest decoded picture.
  /// - Throws: as ``JPEGDecoder``; also `memoryTooSmall` if the other buffers do not fit.
  package init(
    largest: PixelSize, jpegByteCount: Int, rgbByteCount: Int, in memory: inout BootMemory
  ) throws(JPEGDecoderError) {
    let decoder = try JPEGDecoder(maximumWidthPixels: largest.width, maximumHeightPixels: largest.height, in: &memory)
    guard let jpeg = FixedBuffer(byteCount: jpegByteCount, in: &memory),
      let rgb = FixedBuffer(byteCount: rgbByteCount, in: &memory)
    else {
      throw .memoryTooSmall
    }
    self.decoder = decoder
    self.jpeg = jpeg
    self.rgb = rgb
  }

  /// Call once on the decoding thread, before its first picture: this may use the heap.
  package mutating func prepareThread() { decoder.prepareThread() }

  /// Takes the newest picture in a ring.
  /// - Returns: its sequence number; nil if there is none, or it is too large.
  package mutating func takeNewest(of tap: PacketRingTap<PictureHeader>) -> PictureNumber? {
    var sequence: PictureNumber?
    take { buffer in
      guard case .packet(let packet) = tap.copyNewest(into: &buffer) else { return 0 }
      sequence = packet.sequence
      return packet.byteCount
    }
    return sequence
  }

  /// Takes a picture from another source.
  /// - Parameter read: writes the picture to the start of the buffer, and returns its size in bytes.
  package mutating func take(_ read: (inout MutableRawSpan) -> Int) {
    var buffer = jpeg.mutableBytes
    jpegByteCount = read(&buffer)
  }

  /// Decodes the current picture.
  /// - Parameter scaleEighths: 1…8: the scale of each side; the size is rounded up to whole pixels.
  /// - Returns: whether it could be decoded.
  package mutating func decode(scaleEighths: Int) -> Bool {
    size = Self.decode(jpeg, jpegByteCount, scaleEighths, with: &decoder, into: &rgb)
    return size != nil
  }

  /// Rows of three bytes per pixel, red first, without padding; ``size`` gives their number and length.
  package var pixels: RawSpan {
    @_lifetime(borrow self)
    borrowing get { rgb.bytes }
  }

  private static func decode(
    _ jpeg: borrowing FixedBuffer, _ byteCount: Int, _ scaleEighths: Int, with decoder: inout JPEGDecoder,
    into rgb: inout FixedBuffer
  ) -> PixelSize? {
    var buffer = rgb.mutableBytes
    return try? decoder.decodeRGB(
      jpeg: jpeg.bytes.extracting(first: byteCount), scaleEighths: scaleEighths, into: &buffer)
  }
}
