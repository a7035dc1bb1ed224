import Values
import Rings

/// Makes of a camera's picture the JPEG of a still: of all that is seen, or of a rectangle of it in the camera's own
/// pixels.
///
/// All memory is taken when it is made and by ``prepareThread()``.
public struct StillCoder: ~Copyable {
  private let format: VideoFormat
  private var whole: PictureCoder
  private var crop: CropEncoder
  /// Nil for raw pictures.
  private var planes: StillPlanes?

  /// - Parameters:
  ///   - format: what the camera delivers.
  ///   - quality: 1…100 on the scale of libjpeg; not for what the camera has encoded already.
  ///   - memory: gives ``byteCount(format:)`` bytes for the life of the process.
  /// - Throws: as ``JPEGEncoder``.
  public init(format: VideoFormat, quality: Int, in memory: inout BootMemory) throws(JPEGEncoderError) {
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

  /// What it takes of boot memory.
  public static func byteCount(format: VideoFormat) -> Int {
    PictureCoder.byteCount(format: format) + CropEncoder.byteCount(format: format)
      + (StillPlanes.areNeeded(format) ? StillPlanes.byteCount(format: format) : 0)
  }

  /// Room for a still: as much as for a picture of a take, which is 3 bytes a pixel and more. A crop with all its chroma
  /// takes less but of pure noise at the highest quality, which is refused when it does not fit.
  public static func maximumByteCount(format: VideoFormat) -> Int { PictureCoder.maximumByteCount(format: format) }

  /// To be called once by the thread that is to call ``code(_:of:into:)``: it may use the heap.
  public mutating func prepareThread() {
    whole.prepareThread()
    crop.prepareThread()
    planes?.prepareThread()
  }

  /// Makes one JPEG.
  /// - Parameters:
  ///   - still: what is wanted of which picture.
  ///   - bytes: the picture's.
  ///   - output: ``maximumByteCount(format:)`` bytes.
  /// - Throws: as ``PictureCoder``; the coder is ready for the next picture after each error.
  mutating func code(
    _ still: StillPicture, of bytes: RawSpan, into output: inout MutableRawSpan
  ) throws(JPEGEncoderError) -> CodedStill {
    guard let wanted = still.order.crop else {
      let byteCount = try whole.code(picture: bytes, zoomFactor: still.picture.zoomFactor, into: &output)
      // A take keeps what the camera gave for a picture; a still of it would be a file that nobody can open.
      guard JPEGSegments.tables(of: output.bytes.extracting(first: byteCount)) != nil else { throw .notJPEG }
      return CodedStill(
        widthPixels: Int(format.widthPixels), heightPixels: Int(format.heightPixels), byteCount: byteCount)
    }
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
