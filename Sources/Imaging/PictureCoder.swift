import Media
import Rings

/// Makes of a camera's picture the JPEG that goes into the file: raw pictures are encoded, those that the camera has
/// encoded already are passed on untouched.
///
/// All memory is taken when it is made and by ``prepareThread()``.
public struct PictureCoder: ~Copyable {
  private let maximumByteCount: Int
  private var encoder: JPEGEncoder?

  /// - Parameters:
  ///   - format: what the camera delivers. Many USB cameras leave the Huffman tables out of their JPEG, as AVI's Motion
  ///     JPEG allows: players fill in the standard ones.
  ///   - quality: 1…100 on the scale of libjpeg.
  ///   - memory: gives ``byteCount(format:)`` bytes for the life of the process.
  /// - Throws: as ``JPEGEncoder``.
  public init(format: VideoFormat, quality: Int, in memory: inout BootMemory) throws(JPEGEncoderError) {
    if format.pixelFormat == .mjpeg {
      encoder = nil
    } else {
      encoder = try JPEGEncoder(format: format, quality: quality, in: &memory)
    }
    maximumByteCount = Self.maximumByteCount(format: format)
  }

  /// What it takes of boot memory.
  public static func byteCount(format: VideoFormat) -> Int { JPEGEncoder.byteCount(format: format) }

  /// The most that a JPEG of a picture may have.
  public static func maximumByteCount(format: VideoFormat) -> Int { JPEGEncoder.maximumByteCount(format: format) }

  /// To be called once by the thread that is to call ``code(picture:zoomFactor:into:)``: it may use the heap.
  public mutating func prepareThread() {
    guard encoder != nil else { return }
    encoder!.prepareThread()
  }

  /// Room that ``code(picture:zoomFactor:into:)`` wants for a picture: as much as it takes for one that is passed on.
  public func roomByteCount(picture: RawSpan, zoomFactor: Double) -> Int {
    encoder == nil ? min(picture.byteCount, maximumByteCount) : maximumByteCount
  }

  /// Makes one JPEG.
  /// - Parameters:
  ///   - zoomFactor: 1 or more; how much of each side of the picture's middle is to be seen.
  ///   - output: ``roomByteCount(picture:zoomFactor:)`` bytes at least.
  /// - Returns: bytes of the JPEG, from the beginning of `output`.
  /// - Throws: as ``JPEGEncoder``; the coder is ready for the next picture after each error.
  public mutating func code(
    picture: RawSpan, zoomFactor: Double, into output: inout MutableRawSpan
  ) throws(JPEGEncoderError) -> Int {
    guard encoder == nil else { return try encoder!.encode(picture: picture, into: &output) }
    guard picture.startsWithStartOfImage else { throw .notJPEG }
    guard picture.byteCount <= output.byteCount else { throw .outputFull(capacityByteCount: output.byteCount) }
    output.copy(picture)
    return picture.byteCount
  }
}

extension RawSpan {
  /// Whether the marker SOI comes first (ITU-T T.81, table B.1).
  fileprivate var startsWithStartOfImage: Bool {
    guard byteCount >= 2 else { return false }
    return unsafe unsafeLoadUnaligned(fromByteOffset: 0, as: UInt16.self).bigEndian == 0xFFD8
  }
}
