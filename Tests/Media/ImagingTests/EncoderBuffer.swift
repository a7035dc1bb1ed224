import Base
import TestPictures
import TestSupport

/// An encoder's buffer, filled with noise so that writes can be detected. The positions of samples are calculated here
/// from V4L2's description of the formats.
struct EncoderBuffer {
  let format: VideoFormat
  var bytes: [UInt8]
  private let noise: [UInt8]

  /// - Parameter spareBytesPerRow: bytes after the pixels of each row of the first plane.
  init(_ pixelFormat: PixelFormat, width: Int, height: Int, spareBytesPerRow: Int) {
    let bytesPerRow = (pixelFormat == .yuyv ? 2 * width : width) + spareBytesPerRow
    format = VideoFormat(
      widthPixels: UInt16(width), heightPixels: UInt16(height), pixelFormat: pixelFormat,
      bytesPerRow: UInt32(bytesPerRow), frameRate: FrameRate(frames: 30))
    var random = SeededGenerator(seed: 3)
    let byteCount = pixelFormat == .yuyv ? bytesPerRow * height : bytesPerRow * height * 3 / 2
    noise = (0..<byteCount).map { _ in UInt8(random.next() % 256) }
    bytes = noise
  }

  /// Whether the buffer still holds only the noise.
  var isUntouched: Bool { bytes == noise }

  /// Whether the noise remains wherever a picture has no samples.
  func isUntouched(around picture: TestPicture) -> Bool {
    var rest = bytes
    for index in 0..<3 { for offset in offsets(ofPlane: index, of: picture) { rest[offset] = noise[offset] } }
    return rest == noise
  }

  /// The planes of a picture that starts in the first row and column.
  func planes(like picture: TestPicture) -> [TestPicture.Plane] {
    zip(0..., picture.planes).map { index, plane in
      let samples = offsets(ofPlane: index, of: picture).map { bytes[$0] }
      return TestPicture.Plane(width: plane.width, height: plane.height, samples: samples)
    }
  }

  private func offsets(ofPlane index: Int, of picture: TestPicture) -> [Int] {
    let plane = picture.planes[index]
    return (0..<plane.height).flatMap { row in (0..<plane.width).map { offset(ofPlane: index, row, $0) } }
  }

  private func offset(ofPlane index: Int, _ row: Int, _ column: Int) -> Int {
    let rowBytes = Int(format.bytesPerRow)
    let height = Int(format.heightPixels)
    let chroma = index - 1
    return switch (format.pixelFormat, index) {
    case (.yuyv, 0): row * rowBytes + 2 * column
    case (.yuyv, _): row * rowBytes + 4 * column + 1 + 2 * chroma
    case (_, 0): row * rowBytes + column
    case (.nv12, _): (height + row) * rowBytes + 2 * column + chroma
    case (_, _): height * rowBytes + (chroma * height / 2 + row) * rowBytes / 2 + column
    }
  }
}
