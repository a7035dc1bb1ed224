import Imaging
import Values
import Rings

/// A copy of a picture of the ring that views look into, and the red, green and blue that are made of it.
public struct TappedPicture: ~Copyable {
  private var decoder: JPEGDecoder
  private var jpeg: FixedBuffer
  private var rgb: FixedBuffer
  private var jpegByteCount = 0
  /// What ``pixels`` holds; nil before the first picture, and when the last could not be decoded.
  public private(set) var size: PixelSize?

  /// - Parameters:
  ///   - largest: no picture is wider or higher than that; each side 1 or more.
  ///   - jpegByteCount: the most that is read of a picture; what is larger is not taken.
  ///   - rgbByteCount: the most that is made of one.
  ///   - memory: gives ``byteCount(largest:jpegByteCount:rgbByteCount:)``.
  /// - Throws: as ``JPEGDecoder``; `memoryTooSmall` when it is the other buffers that do not fit.
  public init(
    largest: PixelSize, jpegByteCount: Int, rgbByteCount: Int, in memory: inout BootMemory
  ) throws(JPEGDecoderError) {
    let decoder = try JPEGDecoder(
      maximumWidthPixels: largest.width, maximumHeightPixels: largest.height, in: &memory)
    guard let jpeg = FixedBuffer(byteCount: jpegByteCount, in: &memory),
      let rgb = FixedBuffer(byteCount: rgbByteCount, in: &memory)
    else {
      throw .memoryTooSmall(
        neededByteCount: Self.byteCount(largest: largest, jpegByteCount: jpegByteCount, rgbByteCount: rgbByteCount))
    }
    self.decoder = decoder
    self.jpeg = jpeg
    self.rgb = rgb
  }

  /// What ``init(largest:jpegByteCount:rgbByteCount:in:)`` takes of boot memory.
  public static func byteCount(largest: PixelSize, jpegByteCount: Int, rgbByteCount: Int) -> Int {
    JPEGDecoder.byteCount(maximumWidthPixels: largest.width) + BootMemory.footprint(byteCount: jpegByteCount)
      + BootMemory.footprint(byteCount: rgbByteCount)
  }

  /// To be called once by the thread that decodes, before that: it may use the heap.
  public mutating func prepareThread() { decoder.prepareThread() }

  /// Takes the newest picture of a ring.
  /// - Returns: its sequence number; nil when there is none, or it has too many bytes.
  public mutating func takeNewest(of tap: PacketRingTap<PictureHeader>) -> UInt64? {
    var sequence: UInt64?
    take { room in
      guard case .packet(let packet) = tap.copyNewest(into: &room) else { return 0 }
      sequence = packet.sequence
      return packet.byteCount
    }
    return sequence
  }

  /// Takes a picture from elsewhere.
  /// - Parameter read: puts it at the beginning of the room, and returns its bytes.
  public mutating func take(_ read: (inout MutableRawSpan) -> Int) {
    var room = jpeg.mutableBytes
    jpegByteCount = read(&room)
  }

  /// Decodes what was taken.
  /// - Parameter scaleEighths: 1…8: how much of each side is left, rounded up to whole pixels.
  /// - Returns: whether it could be done.
  public mutating func decode(scaleEighths: Int) -> Bool {
    size = Self.decode(jpeg, jpegByteCount, scaleEighths, with: &decoder, into: &rgb)
    return size != nil
  }

  /// Rows of three bytes a pixel, red first, without gaps: ``size`` says how many.
  public var pixels: RawSpan {
    @_lifetime(borrow self)
    borrowing get { rgb.bytes }
  }

  private static func decode(
    _ jpeg: borrowing FixedBuffer, _ byteCount: Int, _ scaleEighths: Int, with decoder: inout JPEGDecoder,
    into rgb: inout FixedBuffer
  ) -> PixelSize? {
    var room = rgb.mutableBytes
    return try? decoder.decodeRGB(
      jpeg: jpeg.bytes.extracting(first: byteCount), scaleEighths: scaleEighths, into: &room)
  }
}
