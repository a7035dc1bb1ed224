import Base
import CHeapMeter
import Foundation
import TestPictures
import TestSupport
import Testing

@testable import Media

@Suite struct PictureZoomerTests {
  private static let rawFormats: [PixelFormat] = [.yuv420, .nv12, .yuyv]
  private static let factors = [1.0001, 1.5, 2, 7.99, 16] + randomFactors
  private static let randomFactors: [Double] = {
    var random = SeededGenerator(seed: 7)
    return (0..<12).map { _ in Double.random(in: 1...16, using: &random) }
  }()

  /// How the encoder's buffer differs from the camera's.
  enum Layout: CaseIterable {
    case asTheCamera
    case longerRows
    case shorterRows
    case wholeBlocks
  }

  @Test(
    "The written picture matches the JPEG to one level, and nothing outside it is written", arguments: rawFormats,
    Layout.allCases)
  func zoomed(pixelFormat: PixelFormat, layout: Layout) throws {
    let (picture, buffer) = Self.pictureAndBuffer(pixelFormat, layout)
    var zoomer = try Self.zoomer(from: picture.format, to: buffer.format)
    for factor in Self.factors {
      var buffer = buffer
      #expect(zoomer.zoom(picture, by: factor, into: &buffer))
      let planes = buffer.planes(like: picture)
      let isShownInJPEG = try planes == picture.scaledPlanes(factor: factor)
      #expect(isShownInJPEG, "at \(factor)")
      for (plane, source) in zip(planes, picture.planes) {
        #expect(plane.worstDifference(of: source.zoomed(factor, width: plane.width, height: plane.height)) <= 1)
      }
      let isUntouched = buffer.isUntouched(around: picture)
      #expect(isUntouched, "at \(factor)")
    }
  }

  @Test(
    "Factor 1, less or NaN copies every sample", arguments: rawFormats,
    [1, 0.5, -3, .nan, -.infinity])
  func notZoomed(pixelFormat: PixelFormat, factor: Double) throws {
    for layout in Layout.allCases {
      var (picture, buffer) = Self.pictureAndBuffer(pixelFormat, layout)
      var zoomer = try Self.zoomer(from: picture.format, to: buffer.format)
      #expect(zoomer.zoom(picture, by: factor, into: &buffer))
      let isSame = buffer.planes(like: picture) == picture.planes
      let isUntouched = buffer.isUntouched(around: picture)
      #expect(isSame && isUntouched)
    }
  }

  @Test("An infinite factor shows the middle of the picture", arguments: rawFormats)
  func infinite(pixelFormat: PixelFormat) throws {
    var (picture, buffer) = Self.pictureAndBuffer(pixelFormat, .wholeBlocks)
    var zoomer = try Self.zoomer(from: picture.format, to: buffer.format)
    #expect(zoomer.zoom(picture, by: .infinity, into: &buffer))
    #expect(buffer.planes(like: picture).allSatisfy { Set($0.samples).count == 1 })
    #expect(buffer.isUntouched(around: picture))
  }

  @Test("The smallest picture is zoomed too", arguments: rawFormats)
  func smallest(pixelFormat: PixelFormat) throws {
    let picture = TestPicture(pixelFormat, width: 2, height: 2)
    var buffer = EncoderBuffer(pixelFormat, width: 2, height: 2, spareBytesPerRow: 0)
    var zoomer = try Self.zoomer(from: picture.format, to: buffer.format)
    #expect(zoomer.zoom(picture, by: 3, into: &buffer))
    for (plane, source) in zip(buffer.planes(like: picture), picture.planes) {
      #expect(plane.worstDifference(of: source.zoomed(3, width: plane.width, height: plane.height)) <= 1)
    }
  }

  @Test("Limited-range samples keep their range", arguments: rawFormats)
  func limitedRange(pixelFormat: PixelFormat) throws {
    var picture = TestPicture(pixelFormat, width: 66, height: 34)
    picture.format.colorRange = .limited
    var buffer = EncoderBuffer(pixelFormat, width: 66, height: 34, spareBytesPerRow: 0)
    var zoomer = try Self.zoomer(from: picture.format, to: buffer.format)
    #expect(zoomer.zoom(picture, by: 1.7, into: &buffer))
    let isSame = try buffer.planes(like: picture) == picture.scaledPlanes(factor: 1.7)
    #expect(isSame)
  }

