import Base
import CHeapMeter
import TestPictures
import TestSupport
import Testing

@testable import Media

@Suite struct ZoomedPictureTests {
  private static let rawFormats: [PixelFormat] = [.yuv420, .nv12, .yuyv]
  private static let factors = [1.0001, 1.1, 1.9999, 2, 3.7, 8, 16]
  private static let samplings = ["1x1", "2x1", "2x2", "1x2", "4x1", "2x2,1x2,1x2", "1x2,1x2,1x2"]

  @Test("Samples of raw pictures match a straightforward calculation to one level", arguments: rawFormats, factors)
  func raw(pixelFormat: PixelFormat, factor: Double) throws {
    for padding in [0, 10] {
      let picture = TestPicture(pixelFormat, width: 134, height: 98, rowPadding: padding)
      for (plane, source) in zip(try picture.scaledPlanes(factor: factor), picture.planes) {
        #expect(plane.worstDifference(of: source.zoomed(factor, width: plane.width, height: plane.height)) <= 1)
      }
    }
  }

  @Test("Samples of JPEG pictures with any sampling match it too", arguments: samplings, factors)
  func coded(sampling: String, factor: Double) throws {
    for (width, height) in [(134, 98), (50, 34)] {
      let jpeg = try TestJPEG.libjpeg(width: width, height: height, options: ["-sample", sampling])
      var decoder = try testDecoder()
      let sources = try decoder.planes(of: jpeg)
      let layout = try #require(PictureLayout(TestPicture(.yuv420, width: 134, height: 98).format))
      var memory = leakedBootMemory()
      var rows = try DecodedRows(maximumWidthPixels: 134, maximumHeightPixels: 98, in: &memory)
      try unsafe jpeg.withUnsafeBytes { bytes in
        try unsafe rows.begin(bytes)
        let scaled = try ComponentScalers.planes(of: &rows, target: layout, factor: factor)
        for (plane, source) in zip(scaled, sources) {
          #expect(plane.worstDifference(of: source.zoomed(factor, width: plane.width, height: plane.height)) <= 1)
        }
      }
    }
  }

