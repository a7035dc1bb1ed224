import Base
import CJPEG

/// Scales one component of a zoomed picture, one band of MCUs at a time, by fixed-point bilinear interpolation.
///
/// Each source row is scaled horizontally once; each result row is blended from two of those.
@safe struct PlaneScaler: ~Copyable {
  private let component: PictureComponent
  private let target: PlaneLayout
  private let rowsPerBand: Int
  // Safe: boot memory with no other user. Each buffer has `columnCount` elements, `band` that many in each row, and
  // `rowWeight` 8.
  private let firsts: UnsafeMutablePointer<UInt16>
  private let weights: UnsafeMutablePointer<Int16>
  private let evenRow: UnsafeMutablePointer<Int16>
  private let oddRow: UnsafeMutablePointer<Int16>
  private let band: UnsafeMutablePointer<UInt8>
  /// The weight of the lower row, repeated.
  private let rowWeight: UnsafeMutablePointer<Int16>
  private var rows = ScaleAxis(sourceCount: 1, targetCount: 1, zoomFactor: 1)
  /// The source rows in `evenRow` and `oddRow`; nil before the first.
  private var scaledEvenRow: Int?
  private var scaledOddRow: Int?

  /// - Parameter target: the zoomed component; only its size is used.
  /// - Returns: nil if `memory` is used up.
  init?(_ component: PictureComponent, target: PlaneLayout, rowsPerBand: Int, in memory: inout BootMemory) {
    let columnCount = target.widthInWholeBlocks
    guard let firsts = unsafe memory.cut(byteCount: 2 * columnCount),
      let weights = unsafe memory.cut(byteCount: 2 * columnCount),
      let evenRow = unsafe memory.cut(byteCount: 2 * columnCount),
      let oddRow = unsafe memory.cut(byteCount: 2 * columnCount),
      let band = unsafe memory.cut(byteCount: rowsPerBand * columnCount),
      let rowWeight = unsafe memory.cut(byteCount: Self.rowWeightByteCount)
    else { return nil }
    self.component = component
    self.target = target
    self.rowsPerBand = rowsPerBand
    unsafe self.firsts = firsts.baseAddress!.bindMemory(to: UInt16.self, capacity: columnCount)
    unsafe self.weights = weights.baseAddress!.bindMemory(to: Int16.self, capacity: columnCount)
    unsafe self.evenRow = evenRow.baseAddress!.bindMemory(to: Int16.self, capacity: columnCount)
    unsafe self.oddRow = oddRow.baseAddress!.bindMemory(to: Int16.self, capacity: columnCount)
    unsafe self.band = band.baseAddress!.bindMemory(to: UInt8.self, capacity: rowsPerBand * columnCount)
    unsafe self.rowWeight = rowWeight.baseAddress!.bindMemory(to: Int16.self, capacity: 8)
  }

  private static var rowWeightByteCount: Int { MemoryLayout<SIMD8<Int16>>.size }

  /// Begins a picture.
  @_optimize(speed)
  mutating func begin(sourceSize: (widthSamples: Int, heightSamples: Int), zoom: (columns: Double, rows: Double)) {
    rows = ScaleAxis(sourceCount: sourceSize.heightSamples, targetCount: target.heightSamples, zoomFactor: zoom.rows)
    scaledEvenRow = nil
    scaledOddRow = nil
    let columns = ScaleAxis(
      sourceCount: sourceSize.widthSamples, targetCount: target.widthSamples, zoomFactor: zoom.columns)
    for column in 0..<columnCount {
      // libjpeg expects the last column to be repeated after it.
      let position = columns.position(min(column, target.widthSamples - 1))
      unsafe firsts[column] = UInt16(truncatingIfNeeded: position.first)
      unsafe weights[column] = position.weight
    }
  }

  private var columnCount: Int { target.widthInWholeBlocks }

