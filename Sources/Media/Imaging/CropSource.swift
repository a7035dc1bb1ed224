/// Where the samples are that a rectangle is cut out of: a camera's raw picture, or the planes of a decoded one.
package struct CropSource {
  let luma: CropComponent
  let blueDifference: CropComponent
  let redDifference: CropComponent
  /// Bytes to the end of the last sample.
  let byteCount: Int

  package init(_ layout: PictureLayout) {
    luma = CropComponent(layout.luma, ofPictureLike: layout.luma)
    blueDifference = CropComponent(layout.blueDifference, ofPictureLike: layout.luma)
    redDifference = CropComponent(layout.redDifference, ofPictureLike: layout.luma)
    byteCount = layout.byteCount
  }

  package init(_ picture: CodedPicture) {
    luma = CropComponent(picture.luma, ofPictureLike: picture.luma)
    blueDifference = CropComponent(picture.blueDifference, ofPictureLike: picture.luma)
    redDifference = CropComponent(picture.redDifference, ofPictureLike: picture.luma)
    byteCount = picture.byteCount
  }
}
