import Base
import CJPEG

/// The rows of a JPEG, decoded on demand, a few bands of MCUs at a time.
@safe struct DecodedRows: ~Copyable, SampleRows {
  private var decoder: JPEGDecoder
  private let bytesPerRow: Int
  // Safe: boot memory with no other user, of `byteCount` bytes: three components, each of `heldBandCount` bands of
  // `maximumRowsPerBand` rows.
  private let bands: UnsafeMutablePointer<UInt8>
  /// Nil before the first picture.
  private var picture: CodedPicture?
  /// The band to decode next.
  private var nextBand = 0

  /// A band of the shown picture needs at most twice as many source rows as its own (``FormatChange/largestScale``): 32
  /// of luma, and four more on either side for chroma. These 40 rows can start anywhere in a band of at least 8 rows,
  /// so they touch 6 bands; one more is decoded before the first.
  private static var heldBandCount: Int { 7 }
  private static var maximumRowsPerBand: Int { 16 }

  /// - Parameters:
  ///   - maximumWidthPixels: 1…65,500.
  ///   - maximumHeightPixels: 1…65,500.
  /// - Throws: `memoryTooSmall`, or `library`.
  init(maximumWidthPixels: Int, maximumHeightPixels: Int, in memory: inout BootMemory) throws(JPEGDecoderError) {
    let decoder = try JPEGDecoder(
      maximumWidthPixels: maximumWidthPixels, maximumHeightPixels: maximumHeightPixels, in: &memory)
    let byteCount = Self.bandsByteCount(maximumWidthPixels: maximumWidthPixels)
    guard let bands = unsafe memory.cut(byteCount: byteCount) else {
      throw .memoryTooSmall
    }
    self.decoder = decoder
    bytesPerRow = Self.bytesPerRow(maximumWidthPixels: maximumWidthPixels)
    unsafe self.bands = bands.baseAddress!.assumingMemoryBound(to: UInt8.self)
  }

  private static func bytesPerRow(maximumWidthPixels: Int) -> Int { (maximumWidthPixels + 7) / 8 * 8 }

  private static func bandsByteCount(maximumWidthPixels: Int) -> Int {
    3 * heldBandCount * maximumRowsPerBand * bytesPerRow(maximumWidthPixels: maximumWidthPixels)
  }

  /// See ``JPEGDecoder/prepareThread()``.
  mutating func prepareThread() { decoder.prepareThread() }

  /// Starts a picture.
  /// - Parameter jpeg: must stay valid until the last row has been read or the next picture starts.
  mutating func begin(_ jpeg: UnsafeRawBufferPointer) throws(JPEGEncoderError) {
    picture = nil
    nextBand = 0
    do throws(JPEGDecoderError) { picture = try unsafe decoder.begin(jpeg) } catch { throw .notDecodable(error) }
  }

  func size(of component: PictureComponent) -> (widthSamples: Int, heightSamples: Int) {
    guard let picture else { preconditionFailure("no picture was begun") }
    let plane = component == .luma ? picture.luma : picture.blueDifference
    return (plane.widthSamples, plane.heightSamples)
  }

  mutating func row(_ row: Int, of component: PictureComponent) throws(JPEGDecoderError) -> UnsafePointer<UInt8> {
    guard let picture else { preconditionFailure("no picture was begun") }
    let rowsPerBand = component == .luma ? picture.lumaRowsPerBand : picture.chromaRowsPerBand
    let band = row / rowsPerBand
    precondition(band >= nextBand - Self.heldBandCount, "the row was asked for when its band was gone")
    try decode(through: band)
    return unsafe UnsafePointer(start(ofBand: band, of: component) + row % rowsPerBand * bytesPerRow)
  }

  static func encoderError(_ failure: JPEGDecoderError) -> JPEGEncoderError { .notDecodable(failure) }

  /// Decodes the previous band too: it may hold the chroma of a row of luma.
  private mutating func decode(through band: Int) throws(JPEGDecoderError) {
    while nextBand < band - 1 {
      try decoder.skipBand()
      nextBand += 1
    }
    while nextBand <= band {
      try unsafe decoder.readBand(
        luma: destination(of: .luma), blueDifference: destination(of: .blueDifference),
        redDifference: destination(of: .redDifference))
      nextBand += 1
    }
  }

  private func destination(of component: PictureComponent) -> cjpeg_band {
    unsafe cjpeg_band(first_row: start(ofBand: nextBand, of: component), bytes_per_row: bytesPerRow)
  }

  private func start(ofBand band: Int, of component: PictureComponent) -> UnsafeMutablePointer<UInt8> {
    let index =
      switch component {
      case .luma: 0
      case .blueDifference: 1
      case .redDifference: 2
      }
    let place = index * Self.heldBandCount + band % Self.heldBandCount
    return unsafe bands + place * Self.maximumRowsPerBand * bytesPerRow
  }
}
