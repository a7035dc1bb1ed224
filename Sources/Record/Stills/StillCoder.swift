import Base
import Media

/// Converts a camera picture to the JPEG of a still: the visible part, or a rectangle of it in the camera's own pixels.
///
/// All memory is allocated by the initialiser and ``prepareThread()``.
package struct StillCoder: ~Copyable {
  private let format: VideoFormat
  private var whole: PictureCoder
  private var crop: CropEncoder
  /// Nil for raw pictures.
  private var planes: StillPlanes?

  /// - Parameters:
  ///   - format: the camera's format.
  ///   - quality: 1…100 on the scale of libjpeg; not used for whole pictures that the camera has encoded.
  /// - Throws: as ``JPEGEncoder``.
  @export(interface)
  package init(format: VideoFormat, quality: Int, in memory: inout BootMemory) throws(JPEGEncoderError) {
    self.format = format
    let coder = try PictureCoder(format: format, quality: quality, in: &memory)
    let cropEncoder = try CropEncoder(format: format, quality: quality, in: &memory)
    if StillPlanes.areNeeded(format) {
      planes = try StillPlanes(format: format, in: &memory)
    } else {
      planes = nil
    }
    whole = coder
    crop = cropEncoder
  }

  /// Size limit of a still: that of a picture in a take, which is 3 bytes per pixel or more. A crop in 4:4:4 exceeds it
  /// only for pure noise at the highest quality, and is then refused.
  package static func maximumByteCount(format: VideoFormat) -> Int { PictureCoder.maximumByteCount(format: format) }

  /// Call once from the thread that calls ``code(_:of:into:)``: this may use the heap.
  package mutating func prepareThread() {
    whole.prepareThread()
    crop.prepareThread()
    planes?.prepareThread()
  }

  /// Makes one JPEG.
  /// - Parameters:
  ///   - still: the picture and its order.
  ///   - bytes: of the picture.
  ///   - other: its format, if a reopened camera delivers another one. Crops are then not possible.
  ///   - output: ``maximumByteCount(format:)`` bytes.
  /// - Throws: as ``PictureCoder``; the coder is ready for the next picture after each error.
  @export(interface)
  mutating func code(
    _ still: StillPicture, of bytes: RawSpan, _ other: VideoFormat? = nil, into output: inout MutableRawSpan
  ) throws(JPEGEncoderError) -> CodedStill {
    guard let wanted = still.order.crop else {
      let byteCount = try whole.code(
        picture: bytes, zoomFactor: still.picture.zoomFactor, of: other, into: &output)
      // A take keeps a damaged picture unchanged; a still made from it would be a file that no program can open.
      guard JPEGSegments.tables(of: output.bytes.extracting(first: byteCount)) != nil else { throw .notJPEG }
      return CodedStill(
        widthPixels: Int(format.widthPixels), heightPixels: Int(format.heightPixels), byteCount: byteCount)
    }
    if let other { throw .formatNotEncodable(other) }
    if planes != nil {
      let picture = try planes!.decode(bytes)
      return try Self.cut(wanted, still, of: planes!, picture, with: &crop, into: &output)
    }
    guard let layout = PictureLayout(format) else { throw .formatNotEncodable(format) }
    return try Self.cut(
      wanted, still, of: bytes, CropSource(layout), widthPixels: Int(format.widthPixels),
      heightPixels: Int(format.heightPixels), with: &crop, into: &output)
  }

  private static func cut(
    _ wanted: StillOrder.Crop, _ still: StillPicture, of planes: borrowing StillPlanes, _ picture: CodedPicture,
    with crop: inout CropEncoder, into output: inout MutableRawSpan
  ) throws(JPEGEncoderError) -> CodedStill {
    try cut(
      wanted, still, of: planes.bytes, CropSource(picture), widthPixels: picture.widthPixels,
      heightPixels: picture.heightPixels, with: &crop, into: &output)
  }

  private static func cut(
    _ wanted: StillOrder.Crop, _ still: StillPicture, of bytes: RawSpan, _ source: CropSource, widthPixels: Int,
    heightPixels: Int, with crop: inout CropEncoder, into output: inout MutableRawSpan
  ) throws(JPEGEncoderError) -> CodedStill {
    let rectangle = wanted.view.cameraPixels(
      of: wanted.rectangle, widthPixels: widthPixels, heightPixels: heightPixels,
      orientation: still.order.orientation, zoomFactor: still.picture.zoomFactor)
    let byteCount = try crop.encode(rectangle, of: bytes, source, into: &output)
    return CodedStill(widthPixels: rectangle.width, heightPixels: rectangle.height, byteCount: byteCount)
  }
}

struct CodedStill: Equatable {
  /// Columns as stored in the file.
  var widthPixels: Int
  /// Rows as stored in the file.
  var heightPixels: Int
  var byteCount: Int
}

/// Decodes the pictures of a camera that encodes them itself, so that a rectangle can be cropped.
private struct StillPlanes: ~Copyable {
  private var decoder: JPEGDecoder
  private var buffer: FixedBuffer

  /// Whether a camera's pictures must be decoded before cropping.
  static func areNeeded(_ format: VideoFormat) -> Bool { format.pixelFormat == .mjpeg && format.widthPixels > 0 }

  init(format: VideoFormat, in memory: inout BootMemory) throws(JPEGEncoderError) {
    guard let buffer = FixedBuffer(byteCount: Self.planesByteCount(format), in: &memory) else {
      throw .memoryTooSmall
    }
    do throws(JPEGDecoderError) {
      decoder = try JPEGDecoder(
        maximumWidthPixels: Int(format.widthPixels), maximumHeightPixels: Int(format.heightPixels), in: &memory)
    } catch {
      throw .memoryTooSmall
    }
    self.buffer = buffer
  }

  private static func planesByteCount(_ format: VideoFormat) -> Int {
    JPEGDecoder.maximumPlanesByteCount(
      widthPixels: Int(format.widthPixels), heightPixels: Int(format.heightPixels))
  }

  mutating func prepareThread() { decoder.prepareThread() }

  /// Decodes a picture.
  /// - Returns: the layout of its planes in ``bytes``.
  /// - Throws: `notJPEG` if it cannot be decoded completely.
  mutating func decode(_ jpeg: RawSpan) throws(JPEGEncoderError) -> CodedPicture {
    try Self.decode(jpeg, with: &decoder, into: &buffer)
  }

  /// The planes of the last decoded picture.
  var bytes: RawSpan {
    @_lifetime(borrow self)
    borrowing get { buffer.bytes }
  }

  private static func decode(
    _ jpeg: RawSpan, with decoder: inout JPEGDecoder, into buffer: inout FixedBuffer
  ) throws(JPEGEncoderError) -> CodedPicture {
    do throws(JPEGDecoderError) {
      var buffer = buffer.mutableBytes
      return try decoder.decodePlanes(jpeg: jpeg, into: &buffer)
    } catch {
      throw .notJPEG
    }
  }
}
