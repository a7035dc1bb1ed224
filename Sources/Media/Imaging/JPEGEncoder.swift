import Base
import CJPEG

/// Encodes raw camera pictures to baseline JPEG in a JFIF file (ITU-T T.81 and T.871) with the Huffman tables of T.81,
/// annex K.3: the fastest variant that all decoders read.
///
/// All memory is allocated by the initialiser and ``prepareThread()``, none per picture. Limited-range samples are
/// expanded to the full range required by T.871.
package struct JPEGEncoder: ~Copyable {
  private var library: JPEGLibrary
  private var scaler: ComponentScalers
  private let layout: PictureLayout
  private let readers: ComponentReaders
  private let luma: BandReader
  private let blueDifference: BandReader
  private let redDifference: BandReader

  /// - Parameters:
  ///   - format: raw, with even sides.
  ///   - quality: 1…100 on the scale of libjpeg; 85 is good and small.
  /// - Throws: `formatNotEncodable`, `memoryTooSmall`, or `library`.
  @export(interface)
  package init(format: VideoFormat, quality: Int, in memory: inout BootMemory) throws(JPEGEncoderError) {
    precondition((1...100).contains(quality), "JPEG quality is 1…100")
    guard let layout = PictureLayout(format) else { throw .formatNotEncodable(format) }
    let readers = ComponentReaders(layout, colorRange: format.colorRange)
    let side = BandReader.blockSide
    guard let arena = unsafe memory.cut(byteCount: JPEGLibrary.byteCount),
      let luma = BandReader(readers.luma, rowsPerBand: layout.lumaRowsPerBand, in: &memory),
      let blueDifference = BandReader(readers.blueDifference, rowsPerBand: side, in: &memory),
      let redDifference = BandReader(readers.redDifference, rowsPerBand: side, in: &memory),
      let scaler = ComponentScalers(target: layout, in: &memory)
    else { throw .memoryTooSmall }
    library = try unsafe JPEGLibrary(layout: layout, quality: quality, in: arena)
    self.scaler = scaler
    self.layout = layout
    self.readers = readers
    self.luma = luma
    self.blueDifference = blueDifference
    self.redDifference = redDifference
  }

  /// Enough bytes for any picture of a format, at any quality: two bytes per sample (an ordinary picture takes a
  /// tenth), and 1 KiB for tables and markers, which take 623 bytes.
  ///
  /// Samples are counted in whole MCUs: 1.5 per pixel for 4:2:0, 2 for 4:2:2, which is also the limit for a camera that
  /// encodes by itself. A 1280x720 picture in 4:2:0 gets 1280 · 720 · 1.5 · 2 + 1,024 = 2,765,824 bytes.
  package static func maximumByteCount(format: VideoFormat) -> Int {
    let isSubsampledVertically = format.pixelFormat == .nv12 || format.pixelFormat == .yuv420
    let columns = (Int(format.widthPixels) + 15) / 16 * 16
    let rows = (Int(format.heightPixels) + 15) / 16 * 16
    return columns * rows * (isSubsampledVertically ? 3 : 4) + 1024
  }

  /// Call once from the encoding thread, before its first picture: libjpeg allocates from the heap here.
  package mutating func prepareThread() { library.prepareThread() }

  /// Encodes one picture.
  /// - Parameters:
  ///   - picture: a camera's buffer in V4L2's layout: the planes one after the other without gaps, rows of the format's
  ///     length, and chroma rows half as long if Cb and Cr have separate planes.
  ///   - zoomFactor: shows the middle of the picture, 1 / `zoomFactor` of each side, at full size. 1 or less shows all
  ///     of it.
  ///   - output: larger than the JPEG by at least one byte.
  /// - Returns: the size of the JPEG in bytes, from the start of `output`.
  /// - Throws: `pictureTooSmall`, `outputFull`, or `library`; the encoder is ready for the next picture after each.
  @export(interface)
  package mutating func encode(
    picture: RawSpan, zoomFactor: Double = 1, into output: inout MutableRawSpan
  ) throws(JPEGEncoderError) -> Int {
    guard picture.byteCount >= layout.byteCount else {
      throw .pictureTooSmall(byteCount: picture.byteCount, expectedByteCount: layout.byteCount)
    }
    return try unsafe output.withUnsafeMutableBytes { (buffer) throws(JPEGEncoderError) in
      try unsafe picture.withUnsafeBytes { (source) throws(JPEGEncoderError) in
        guard zoomFactor > 1 else { return try unsafe compress(source, into: buffer) }
        var rows = unsafe RawRows(source, readers: readers, copy: scaler.rowCopy)
        return try unsafe compress(&rows, zoomFactor: zoomFactor, into: buffer)
      }
    }
  }

  /// Encodes words in place of a picture.
  /// - Returns: the size of the JPEG in bytes, from the start of `output`.
  mutating func encode(_ sign: Sign, into output: inout MutableRawSpan) throws(JPEGEncoderError) -> Int {
    try unsafe output.withUnsafeMutableBytes { (buffer) throws(JPEGEncoderError) in
      var rows = unsafe SignRows(sign, layout, copy: scaler.rowCopy)
      return try unsafe compress(&rows, zoomFactor: 1, into: buffer)
    }
  }

  /// Whether a picture is no larger than those of the format.
  func holds<Source: SampleRows & ~Copyable>(_ source: borrowing Source) -> Bool {
    let size = source.size(of: .luma)
    return size.widthSamples <= layout.luma.widthSamples && size.heightSamples <= layout.luma.heightSamples
  }

  /// Encodes a picture of another format, allowed by ``FormatChange``, at the size of this one.
  mutating func encode(
    picture: RawSpan, of source: VideoFormat, zoomFactor: Double, into output: inout MutableRawSpan
  ) throws(JPEGEncoderError) -> Int {
    guard let layout = PictureLayout(source) else { throw .formatNotEncodable(source) }
    guard picture.byteCount >= layout.byteCount else {
      throw .pictureTooSmall(byteCount: picture.byteCount, expectedByteCount: layout.byteCount)
    }
    let readers = ComponentReaders(layout, colorRange: source.colorRange)
    return try unsafe output.withUnsafeMutableBytes { (buffer) throws(JPEGEncoderError) in
      try unsafe picture.withUnsafeBytes { (bytes) throws(JPEGEncoderError) in
        var rows = unsafe RawRows(bytes, readers: readers, copy: scaler.rowCopy)
        return try unsafe compress(&rows, zoomFactor: max(zoomFactor, 1), keepsProportions: true, into: buffer)
      }
    }
  }

  private mutating func compress(
    _ picture: UnsafeRawBufferPointer, into buffer: UnsafeMutableRawBufferPointer
  ) throws(JPEGEncoderError) -> Int {
    try unsafe library.begin(output: buffer)
    for band in 0..<layout.bandCount {
      try unsafe library.write(
        luma: luma.rows(inBand: band, of: picture), blueDifference: blueDifference.rows(inBand: band, of: picture),
        redDifference: redDifference.rows(inBand: band, of: picture))
    }
    return try library.finish()
  }

  /// Encodes the visible part of a picture of any size, at the format's size.
  /// - Parameters:
  ///   - zoomFactor: 1 or more.
  ///   - keepsProportions: see ``ComponentScalers``.
  mutating func compress<Source: SampleRows & ~Copyable>(
    _ source: inout Source, zoomFactor: Double, keepsProportions: Bool = false,
    into buffer: UnsafeMutableRawBufferPointer
  ) throws(JPEGEncoderError) -> Int {
    scaler.begin(source, zoomFactor: zoomFactor, keepsProportions: keepsProportions)
    try unsafe library.begin(output: buffer)
    do throws(JPEGEncoderError) {
      for band in 0..<layout.bandCount {
        let rows = try unsafe scaledRows(inBand: band, of: &source)
        try unsafe library.write(
          luma: rows.luma, blueDifference: rows.blueDifference, redDifference: rows.redDifference)
      }
      return try library.finish()
    } catch {
      library.abandon()
      throw error
    }
  }

  private mutating func scaledRows<Source: SampleRows & ~Copyable>(
    inBand band: Int, of source: inout Source
  ) throws(JPEGEncoderError) -> ComponentScalers.Band {
    do throws(Source.Failure) {
      return try unsafe scaler.rows(inBand: band, of: &source)
    } catch {
      throw Source.encoderError(error)
    }
  }
}

