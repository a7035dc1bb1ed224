import Base

/// The positions of the three components of a raw picture in a camera's buffer: one plane directly after the other, as
/// in V4L2's single-planar formats.
package struct PictureLayout: BitwiseCopyable {
  let luma: PlaneLayout
  let blueDifference: PlaneLayout
  let redDifference: PlaneLayout
  /// 2 for 4:2:0, 1 for 4:2:2.
  let lumaRowsPerChromaRow: Int

  /// Rows of luma in one band of MCUs; chroma has 8.
  var lumaRowsPerBand: Int { lumaRowsPerChromaRow * BandReader.blockSide }

  /// Bands of MCUs; the last one may have fewer rows.
  var bandCount: Int { (luma.heightSamples + lumaRowsPerBand - 1) / lumaRowsPerBand }

  /// Bytes from the start of the buffer to the end of its last sample.
  var byteCount: Int { max(luma.endOffset, max(blueDifference.endOffset, redDifference.endOffset)) }

  /// - Returns: nil for compressed pictures, for odd sides where chroma is subsampled, and for rows that are too short.
  package init?(_ format: VideoFormat) {
    let width = Int(format.widthPixels)
    let height = Int(format.heightPixels)
    let bytesPerRow = Int(format.bytesPerRow)
    guard width > 0, height > 0, width % 2 == 0 else { return nil }
    switch format.pixelFormat {
    case .mjpeg:
      return nil
    case .yuyv:
      guard bytesPerRow >= 2 * width else { return nil }
      self.init(packedWidth: width, height: height, bytesPerRow: bytesPerRow)
    case .nv12:
      guard height % 2 == 0, bytesPerRow >= width else { return nil }
      self.init(twoPlanesOfWidth: width, height: height, bytesPerRow: bytesPerRow)
    case .yuv420:
      guard height % 2 == 0, bytesPerRow >= width, bytesPerRow % 2 == 0 else { return nil }
      self.init(threePlanesOfWidth: width, height: height, bytesPerRow: bytesPerRow)
    }
  }

  /// `YUYV`: Y0 Cb Y1 Cr, repeated.
  private init(packedWidth width: Int, height: Int, bytesPerRow: Int) {
    luma = PlaneLayout(
      offset: 0, bytesPerRow: bytesPerRow, bytesToNextSample: 2, widthSamples: width, heightSamples: height)
    blueDifference = PlaneLayout(
      offset: 1, bytesPerRow: bytesPerRow, bytesToNextSample: 4, widthSamples: width / 2, heightSamples: height)
    redDifference = blueDifference.moved(by: 2)
    lumaRowsPerChromaRow = 1
  }

  /// `NV12`: Y', then Cb Cr pairs in rows of the same length.
  private init(twoPlanesOfWidth width: Int, height: Int, bytesPerRow: Int) {
    luma = PlaneLayout(
      offset: 0, bytesPerRow: bytesPerRow, bytesToNextSample: 1, widthSamples: width, heightSamples: height)
    blueDifference = PlaneLayout(
      offset: bytesPerRow * height, bytesPerRow: bytesPerRow, bytesToNextSample: 2, widthSamples: width / 2,
      heightSamples: height / 2)
    redDifference = blueDifference.moved(by: 1)
    lumaRowsPerChromaRow = 2
  }

  /// `YU12`: Y', then Cb, then Cr in rows of half the length.
  private init(threePlanesOfWidth width: Int, height: Int, bytesPerRow: Int) {
    luma = PlaneLayout(
      offset: 0, bytesPerRow: bytesPerRow, bytesToNextSample: 1, widthSamples: width, heightSamples: height)
    blueDifference = PlaneLayout(
      offset: bytesPerRow * height, bytesPerRow: bytesPerRow / 2, bytesToNextSample: 1, widthSamples: width / 2,
      heightSamples: height / 2)
    redDifference = blueDifference.moved(by: bytesPerRow / 2 * (height / 2))
    lumaRowsPerChromaRow = 2
  }
}

/// The positions of one component's samples (Y', Cb or Cr) in a buffer: a separate plane, or interleaved.
package struct PlaneLayout: BitwiseCopyable, Equatable, Sendable {
  /// Bytes before the first sample.
  package var offset: Int
  /// Bytes from the start of one row to the start of the next.
  package var bytesPerRow: Int
  /// Bytes from one sample to the next in its row: 1 in a separate plane.
  package var bytesToNextSample: Int
  /// Samples per row, at least 1.
  package var widthSamples: Int
  /// Number of rows, at least 1.
  package var heightSamples: Int

  /// One past the last byte that belongs to the component.
  var endOffset: Int { offset + (heightSamples - 1) * bytesPerRow + (widthSamples - 1) * bytesToNextSample + 1 }

  /// The same plane, `byteCount` bytes further on.
  func moved(by byteCount: Int) -> PlaneLayout {
    var moved = self
    moved.offset += byteCount
    return moved
  }
}

enum PictureComponent: BitwiseCopyable {
  /// Y'.
  case luma
  /// Cb.
  case blueDifference
  /// Cr.
  case redDifference
}
