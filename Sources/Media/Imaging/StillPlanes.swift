import Values
import Rings

/// Decodes the pictures of a camera that encodes by itself, so that a rectangle can be cut out.
struct StillPlanes: ~Copyable {
  private var decoder: JPEGDecoder
  private var buffer: FixedBuffer

  /// Whether a camera's pictures are to be decoded before they are cut.
  static func areNeeded(_ format: VideoFormat) -> Bool { format.pixelFormat == .mjpeg && format.widthPixels > 0 }

  /// - Parameter memory: gives ``byteCount(format:)`` bytes for the life of the process.
  init(format: VideoFormat, in memory: inout BootMemory) throws(JPEGEncoderError) {
    guard let buffer = FixedBuffer(byteCount: Self.planesByteCount(format), in: &memory) else {
      throw .memoryTooSmall(neededByteCount: Self.byteCount(format: format))
    }
    do throws(JPEGDecoderError) {
      decoder = try JPEGDecoder(
        maximumWidthPixels: Int(format.widthPixels), maximumHeightPixels: Int(format.heightPixels), in: &memory)
    } catch {
      throw .memoryTooSmall(neededByteCount: Self.byteCount(format: format))
    }
    self.buffer = buffer
  }

  /// What it takes of boot memory: the decoder, and the planes of one picture.
  static func byteCount(format: VideoFormat) -> Int {
    JPEGDecoder.byteCount(maximumWidthPixels: Int(format.widthPixels))
      + BootMemory.footprint(byteCount: planesByteCount(format))
  }

  private static func planesByteCount(_ format: VideoFormat) -> Int {
    JPEGDecoder.maximumPlanesByteCount(
      widthPixels: Int(format.widthPixels), heightPixels: Int(format.heightPixels))
  }

  mutating func prepareThread() { decoder.prepareThread() }

  /// Decodes a picture.
  /// - Returns: where its planes lie in ``bytes``.
  /// - Throws: `notJPEG` when it cannot be decoded to its end.
  mutating func decode(_ jpeg: RawSpan) throws(JPEGEncoderError) -> CodedPicture {
    try Self.decode(jpeg, with: &decoder, into: &buffer)
  }

  /// The planes of the picture that was decoded last.
  var bytes: RawSpan {
    @_lifetime(borrow self)
    borrowing get { buffer.bytes }
  }

  private static func decode(
    _ jpeg: RawSpan, with decoder: inout JPEGDecoder, into buffer: inout FixedBuffer
  ) throws(JPEGEncoderError) -> CodedPicture {
    do throws(JPEGDecoderError) {
      var room = buffer.mutableBytes
      return try decoder.decodePlanes(jpeg: jpeg, into: &room)
    } catch {
      throw .notJPEG
    }
  }
}
