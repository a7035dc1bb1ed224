import Base
import Media
import TestSupport

/// A decoder in memory of exactly the reported size.
package func testDecoder(maximumWidthPixels: Int = 1920, maximumHeightPixels: Int = 1080) throws -> JPEGDecoder {
  var memory = leakedBootMemory()
  return try JPEGDecoder(
    maximumWidthPixels: maximumWidthPixels, maximumHeightPixels: maximumHeightPixels, in: &memory)
}

extension JPEGDecoder {
  /// - Parameter byteCount: how much of the buffer may be used; all of it if nil.
  package mutating func decodePlanes(
    _ jpeg: [UInt8], into buffer: inout [UInt8], byteCount: Int? = nil
  ) throws(JPEGDecoderError) -> CodedPicture {
    var elements = buffer.mutableSpan
    var usable = elements._mutatingExtracting(first: byteCount ?? elements.count)
    var bytes = unsafe usable.mutableBytes
    return try unsafe decodePlanes(jpeg: jpeg.span.bytes, into: &bytes)
  }

  /// - Parameter byteCount: how much of the buffer may be used; all of it if nil.
  package mutating func decodeRGB(
    _ jpeg: [UInt8], scaleEighths: Int, into buffer: inout [UInt8], byteCount: Int? = nil
  ) throws(JPEGDecoderError) -> PixelSize {
    var elements = buffer.mutableSpan
    var usable = elements._mutatingExtracting(first: byteCount ?? elements.count)
    var bytes = unsafe usable.mutableBytes
    return try unsafe decodeRGB(jpeg: jpeg.span.bytes, scaleEighths: scaleEighths, into: &bytes)
  }

  /// The planes of a picture of at most 1920 x 1080 pixels: Y', Cb, Cr.
  package mutating func planes(of jpeg: [UInt8]) throws -> [TestPicture.Plane] {
    let byteCount = Self.maximumPlanesByteCount(widthPixels: 1920, heightPixels: 1080)
    var buffer = [UInt8](repeating: 0, count: byteCount)
    let picture = try decodePlanes(jpeg, into: &buffer)
    return [picture.luma, picture.blueDifference, picture.redDifference].map { layout in
      TestPicture.Plane(
        width: layout.widthSamples, height: layout.heightSamples,
        samples: (0..<layout.heightSamples).flatMap { row in
          buffer[(layout.offset + row * layout.bytesPerRow)...].prefix(layout.widthSamples)
        })
    }
  }

  /// A picture as a Netpbm file, like djpeg's output.
  package mutating func portablePixmap(of jpeg: [UInt8], scaleEighths: Int) throws -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 1920 * 1080 * 3)
    let size = try decodeRGB(jpeg, scaleEighths: scaleEighths, into: &buffer)
    let header = "P6\n\(size.width) \(size.height)\n255\n"
    return Array(header.utf8) + buffer[..<(3 * size.width * size.height)]
  }
}
