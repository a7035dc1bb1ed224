import Base

/// Converts a camera's picture to the JPEG that is written to the file. Raw pictures are encoded. The camera's own
/// JPEGs are passed on or, while zoomed, decoded and encoded again. A JPEG that is passed on is unchanged, except that
/// missing Huffman tables are inserted, because not every player supplies them.
///
/// All memory is allocated by the initialiser and ``prepareThread()``.
package struct PictureCoder: ~Copyable {
  private let maximumByteCount: Int
  /// Nil if the camera's JPEGs are always passed on: there are no pictures, or their size cannot be encoded.
  private var encoder: JPEGEncoder?
  /// Nil if the camera's pictures are raw, or ``encoder`` is nil.
  private var decodedRows: DecodedRows?

  /// - Parameters:
  ///   - format: the format that the camera delivers.
  ///   - quality: 1…100 on libjpeg's scale.
  /// - Throws: as ``JPEGEncoder``.
  @export(interface)
  package init(format: VideoFormat, quality: Int, in memory: inout BootMemory) throws(JPEGEncoderError) {
    var encoder: JPEGEncoder?
    var rows: DecodedRows?
    if Self.isEncoded(format) {
      encoder = try JPEGEncoder(format: Self.encodedFormat(format), quality: quality, in: &memory)
      if format.pixelFormat == .mjpeg { rows = try Self.decodedRows(format: format, in: &memory) }
    }
    decodedRows = rows
    self.encoder = encoder
    maximumByteCount = Self.maximumByteCount(format: format)
  }

  private static func decodedRows(
    format: VideoFormat, in memory: inout BootMemory
  ) throws(JPEGEncoderError) -> DecodedRows {
    do throws(JPEGDecoderError) {
      return try DecodedRows(
        maximumWidthPixels: FormatChange.largestScale * Int(format.widthPixels),
        maximumHeightPixels: FormatChange.largestScale * Int(format.heightPixels), in: &memory)
    } catch {
      throw .memoryTooSmall
    }
  }

  /// The format to encode from. A camera's JPEG is always encoded in 4:2:0: zoomed to twice its size, its chroma is no
  /// finer than that.
  private static func encodedFormat(_ format: VideoFormat) -> VideoFormat {
    guard format.pixelFormat == .mjpeg else { return format }
    return VideoFormat(
      widthPixels: format.widthPixels, heightPixels: format.heightPixels, pixelFormat: .yuv420,
      bytesPerRow: UInt32(format.widthPixels), frameRate: format.frameRate)
  }

  /// Whether pictures of this format may have to be encoded.
  private static func isEncoded(_ format: VideoFormat) -> Bool {
    format.pixelFormat != .mjpeg || PictureLayout(encodedFormat(format)) != nil
  }

  /// The largest JPEG of a picture: the encoder's largest output, and tables that the camera left out.
  package static func maximumByteCount(format: VideoFormat) -> Int {
    JPEGEncoder.maximumByteCount(format: format)
      + (format.pixelFormat == .mjpeg ? StandardHuffmanTables.byteCount : 0)
  }

  /// Call once on the thread that calls ``code(picture:zoomFactor:of:into:)``: this may use the heap.
  package mutating func prepareThread() {
    if encoder != nil { encoder!.prepareThread() }
    if decodedRows != nil { decodedRows!.prepareThread() }
  }

  /// The largest result of ``code(picture:zoomFactor:of:into:)`` for a picture; tables may be added to one that is
  /// passed on.
  package func maximumByteCount(picture: RawSpan, zoomFactor: Double, of other: VideoFormat? = nil) -> Int {
    guard other == nil, isPassedOn(zoomFactor: zoomFactor) else { return maximumByteCount }
    return min(picture.byteCount + StandardHuffmanTables.byteCount, maximumByteCount)
  }

  /// Makes one JPEG.
  /// - Parameters:
  ///   - zoomFactor: shows the middle of the picture, 1 / `zoomFactor` of each side, at full size. 1 or less shows all
  ///     of it.
  ///   - other: this picture's format if it differs, as allowed by ``FormatChange``; the picture is scaled.
  ///   - output: at least ``maximumByteCount(picture:zoomFactor:of:)`` bytes.
  /// - Returns: the size of the JPEG in bytes, from the start of `output`.
  /// - Throws: as ``JPEGEncoder``; the coder is ready for the next picture after each error.
  @export(interface)
  package mutating func code(
    picture: RawSpan, zoomFactor: Double, of other: VideoFormat? = nil, into output: inout MutableRawSpan
  ) throws(JPEGEncoderError) -> Int {
    if let other { return try code(picture: picture, zoomFactor: zoomFactor, scaledFrom: other, into: &output) }
    guard decodedRows != nil || encoder == nil else {
      return try encoder!.encode(picture: picture, zoomFactor: zoomFactor, into: &output)
    }
    guard picture.startsWithStartOfImage else { throw .notJPEG }
    if !isPassedOn(zoomFactor: zoomFactor),
      let byteCount = try? Self.encode(
        picture, as: &decodedRows!, isOther: false, zoomFactor: zoomFactor, with: &encoder!, into: &output)
    {
      return byteCount
    }
    // A JPEG that cannot be decoded is passed on: a picture without zoom is better than none.
    guard let byteCount = StandardHuffmanTables.copy(picture, into: &output) else {
      throw .outputFull(capacityByteCount: output.byteCount)
    }
    return byteCount
  }

  private mutating func code(
    picture: RawSpan, zoomFactor: Double, scaledFrom other: VideoFormat, into output: inout MutableRawSpan
  ) throws(JPEGEncoderError) -> Int {
    guard encoder != nil else { throw .formatNotEncodable(other) }
    guard other.pixelFormat == .mjpeg else {
      return try encoder!.encode(picture: picture, of: other, zoomFactor: zoomFactor, into: &output)
    }
    guard decodedRows != nil else { throw .formatNotEncodable(other) }
    return try Self.encode(
      picture, as: &decodedRows!, isOther: true, zoomFactor: max(zoomFactor, 1), with: &encoder!, into: &output)
  }

  /// Makes a JPEG of words in place of a picture, at its size.
  /// - Parameter output: ``signByteCount(format:)`` bytes.
  /// - Returns: the size of the JPEG in bytes; nil if there is no encoder, or the words do not fit.
  package mutating func code(_ sign: Sign, into output: inout MutableRawSpan) -> Int? {
    guard encoder != nil else { return nil }
    return try? encoder!.encode(sign, into: &output)
  }

  /// Bytes for a sign of this size: a plain MCU of 256 pixels takes at least 4; the words' edges are in a tenth of the
  /// blocks of 64 pixels, which take up to 40. With 1 KiB for tables and markers, that is less than an eighth of a byte
  /// per pixel plus 2 KiB.
  package static func signByteCount(format: VideoFormat) -> Int {
    Int(format.widthPixels) * Int(format.heightPixels) / 8 + 2048
  }

  private func isPassedOn(zoomFactor: Double) -> Bool {
    encoder == nil || (decodedRows != nil && !(zoomFactor > 1))
  }

  private static func encode(
    _ jpeg: RawSpan, as rows: inout DecodedRows, isOther: Bool, zoomFactor: Double, with encoder: inout JPEGEncoder,
    into output: inout MutableRawSpan
  ) throws(JPEGEncoderError) -> Int {
    try unsafe output.withUnsafeMutableBytes { (buffer) throws(JPEGEncoderError) in
      try unsafe jpeg.withUnsafeBytes { (bytes) throws(JPEGEncoderError) in
        try unsafe rows.begin(bytes)
        if !isOther, !encoder.holds(rows) { throw .notJPEG }
        return try unsafe encoder.compress(&rows, zoomFactor: zoomFactor, keepsProportions: isOther, into: buffer)
      }
    }
  }
}

extension RawSpan {
  /// Whether the first marker is SOI (ITU-T T.81, table B.1).
  fileprivate var startsWithStartOfImage: Bool {
    guard byteCount >= 2 else { return false }
    return unsafe unsafeLoadUnaligned(fromByteOffset: 0, as: UInt16.self).bigEndian == 0xFFD8
  }
}