  @Test("The picture equals ffmpeg's, cropped and scaled", arguments: rawFormats, [(2.0, 160, 120), (4.0, 80, 60)])
  func ffmpeg(pixelFormat: PixelFormat, zoom: (factor: Double, width: Int, height: Int)) throws {
    let picture = TestPicture(pixelFormat, width: 320, height: 240)
    var buffer = EncoderBuffer(pixelFormat, width: 320, height: 256, spareBytesPerRow: 64)
    var zoomer = try Self.zoomer(from: picture.format, to: buffer.format)
    #expect(zoomer.zoom(picture, by: zoom.factor, into: &buffer))
    let expected = try FFmpeg.cropAndScale(picture, width: zoom.width, height: zoom.height)
    for (plane, other) in zip(buffer.planes(like: picture), expected) { #expect(plane.psnr(of: other) > 45) }
  }

  @Test(
    "A picture or a buffer that is too short is refused, and nothing is written", arguments: rawFormats, [1, 2.5])
  func tooSmall(pixelFormat: PixelFormat, factor: Double) throws {
    let (picture, buffer) = Self.pictureAndBuffer(pixelFormat, .asTheCamera)
    var zoomer = try Self.zoomer(from: picture.format, to: buffer.format)
    for byteCount in [0, 1, picture.bytes.count / 2, picture.bytes.count - 1] {
      var untouched = buffer
      #expect(!zoomer.zoom(Array(picture.bytes[..<byteCount]), by: factor, into: &untouched.bytes))
      #expect(untouched.isUntouched)
      var short = Array(buffer.bytes[..<byteCount])
      #expect(!zoomer.zoom(picture.bytes, by: factor, into: &short))
      #expect(short == Array(buffer.bytes[..<byteCount]))
    }
    var whole = buffer
    #expect(zoomer.zoom(picture, by: factor, into: &whole))
  }

  @Test("Without matching formats or enough memory no zoomer is created")
  func refused() {
    let format = TestPicture(.nv12, width: 66, height: 34).format
    let needed = bootMemoryByteCount { _ = PictureZoomer(from: format, to: format, in: &$0) }
    #expect(PictureZoomer.isPossible(from: format, to: format))
    #expect(Self.isMade(from: format, to: format, byteCount: needed))
    #expect(!Self.isMade(from: format, to: format, byteCount: needed - BootMemory.alignmentByteCount))
    for (width, height) in [(64, 34), (66, 32)] {
      let smaller = TestPicture(.nv12, width: width, height: height).format
      #expect(!Self.isMade(from: format, to: smaller, byteCount: needed))
      #expect(!PictureZoomer.isPossible(from: format, to: smaller))
    }
    for pixelFormat in [PixelFormat.yuv420, .yuyv, .mjpeg] {
      var other = format
      other.pixelFormat = pixelFormat
      #expect(!Self.isMade(from: format, to: other, byteCount: needed))
    }
    let compressed = VideoFormat(mjpegOf: format)
    #expect(!Self.isMade(from: compressed, to: compressed, byteCount: 1 << 20))
  }

  @Test("A glide over a hundred pictures allocates nothing from the heap", arguments: rawFormats)
  func heap(pixelFormat: PixelFormat) throws {
    var (picture, buffer) = Self.pictureAndBuffer(pixelFormat, .wholeBlocks)
    var zoomer = try Self.zoomer(from: picture.format, to: buffer.format)
    // Swift creates its own type tables at their first use.
    #expect(zoomer.zoom(picture.bytes, by: 1, into: &buffer.bytes))
    #expect(zoomer.zoom(picture.bytes, by: 2, into: &buffer.bytes))
    let before = heap_meter_count_of_thread()
    var isZoomed = true
    for index in 0..<100 {
      let isThis = zoomer.zoom(picture.bytes, by: 1 + Double(index) / 10, into: &buffer.bytes)
      isZoomed = isZoomed && isThis
    }
    let requests = heap_meter_count_of_thread() - before
    #expect(requests == 0 && isZoomed)
  }

  @Test("Zooming leaves headroom", .enabled(if: isOptimised, "an unoptimised build tells nothing about it"))
  func headroom() throws {
    let camera = EncoderBuffer(.nv12, width: 1920, height: 1080, spareBytesPerRow: 0)
    var buffer = EncoderBuffer(.nv12, width: 1920, height: 1088, spareBytesPerRow: 0)
    var zoomer = try Self.zoomer(from: camera.format, to: buffer.format)
    var pictureCount = 0
    let start = Self.processorSeconds
    repeat {
      #expect(zoomer.zoom(camera.bytes, by: 2, into: &buffer.bytes))
      pictureCount += 1
    } while Self.processorSeconds - start < 0.5
    let picturesPerSecond = Double(pictureCount) / (Self.processorSeconds - start)
    print("1080p, nv12, zoomed: \(Int(picturesPerSecond)) pictures a second on one processor")
  }

  private static var isOptimised: Bool {
    #if DEBUG
      false
    #else
      true
    #endif
  }

  /// Processor time of this thread.
  private static var processorSeconds: Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private static func pictureAndBuffer(_ pixelFormat: PixelFormat, _ layout: Layout) -> (TestPicture, EncoderBuffer) {
    let picture = TestPicture(pixelFormat, width: 66, height: 34, rowPadding: layout == .shorterRows ? 10 : 0)
    let buffer =
      switch layout {
      case .asTheCamera, .shorterRows: EncoderBuffer(pixelFormat, width: 66, height: 34, spareBytesPerRow: 0)
      case .longerRows: EncoderBuffer(pixelFormat, width: 66, height: 34, spareBytesPerRow: 62)
      case .wholeBlocks: EncoderBuffer(pixelFormat, width: 80, height: 48, spareBytesPerRow: 48)
      }
    return (picture, buffer)
  }

  /// A zoomer in memory of exactly the reported size.
  private static func zoomer(from source: VideoFormat, to target: VideoFormat) throws -> PictureZoomer {
    var memory = leakedBootMemory()
    return try unwrapped(PictureZoomer(from: source, to: target, in: &memory))
  }

  private static func isMade(from source: VideoFormat, to target: VideoFormat, byteCount: Int) -> Bool {
    var memory = leakedBootMemory(byteCount: byteCount)
    let zoomer = PictureZoomer(from: source, to: target, in: &memory)
    return zoomer != nil
  }
}

extension PictureZoomer {
  fileprivate mutating func zoom(_ picture: TestPicture, by factor: Double, into buffer: inout EncoderBuffer) -> Bool {
    zoom(picture.bytes, by: factor, into: &buffer.bytes)
  }

  fileprivate mutating func zoom(_ picture: [UInt8], by factor: Double, into buffer: inout [UInt8]) -> Bool {
    var elements = buffer.mutableSpan
    var bytes = unsafe elements.mutableBytes
    return unsafe zoom(picture.span.bytes, by: factor, into: &bytes)
  }
}
