import Base
import TestPictures
import TestSupport
import Testing

@testable import Media

/// Pictures in another format than planned.
@Suite struct FormatChangeTests {
  private static let layouts = [PixelFormat.yuyv, .nv12, .yuv420]

  private static func format(_ pixelFormat: PixelFormat, width: Int, height: Int) -> VideoFormat {
    VideoFormat(
      widthPixels: UInt16(width), heightPixels: UInt16(height), pixelFormat: pixelFormat,
      bytesPerRow: UInt32(pixelFormat == .yuyv ? 2 * width : width), frameRate: FrameRate(frames: 30))
  }

  /// Gray level, brighter to the right and downwards; `across` and `down` are 0…1.
  private static func level(across: Double, down: Double) -> Double { 40 + 100 * across + 80 * down }

  private static func ramp(_ format: VideoFormat) -> [UInt8] {
    let (width, height) = (Int(format.widthPixels), Int(format.heightPixels))
    let isPacked = format.pixelFormat == .yuyv
    var bytes = [UInt8](repeating: 128, count: width * height * (isPacked ? 4 : 3) / 2)
    for row in 0..<height {
      for column in 0..<width {
        let level = level(across: (Double(column) + 0.5) / Double(width), down: (Double(row) + 0.5) / Double(height))
        bytes[(row * width + column) * (isPacked ? 2 : 1)] = UInt8(level)
      }
    }
    return bytes
  }

  /// Expects the ramp of the source's middle, cropped to the target's proportions.
  private static func expectRamp(_ planes: [TestPicture.Plane], of source: VideoFormat, _ comment: Comment) {
    let luma = planes[0]
    let (width, height) = (Double(source.widthPixels), Double(source.heightPixels))
    let scale = min(width / Double(luma.width), height / Double(luma.height))
    var worst = 0.0
    // At the edges the last sample is repeated for positions beyond.
    for row in 2..<luma.height - 2 {
      for column in 2..<luma.width - 2 {
        let across = ((Double(column) + 0.5 - Double(luma.width) / 2) * scale + width / 2) / width
        let down = ((Double(row) + 0.5 - Double(luma.height) / 2) * scale + height / 2) / height
        let error = Double(luma.samples[row * luma.width + column]) - level(across: across, down: down)
        worst = max(worst, error.magnitude)
      }
    }
    #expect(worst < 8, "\(comment): \(worst) levels off")
    #expect(planes[1].samples.allSatisfy { abs(Int($0) - 128) < 4 }, comment)
  }

  @Test("a picture of any possible size and layout fills the planned size", arguments: 1...60 as ClosedRange<UInt64>)
  func raw(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let even = { (range: ClosedRange<Int>) in Int.random(in: range, using: &random) & ~1 }
    let planned = Self.format(Self.layouts[Int(seed) % 3], width: even(32...160), height: even(32...120))
    let source = Self.format(
      Self.layouts[Int(seed / 3) % 3], width: even(32...2 * Int(planned.widthPixels)),
      height: even(32...2 * Int(planned.heightPixels)))
    try #require(FormatChange.isPossible(from: source, to: planned))
    var coder = try testCoder(planned, quality: 95)
    let jpeg = try coder.code(Self.ramp(source), of: source)
    var decoder = try testDecoder()
    let planes = try decoder.planes(of: jpeg)
    #expect(planes[0].width == Int(planned.widthPixels) && planes[0].height == Int(planned.heightPixels))
    Self.expectRamp(planes, of: source, "\(source) to \(planned)")
    // The next picture in the planned format is encoded as usual.
    let own = Self.ramp(planned)
    var fresh = try testCoder(planned, quality: 95)
    #expect(try coder.code(own, zoomFactor: 1) == fresh.code(own, zoomFactor: 1))
  }

