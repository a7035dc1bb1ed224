import Base
import CHeapMeter
import Foundation
import TestPictures
import TestSupport
import Testing

@testable import Media

@Suite struct JPEGEncoderTests {
  private static let rawFormats: [PixelFormat] = [.yuv420, .nv12, .yuyv]

  /// The planes decoded by ffmpeg must be at least this close to the original planes.
  private func expectFaithful(_ picture: TestPicture, quality: Int, decibels: Double) throws {
    var encoder = try testEncoder(picture.format, quality: quality)
    let planes = try FFmpeg.decode(encoder.encode(picture), as: picture)
    for (source, decoded) in zip([picture.luma, picture.blueDifference, picture.redDifference], planes) {
      let all = source.psnr(of: decoded)
      let edges = source.psnrAtEdges(of: decoded)
      #expect(all > decibels)
      #expect(edges > all - 1.5)
    }
  }

  @Test(
    "ffmpeg decodes the encoded picture, in every raw format and size, to the last row and column",
    arguments: rawFormats, [(16, 16), (322, 242), (642, 478), (1280, 720), (1920, 1080)])
  func decodesElsewhere(pixelFormat: PixelFormat, size: (width: Int, height: Int)) throws {
    let picture = TestPicture(pixelFormat, width: size.width, height: size.height)
    try expectFaithful(picture, quality: 85, decibels: 38)
  }

  @Test(
    "Quality follows libjpeg's scale, from coarse to nearly exact", arguments: rawFormats,
    [(50, 36.0), (85, 39), (95, 41), (100, 57)])
  func quality(pixelFormat: PixelFormat, quality: (percent: Int, decibels: Double)) throws {
    let picture = TestPicture(pixelFormat, width: 322, height: 242)
    try expectFaithful(picture, quality: quality.percent, decibels: quality.decibels)
  }

  @Test(
    "Limited range is expanded to the full range of a JPEG as in ffmpeg",
    arguments: rawFormats, [(322, 242), (640, 480)])
  func expandsRange(pixelFormat: PixelFormat, size: (width: Int, height: Int)) throws {
    var picture = TestPicture(pixelFormat, width: size.width, height: size.height)
    picture.format.colorRange = .limited
    var encoder = try testEncoder(picture.format, quality: 95)
    let decoded = try FFmpeg.decode(encoder.encode(picture), as: picture)
    for (expected, plane) in zip(try FFmpeg.expand(picture), decoded) {
      #expect(expected.psnr(of: plane) > 39)
      let bias = zip(expected.samples, plane.samples).reduce(0) { $0 + Int($1.1) - Int($1.0) }
      #expect(abs(Double(bias)) / Double(plane.samples.count) < 0.5)
    }
  }

  @Test("Padding after the pixels of a row does not reach the picture", arguments: rawFormats)
  func paddedRows(pixelFormat: PixelFormat) throws {
    let padded = TestPicture(pixelFormat, width: 330, height: 250, rowPadding: 54)
    let tight = TestPicture(pixelFormat, width: 330, height: 250)
    var encoder = try testEncoder(padded.format)
    var tightEncoder = try testEncoder(tight.format)
    let jpeg = try encoder.encode(padded)
    let tightJPEG = try tightEncoder.encode(tight)
    #expect(jpeg == tightJPEG)
  }

  @Test("The same picture in NV12 and in three planes gives the same bytes")
  func layoutsAgree() throws {
    let planar = TestPicture(.yuv420, width: 642, height: 478)
    let paired = TestPicture(.nv12, width: 642, height: 478)
    var planarEncoder = try testEncoder(planar.format)
    var pairedEncoder = try testEncoder(paired.format)
    let planarJPEG = try planarEncoder.encode(planar)
    let pairedJPEG = try pairedEncoder.encode(paired)
    #expect(planarJPEG == pairedJPEG)
  }

  @Test("It is baseline JPEG in JFIF with the standard tables, and ends with EOI")
  func markers() throws {
    let picture = TestPicture(.yuv420, width: 64, height: 48)
    var encoder = try testEncoder(picture.format)
    let jpeg = try encoder.encode(picture)
    #expect(jpeg.starts(with: [0xFF, 0xD8, 0xFF, 0xE0, 0x00, 0x10] + Array("JFIF\0".utf8)))
    #expect(jpeg.suffix(2) == [0xFF, 0xD9])
    #expect(jpeg.contains([0xFF, 0xC0, 0x00, 0x11, 8, 0, 48, 0, 64, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1]))
    // T.81, table K.3: the luminance DC codes.
    #expect(jpeg.contains([0xFF, 0xC4, 0, 31, 0, 0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3]))
  }

