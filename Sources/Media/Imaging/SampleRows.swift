import Base

/// A picture read row by row, from top to bottom in each component. The components are never more than one band of MCUs
/// apart.
protocol SampleRows: ~Copyable {
  /// Why a row cannot be read.
  associatedtype Failure: Error

  /// Samples per row, and number of rows.
  func size(of component: PictureComponent) -> (widthSamples: Int, heightSamples: Int)

  /// The adjacent samples of one row, at least two of them readable; valid until the next call.
  mutating func row(_ row: Int, of component: PictureComponent) throws(Failure) -> UnsafePointer<UInt8>

  /// Converts a failure to the encoder's error.
  static func encoderError(_ failure: Failure) -> JPEGEncoderError
}

/// The rows of a raw picture in a camera's buffer.
@safe struct RawRows: SampleRows {
  private let readers: ComponentReaders
  // Safe: created for one picture, which is as large as its layout and valid while its rows are read.
  private let picture: UnsafeRawBufferPointer
  // Safe: the caller's boot memory, one row of luma plus one sample, with no other user at the same time.
  private let copy: UnsafeMutablePointer<UInt8>

  /// - Parameters:
  ///   - picture: contains each component completely.
  ///   - copy: one row of luma plus one byte.
  init(_ picture: UnsafeRawBufferPointer, readers: ComponentReaders, copy: UnsafeMutablePointer<UInt8>) {
    unsafe self.picture = picture
    self.readers = readers
    unsafe self.copy = copy
  }

  func size(of component: PictureComponent) -> (widthSamples: Int, heightSamples: Int) {
    let plane = readers[component].plane
    return (plane.widthSamples, plane.heightSamples)
  }

  func row(_ row: Int, of component: PictureComponent) -> UnsafePointer<UInt8> {
    let reader = readers[component]
    let start = unsafe reader.start(ofRow: row, in: picture)
    // A row of one sample may end where the picture does.
    guard reader.mustCopy || reader.plane.widthSamples == 1 else { return unsafe start }
    unsafe reader.copyRow(start, to: copy)
    return unsafe UnsafePointer(copy)
  }

  static func encoderError(_ failure: Never) -> JPEGEncoderError {}
}

/// How to read the rows of each component of a raw picture.
struct ComponentReaders {
  let luma: RowReader
  let blueDifference: RowReader
  let redDifference: RowReader

  init(_ layout: PictureLayout, colorRange: ColorRange) {
    let isLimited = colorRange == .limited
    luma = RowReader(plane: layout.luma, expansion: isLimited ? .luma : nil)
    blueDifference = RowReader(plane: layout.blueDifference, expansion: isLimited ? .difference : nil)
    redDifference = RowReader(plane: layout.redDifference, expansion: isLimited ? .difference : nil)
  }

  subscript(component: PictureComponent) -> RowReader {
    switch component {
    case .luma: luma
    case .blueDifference: blueDifference
    case .redDifference: redDifference
    }
  }
}

/// Reads the rows of one component as adjacent full-range samples.
struct RowReader {
  let plane: PlaneLayout
  /// Nil for full-range samples.
  let expansion: RangeExpansion?

  /// Whether a row must be copied because it cannot be read in place.
  var mustCopy: Bool { plane.bytesToNextSample != 1 || expansion != nil }

  /// The start of a row. The picture must contain the whole plane.
  func start(ofRow row: Int, in picture: UnsafeRawBufferPointer) -> UnsafePointer<UInt8> {
    unsafe picture.baseAddress!.advanced(by: plane.offset + row * plane.bytesPerRow)
      .assumingMemoryBound(to: UInt8.self)
  }

  /// Copies the row that starts at `source` to `copy`, which must have space for all its samples.
  func copyRow(_ source: UnsafePointer<UInt8>, to copy: UnsafeMutablePointer<UInt8>) {
    // One case per step, so that the optimiser vectorises each loop.
    switch plane.bytesToNextSample {
    case 1: unsafe gather(every: 1, from: source, to: copy)
    case 2: unsafe gather(every: 2, from: source, to: copy)
    case 4: unsafe gather(every: 4, from: source, to: copy)
    default: unsafe gather(every: plane.bytesToNextSample, from: source, to: copy)
    }
    if let expansion { unsafe expansion.apply(to: copy, count: plane.widthSamples) }
  }

  @inline(__always)
  @_optimize(speed)
  private func gather(every step: Int, from source: UnsafePointer<UInt8>, to copy: UnsafeMutablePointer<UInt8>) {
    for column in 0..<plane.widthSamples { unsafe copy[column] = source[column &* step] }
  }
}

/// Expands limited-range samples to the full range of a JPEG.
enum RangeExpansion {
  /// 16…235 become 0…255.
  case luma
  /// 16…240 become 0…255; 128 stays 128.
  case difference

  /// Expands samples in place. Written so that the optimiser vectorises the loops.
  func apply(to samples: UnsafeMutablePointer<UInt8>, count: Int) {
    switch self {
    case .luma: unsafe expandLuma(samples, count)
    case .difference: unsafe expandDifference(samples, count)
    }
  }

  /// 149 / 128 is within 0.03 % of 255 / 219; 239 · 149 fits 16 bits.
  @_optimize(speed)
  private func expandLuma(_ samples: UnsafeMutablePointer<UInt8>, _ count: Int) {
    for index in 0..<count {
      let aboveBlack = UInt16(max(unsafe samples[index], 16) &- 16)
      let expanded = (aboveBlack &* 149 &+ 64) >> 7
      unsafe samples[index] = UInt8(truncatingIfNeeded: min(expanded, 255))
    }
  }

  /// 291 / 256 is within 0.15 % of 255 / 224.
  @_optimize(speed)
  private func expandDifference(_ samples: UnsafeMutablePointer<UInt8>, _ count: Int) {
    for index in 0..<count {
      let difference = Int32(unsafe samples[index]) &- 128
      let expanded = (difference &* 291 &+ 128) >> 8 &+ 128
      unsafe samples[index] = UInt8(truncatingIfNeeded: max(0, min(expanded, 255)))
    }
  }
}