  @Test(
    "a JPEG of any possible size fills the planned size", arguments: 1...60 as ClosedRange<UInt64>)
  func jpeg(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let even = { (range: ClosedRange<Int>) in Int.random(in: range, using: &random) & ~1 }
    let planned = VideoFormat(mjpegOf: Self.format(.yuv420, width: even(32...160), height: even(32...120)))
    let drawn = Self.format(
      Self.layouts[Int(seed) % 3], width: even(32...2 * Int(planned.widthPixels)),
      height: even(32...2 * Int(planned.heightPixels)))
    let source = VideoFormat(mjpegOf: drawn)
    try #require(FormatChange.isPossible(from: source, to: planned))
    var camera = try testCoder(drawn, quality: 95)
    let picture = try camera.code(Self.ramp(drawn), zoomFactor: 1)
    var coder = try testCoder(planned, quality: 95)
    var decoder = try testDecoder()
    let planes = try decoder.planes(of: coder.code(picture, of: source))
    #expect(planes[0].width == Int(planned.widthPixels) && planes[0].height == Int(planned.heightPixels))
    Self.expectRamp(planes, of: drawn, "\(source) to \(planned)")
    #expect(throws: JPEGEncoderError.self) { try coder.code(Array(picture.prefix(100)), of: source) }
    #expect(try coder.code(picture, of: source).count > 0)
  }

  @Test("what is more than twice as large, or compressed in place of raw, is not possible")
  func impossible() {
    let planned = Self.format(.nv12, width: 64, height: 48)
    #expect(FormatChange.isPossible(from: Self.format(.yuyv, width: 128, height: 96), to: planned))
    #expect(!FormatChange.isPossible(from: Self.format(.yuyv, width: 130, height: 96), to: planned))
    #expect(!FormatChange.isPossible(from: Self.format(.nv12, width: 64, height: 98), to: planned))
    #expect(!FormatChange.isPossible(from: VideoFormat(mjpegOf: planned), to: planned))
    #expect(FormatChange.isPossible(from: planned, to: VideoFormat(mjpegOf: planned)))
  }

  @Test(
    "a sign fits its memory and can be decoded in every size, and has words where they fit",
    arguments: [
      (16, 16), (58, 480), (60, 16), (64, 48), (320, 180), (640, 480), (1280, 720), (1920, 1080), (4096, 2160),
    ])
  func sign(width: Int, height: Int) throws {
    let noise = Sign(columnCount: 59) { column, row in (column + row) % 2 == 0 }
    for pixelFormat in Self.layouts + [.mjpeg] {
      let raw = Self.format(pixelFormat == .mjpeg ? .yuv420 : pixelFormat, width: width, height: height)
      let format = pixelFormat == .mjpeg ? VideoFormat(mjpegOf: raw) : raw
      var coder = try testCoder(format, quality: 95)
      coder.prepareThread()
      var buffer = [UInt8](repeating: 0, count: PictureCoder.signByteCount(format: format))
      var span = buffer.mutableSpan
      var room = unsafe span.mutableBytes
      let byteCount = try #require(coder.code(noise, into: &room), "\(pixelFormat)")
      let pixmap = try ForeignProgram.run("djpeg", ["-grayscale"], input: Array(buffer[..<byteCount]))
      #expect(pixmap.starts(with: Array("P5\n\(width) \(height)\n255\n".utf8)))
      #expect((pixmap.suffix(width * height).max()! > 150) == (width >= 59))
    }
  }
}

extension PictureCoder {
  /// Encodes a picture of another format.
  fileprivate mutating func code(_ picture: [UInt8], of other: VideoFormat) throws -> [UInt8] {
    let wanted = unsafe maximumByteCount(picture: picture.span.bytes, zoomFactor: 1, of: other)
    var jpeg = [UInt8](repeating: 0xEE, count: wanted)
    var elements = jpeg.mutableSpan
    var bytes = unsafe elements.mutableBytes
    let byteCount = try unsafe code(picture: picture.span.bytes, zoomFactor: 1, of: other, into: &bytes)
    return Array(jpeg[..<byteCount])
  }
}