  /// The rows of a band of the visible part of `source`.
  @_optimize(speed)
  mutating func rows<Source: SampleRows & ~Copyable>(
    inBand band: Int, of source: inout Source
  ) throws(Source.Failure) -> cjpeg_rows {
    let firstRow = band * rowsPerBand
    let rowCount = min(rowsPerBand, target.heightSamples - firstRow)
    for row in 0..<rowCount {
      let position = rows.position(firstRow + row)
      try scale(position.first, of: &source)
      // If the weight is 0, the second row is not needed, and may not exist.
      if position.weight > 0 { try scale(position.first + 1, of: &source) }
      unsafe blend(position, to: self.band + row * columnCount)
    }
    return unsafe cjpeg_rows(first_row: self.band, bytes_per_row: columnCount, row_count: UInt32(rowCount))
  }

  /// Scales a source row horizontally, unless this has been done already.
  @_optimize(speed)
  private mutating func scale<Source: SampleRows & ~Copyable>(
    _ row: Int, of source: inout Source
  ) throws(Source.Failure) {
    if row % 2 == 0 {
      guard scaledEvenRow != row else { return }
      unsafe scale(try source.row(row, of: component), to: evenRow)
      scaledEvenRow = row
    } else {
      guard scaledOddRow != row else { return }
      unsafe scale(try source.row(row, of: component), to: oddRow)
      scaledOddRow = row
    }
  }

  /// In 1/64 of a level: left + (right - left) · weight. The difference of two levels times 128 fits 16 bits. So does
  /// the upper half of its product with a 15-bit weight, which is in 64ths.
  @_optimize(speed)
  private func scale(_ source: UnsafePointer<UInt8>, to scaled: UnsafeMutablePointer<Int16>) {
    var column = 0
    while column < columnCount {
      let pairs = unsafe Self.pairs(of: source, at: firsts + column)
      let left = SIMD8<Int16>(truncatingIfNeeded: pairs & 0xFF)
      let right = SIMD8<Int16>(truncatingIfNeeded: pairs &>> 8)
      let weight = unsafe UnsafeRawPointer(weights + column).loadUnaligned(as: SIMD8<Int16>.self)
      let part = Self.upperHalf(of: (right &- left) &<< 7, times: weight)
      unsafe UnsafeMutableRawPointer(scaled + column).storeBytes(of: (left &<< 6) &+ part, as: SIMD8<Int16>.self)
      column += 8
    }
  }

  /// Each sample with the next one in the upper byte: both supported processors are little-endian.
  @inline(__always)
  @_optimize(speed)
  private static func pairs(of source: UnsafePointer<UInt8>, at firsts: UnsafePointer<UInt16>) -> SIMD8<UInt16> {
    unsafe SIMD8(
      pair(of: source, at: firsts[0]), pair(of: source, at: firsts[1]), pair(of: source, at: firsts[2]),
      pair(of: source, at: firsts[3]), pair(of: source, at: firsts[4]), pair(of: source, at: firsts[5]),
      pair(of: source, at: firsts[6]), pair(of: source, at: firsts[7]))
  }

  @inline(__always)
  @_optimize(speed)
  private static func pair(of source: UnsafePointer<UInt8>, at first: UInt16) -> UInt16 {
    unsafe UnsafeRawPointer(source + Int(first)).loadUnaligned(as: UInt16.self)
  }

  /// A single instruction on processors that have one (`pmulhw`).
  @inline(__always)
  @_optimize(speed)
  private static func upperHalf(of left: SIMD8<Int16>, times right: SIMD8<Int16>) -> SIMD8<Int16> {
    let product = SIMD8<Int32>(truncatingIfNeeded: left) &* SIMD8<Int32>(truncatingIfNeeded: right)
    return SIMD8<Int16>(truncatingIfNeeded: product &>> 16)
  }

