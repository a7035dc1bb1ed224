import Base
import CJPEG

/// Writes the samples of a picture to a buffer of its pixel format, one band of MCUs at a time. Bytes of the buffer to
/// the right of the picture and below it are left unchanged.
struct BandWriter: BitwiseCopyable {
  private let layout: PictureLayout
  private let pixelFormat: PixelFormat
  private let columnPairCount: Int

  /// - Parameters:
  ///   - layout: of the buffer; at least as large as the picture.
  ///   - picture: the picture's format.
  init(_ layout: PictureLayout, picture: VideoFormat) {
    self.layout = layout
    pixelFormat = picture.pixelFormat
    columnPairCount = Int(picture.widthPixels) / 2
  }

  /// - Parameters:
  ///   - rows: of band number `band`, all inside the picture.
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

  private func write(_ rows: cjpeg_rows, sampleCount: Int, to start: UnsafeMutableRawPointer, _ plane: PlaneLayout) {
    for row in unsafe 0..<Int(rows.row_count) {
      unsafe (start + row * plane.bytesPerRow).copyMemory(from: rows.start(ofRow: row), byteCount: sampleCount)
    }
  }

  /// Writes Cb Cr as 16-bit numbers, so that the optimiser vectorises the loop. Both supported processors are
  /// little-endian.
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