  @Test("A hundred pictures allocate nothing from the heap", arguments: rawFormats)
  func heap(pixelFormat: PixelFormat) throws {
    let picture = TestPicture(pixelFormat, width: 322, height: 242)
    var buffer = [UInt8](repeating: 0, count: JPEGEncoder.maximumByteCount(format: picture.format))
    let beforeMaking = heap_meter_count_of_thread()
    var encoder = try testEncoder(picture.format)
    #expect(heap_meter_count_of_thread() > beforeMaking, "libjpeg's own requests must count, or the rest shows nothing")
    _ = try encoder.encode(picture.bytes, into: &buffer)
    let before = heap_meter_count_of_thread()
    for _ in 0..<100 { _ = try encoder.encode(picture.bytes, into: &buffer) }
    let requests = heap_meter_count_of_thread() - before
    #expect(requests == 0)
  }

  @Test("libjpeg's memory is large enough, with little to spare", arguments: rawFormats)
  func arena(pixelFormat: PixelFormat) throws {
    let picture = TestPicture(pixelFormat, width: 1920, height: 1080)
    let byteCount = JPEGLibrary.byteCount
    let arena = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 64)
    let layout = try #require(PictureLayout(picture.format))
    var library = try unsafe JPEGLibrary(layout: layout, quality: 100, in: arena)
    let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 10_000, alignment: 64)
    try unsafe library.begin(output: output)
    let usedByteCount = library.usedByteCount
    #expect(usedByteCount <= byteCount)
    #expect(usedByteCount > byteCount * 3 / 4)
  }

  @Test("A full output is reported at any size, and the next picture is encoded as usual")
  func outputFull() throws {
    let picture = TestPicture(.nv12, width: 322, height: 242)
    var encoder = try testEncoder(picture.format)
    let jpeg = try encoder.encode(picture)
    for capacity in [0, 1, 2, 100, 622, 623, 700, 2_000, jpeg.count - 1, jpeg.count] {
      #expect(throws: JPEGEncoderError.outputFull(capacityByteCount: capacity)) {
        try encoder.encode(picture, capacityByteCount: capacity)
      }
      let again = try encoder.encode(picture, capacityByteCount: jpeg.count + 1)
      #expect(again == jpeg)
    }
  }

  @Test("A picture that is one byte too short is refused", arguments: rawFormats)
  func pictureTooSmall(pixelFormat: PixelFormat) throws {
    let picture = TestPicture(pixelFormat, width: 34, height: 18)
    var encoder = try testEncoder(picture.format)
    var buffer = [UInt8](repeating: 0, count: JPEGEncoder.maximumByteCount(format: picture.format))
    let byteCount = picture.bytes.count
    #expect(throws: JPEGEncoderError.pictureTooSmall(byteCount: byteCount - 1, expectedByteCount: byteCount)) {
      _ = try encoder.encode(picture.bytes.dropLast(), into: &buffer)
    }
    let jpeg = try encoder.encode(picture)
    #expect(jpeg.count > 600)
  }

  @Test("Formats that cannot be encoded are reported")
  func formatNotEncodable() {
    var odd = TestPicture(.yuv420, width: 32, height: 32).format
    odd.widthPixels = 31
    var oddRows = TestPicture(.nv12, width: 32, height: 32).format
    oddRows.heightPixels = 31
    var shortRows = TestPicture(.yuyv, width: 32, height: 32).format
    shortRows.bytesPerRow = 63
    var empty = odd
    empty.widthPixels = 0
    var compressed = TestPicture(.yuv420, width: 32, height: 32).format
    compressed.pixelFormat = .mjpeg
    for format in [odd, oddRows, shortRows, empty, compressed] {
      #expect(throws: JPEGEncoderError.formatNotEncodable(format)) { _ = try testEncoder(format) }
    }
  }

  @Test("Too little memory is an error")
  func memoryTooSmall() throws {
    let format = TestPicture(.yuyv, width: 642, height: 478).format
    let needed = try bootMemoryByteCount { _ = try JPEGEncoder(format: format, quality: 85, in: &$0) }
    #expect(throws: JPEGEncoderError.memoryTooSmall) {
      var memory = leakedBootMemory(byteCount: needed - 1)
      _ = try JPEGEncoder(format: format, quality: 85, in: &memory)
    }
  }

  @Test("The worst pictures at the best quality stay below the maximum", arguments: rawFormats, 0..<3)
  func maximumByteCount(pixelFormat: PixelFormat, pattern: Int) throws {
    var random = SeededGenerator(seed: 3)
    let picture = TestPicture(pixelFormat, width: 322, height: 242)
    let bytes = picture.bytes.indices.map { index -> UInt8 in
      switch pattern {
      case 0: random.next() % 2 == 0 ? 0 : 255
      case 1: UInt8(truncatingIfNeeded: random.next())
      default: (index / 3 + index / 322) % 2 == 0 ? 0 : 255
      }
    }
    var encoder = try testEncoder(picture.format, quality: 100)
    var buffer = [UInt8](repeating: 0, count: 4 * JPEGEncoder.maximumByteCount(format: picture.format))
    let byteCount = try encoder.encode(bytes, into: &buffer)
    #expect(byteCount < JPEGEncoder.maximumByteCount(format: picture.format))
  }
}
