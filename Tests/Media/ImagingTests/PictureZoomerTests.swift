import CHeapMeter
import Foundation
import Values
import Rings
import TestPictures
import TestSupport
import Testing

@testable import Imaging

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
    "What is written is what the JPEG shows, right to one level, and nothing beside it", arguments: rawFormats,
    Layout.allCases)
  func zoomed(pixelFormat: PixelFormat, layout: Layout) throws {
    let (picture, room) = Self.pictureAndRoom(pixelFormat, layout)
    var zoomer = try Self.zoomer(from: picture.format, to: room.format)
    for factor in Self.factors {
      var room = room
      #expect(zoomer.zoom(picture, by: factor, into: &room))
      let planes = room.planes(like: picture)
      let isShownInJPEG = try planes == picture.scaledPlanes(factor: factor)
      #expect(isShownInJPEG, "at \(factor)")
      for (plane, source) in zip(planes, picture.planes) {
        #expect(plane.worstDifference(of: source.zoomed(factor, width: plane.width, height: plane.height)) <= 1)
      }
      let isUntouched = room.isUntouched(around: picture)
      #expect(isUntouched, "at \(factor)")
    }
  }

  @Test(
    "At 1, or what is no factor above it, every sample stays as it is", arguments: rawFormats,
    [1, 0.5, -3, .nan, -.infinity])
  func notZoomed(pixelFormat: PixelFormat, factor: Double) throws {
    for layout in Layout.allCases {
      var (picture, room) = Self.pictureAndRoom(pixelFormat, layout)
      var zoomer = try Self.zoomer(from: picture.format, to: room.format)
      #expect(zoomer.zoom(picture, by: factor, into: &room))
      let isSame = room.planes(like: picture) == picture.planes
      let isUntouched = room.isUntouched(around: picture)
      #expect(isSame && isUntouched)
    }
  }

  @Test("A factor without end shows the middle of the picture, and harms nothing", arguments: rawFormats)
  func infinite(pixelFormat: PixelFormat) throws {
    var (picture, room) = Self.pictureAndRoom(pixelFormat, .wholeBlocks)
    var zoomer = try Self.zoomer(from: picture.format, to: room.format)
    #expect(zoomer.zoom(picture, by: .infinity, into: &room))
    #expect(room.planes(like: picture).allSatisfy { Set($0.samples).count == 1 })
    #expect(room.isUntouched(around: picture))
  }

  @Test("The smallest picture is zoomed as well", arguments: rawFormats)
  func smallest(pixelFormat: PixelFormat) throws {
    let picture = TestPicture(pixelFormat, width: 2, height: 2)
    var room = EncoderRoom(pixelFormat, width: 2, height: 2, spareBytesPerRow: 0)
    var zoomer = try Self.zoomer(from: picture.format, to: room.format)
    #expect(zoomer.zoom(picture, by: 3, into: &room))
    for (plane, source) in zip(room.planes(like: picture), picture.planes) {
      #expect(plane.worstDifference(of: source.zoomed(3, width: plane.width, height: plane.height)) <= 1)
    }
  }

  @Test("Samples of limited range stay what they are", arguments: rawFormats)
  func limitedRange(pixelFormat: PixelFormat) throws {
    var picture = TestPicture(pixelFormat, width: 66, height: 34)
    picture.format.colorRange = .limited
    var room = EncoderRoom(pixelFormat, width: 66, height: 34, spareBytesPerRow: 0)
    var zoomer = try Self.zoomer(from: picture.format, to: room.format)
    #expect(zoomer.zoom(picture, by: 1.7, into: &room))
    let isSame = try room.planes(like: picture) == picture.scaledPlanes(factor: 1.7)
    #expect(isSame)
  }

  @Test("The picture is what ffmpeg crops and scales", arguments: rawFormats, [(2.0, 160, 120), (4.0, 80, 60)])
  func ffmpeg(pixelFormat: PixelFormat, zoom: (factor: Double, width: Int, height: Int)) throws {
    let picture = TestPicture(pixelFormat, width: 320, height: 240)
    var room = EncoderRoom(pixelFormat, width: 320, height: 256, spareBytesPerRow: 64)
    var zoomer = try Self.zoomer(from: picture.format, to: room.format)
    #expect(zoomer.zoom(picture, by: zoom.factor, into: &room))
    let expected = try FFmpeg.cropAndScale(picture, width: zoom.width, height: zoom.height)
    for (plane, other) in zip(room.planes(like: picture), expected) { #expect(plane.psnr(of: other) > 45) }
  }

  @Test(
    "A picture or a buffer that has not its bytes is refused, and nothing is written", arguments: rawFormats, [1, 2.5])
  func tooSmall(pixelFormat: PixelFormat, factor: Double) throws {
    let (picture, room) = Self.pictureAndRoom(pixelFormat, .asTheCamera)
    var zoomer = try Self.zoomer(from: picture.format, to: room.format)
    for byteCount in [0, 1, picture.bytes.count / 2, picture.bytes.count - 1] {
      var untouched = room
      #expect(!zoomer.zoom(Array(picture.bytes[..<byteCount]), by: factor, into: &untouched.bytes))
      #expect(untouched.isUntouched)
      var short = Array(room.bytes[..<byteCount])
      #expect(!zoomer.zoom(picture.bytes, by: factor, into: &short))
      #expect(short == Array(room.bytes[..<byteCount]))
    }
    var whole = room
    #expect(zoomer.zoom(picture, by: factor, into: &whole))
  }

  @Test("Formats that do not fit each other, or too little memory, make no zoomer")
  func refused() {
    let format = TestPicture(.nv12, width: 66, height: 34).format
    let needed = PictureZoomer.byteCount(from: format)
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
    #expect(PictureZoomer.byteCount(from: compressed) == 0)
  }

  @Test("A glide over a hundred pictures asks nothing of the heap", arguments: rawFormats)
  func heap(pixelFormat: PixelFormat) throws {
    var (picture, room) = Self.pictureAndRoom(pixelFormat, .wholeBlocks)
    var zoomer = try Self.zoomer(from: picture.format, to: room.format)
    // Swift's own tables of types are made as they are first met.
    #expect(zoomer.zoom(picture.bytes, by: 1, into: &room.bytes))
    #expect(zoomer.zoom(picture.bytes, by: 2, into: &room.bytes))
    let before = heap_meter_count_of_thread()
    var isZoomed = true
    for index in 0..<100 {
      let isThis = zoomer.zoom(picture.bytes, by: 1 + Double(index) / 10, into: &room.bytes)
      isZoomed = isZoomed && isThis
    }
    let requests = heap_meter_count_of_thread() - before
    #expect(requests == 0 && isZoomed)
  }

  @Test("There is headroom", .enabled(if: isOptimised, "an unoptimised build tells nothing about it"))
  func headroom() throws {
    let camera = EncoderRoom(.nv12, width: 1920, height: 1080, spareBytesPerRow: 0)
    var room = EncoderRoom(.nv12, width: 1920, height: 1088, spareBytesPerRow: 0)
    var zoomer = try Self.zoomer(from: camera.format, to: room.format)
    var pictureCount = 0
    let start = Self.processorSeconds
    repeat {
      #expect(zoomer.zoom(camera.bytes, by: 2, into: &room.bytes))
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

  /// Of this thread.
  private static var processorSeconds: Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private static func pictureAndRoom(_ pixelFormat: PixelFormat, _ layout: Layout) -> (TestPicture, EncoderRoom) {
    let picture = TestPicture(pixelFormat, width: 66, height: 34, rowPadding: layout == .shorterRows ? 10 : 0)
    let room =
      switch layout {
      case .asTheCamera, .shorterRows: EncoderRoom(pixelFormat, width: 66, height: 34, spareBytesPerRow: 0)
      case .longerRows: EncoderRoom(pixelFormat, width: 66, height: 34, spareBytesPerRow: 62)
      case .wholeBlocks: EncoderRoom(pixelFormat, width: 80, height: 48, spareBytesPerRow: 48)
      }
    return (picture, room)
  }

  /// In memory of exactly the size that it says it needs.
  private static func zoomer(from source: VideoFormat, to target: VideoFormat) throws -> PictureZoomer {
    var memory = leakedBootMemory(byteCount: PictureZoomer.byteCount(from: source))
    return try unwrapped(PictureZoomer(from: source, to: target, in: &memory))
  }

  private static func isMade(from source: VideoFormat, to target: VideoFormat, byteCount: Int) -> Bool {
    var memory = leakedBootMemory(byteCount: byteCount)
    let zoomer = PictureZoomer(from: source, to: target, in: &memory)
    return zoomer != nil
  }
}

extension PictureZoomer {
  fileprivate mutating func zoom(_ picture: TestPicture, by factor: Double, into room: inout EncoderRoom) -> Bool {
    zoom(picture.bytes, by: factor, into: &room.bytes)
  }

  fileprivate mutating func zoom(_ picture: [UInt8], by factor: Double, into room: inout [UInt8]) -> Bool {
    var elements = room.mutableSpan
    var bytes = unsafe elements.mutableBytes
    return unsafe zoom(picture.span.bytes, by: factor, into: &bytes)
  }
}
