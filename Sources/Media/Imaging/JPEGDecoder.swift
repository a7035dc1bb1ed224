import Base
import CJPEG

/// Decodes baseline JPEG (ITU-T T.81) of Y'CbCr, as produced by cameras. Missing Huffman tables are replaced by those
/// of annex K.3.
///
/// All memory is allocated by the initialiser and ``prepareThread()``, none per picture. A picture that cannot be
/// decoded completely is an error; the decoder is then ready for the next one.
package struct JPEGDecoder: ~Copyable {
  private var library: JPEGDecoderLibrary
  private let maximumWidthPixels: Int
  private let maximumHeightPixels: Int

  /// - Parameters:
  ///   - maximumWidthPixels: 1…65,500; width of the widest picture to decode.
  ///   - maximumHeightPixels: 1…65,500; height of the highest picture to decode.
  /// - Throws: `memoryTooSmall`, or `library`.
  package init(
    maximumWidthPixels: Int, maximumHeightPixels: Int, in memory: inout BootMemory
  ) throws(JPEGDecoderError) {
    let libraryByteCount = JPEGDecoderLibrary.byteCount(maximumWidthPixels: maximumWidthPixels)
    guard let arena = unsafe memory.cut(byteCount: libraryByteCount) else {
      throw .memoryTooSmall
    }
    library = try unsafe JPEGDecoderLibrary(in: arena)
    self.maximumWidthPixels = maximumWidthPixels
    self.maximumHeightPixels = maximumHeightPixels
  }

  /// Bytes that suffice for the planes of any picture of at most that size: whole blocks of three components, none of
  /// them smaller than the picture, in bands of up to 16 rows.
  package static func maximumPlanesByteCount(widthPixels: Int, heightPixels: Int) -> Int {
    3 * ((widthPixels + 7) / 8 * 8) * ((heightPixels + 15) / 16 * 16)
  }

  /// Call once from the decoding thread, before its first picture: libjpeg allocates from the heap here.
  package mutating func prepareThread() { library.prepareThread() }

  /// Decodes a picture to its planes, without colour conversion.
  /// - Parameter output: large enough for all planes, ``maximumPlanesByteCount(widthPixels:heightPixels:)`` at most.
  /// - Returns: the layout of the planes in `output`.
  /// - Throws: all but `memoryTooSmall`.
  package mutating func decodePlanes(
    jpeg: RawSpan, into output: inout MutableRawSpan
  ) throws(JPEGDecoderError) -> CodedPicture {
    try unsafe output.withUnsafeMutableBytes { (buffer) throws(JPEGDecoderError) in
      try unsafe jpeg.withUnsafeBytes { (bytes) throws(JPEGDecoderError) in
        let picture = try unsafe begin(bytes)
        guard picture.byteCount <= buffer.count else { throw .outputTooSmall(neededByteCount: picture.byteCount) }
        try unsafe readPlanes(of: picture, into: buffer)
        return picture
      }
    }
  }

  /// Decodes a picture to rows of red, green and blue, one byte each, without gaps.
  /// - Parameters:
  ///   - scaleEighths: 1…8: the scale of each side; the size is rounded up to whole pixels.
  ///   - output: at least three bytes for each pixel of the scaled picture.
  /// - Returns: the size of the scaled picture.
  /// - Throws: all but `memoryTooSmall`.
  package mutating func decodeRGB(
    jpeg: RawSpan, scaleEighths: Int, into output: inout MutableRawSpan
  ) throws(JPEGDecoderError) -> PixelSize {
    precondition((1...8).contains(scaleEighths), "a picture is scaled by 1 to 8 eighths")
    return try unsafe output.withUnsafeMutableBytes { (buffer) throws(JPEGDecoderError) in
      try unsafe jpeg.withUnsafeBytes { (bytes) throws(JPEGDecoderError) in
        _ = try unsafe readHeader(bytes)
        let size = try library.beginRGB(scaleEighths: scaleEighths)
        let byteCount = 3 * size.width * size.height
        guard byteCount <= buffer.count else { throw .outputTooSmall(neededByteCount: byteCount) }
        try unsafe readRows(of: size, into: buffer)
        return size
      }
    }
  }

  /// Starts a picture as planes, which ``readBand(luma:blueDifference:redDifference:)`` and ``skipBand()`` consume one
  /// band of MCUs at a time.
  /// - Parameter jpeg: must stay valid until the picture's last band, an error, or the next picture.
  mutating func begin(_ jpeg: UnsafeRawBufferPointer) throws(JPEGDecoderError) -> CodedPicture {
    let picture = try unsafe CodedPicture(readHeader(jpeg))
    try library.beginPlanes()
    return picture
  }

  /// Decodes the next band, which must exist.
  mutating func readBand(
    luma: cjpeg_band, blueDifference: cjpeg_band, redDifference: cjpeg_band
  ) throws(JPEGDecoderError) {
    try unsafe library.readBand(luma: luma, blueDifference: blueDifference, redDifference: redDifference)
  }

  /// Skips the next band, which must exist.
  mutating func skipBand() throws(JPEGDecoderError) { try library.skipBand() }

  /// The most of its memory that libjpeg has used so far.
  var libraryUsedByteCount: Int { library.usedByteCount }

  private mutating func readHeader(_ jpeg: UnsafeRawBufferPointer) throws(JPEGDecoderError) -> cjpeg_picture {
    let picture = try unsafe library.readHeader(jpeg)
    guard picture.width <= maximumWidthPixels, picture.height <= maximumHeightPixels else {
      throw .pictureTooLarge(widthPixels: Int(picture.width), heightPixels: Int(picture.height))
    }
    return picture
  }

  private mutating func readPlanes(
    of picture: CodedPicture, into buffer: UnsafeMutableRawBufferPointer
  ) throws(JPEGDecoderError) {
    for band in 0..<picture.bandCount {
      let lumaRow = band * picture.lumaRowsPerBand
      let chromaRow = band * picture.chromaRowsPerBand
      try unsafe library.readBand(
        luma: buffer.band(of: picture.luma, fromRow: lumaRow),
        blueDifference: buffer.band(of: picture.blueDifference, fromRow: chromaRow),
        redDifference: buffer.band(of: picture.redDifference, fromRow: chromaRow))
    }
    try library.finish()
  }

  private mutating func readRows(
    of size: PixelSize, into buffer: UnsafeMutableRawBufferPointer
  ) throws(JPEGDecoderError) {
    for row in 0..<size.height {
      let start = unsafe buffer.baseAddress! + 3 * row * size.width
      try unsafe library.readRow(into: start.assumingMemoryBound(to: UInt8.self))
    }
    try library.finish()
  }
}