/// Why a picture could not be encoded, or an encoder could not be created.
package enum JPEGEncoderError: Error, Equatable {
  /// The pictures are not raw, a side is not 1 to 65,500 pixels or is odd where the chroma needs it even, or a row is
  /// shorter than its pixels. Ask the camera for another format or size; `.mjpeg` needs no encoder.
  case formatNotEncodable(VideoFormat)
  /// Boot memory is used up.
  case memoryTooSmall
  /// The buffer holds less than one picture of the format: the camera truncated it.
  case pictureTooSmall(byteCount: Int, expectedByteCount: Int)
  /// The picture does not fit. ``JPEGEncoder/maximumByteCount(format:)`` is always enough.
  case outputFull(capacityByteCount: Int)
  /// The camera's JPEG does not start like one.
  case notJPEG
  /// The camera's JPEG cannot be decoded, so it cannot be zoomed.
  case notDecodable(JPEGDecoderError)
  /// libjpeg failed; the code is one of its message codes (`jerror.h`), or -2 if it needed more working memory than it
  /// had.
  case library(code: Int32)
}

/// libjpeg-turbo's encoder in memory given by the caller, with its error codes as Swift errors.
@safe struct JPEGLibrary: ~Copyable {
  // Safe: the encoder is in boot memory, which outlives it, and only this value refers to it.
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