  @Test("Sharp edges between black and white match to one level too")
  func harsh() throws {
    var random = SeededGenerator(seed: 5)
    var picture = TestPicture(.yuv420, width: 64, height: 48)
    let bytes = picture.bytes.map { _ in random.next() % 2 == 0 ? UInt8(0) : 255 }
    picture.format.colorRange = .full
    let layout = try #require(PictureLayout(picture.format))
    let source = TestPicture.Plane(width: 64, height: 48, samples: Array(bytes[..<(64 * 48)]))
    for _ in 0..<50 {
      let factor = Double.random(in: 1...16, using: &random)
      let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: 65)
      try unsafe bytes.withUnsafeBytes { bytes in
        var rows = unsafe RawRows(bytes, readers: ComponentReaders(layout, colorRange: .full), copy: copy)
        let luma = try ComponentScalers.planes(of: &rows, target: layout, factor: factor)[0]
        #expect(luma.worstDifference(of: source.zoomed(factor, width: 64, height: 48)) <= 1)
      }
    }
  }

  @Test("Every sample position is exact to 1/32,000 of a sample, so that a glide looks even")
  func positions() {
    var random = SeededGenerator(seed: 6)
    for _ in 0..<100 {
      let count = Int.random(in: 2...4096, using: &random)
      let factor = Double.random(in: 1...16, using: &random)
      let axis = ScaleAxis(sourceCount: count, targetCount: count, zoomFactor: factor)
      let worst = (0..<count).reduce(0.0) { worst, target in
        let position = axis.position(target)
        let expected = (Double(target) + 0.5 - Double(count) / 2) / factor + Double(count) / 2 - 0.5
        return max(worst, abs(Double(position.first) + Double(position.weight) / 32_768 - expected))
      }
      #expect(worst <= 1.0 / 32_000)
    }
  }

  @Test("The picture equals ffmpeg's, cropped and scaled", arguments: rawFormats, [(2.0, 160, 120), (4.0, 80, 60)])
  func ffmpeg(pixelFormat: PixelFormat, zoom: (factor: Double, width: Int, height: Int)) throws {
    let picture = TestPicture(pixelFormat, width: 320, height: 240)
    var coder = try testCoder(picture.format, quality: 95)
    let jpeg = try coder.code(picture.bytes, zoomFactor: zoom.factor)
    let expected = try FFmpeg.cropAndScale(picture, width: zoom.width, height: zoom.height)
    for (plane, decoded) in zip(expected, try FFmpeg.decode(jpeg, as: picture)) {
      #expect(plane.psnr(of: decoded) > 40)
    }
  }

  @Test("Limited range is expanded to full range as in ffmpeg", arguments: rawFormats)
  func range(pixelFormat: PixelFormat) throws {
    var picture = TestPicture(pixelFormat, width: 160, height: 120)
    picture.format.colorRange = .limited
    var coder = try testCoder(picture.format, quality: 95)
    let decoded = try FFmpeg.decode(coder.code(picture.bytes, zoomFactor: 1.5), as: picture)
    for (wide, plane) in zip(try FFmpeg.expand(picture), decoded) {
      let expected = wide.zoomed(1.5, width: plane.width, height: plane.height)
      let bias = zip(expected, plane.samples).reduce(0) { $0 + Double($1.1) - $1.0 }
      #expect(abs(bias) / Double(expected.count) < 0.5)
      #expect(plane.worstDifference(of: expected) < 16)
    }
  }

  @Test("A camera's JPEG is zoomed, in 4:2:0", arguments: ["2x1", "2x2"])
  func zoomedJPEG(sampling: String) throws {
    let format = TestPicture(.yuv420, width: 320, height: 240).format
    let jpeg = try TestJPEG.libjpeg(width: 320, height: 240, options: ["-quality", "95", "-sample", sampling])
    var decoder = try testDecoder()
    let sources = try decoder.planes(of: jpeg)
    var coder = try testCoder(.init(mjpegOf: format), quality: 95)
    let zoomed = try decoder.planes(of: coder.code(TestJPEG.withoutHuffmanTables(jpeg), zoomFactor: 2))
    #expect(zoomed.map(\.width) == [320, 160, 160])
    #expect(zoomed.map(\.height) == [240, 120, 120])
    for (plane, source) in zip(zoomed, sources) {
      #expect(plane.worstDifference(of: source.zoomed(2, width: plane.width, height: plane.height)) < 16)
    }
  }

  @Test("Factor 1, less or NaN changes nothing", arguments: [1, 0.5, -3, .nan])
  func notZoomed(factor: Double) throws {
    let picture = TestPicture(.nv12, width: 98, height: 50)
    var coder = try testCoder(picture.format)
    var encoder = try testEncoder(picture.format)
    let plain = try encoder.encode(picture)
    #expect(try coder.code(picture.bytes, zoomFactor: 3) != plain)
    #expect(try coder.code(picture.bytes, zoomFactor: factor) == plain)
    let jpeg = try TestJPEG.libjpeg(width: 98, height: 50)
    var passing = try testCoder(.init(mjpegOf: picture.format))
    #expect(try passing.code(jpeg, zoomFactor: 3) != jpeg)
    #expect(try passing.code(jpeg, zoomFactor: factor) == jpeg)
  }

  @Test("An infinite factor shows the middle of the picture")
  func infinite() throws {
    let picture = TestPicture(.yuv420, width: 98, height: 50)
    var coder = try testCoder(picture.format)
    let planes = try FFmpeg.decode(coder.code(picture.bytes, zoomFactor: .infinity), as: picture)
    #expect(planes.allSatisfy { plane in plane.samples.allSatisfy { abs(Int($0) - Int(plane.samples[0])) <= 1 } })
  }

  @Test("A camera's JPEG that cannot be decoded is passed on unchanged, and the next one is coded as usual")
  func damaged() throws {
    let format = TestPicture(.yuv420, width: 98, height: 50).format
    let jpeg = try TestJPEG.libjpeg(width: 98, height: 50)
    var coder = try testCoder(.init(mjpegOf: format))
    let zoomed = try coder.code(jpeg, zoomFactor: 1.2)
    let progressive = try TestJPEG.libjpeg(width: 98, height: 50, options: ["-progressive"])
    let large = try TestJPEG.libjpeg(width: 100, height: 50)
    for bytes in [jpeg.dropLast(800), progressive[...], large[...]] {
      #expect(try coder.code(Array(bytes), zoomFactor: 1.2) == Array(bytes))
      #expect(try coder.code(jpeg, zoomFactor: 1.2) == zoomed)
    }
    #expect(throws: JPEGEncoderError.outputFull(capacityByteCount: 700)) {
      try coder.code(jpeg, zoomFactor: 1.2, capacityByteCount: 700)
    }
    #expect(try coder.code(jpeg, zoomFactor: 1.2) == zoomed)
  }

  @Test("A glide over a hundred pictures allocates nothing from the heap", arguments: rawFormats + [.mjpeg])
  func heap(pixelFormat: PixelFormat) throws {
    let picture = TestPicture(pixelFormat == .mjpeg ? .yuv420 : pixelFormat, width: 98, height: 50)
    let bytes = pixelFormat == .mjpeg ? try TestJPEG.libjpeg(width: 98, height: 50) : picture.bytes
    var coder = try testCoder(pixelFormat == .mjpeg ? .init(mjpegOf: picture.format) : picture.format)
    coder.prepareThread()
    var buffer = [UInt8](repeating: 0, count: PictureCoder.maximumByteCount(format: picture.format))
    // Swift creates its own type tables at their first use.
    _ = try coder.code(bytes, zoomFactor: 1, into: &buffer)
    _ = try coder.code(bytes, zoomFactor: 2, into: &buffer)
    let before = heap_meter_count_of_thread()
    for index in 0..<100 {
      _ = try coder.code(bytes, zoomFactor: 1 + Double(index) / 10, into: &buffer)
    }
    let requests = heap_meter_count_of_thread() - before
    #expect(requests == 0)
  }

  @Test("Too little memory is an error", arguments: rawFormats + [.mjpeg])
  func memoryTooSmall(pixelFormat: PixelFormat) throws {
    var format = TestPicture(.yuyv, width: 642, height: 478).format
    format.pixelFormat = pixelFormat
    let needed = try bootMemoryByteCount { _ = try PictureCoder(format: format, quality: 85, in: &$0) }
    #expect(throws: JPEGEncoderError.memoryTooSmall) {
      var memory = leakedBootMemory(byteCount: needed - 64)
      _ = try PictureCoder(format: format, quality: 85, in: &memory)
    }
  }
}
