import Base
import Media

/// How fast this machine makes JPEGs, measured by making some.
package enum EncodingSpeed {
  /// A tenth of the smallest preset's pixels takes a few milliseconds on the slowest machine.
  private static var format: VideoFormat {
    VideoFormat(
      widthPixels: 320, heightPixels: 240, pixelFormat: .yuv420, bytesPerRow: 320, frameRate: FrameRate(frames: 30))
  }

  /// The first picture brings the code into the caches; of the others the fastest counts, because nothing interrupted
  /// it.
  private static var pictureCount: Int { 5 }

  /// Size of the memory that ``measure(quality:by:in:)`` needs.
  package static var memoryByteCount: Int { 1 << 20 }

  /// - Parameters:
  ///   - quality: 1…100 on the scale of libjpeg.
  ///   - clock: in nanoseconds.
  /// - Returns: pixels per second for one thread; nil if it cannot be measured.
  package static func measure(quality: Int, by clock: () -> UInt64, in memory: inout BootMemory) -> Double? {
    guard var encoder = try? JPEGEncoder(format: format, quality: quality, in: &memory),
      var picture = FixedBuffer(byteCount: format.pixelCount * 3 / 2, in: &memory),
      var output = FixedBuffer(byteCount: JPEGEncoder.maximumByteCount(format: format), in: &memory)
    else { return nil }
    drawFoliage(&picture)
    encoder.prepareThread()
    var least = UInt64.max
    for index in 0..<pictureCount {
      let start = clock()
      var bytes = output.mutableBytes
      guard (try? encoder.encode(picture: picture.bytes, into: &bytes)) != nil else { return nil }
      if index > 0 { least = min(least, max(clock() - start, 1)) }
    }
    return Double(format.pixelCount) * 1e9 / Double(least)
  }

  /// The hardest natural subject to encode: foliage, in which every pixel has a different brightness.
  private static func drawFoliage(_ picture: inout FixedBuffer) {
    var random = SplitMix64(seed: 1)
    var bytes = picture.mutableBytes
    for offset in 0..<bytes.byteCount {
      let grain = offset < format.pixelCount ? UInt8(truncatingIfNeeded: random.next() & 31) : 0
      bytes.storeBytes(of: 112 + grain, toByteOffset: offset, as: UInt8.self)
    }
  }
}

extension VideoFormat {
  fileprivate var pixelCount: Int { Int(widthPixels) * Int(heightPixels) }
}
