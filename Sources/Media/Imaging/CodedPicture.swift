import CJPEG

/// The layout of a JPEG's decoded planes, without colour conversion: one plane after the other, each padded to whole
/// blocks and whole bands of MCUs.
package struct CodedPicture: BitwiseCopyable, Equatable, Sendable {
  /// 1…65,500.
  package let widthPixels: Int
  /// 1…65,500.
  package let heightPixels: Int
  /// Y', always the size of the picture.
  package let luma: PlaneLayout
  /// Cb: full, half or a quarter of the picture's width, and full or half its height.
  package let blueDifference: PlaneLayout
  /// Cr, the same size as Cb.
  package let redDifference: PlaneLayout
  /// Bytes of all planes.
  package let byteCount: Int
  /// Rows of MCUs.
  let bandCount: Int
  let lumaRowsPerBand: Int
  let chromaRowsPerBand: Int

  init(_ picture: cjpeg_picture) {
    let bandCount = Int(picture.band_count)
    let luma = PlaneLayout(picture.luma, offset: 0)
    let chroma = PlaneLayout(picture.chroma, offset: bandCount * Int(picture.luma.rows_per_band) * luma.bytesPerRow)
    let chromaByteCount = bandCount * Int(picture.chroma.rows_per_band) * chroma.bytesPerRow
    widthPixels = Int(picture.width)
    heightPixels = Int(picture.height)
    self.luma = luma
    blueDifference = chroma
    redDifference = chroma.moved(by: chromaByteCount)
    byteCount = chroma.offset + 2 * chromaByteCount
    self.bandCount = bandCount
    lumaRowsPerBand = Int(picture.luma.rows_per_band)
    chromaRowsPerBand = Int(picture.chroma.rows_per_band)
  }
}

extension PlaneLayout {
  fileprivate init(_ component: cjpeg_component, offset: Int) {
    self.init(
      offset: offset, bytesPerRow: Int(component.coded_width_samples), bytesToNextSample: 1,
      widthSamples: Int(component.width_samples), heightSamples: Int(component.height_samples))
  }
}
