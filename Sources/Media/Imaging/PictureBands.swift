import Base
import CJPEG

/// Gives libjpeg the rows of one component, one band of MCUs at a time: in place if possible, otherwise as a copy with
/// adjacent full-range samples and the last column repeated to fill the last block.
@safe struct BandReader {
  /// Samples on a side of a block (ITU-T T.81, clause A.1.3).
  static var blockSide: Int { 8 }

  private let reader: RowReader
  private let rowsPerBand: Int
  // Safe: boot memory with no other user, the size of one band; empty if rows are read in place.
  private let copies: UnsafeMutableRawBufferPointer

  /// - Returns: nil if `memory` is used up.
  init?(_ reader: RowReader, rowsPerBand: Int, in memory: inout BootMemory) {
    let byteCount = Self.copiesByteCount(reader, rowsPerBand: rowsPerBand)
    guard let copies = unsafe memory.cut(byteCount: byteCount) else { return nil }
    self.reader = reader
    self.rowsPerBand = rowsPerBand
    unsafe self.copies = copies
  }

  private static func copiesByteCount(_ reader: RowReader, rowsPerBand: Int) -> Int {
    mustCopy(reader) ? rowsPerBand * reader.plane.widthInWholeBlocks : 0
  }

  /// Whether libjpeg, which reads whole blocks, cannot read the rows in place.
  private static func mustCopy(_ reader: RowReader) -> Bool {
    reader.mustCopy || reader.plane.widthSamples != reader.plane.widthInWholeBlocks
  }

  /// The rows of a band. The picture must contain the whole plane.
  @_optimize(speed)
  func rows(inBand band: Int, of picture: UnsafeRawBufferPointer) -> cjpeg_rows {
    let plane = reader.plane
    let firstRow = band * rowsPerBand
    let rowCount = min(rowsPerBand, plane.heightSamples - firstRow)
    let first = unsafe reader.start(ofRow: firstRow, in: picture)
    guard Self.mustCopy(reader) else {
      return unsafe cjpeg_rows(first_row: first, bytes_per_row: plane.bytesPerRow, row_count: UInt32(rowCount))
    }
    let copy = unsafe copies.baseAddress!.assumingMemoryBound(to: UInt8.self)
    let copyBytesPerRow = plane.widthInWholeBlocks
    for row in 0..<rowCount {
      unsafe copyRow(first + row * plane.bytesPerRow, to: copy + row * copyBytesPerRow)
    }
    return unsafe cjpeg_rows(first_row: copy, bytes_per_row: copyBytesPerRow, row_count: UInt32(rowCount))
  }

  @_optimize(speed)
  private func copyRow(_ source: UnsafePointer<UInt8>, to copy: UnsafeMutablePointer<UInt8>) {
    unsafe reader.copyRow(source, to: copy)
    let last = unsafe copy[reader.plane.widthSamples - 1]
    for column in reader.plane.widthSamples..<reader.plane.widthInWholeBlocks { unsafe copy[column] = last }
  }
}

extension PlaneLayout {
  /// Samples of a row, rounded up to whole blocks.
  var widthInWholeBlocks: Int {
    (widthSamples + BandReader.blockSide - 1) / BandReader.blockSide * BandReader.blockSide
  }
}

/// Writes the samples of a picture to a buffer of its pixel format, one band of MCUs at a time. Bytes of the buffer to
/// the right of the picture and below it are left unchanged.
struct BandWriter: BitwiseCopyable {
  private let layout: PictureLayout
  private let pixelFormat: PixelFormat
  private let columnPairCount: Int

  /// - Parameters:
  ///   - layout: the buffer's layout; at least as large as the picture.
  ///   - picture: the picture's format.
  init(_ layout: PictureLayout, picture: VideoFormat) {
    self.layout = layout
    pixelFormat = picture.pixelFormat
    columnPairCount = Int(picture.widthPixels) / 2
  }

