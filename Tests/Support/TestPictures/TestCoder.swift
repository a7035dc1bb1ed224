import Base
import Media
import TestSupport

/// A coder in memory of exactly the reported size.
package func testCoder(_ format: VideoFormat, quality: Int = 85) throws -> PictureCoder {
  var memory = leakedBootMemory()
  return try PictureCoder(format: format, quality: quality, in: &memory)
}

extension VideoFormat {
  /// The same pictures, encoded by the camera.
  package init(mjpegOf format: VideoFormat) {
    self = format
    pixelFormat = .mjpeg
    bytesPerRow = 0
  }
}

extension PictureCoder {
  package mutating func code(
    _ picture: [UInt8], zoomFactor: Double, into buffer: inout [UInt8]
  ) throws(JPEGEncoderError) -> Int {
    var elements = buffer.mutableSpan
    var bytes = unsafe elements.mutableBytes
    return try unsafe code(picture: picture.span.bytes, zoomFactor: zoomFactor, into: &bytes)
  }

  /// Encodes into a buffer of the size reported by the coder, or of the given size.
  package mutating func code(_ picture: [UInt8], zoomFactor: Double, capacityByteCount: Int? = nil) throws -> [UInt8] {
    let wanted = unsafe maximumByteCount(picture: picture.span.bytes, zoomFactor: zoomFactor)
    var jpeg = [UInt8](repeating: 0xEE, count: capacityByteCount ?? wanted)
    let byteCount = try code(picture, zoomFactor: zoomFactor, into: &jpeg)
    return Array(jpeg[..<byteCount])
  }
}
