import Base

/// Encodes rectangles of raw pictures to baseline JPEG in 4:4:4, so that a rectangle can start and end at any pixel and
/// keep the picture's own samples.
///
/// All memory is allocated by the initialiser and ``prepareThread()``, none per picture.
package struct CropEncoder: ~Copyable {
  private var library: JPEGLibrary
  private let luma: CropReader
  private let blueDifference: CropReader
  private let redDifference: CropReader

  /// - Parameters:
  ///   - format: the format of the whole pictures.
  ///   - quality: 1…100 on libjpeg's scale.
  package init(format: VideoFormat, quality: Int, in memory: inout BootMemory) throws(JPEGEncoderError) {
    let width = Int(format.widthPixels)
    let isLimited = format.colorRange == .limited && format.pixelFormat != .mjpeg
    guard let arena = unsafe memory.cut(byteCount: JPEGLibrary.byteCount),
      let luma = CropReader(widthPixels: width, expansion: isLimited ? .luma : nil, in: &memory),
      let blueDifference = CropReader(widthPixels: width, expansion: isLimited ? .difference : nil, in: &memory),
      let redDifference = CropReader(widthPixels: width, expansion: isLimited ? .difference : nil, in: &memory)
    else { throw .memoryTooSmall }
    library = try unsafe JPEGLibrary(
      lumaColumnsPerChromaColumn: 1, lumaRowsPerChromaRow: 1, quality: quality, in: arena)
    self.luma = luma
    self.blueDifference = blueDifference
    self.redDifference = redDifference
  }

  /// Call once on the encoding thread, before its first picture: libjpeg allocates from the heap here.
  package mutating func prepareThread() {
    library.setSize(widthPixels: BandReader.blockSide, heightPixels: BandReader.blockSide)
    library.prepareThread()
  }

  /// Encodes one rectangle.
  /// - Parameters:
  ///   - rectangle: completely inside the picture.
  ///   - picture: in the layout of `source`.
  /// - Returns: the size of the JPEG in bytes, from the start of `output`.
  /// - Throws: `pictureTooSmall`, `outputFull`, or `library`; the encoder is ready for the next picture after each.
  package mutating func encode(
    _ rectangle: PixelRectangle, of picture: RawSpan, _ source: CropSource, into output: inout MutableRawSpan
  ) throws(JPEGEncoderError) -> Int {
    guard picture.byteCount >= source.byteCount else {
      throw .pictureTooSmall(byteCount: picture.byteCount, expectedByteCount: source.byteCount)
    }
    return try unsafe output.withUnsafeMutableBytes { (buffer) throws(JPEGEncoderError) in
      try unsafe picture.withUnsafeBytes { (bytes) throws(JPEGEncoderError) in
        try unsafe compress(rectangle, of: bytes, source, into: buffer)
      }
    }
  }

  @export(interface)
  private mutating func compress(
    _ rectangle: PixelRectangle, of picture: UnsafeRawBufferPointer, _ source: CropSource,
    into buffer: UnsafeMutableRawBufferPointer
  ) throws(JPEGEncoderError) -> Int {
    library.setSize(widthPixels: rectangle.width, heightPixels: rectangle.height)
    try unsafe library.begin(output: buffer)
    for band in 0..<(rectangle.height + BandReader.blockSide - 1) / BandReader.blockSide {
      try unsafe library.write(
        luma: luma.rows(inBand: band, of: rectangle, source.luma, of: picture),
        blueDifference: blueDifference.rows(inBand: band, of: rectangle, source.blueDifference, of: picture),
        redDifference: redDifference.rows(inBand: band, of: rectangle, source.redDifference, of: picture))
    }
    return try library.finish()
  }
}
