import Drawing
import Imaging
import Media
import Rings
import Viewing

/// The camera's picture as RGB, scaled down as far as the display allows: decoding is most of what a view costs.
@safe struct PictureSource: ~Copyable {
  private var decoder: JPEGDecoder
  private let largest: PixelSize
  // Sound: pieces of boot memory that nothing else was given.
  private let jpeg: UnsafeMutableRawBufferPointer
  private let rgb: UnsafeMutableRawBufferPointer
  /// Of the picture in `rgb`; nil before the first.
  private var size: PixelSize?
  private var codedSize: PixelSize

  /// - Returns: nil when `memory` has not ``byteCount(largest:)`` left.
  init?(largest: PixelSize, in memory: inout BootMemory) {
    guard let jpeg = unsafe memory.cut(byteCount: Self.jpegByteCount(largest)),
      let rgb = unsafe memory.cut(byteCount: 3 * largest.width * largest.height),
      var decoder = try? JPEGDecoder(
        maximumWidthPixels: largest.width, maximumHeightPixels: largest.height, in: &memory)
    else { return nil }
    decoder.prepareThread()
    self.decoder = decoder
    self.largest = largest
    unsafe self.jpeg = jpeg
    unsafe self.rgb = rgb
    codedSize = largest
  }

  /// What ``init(largest:in:)`` takes of boot memory.
  static func byteCount(largest: PixelSize) -> Int {
    BootMemory.footprint(byteCount: jpegByteCount(largest))
      + BootMemory.footprint(byteCount: 3 * largest.width * largest.height)
      + JPEGDecoder.byteCount(maximumWidthPixels: largest.width)
  }

  /// What the recorder allows a picture of any format: 4 bytes a pixel in whole MCUs, and 1 KiB for the tables.
  private static func jpegByteCount(_ largest: PixelSize) -> Int {
    (largest.width + 15) / 16 * 16 * ((largest.height + 15) / 16 * 16) * 4 + 1024
  }

  /// The picture that was read last; nil when there was none, or it could not be decoded.
  var picture: DecodedPicture? {
    @_lifetime(borrow self)
    borrowing get {
      guard let size else { return nil }
      // Sound: `rgb` changes only when `self` does.
      let bytes = unsafe RawSpan(_unsafeBytes: UnsafeRawBufferPointer(rgb))
      return DecodedPicture(unsafe _overrideLifetime(bytes, borrowing: self), size: size, codedSize: codedSize)
    }
  }

  /// Takes the newest picture of the ring for a display.
  /// - Returns: its sequence number; nil when there was none that could be read.
  mutating func readNewest(_ pictures: PacketRingTap<PictureHeader>, for display: PixelSize) -> UInt64? {
    var room = unsafe MutableRawSpan(_unsafeBytes: jpeg)
    guard case .packet(let packet) = pictures.copyNewest(into: &room) else { return nil }
    decode(byteCount: packet.byteCount, for: display)
    return packet.sequence
  }

  /// Takes a picture from a file.
  /// - Returns: whether it could be read.
  mutating func read(_ fill: (UnsafeMutableRawBufferPointer) -> Int, for display: PixelSize) -> Bool {
    decode(byteCount: unsafe fill(jpeg), for: display)
    return size != nil
  }

  private mutating func decode(byteCount: Int, for display: PixelSize) {
    let bytes = unsafe RawSpan(_unsafeBytes: UnsafeRawBufferPointer(jpeg)).extracting(first: byteCount)
    var room = unsafe MutableRawSpan(_unsafeBytes: rgb)
    let eighths = Self.scaleEighths(of: largest, for: display)
    guard let decoded = try? decoder.decodeRGB(jpeg: bytes, scaleEighths: eighths, into: &room) else {
      size = nil
      return
    }
    size = decoded
    codedSize = Self.coded(decoded, eighths, largest)
  }

  /// How much of a picture is decoded: at least four fifths of the display, so that it is never made much larger. The
  /// library has vector instructions for halves alone.
  private static func scaleEighths(of picture: PixelSize, for display: PixelSize) -> Int {
    let needed = max(display.width, display.height) * 4 / 5
    let longest = max(picture.width, picture.height)
    var eighths = 1
    while eighths < 8, longest * eighths / 8 < needed { eighths *= 2 }
    return eighths
  }

  /// The size before it was scaled down, which is the largest unless the camera's pictures are of another.
  private static func coded(_ decoded: PixelSize, _ eighths: Int, _ largest: PixelSize) -> PixelSize {
    let isLargest =
      (largest.width * eighths + 7) / 8 == decoded.width && (largest.height * eighths + 7) / 8 == decoded.height
    return isLargest ? largest : decoded
  }
}
