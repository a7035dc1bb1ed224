import Base
import Media
import TestSupport

/// An encoder in memory of exactly the reported size.
package func testEncoder(_ format: VideoFormat, quality: Int = 85) throws -> JPEGEncoder {
  var memory = leakedBootMemory()
  return try JPEGEncoder(format: format, quality: quality, in: &memory)
}

extension JPEGEncoder {
  package mutating func encode(_ picture: [UInt8], into buffer: inout [UInt8]) throws(JPEGEncoderError) -> Int {
    var elements = buffer.mutableSpan
    var bytes = unsafe elements.mutableBytes
    return try unsafe encode(picture: picture.span.bytes, into: &bytes)
  }

  /// Encodes into a buffer of `capacityByteCount` bytes.
  package mutating func encode(_ picture: TestPicture, capacityByteCount: Int) throws(JPEGEncoderError) -> [UInt8] {
    var jpeg = [UInt8](repeating: 0xEE, count: capacityByteCount)
    let byteCount = try encode(picture.bytes, into: &jpeg)
    return Array(jpeg[..<byteCount])
  }

  /// Encodes into a buffer for any picture of the format.
  package mutating func encode(_ picture: TestPicture) throws(JPEGEncoderError) -> [UInt8] {
    try encode(picture, capacityByteCount: Self.maximumByteCount(format: picture.format))
  }
}
