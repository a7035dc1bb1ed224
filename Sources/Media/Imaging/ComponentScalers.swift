import Base
import CJPEG

/// Scales the three components of a zoomed picture. Has a row buffer for samples that cannot be read in place.
@safe struct ComponentScalers: ~Copyable {
  /// Some rows of each component.
  typealias Band = (luma: cjpeg_rows, blueDifference: cjpeg_rows, redDifference: cjpeg_rows)

  private var luma: PlaneScaler
  private var blueDifference: PlaneScaler
  private var redDifference: PlaneScaler
  private let targetSize: (width: Int, height: Int)
  // Sound: boot memory with no other user, large enough for what `RawRows` requires.
  let rowCopy: UnsafeMutablePointer<UInt8>

  /// - Returns: nil when `memory` is used up.
  init?(target: PictureLayout, in memory: inout BootMemory) {
    let side = BandReader.blockSide
    guard
      let luma = PlaneScaler(.luma, target: target.luma, rowsPerBand: target.lumaRowsPerBand, in: &memory),
      let blueDifference = PlaneScaler(
        .blueDifference, target: target.blueDifference, rowsPerBand: side, in: &memory),
      let redDifference = PlaneScaler(.redDifference, target: target.redDifference, rowsPerBand: side, in: &memory),
      let rowCopy = unsafe memory.cut(byteCount: FormatChange.largestScale * target.luma.widthSamples + 1)
    else { return nil }
    self.luma = luma
    self.blueDifference = blueDifference
    self.redDifference = redDifference
    targetSize = (target.luma.widthSamples, target.luma.heightSamples)
    unsafe self.rowCopy = rowCopy.baseAddress!.bindMemory(to: UInt8.self, capacity: rowCopy.count)
  }

  /// Begins a picture.
  /// - Parameter keepsProportions: whether of a picture with other proportions the middle is shown, as much as fills the
  ///   target.
  mutating func begin<Source: SampleRows & ~Copyable>(
    _ source: borrowing Source, zoomFactor: Double, keepsProportions: Bool = false
  ) {
    let size = source.size(of: .luma)
    let across = keepsProportions ? Double(size.widthSamples) / Double(targetSize.width) : 1
    let down = keepsProportions ? Double(size.heightSamples) / Double(targetSize.height) : 1
    let least = min(across, down)
    let zoom = (columns: zoomFactor * across / least, rows: zoomFactor * down / least)
    luma.begin(sourceSize: size, zoom: zoom)
    blueDifference.begin(sourceSize: source.size(of: .blueDifference), zoom: zoom)
    redDifference.begin(sourceSize: source.size(of: .redDifference), zoom: zoom)
  }

  /// A band of the visible part of `source`, valid until the next call.
  mutating func rows<Source: SampleRows & ~Copyable>(
    inBand band: Int, of source: inout Source
  ) throws(Source.Failure) -> Band {
    let luma = try unsafe luma.rows(inBand: band, of: &source)
    let blueDifference = try unsafe blueDifference.rows(inBand: band, of: &source)
    let redDifference = try unsafe redDifference.rows(inBand: band, of: &source)
    return unsafe (luma, blueDifference, redDifference)
  }
}