  /// Blends two horizontally scaled rows to whole levels, as ``scale(_:to:)`` does with two columns.
  @_optimize(speed)
  private func blend(_ position: ScaleAxis.Position, to target: UnsafeMutablePointer<UInt8>) {
    let isEven = position.first % 2 == 0
    let upper = unsafe isEven ? evenRow : oddRow
    let lower = unsafe isEven ? oddRow : evenRow
    unsafe UnsafeMutableRawPointer(rowWeight).storeBytes(of: SIMD8(repeating: position.weight), as: SIMD8<Int16>.self)
    var column = 0
    while column < columnCount {
      // Loaded inside the loop: the optimiser would widen a constant weight to 32 bits first, and multiply those.
      let weight = unsafe UnsafeRawPointer(rowWeight).loadUnaligned(as: SIMD8<Int16>.self)
      let above = unsafe UnsafeRawPointer(upper + column).loadUnaligned(as: SIMD8<Int16>.self)
      let below = unsafe UnsafeRawPointer(lower + column).loadUnaligned(as: SIMD8<Int16>.self)
      let level = (above &+ Self.upperHalf(of: (below &- above) &<< 1, times: weight) &+ 32) &>> 6
      unsafe UnsafeMutableRawPointer(target + column).storeBytes(
        of: SIMD8<UInt8>(truncatingIfNeeded: level), as: SIMD8<UInt8>.self)
      column += 8
    }
  }
}

/// The source positions of a zoomed picture's samples along one side: evenly spaced over the middle, aligned by sample
/// centres.
struct ScaleAxis: BitwiseCopyable {
  /// A position between two samples of the source.
  struct Position: BitwiseCopyable, Equatable {
    /// The index of the first sample.
    var first: Int
    /// The weight of the second sample in 1/32,768, 0…32,767.
    var weight: Int16
  }

  // In 1/2^32 of a sample: after 65,500 steps the error is still below 1/65,536 of a sample.
  private let origin: Int64
  private let step: Int64
  private let last: Int64

  /// - Parameters:
  ///   - sourceCount: samples of the source, at least 1.
  ///   - targetCount: samples of the zoomed picture, at least 1.
  ///   - zoomFactor: 1 or more.
  init(sourceCount: Int, targetCount: Int, zoomFactor: Double) {
    let shownCount = Double(sourceCount) / zoomFactor
    let step = shownCount / Double(targetCount)
    let origin = (Double(sourceCount) - shownCount) / 2 + step / 2 - 0.5
    self.origin = Int64(origin * Self.one)
    self.step = Int64(step * Self.one)
    last = Int64(sourceCount - 1)
  }

  private static var one: Double { 4_294_967_296 }

  /// The source position of sample `target`; past the source's ends, that of its last sample.
  func position(_ target: Int) -> Position {
    let place = min(max(origin + Int64(target) * step, 0), last << 32)
    let first = min(place >> 32, max(last - 1, 0))
    let weight = (place - first << 32 + 1 << 16) >> 17
    return Position(first: Int(first), weight: Int16(min(weight, 32_767)))
  }
}

/// Scales the three components of a zoomed picture. Has a row buffer for samples that cannot be read in place.
@safe struct ComponentScalers: ~Copyable {
  /// Some rows of each component.
  typealias Band = (luma: cjpeg_rows, blueDifference: cjpeg_rows, redDifference: cjpeg_rows)

  private var luma: PlaneScaler
  private var blueDifference: PlaneScaler
  private var redDifference: PlaneScaler
  private let targetSize: (width: Int, height: Int)
  // Safe: boot memory with no other user, large enough for what `RawRows` requires.
  let rowCopy: UnsafeMutablePointer<UInt8>

  /// - Returns: nil if `memory` is used up.
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
  /// - Parameter keepsProportions: whether a picture with another aspect ratio is cropped to the middle part that fills
  ///   the target.
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
  @_optimize(speed)
  mutating func rows<Source: SampleRows & ~Copyable>(
    inBand band: Int, of source: inout Source
  ) throws(Source.Failure) -> Band {
    let luma = try unsafe luma.rows(inBand: band, of: &source)
    let blueDifference = try unsafe blueDifference.rows(inBand: band, of: &source)
    let redDifference = try unsafe redDifference.rows(inBand: band, of: &source)
    return unsafe (luma, blueDifference, redDifference)
  }
}