  /// - Parameters:
  ///   - rows: the rows of band number `band`, all inside the picture.
  ///   - buffer: at least as large as its layout.
  func write(_ rows: ComponentScalers.Band, asBand band: Int, of buffer: UnsafeMutableRawBufferPointer) {
    let luma = unsafe buffer.start(ofRow: band * layout.lumaRowsPerBand, layout.luma)
    let blueDifference = unsafe buffer.start(ofRow: band * BandReader.blockSide, layout.blueDifference)
    let redDifference = unsafe buffer.start(ofRow: band * BandReader.blockSide, layout.redDifference)
    switch pixelFormat {
    case .mjpeg: break
    case .yuyv: unsafe writePacked(rows, to: luma)
    case .nv12:
      unsafe write(rows.luma, sampleCount: 2 * columnPairCount, to: luma, layout.luma)
      unsafe writePairs(rows, to: blueDifference)
    case .yuv420:
      unsafe write(rows.luma, sampleCount: 2 * columnPairCount, to: luma, layout.luma)
      unsafe write(rows.blueDifference, sampleCount: columnPairCount, to: blueDifference, layout.blueDifference)
      unsafe write(rows.redDifference, sampleCount: columnPairCount, to: redDifference, layout.redDifference)
    }
  }

  @_optimize(speed)
  private func write(_ rows: cjpeg_rows, sampleCount: Int, to start: UnsafeMutableRawPointer, _ plane: PlaneLayout) {
    for row in unsafe 0..<Int(rows.row_count) {
      unsafe (start + row * plane.bytesPerRow).copyMemory(from: rows.start(ofRow: row), byteCount: sampleCount)
    }
  }

  /// Writes Cb Cr as 16-bit numbers, so that the optimiser vectorises the loop. Both supported processors are
  /// little-endian.
  @_optimize(speed)
  private func writePairs(_ rows: ComponentScalers.Band, to start: UnsafeMutableRawPointer) {
    for row in unsafe 0..<Int(rows.blueDifference.row_count) {
      let blue = unsafe rows.blueDifference.start(ofRow: row)
      let red = unsafe rows.redDifference.start(ofRow: row)
      let target = unsafe start + row * layout.blueDifference.bytesPerRow
      for pair in 0..<columnPairCount {
        let samples = unsafe UInt16(blue[pair]) | UInt16(red[pair]) &<< 8
        unsafe target.storeBytes(of: samples, toByteOffset: 2 &* pair, as: UInt16.self)
      }
    }
  }

  /// Writes Y0 Cb Y1 Cr as 32-bit numbers.
  @_optimize(speed)
  private func writePacked(_ rows: ComponentScalers.Band, to start: UnsafeMutableRawPointer) {
    for row in unsafe 0..<Int(rows.luma.row_count) {
      let luma = unsafe UnsafeRawPointer(rows.luma.start(ofRow: row))
      let blue = unsafe rows.blueDifference.start(ofRow: row)
      let red = unsafe rows.redDifference.start(ofRow: row)
      let target = unsafe start + row * layout.luma.bytesPerRow
      for pair in 0..<columnPairCount {
        let levels = unsafe UInt32(luma.loadUnaligned(fromByteOffset: 2 &* pair, as: UInt16.self))
        let spread = (levels & 0xFF) | (levels & 0xFF00) &<< 8
        let samples = unsafe spread | UInt32(blue[pair]) &<< 8 | UInt32(red[pair]) &<< 24
        unsafe target.storeBytes(of: samples, toByteOffset: 4 &* pair, as: UInt32.self)
      }
    }
  }
}

extension cjpeg_rows {
  fileprivate func start(ofRow row: Int) -> UnsafePointer<UInt8> { unsafe first_row + row * bytes_per_row }
}

extension UnsafeMutableRawBufferPointer {
  fileprivate func start(ofRow row: Int, _ plane: PlaneLayout) -> UnsafeMutableRawPointer {
    unsafe baseAddress! + plane.offset + row * plane.bytesPerRow
  }
}
