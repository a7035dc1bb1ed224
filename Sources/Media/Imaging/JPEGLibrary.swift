import CJPEG

/// libjpeg-turbo's encoder in memory given by the caller, with its error codes as Swift errors.
@safe struct JPEGLibrary: ~Copyable {
  // Sound: the encoder is in boot memory, which outlives it, and only this value refers to it.
  private let encoder: OpaquePointer
  private var outputByteCount = 0

  /// Bytes needed by libjpeg; independent of the picture's size.
  static var byteCount: Int { cjpeg_arena_byte_count() }

  /// - Parameters:
  ///   - quality: 1…100.
  ///   - memory: boot memory of ``byteCount`` bytes with no other user.
  init(layout: PictureLayout, quality: Int, in memory: UnsafeMutableRawBufferPointer) throws(JPEGEncoderError) {
    try unsafe self.init(
      lumaColumnsPerChromaColumn: 2, lumaRowsPerChromaRow: layout.lumaRowsPerChromaRow, quality: quality, in: memory)
    setSize(widthPixels: layout.luma.widthSamples, heightPixels: layout.luma.heightSamples)
  }

  /// For pictures whose size is set later.
  init(
    lumaColumnsPerChromaColumn: Int, lumaRowsPerChromaRow: Int, quality: Int,
    in memory: UnsafeMutableRawBufferPointer
  ) throws(JPEGEncoderError) {
    var status = cjpeg_ok
    let encoder = unsafe cjpeg_create(
      memory.baseAddress, memory.count, Int32(lumaColumnsPerChromaColumn), Int32(lumaRowsPerChromaRow),
      Int32(quality), &status)
    guard let encoder = unsafe encoder else { throw .library(code: status) }
    unsafe self.encoder = encoder
  }

  /// The most of its memory that libjpeg has used so far.
  var usedByteCount: Int { unsafe cjpeg_arena_used_byte_count(encoder) }

  /// Lets libjpeg make its allocations per encoding thread.
  mutating func prepareThread() { unsafe cjpeg_prepare_thread(encoder) }

  /// Sets the size of the next pictures, each side 1…65,500.
  mutating func setSize(widthPixels: Int, heightPixels: Int) {
    unsafe cjpeg_set_size(encoder, UInt32(widthPixels), UInt32(heightPixels))
  }

  /// Starts a picture, written to `output`, which must stay valid until ``finish()`` or an error.
  mutating func begin(output: UnsafeMutableRawBufferPointer) throws(JPEGEncoderError) {
    outputByteCount = output.count
    try unsafe check(cjpeg_begin(encoder, output.baseAddress, output.count))
  }

  mutating func write(
    luma: cjpeg_rows, blueDifference: cjpeg_rows, redDifference: cjpeg_rows
  ) throws(JPEGEncoderError) {
    try unsafe check(cjpeg_write_band(encoder, luma, blueDifference, redDifference))
  }

  /// Ends the picture.
  /// - Returns: its size in bytes.
  mutating func finish() throws(JPEGEncoderError) -> Int {
    var byteCount = 0
    try unsafe check(cjpeg_finish(encoder, &byteCount))
    return byteCount
  }

  mutating func abandon() { unsafe cjpeg_abandon(encoder) }

  private func check(_ status: Int32) throws(JPEGEncoderError) {
    switch status {
    case cjpeg_ok: return
    case cjpeg_output_full: throw .outputFull(capacityByteCount: outputByteCount)
    default: throw .library(code: status)
    }
  }
}
