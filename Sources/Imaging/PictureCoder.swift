import Media
import Rings

/// Makes of a camera's picture the JPEG that goes into the file: raw pictures are encoded, those that the camera has
/// encoded already are passed on untouched, or decoded and encoded anew as long as they are zoomed.
///
/// All memory is taken when it is made and by ``prepareThread()``.
public struct PictureCoder: ~Copyable {
  private let maximumByteCount: Int
  private var encoder: JPEGEncoder
  /// Nil where the camera's pictures are raw.
  private var decodedRows: DecodedRows?

  /// - Parameters:
  ///   - format: what the camera delivers. Many USB cameras leave the Huffman tables out of their JPEG, as AVI's Motion
  ///     JPEG allows: players fill in the standard ones.
  ///   - quality: 1…100 on the scale of libjpeg.
  ///   - memory: gives ``byteCount(format:)`` bytes for the life of the process.
  /// - Throws: as ``JPEGEncoder``.
  public init(format: VideoFormat, quality: Int, in memory: inout BootMemory) throws(JPEGEncoderError) {
    let encoder = try JPEGEncoder(format: Self.encodedFormat(format), quality: quality, in: &memory)
    if format.pixelFormat == .mjpeg {
      decodedRows = try Self.decodedRows(format: format, in: &memory)
    } else {
      decodedRows = nil
    }
    self.encoder = encoder
    maximumByteCount = Self.maximumByteCount(format: format)
  }

  private static func decodedRows(
    format: VideoFormat, in memory: inout BootMemory
  ) throws(JPEGEncoderError) -> DecodedRows {
    do throws(JPEGDecoderError) {
      return try DecodedRows(
        maximumWidthPixels: Int(format.widthPixels), maximumHeightPixels: Int(format.heightPixels), in: &memory)
    } catch {
      throw .memoryTooSmall(neededByteCount: byteCount(format: format))
    }
  }

  /// What pictures are encoded as: a camera's JPEG anew in 4:2:0, whatever it was, as one that is zoomed to twice its
  /// size has no more colour in it than that.
  private static func encodedFormat(_ format: VideoFormat) -> VideoFormat {
    guard format.pixelFormat == .mjpeg else { return format }
    return VideoFormat(
      widthPixels: format.widthPixels, heightPixels: format.heightPixels, pixelFormat: .yuv420,
      bytesPerRow: UInt32(format.widthPixels), frameRate: format.frameRate)
  }

  /// What it takes of boot memory.
  public static func byteCount(format: VideoFormat) -> Int {
    let encoderByteCount = JPEGEncoder.byteCount(format: encodedFormat(format))
    guard format.pixelFormat == .mjpeg else { return encoderByteCount }
    return encoderByteCount + DecodedRows.byteCount(maximumWidthPixels: Int(format.widthPixels))
  }

  /// The most that a JPEG of a picture may have.
  public static func maximumByteCount(format: VideoFormat) -> Int { JPEGEncoder.maximumByteCount(format: format) }

  /// To be called once by the thread that is to call ``code(picture:zoomFactor:into:)``: it may use the heap.
  public mutating func prepareThread() {
    encoder.prepareThread()
    guard decodedRows != nil else { return }
    decodedRows!.prepareThread()
  }

  /// Room that ``code(picture:zoomFactor:into:)`` wants for a picture: as much as it takes for one that is passed on.
  public func roomByteCount(picture: RawSpan, zoomFactor: Double) -> Int {
    isPassedOn(zoomFactor: zoomFactor) ? min(picture.byteCount, maximumByteCount) : maximumByteCount
  }

  /// Makes one JPEG.
  /// - Parameters:
  ///   - zoomFactor: how much of the picture is to be seen: its middle, 1 / `zoomFactor` of each side, as large as the
  ///     whole. 1 or less is all of it.
  ///   - output: ``roomByteCount(picture:zoomFactor:)`` bytes at least.
  /// - Returns: bytes of the JPEG, from the beginning of `output`.
  /// - Throws: as ``JPEGEncoder``; the coder is ready for the next picture after each error.
  public mutating func code(
    picture: RawSpan, zoomFactor: Double, into output: inout MutableRawSpan
  ) throws(JPEGEncoderError) -> Int {
    guard decodedRows != nil else {
      return try encoder.encode(picture: picture, zoomFactor: zoomFactor, into: &output)
    }
    guard picture.startsWithStartOfImage else { throw .notJPEG }
    guard isPassedOn(zoomFactor: zoomFactor) else {
      return try Self.encode(picture, as: &decodedRows!, zoomFactor: zoomFactor, with: &encoder, into: &output)
    }
    guard picture.byteCount <= output.byteCount else { throw .outputFull(capacityByteCount: output.byteCount) }
    output.copy(picture)
    return picture.byteCount
  }

  private func isPassedOn(zoomFactor: Double) -> Bool { decodedRows != nil && !(zoomFactor > 1) }

  private static func encode(
    _ jpeg: RawSpan, as rows: inout DecodedRows, zoomFactor: Double, with encoder: inout JPEGEncoder,
    into output: inout MutableRawSpan
  ) throws(JPEGEncoderError) -> Int {
    try unsafe output.withUnsafeMutableBytes { (room) throws(JPEGEncoderError) in
      try unsafe jpeg.withUnsafeBytes { (bytes) throws(JPEGEncoderError) in
        try unsafe rows.begin(bytes)
        return try unsafe encoder.compress(&rows, zoomFactor: zoomFactor, into: room)
      }
    }
  }
}

extension RawSpan {
  /// Whether the marker SOI comes first (ITU-T T.81, table B.1).
  fileprivate var startsWithStartOfImage: Bool {
    guard byteCount >= 2 else { return false }
    return unsafe unsafeLoadUnaligned(fromByteOffset: 0, as: UInt16.self).bigEndian == 0xFFD8
  }
}