extension UnsafeMutableRawBufferPointer {
  fileprivate func band(of plane: PlaneLayout, fromRow row: Int) -> cjpeg_band {
    let start = unsafe baseAddress! + plane.offset + row * plane.bytesPerRow
    return unsafe cjpeg_band(first_row: start.assumingMemoryBound(to: UInt8.self), bytes_per_row: plane.bytesPerRow)
  }
}

/// Why a JPEG could not be decoded, or a decoder could not be created.
package enum JPEGDecoderError: Error, Equatable {
  /// Boot memory is used up.
  case memoryTooSmall
  /// The picture is wider or higher than the decoder was made for.
  case pictureTooLarge(widthPixels: Int, heightPixels: Int)
  /// Not one interleaved scan of 8-bit Huffman-coded Y'CbCr with full, half or quarter chroma width and full or half
  /// chroma height. It may be progressive, arithmetic-coded, grey or CMYK, or use a sampling that no camera uses.
  case notBaseline
  /// The JPEG ends before its picture does.
  case cutShort
  /// The coded data is invalid.
  case damaged
  /// The buffer is smaller than the picture.
  case outputTooSmall(neededByteCount: Int)
  /// libjpeg failed; the code is one of its message codes (`jerror.h`), or -2 when it needed more working memory than
  /// it had.
  case library(code: Int32)
}
