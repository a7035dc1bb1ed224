import Base
import Drawing
import Media
import Wire

/// The camera's picture as RGB, scaled down as far as the display allows, because decoding is most of a view's work.
struct PictureSource: ~Copyable {
  private var tapped: TappedPicture
  private let largest: PixelSize
  /// The size before the picture was scaled down.
  private var codedSize: PixelSize

  init?(largest: PixelSize, in memory: inout BootMemory) {
    guard
      var tapped = try? TappedPicture(
        largest: largest, jpegByteCount: Self.jpegByteCount(largest), rgbByteCount: Self.rgbByteCount(largest),
        in: &memory)
    else { return nil }
    tapped.prepareThread()
    self.tapped = tapped
    self.largest = largest
    codedSize = largest
  }

  /// The recorder's limit for a picture of any format: 4 bytes a pixel in whole MCUs, 1 KiB for tables, and 420 bytes
  /// for tables that a camera left out.
  private static func jpegByteCount(_ largest: PixelSize) -> Int {
    (largest.width + 15) / 16 * 16 * ((largest.height + 15) / 16 * 16) * 4 + 1024 + 420
  }

  private static func rgbByteCount(_ largest: PixelSize) -> Int { 3 * largest.width * largest.height }

  /// The picture that was read last; nil if there was none, or it could not be decoded.
  var picture: DecodedPicture? {
    @_lifetime(borrow self)
    borrowing get {
      guard let size = tapped.size else { return nil }
      return DecodedPicture(tapped.pixels, size: size, codedSize: codedSize)
    }
  }

  /// Takes the newest picture of the ring for a display.
  /// - Returns: its sequence number; nil if none could be read.
  mutating func readNewest(_ pictures: PacketRingTap<PictureHeader>, for display: PixelSize) -> PictureNumber? {
    guard let sequence = tapped.takeNewest(of: pictures) else { return nil }
    decode(for: display)
    return sequence
  }

  /// Takes a picture from a file.
  /// - Returns: whether it could be read.
  mutating func read(_ fill: (inout MutableRawSpan) -> Int, for display: PixelSize) -> Bool {
    tapped.take(fill)
    decode(for: display)
    return tapped.size != nil
  }

  private mutating func decode(for display: PixelSize) {
    let eighths = Self.scaleEighths(of: largest, for: display)
    guard tapped.decode(scaleEighths: eighths), let size = tapped.size else { return }
    codedSize = Self.coded(size, eighths, largest)
  }

  /// The scale at which a picture is decoded: at least four fifths of the display, so that it is never magnified much.
  /// libjpeg has vector code only for powers of two.
  private static func scaleEighths(of picture: PixelSize, for display: PixelSize) -> Int {
    let needed = max(display.width, display.height) * 4 / 5
    let longest = max(picture.width, picture.height)
    var eighths = 1
    while eighths < 8, longest * eighths / 8 < needed { eighths *= 2 }
    return eighths
  }

  /// The size before scaling: the largest size, unless the camera's pictures have another.
  private static func coded(_ decoded: PixelSize, _ eighths: Int, _ largest: PixelSize) -> PixelSize {
    let isLargest =
      (largest.width * eighths + 7) / 8 == decoded.width && (largest.height * eighths + 7) / 8 == decoded.height
    return isLargest ? largest : decoded
  }
}

/// The cover art of the current item, copied from the recorder's memory.
@safe struct ArtworkSource: ~Copyable {
  // Safe: a piece of boot memory with no other user, which lives as long as the process.
  private let pixels: UnsafeMutableRawBufferPointer
  private var size = PixelSize(width: 0, height: 0)
  private var version: UInt64 = 0

  init?(in memory: inout BootMemory) {
    guard let piece = unsafe memory.cut(byteCount: Artwork.largestByteCount) else { return nil }
    unsafe pixels = piece
  }

  /// Nil if there is none.
  var picture: DecodedPicture? {
    @_lifetime(borrow self)
    borrowing get {
      // Safe: written only when nobody borrows this.
      let bytes = unsafe RawSpan(_unsafeBytes: UnsafeRawBufferPointer(pixels))
      let picture = DecodedPicture(bytes, size: size, codedSize: size)
      return unsafe _overrideLifetime(picture, borrowing: self)
    }
  }

  /// - Returns: whether the picture has changed or is gone.
  mutating func readNewest(_ cell: ArtworkCell) -> Bool {
    guard cell.version != version else { return false }
    var room = unsafe MutableRawSpan(_unsafeBytes: pixels)
    guard let newest = cell.read(into: &room) else { return false }
    (size, version) = newest
    return true
  }
}
