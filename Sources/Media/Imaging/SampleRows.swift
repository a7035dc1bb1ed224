/// A picture whose rows are asked for one after another, from top to bottom in each component, and never further apart
/// in one component than in another than a band of MCUs.
protocol SampleRows: ~Copyable {
  /// Why a row cannot be had.
  associatedtype Failure: Error

  /// Samples of a row, and rows.
  func size(of component: PictureComponent) -> (widthSamples: Int, heightSamples: Int)

  /// The samples of one row, one next to the other, and at least two of them readable; they stay there until the next
  /// row is asked for.
  mutating func row(
    _ row: Int, of component: PictureComponent
  ) throws(Failure) -> UnsafePointer<UInt8>

  /// What a failure is to whoever encodes the picture.
  static func encoderError(_ failure: Failure) -> JPEGEncoderError
}
