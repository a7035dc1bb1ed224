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
  ///   - maximumHeightPixels: 1…65,500; height of the tallest picture to decode.
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

  /// Enough bytes for the planes of any picture up to that size: whole blocks of three components, none of them smaller
  /// than the picture, in bands of up to 16 rows.
  package static func maximumPlanesByteCount(widthPixels: Int, heightPixels: Int) -> Int {
    3 * ((widthPixels + 7) / 8 * 8) * ((heightPixels + 15) / 16 * 16)
  }

  /// Call once from the decoding thread, before its first picture: libjpeg allocates from the heap here.
  package mutating func prepareThread() { library.prepareThread() }

  /// Decodes a picture to its planes, without colour conversion.
  /// - Parameter output: large enough for all planes, at most ``maximumPlanesByteCount(widthPixels:heightPixels:)``.
  /// - Returns: the layout of the planes in `output`.
  /// - Throws: any error but `memoryTooSmall`.
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

  /// Decodes a picture to packed rows of red, green and blue, one byte each.
  /// - Parameters:
  ///   - scaleEighths: 1…8: the scale of each side; the size is rounded up to whole pixels.
  ///   - output: at least three bytes for each pixel of the scaled picture.
  /// - Returns: the size of the scaled picture.
  /// - Throws: any error but `memoryTooSmall`.
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

  @_optimize(speed)
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
  /// The picture is wider or taller than the decoder was made for.
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
  /// libjpeg failed; the code is one of its message codes (`jerror.h`), or -2 if it needed more working memory than it
  /// had.
  case library(code: Int32)
}

/// libjpeg-turbo's decoder in memory given by the caller, with its error codes as Swift errors.
@safe struct JPEGDecoderLibrary: ~Copyable {
  // Safe: the decoder is in boot memory, which outlives it, and only this value refers to it.
  private let decoder: OpaquePointer

  /// Bytes needed by libjpeg; independent of the picture's height.
  static func byteCount(maximumWidthPixels: Int) -> Int {
    cjpeg_decoder_arena_byte_count(UInt32(maximumWidthPixels))
  }

  /// - Parameter memory: boot memory of ``byteCount(maximumWidthPixels:)`` bytes with no other user.
  init(in memory: UnsafeMutableRawBufferPointer) throws(JPEGDecoderError) {
    var status = cjpeg_ok
    let decoder = unsafe cjpeg_decoder_create(memory.baseAddress, memory.count, &status)
    guard let decoder = unsafe decoder else { throw .library(code: status) }
    unsafe self.decoder = decoder
  }

  /// The most of its memory that libjpeg has used so far.
  var usedByteCount: Int { unsafe cjpeg_decoder_arena_used_byte_count(decoder) }

  /// Lets libjpeg make its allocations per decoding thread.
  mutating func prepareThread() { unsafe cjpeg_decoder_prepare_thread(decoder) }

  /// Reads the header of the next picture.
  /// - Parameter jpeg: must stay valid until ``finish()``, an error, or the next picture.
  mutating func readHeader(_ jpeg: UnsafeRawBufferPointer) throws(JPEGDecoderError) -> cjpeg_picture {
    var picture = cjpeg_picture()
    try unsafe check(cjpeg_decoder_read_header(decoder, jpeg.baseAddress, jpeg.count, &picture))
    return picture
  }

  /// Starts the picture whose header was read, decoded as planes.
  mutating func beginPlanes() throws(JPEGDecoderError) { try unsafe check(cjpeg_decoder_begin_planes(decoder)) }

  /// Decodes the next band of MCUs, which must exist.
  mutating func readBand(
    luma: cjpeg_band, blueDifference: cjpeg_band, redDifference: cjpeg_band
  ) throws(JPEGDecoderError) {
    try unsafe check(cjpeg_decoder_read_band(decoder, luma, blueDifference, redDifference))
  }

  /// Skips the next band of MCUs, which must exist.
  mutating func skipBand() throws(JPEGDecoderError) { try unsafe check(cjpeg_decoder_skip_band(decoder)) }

  /// Starts the picture whose header was read, decoded as RGB.
  /// - Returns: its size at `scaleEighths`, 1…8.
  mutating func beginRGB(scaleEighths: Int) throws(JPEGDecoderError) -> PixelSize {
    var width: UInt32 = 0
    var height: UInt32 = 0
    try unsafe check(cjpeg_decoder_begin_rgb(decoder, UInt32(scaleEighths), &width, &height))
    return PixelSize(width: Int(width), height: Int(height))
  }

  /// Decodes the next row, which must exist, into memory that must hold all its pixels.
  mutating func readRow(into row: UnsafeMutablePointer<UInt8>) throws(JPEGDecoderError) {
    try unsafe check(cjpeg_decoder_read_row(decoder, row))
  }

  /// Ends a picture whose last row has been read.
  mutating func finish() throws(JPEGDecoderError) { try unsafe check(cjpeg_decoder_finish(decoder)) }

  private func check(_ status: Int32) throws(JPEGDecoderError) {
    switch status {
    case cjpeg_ok: return
    case cjpeg_input_kind: throw .notBaseline
    case cjpeg_input_ended: throw .cutShort
    case cjpeg_input_damaged: throw .damaged
    default: throw .library(code: status)
    }
  }
}
