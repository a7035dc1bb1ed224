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

  /// - Returns: nil for compressed pictures, for odd sides if chroma is subsampled, and for rows that are too short.
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

extension PictureView {
  /// The nearest rectangle inside the view.
  func holding(_ wanted: PixelRectangle) -> PixelRectangle {
    let width = max(1, min(wanted.width, self.width))
    let height = max(1, min(wanted.height, self.height))
    return PixelRectangle(
      x: max(x, min(wanted.x, x + self.width - width)), y: max(y, min(wanted.y, y + self.height - height)),
      width: width, height: height)
  }

  /// A centred square, clipped to the view.
  func centred(side: Int) -> PixelRectangle {
    let width = min(side, width)
    let height = min(side, height)
    return PixelRectangle(
      x: x + (self.width - width) / 2, y: y + (self.height - height) / 2, width: width, height: height)
  }

  /// The pixels of the camera's own picture that a rectangle of the view covers.
  ///
  /// The view shows the middle 1 / `zoomFactor` of each side of the picture, upright. Each corner is rounded to the
  /// nearest pixel corner of the whole picture; the result is at least one pixel.
  /// - Parameters:
  ///   - rectangle: inside the view.
  ///   - widthPixels: the width of the camera's picture, as stored in the buffer.
  ///   - heightPixels: the height of that picture.
  ///   - zoomFactor: 1 or more.
  package func cameraPixels(
    of rectangle: PixelRectangle, widthPixels: Int, heightPixels: Int, orientation: Orientation, zoomFactor: Double
  ) -> PixelRectangle {
    let rotation = QuarterTurn(upright: orientation)
    let upright = PixelSize(width: widthPixels, height: heightPixels).rotated(by: rotation)
    let columns = Self.pixels(of: rectangle.x - x, rectangle.width, side: width, sidePixels: upright.width, zoomFactor)
    let rows = Self.pixels(of: rectangle.y - y, rectangle.height, side: height, sidePixels: upright.height, zoomFactor)
    return PixelRectangle(x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
      .rotated(by: rotation.reversed, in: upright)
  }

  /// One side of ``cameraPixels(of:widthPixels:heightPixels:orientation:zoomFactor:)``. At factor 1 all sums are whole
  /// numbers, so a quotient that should be exactly a half is.
  private static func pixels(
    of start: Int, _ length: Int, side: Int, sidePixels: Int, _ zoomFactor: Double
  ) -> Range<Int> {
    let seenPixels = Double(sidePixels) / zoomFactor
    let hiddenPixels = (Double(sidePixels) - seenPixels) / 2
    let first = (hiddenPixels + Double(start) * seenPixels / Double(side)).rounded()
    let end = (hiddenPixels + Double(start + length) * seenPixels / Double(side)).rounded()
    let lower = max(0, min(Int(first), sidePixels - 1))
    return lower..<max(lower + 1, min(Int(end), sidePixels))
  }
}

/// Pictures from a camera that came back with a format other than the one that memory was planned for.
package enum FormatChange {
  /// How much larger than planned their sides may be: memory is planned for their rows. A camera that is asked for the
  /// same mode as before answers with the nearest it has, which is rarely larger at all.
  static var largestScale: Int { 2 }

  /// Whether pictures of a format can be shown at the planned size. A camera that now compresses its pictures and did
  /// not before would need a decoder, for which no memory was planned.
  package static func isPossible(from source: VideoFormat, to planned: VideoFormat) -> Bool {
    guard source.widthPixels >= 16, source.heightPixels >= 16, planned.widthPixels >= 16, planned.heightPixels >= 16,
      Int(source.widthPixels) <= largestScale * Int(planned.widthPixels),
      Int(source.heightPixels) <= largestScale * Int(planned.heightPixels)
    else { return false }
    return source.pixelFormat == .mjpeg ? planned.pixelFormat == .mjpeg : PictureLayout(source) != nil
  }
}

extension VideoFormat {
  /// Whether pictures of both formats have the same layout in memory, whatever their frame rates.
  package func hasLayout(of other: VideoFormat) -> Bool {
    var same = self
    same.frameRate = other.frameRate
    return same == other
  }
}
