import Base
import CJPEG

/// libjpeg-turbo's decoder in memory given by the caller, with its error codes as Swift errors.
@safe struct JPEGDecoderLibrary: ~Copyable {
  // Sound: the decoder is in boot memory, which outlives it, and only this value refers to it.
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

  /// Starts the picture whose header was read, as planes.
  mutating func beginPlanes() throws(JPEGDecoderError) { try unsafe check(cjpeg_decoder_begin_planes(decoder)) }

  /// Decodes the next band of MCUs, which must exist.
  mutating func readBand(
    luma: cjpeg_band, blueDifference: cjpeg_band, redDifference: cjpeg_band
  ) throws(JPEGDecoderError) {
    try unsafe check(cjpeg_decoder_read_band(decoder, luma, blueDifference, redDifference))
  }

  /// Skips the next band of MCUs, which must exist.
  mutating func skipBand() throws(JPEGDecoderError) { try unsafe check(cjpeg_decoder_skip_band(decoder)) }

  /// Starts the picture whose header was read, as RGB.
  /// - Returns: its size at `scaleEighths`, 1…8.
  mutating func beginRGB(scaleEighths: Int) throws(JPEGDecoderError) -> PixelSize {
    var width: UInt32 = 0
    var height: UInt32 = 0
    try unsafe check(cjpeg_decoder_begin_rgb(decoder, UInt32(scaleEighths), &width, &height))
    return PixelSize(width: Int(width), height: Int(height))
  }

  /// Decodes the next row, which must exist, into memory for all its pixels.
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
