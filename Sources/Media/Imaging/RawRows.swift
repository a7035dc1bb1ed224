/// The rows of a raw picture in a camera's buffer.
@safe struct RawRows: SampleRows {
  private let readers: ComponentReaders
  // Sound: made for one picture, which is as large as its layout says and stays while its rows are read.
  private let picture: UnsafeRawBufferPointer
  // Sound: boot memory of whoever reads, a row of luma and a sample more, which nothing else uses meanwhile.
  private let copy: UnsafeMutablePointer<UInt8>

  /// - Parameters:
  ///   - picture: goes to the end of each component at least.
  ///   - copy: room for a row of luma and one byte more.
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
