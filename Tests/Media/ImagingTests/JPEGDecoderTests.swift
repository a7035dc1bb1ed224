import Base
import CHeapMeter
import Foundation
import TestPictures
import TestSupport
import Testing

@testable import Media

@Suite struct JPEGDecoderTests {
  /// Chroma samplings used by cameras, and other possible ones.
  private static let samplings = ["1x1", "2x1", "2x2", "1x2", "4x1", "2x2,1x2,1x2", "2x1,2x1,2x1", "1x2,1x2,1x2"]
  private static let sizes = [(1, 1), (8, 8), (17, 33), (642, 478)]

  @Test("Pixels equal those of libjpeg's own program, for any sampling and size", arguments: samplings, sizes)
  func rgb(sampling: String, size: (width: Int, height: Int)) throws {
    let jpeg = try TestJPEG.libjpeg(width: size.width, height: size.height, options: ["-sample", sampling])
    var decoder = try testDecoder()
    let expected = try ForeignProgram.run("djpeg", ["-ppm"], input: jpeg)
    let decoded = try decoder.portablePixmap(of: jpeg, scaleEighths: 8)
    #expect(decoded == expected)
  }

  @Test("Scaled pixels equal those of libjpeg's own program, for each eighth", arguments: samplings, 1...7)
  func scaled(sampling: String, eighths: Int) throws {
    let jpeg = try TestJPEG.libjpeg(width: 322, height: 243, options: ["-sample", sampling])
    var decoder = try testDecoder()
    let expected = try ForeignProgram.run("djpeg", ["-ppm", "-scale", "\(eighths)/8"], input: jpeg)
    let decoded = try decoder.portablePixmap(of: jpeg, scaleEighths: eighths)
    #expect(decoded == expected)
  }

  @Test("Luma equals the grey picture of libjpeg's own program", arguments: samplings, sizes)
  func luma(sampling: String, size: (width: Int, height: Int)) throws {
    let jpeg = try TestJPEG.libjpeg(width: size.width, height: size.height, options: ["-sample", sampling])
    var decoder = try testDecoder()
    let expected = try ForeignProgram.run("djpeg", ["-grayscale", "-pnm"], input: jpeg)
    let luma = try decoder.planes(of: jpeg)[0]
    #expect(Array("P5\n\(size.width) \(size.height)\n255\n".utf8) + luma.samples == expected)
  }

  @Test(
    "Planes equal those decoded by ffmpeg, except for rounding", arguments: ["yuvj420p", "yuvj422p", "yuvj444p"],
    [(322, 242), (1920, 1080)])
  func planes(pixelFormat: String, size: (width: Int, height: Int)) throws {
    let jpeg = try TestJPEG.ffmpeg(width: size.width, height: size.height, pixelFormat: pixelFormat)
    var decoder = try testDecoder()
    let planes = try decoder.planes(of: jpeg)
    let samples = try ForeignProgram.run(
      "ffmpeg", ["-v", "error", "-f", "mjpeg", "-i", "-", "-pix_fmt", pixelFormat, "-f", "rawvideo", "-"], input: jpeg)
    #expect(samples.count == planes.reduce(0) { $0 + $1.samples.count })
    var rest = samples[...]
    for plane in planes {
      let expected = Array(rest.prefix(plane.samples.count))
      rest = rest.dropFirst(plane.samples.count)
      #expect(zip(plane.samples, expected).allSatisfy { abs(Int($0) - Int($1)) <= 2 })
    }
  }

  @Test("A picture without Huffman tables is decoded with the standard ones, even after one with others")
  func withoutHuffmanTables() throws {
    let jpeg = try TestJPEG.libjpeg(width: 322, height: 242)
    let optimised = try TestJPEG.libjpeg(width: 322, height: 242, options: ["-optimize"], seed: 2)
    let bare = TestJPEG.withoutHuffmanTables(jpeg)
    #expect(bare.count < jpeg.count - 400)
    var decoder = try testDecoder()
    let expected = try decoder.planes(of: jpeg).map(\.samples)
    #expect(try decoder.planes(of: bare).map(\.samples) == expected)
    _ = try decoder.planes(of: optimised)
    #expect(try decoder.planes(of: bare).map(\.samples) == expected)
  }

  @Test("Restart markers and stuffing before the end are accepted", arguments: ["1", "7B"])
  func restarts(interval: String) throws {
    let plain = try TestJPEG.libjpeg(width: 322, height: 242)
    let restarting = try TestJPEG.libjpeg(width: 322, height: 242, options: ["-restart", interval])
    let end: [UInt8] = [0xFF, 0xD9]
    #expect(restarting.suffix(2) == end[...])
    let stuffed = restarting[..<(restarting.count - 2)] + [0, 0, 0] + end + [0, 0]
    var decoder = try testDecoder()
    let expected = try decoder.planes(of: plain).map(\.samples)
    #expect(try decoder.planes(of: restarting).map(\.samples) == expected)
    #expect(try decoder.planes(of: Array(stuffed)).map(\.samples) == expected)
  }

  @Test(
    "JPEGs that no camera makes are refused",
    arguments: [
      ["-progressive"], ["-arithmetic"], ["-grayscale"], ["-rgb"], ["-sample", "1x1,2x2,2x2"],
      ["-sample", "2x2,1x2,1x1"], ["-sample", "1x4"], ["-sample", "3x1"],
    ])
  func refused(options: [String]) throws {
    let jpeg = try TestJPEG.libjpeg(width: 64, height: 48, options: options)
    var decoder = try testDecoder()
    #expect(throws: JPEGDecoderError.notBaseline) { try decoder.planes(of: jpeg) }
    #expect(throws: JPEGDecoderError.notBaseline) { try decoder.portablePixmap(of: jpeg, scaleEighths: 8) }
  }

  @Test("CMYK is refused")
  func cmyk() throws {
    let frame: [UInt8] = [0xFF, 0xC0, 0, 20, 8, 0, 16, 0, 16, 4, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0, 4, 0x11, 0]
    let scan: [UInt8] = [0xFF, 0xDA, 0, 14, 4, 1, 0, 2, 0, 3, 0, 4, 0, 0, 63, 0]
    var decoder = try testDecoder()
    #expect(throws: JPEGDecoderError.notBaseline) { try decoder.planes(of: [0xFF, 0xD8] + frame + scan) }
  }

  @Test("A picture in several scans is refused")
  func severalScans() throws {
    let folder = try TemporaryFolder()
    let script = try folder.write(Array("0: 0-63, 0, 0;\n1: 0-63, 0, 0;\n2: 0-63, 0, 0;\n".utf8), as: "scans")
    let jpeg = try TestJPEG.libjpeg(width: 64, height: 48, options: ["-scans", script])
    var decoder = try testDecoder()
    #expect(throws: JPEGDecoderError.notBaseline) { try decoder.planes(of: jpeg) }
  }

  @Test("A picture larger than the maximum is refused; one of exactly that size is not")
  func tooLarge() throws {
    var decoder = try testDecoder(maximumWidthPixels: 64, maximumHeightPixels: 48)
    for (width, height) in [(65, 48), (64, 49), (1920, 1080)] {
      let jpeg = try TestJPEG.libjpeg(width: width, height: height)
      #expect(throws: JPEGDecoderError.pictureTooLarge(widthPixels: width, heightPixels: height)) {
        try decoder.planes(of: jpeg)
      }
    }
    let planes = try decoder.planes(of: TestJPEG.libjpeg(width: 64, height: 48))
    #expect(planes[0].samples.count == 64 * 48)
  }

  @Test("A picture cut short anywhere is refused, and the next one is decoded as usual")
  func cutShort() throws {
    let jpeg = try TestJPEG.libjpeg(width: 64, height: 48)
    var decoder = try testDecoder()
    let whole = try decoder.planes(of: jpeg).map(\.samples)
    for byteCount in stride(from: 0, to: jpeg.count, by: 7) {
      #expect(throws: JPEGDecoderError.cutShort) { try decoder.planes(of: Array(jpeg[..<byteCount])) }
      #expect(throws: JPEGDecoderError.cutShort) {
        try decoder.portablePixmap(of: Array(jpeg[..<byteCount]), scaleEighths: 4)
      }
    }
    #expect(throws: JPEGDecoderError.cutShort) { try decoder.planes(of: jpeg.dropLast()) }
    #expect(try decoder.planes(of: jpeg).map(\.samples) == whole)
  }

  @Test("A scan that ends too early is an error, not a grey area")
  func scanEndsEarly() throws {
    let jpeg = try TestJPEG.libjpeg(width: 64, height: 48)
    var decoder = try testDecoder()
    #expect(throws: JPEGDecoderError.damaged) { try decoder.planes(of: jpeg.dropLast(100) + [0xFF, 0xD9]) }
  }

  @Test(
    "Input that is not a JPEG is an error",
    arguments: [[], [0xFF], [UInt8](repeating: 0, count: 5_000), [0xFF, 0xD8, 0xFF]])
  func noJPEG(bytes: [UInt8]) throws {
    var decoder = try testDecoder()
    #expect(throws: JPEGDecoderError.self) { try decoder.planes(of: bytes) }
  }

  @Test("An output that is too small is an error with the needed size, and nothing is written")
  func outputTooSmall() throws {
    let jpeg = try TestJPEG.libjpeg(width: 50, height: 40, options: ["-sample", "2x2"])
    var decoder = try testDecoder()
    var buffer = [UInt8](repeating: 0xEE, count: 50 * 40 * 3 - 1)
    #expect(throws: JPEGDecoderError.outputTooSmall(neededByteCount: 50 * 40 * 3)) {
      try decoder.decodeRGB(jpeg, scaleEighths: 8, into: &buffer)
    }
    var planes = [UInt8](repeating: 0xEE, count: 56 * 48 + 2 * 32 * 24 - 1)
    #expect(throws: JPEGDecoderError.outputTooSmall(neededByteCount: 56 * 48 + 2 * 32 * 24)) {
      try decoder.decodePlanes(jpeg, into: &planes)
    }
    #expect(buffer.allSatisfy { $0 == 0xEE } && planes.allSatisfy { $0 == 0xEE })
  }

  @Test("Too little memory is an error")
  func memoryTooSmall() throws {
    let needed = try Self.byteCount(widthPixels: 1920)
    #expect(throws: JPEGDecoderError.memoryTooSmall) {
      var memory = leakedBootMemory(byteCount: needed - 64)
      _ = try JPEGDecoder(maximumWidthPixels: 1920, maximumHeightPixels: 1080, in: &memory)
    }
  }

  private static func byteCount(widthPixels: Int) throws -> Int {
    try bootMemoryByteCount { memory in
      _ = try JPEGDecoder(maximumWidthPixels: widthPixels, maximumHeightPixels: 1080, in: &memory)
    }
  }

  @Test("libjpeg's memory suffices for the largest sampling, with little to spare", arguments: [640, 1920, 4096])
  func arena(width: Int) throws {
    let jpeg = try TestJPEG.libjpeg(width: width, height: 48, options: ["-sample", "1x2,1x2,1x2", "-optimize"])
    var decoder = try testDecoder(maximumWidthPixels: width)
    var buffer = [UInt8](repeating: 0, count: width * 48 * 3)
    _ = try decoder.decodeRGB(jpeg, scaleEighths: 8, into: &buffer)
    let byteCount = try Self.byteCount(widthPixels: width)
    let usedByteCount = decoder.libraryUsedByteCount
    #expect(usedByteCount <= byteCount)
    #expect(usedByteCount > byteCount * 2 / 3)
  }

  @Test("A hundred pictures and a hundred refusals allocate nothing from the heap")
  func heap() throws {
    let jpeg = try TestJPEG.libjpeg(width: 322, height: 242, options: ["-optimize"])
    let refused = try TestJPEG.libjpeg(width: 322, height: 242, options: ["-progressive"])
    var buffer = [UInt8](repeating: 0, count: JPEGDecoder.maximumPlanesByteCount(widthPixels: 322, heightPixels: 242))
    let beforeMaking = heap_meter_count_of_thread()
    var decoder = try testDecoder()
    #expect(heap_meter_count_of_thread() > beforeMaking, "libjpeg's own requests must count, or the rest shows nothing")
    decoder.prepareThread()
    let requestsOfThrows = 100 * Self.heapRequestsOfThrow()
    let before = heap_meter_count_of_thread()
    for round in 0..<100 {
      _ = try decoder.decodePlanes(jpeg, into: &buffer)
      _ = try decoder.decodeRGB(jpeg, scaleEighths: 1 + round % 8, into: &buffer)
      do throws(JPEGDecoderError) { _ = try decoder.decodePlanes(refused, into: &buffer) } catch {}
    }
    let requests = heap_meter_count_of_thread() - before
    #expect(requests == requestsOfThrows)
  }

  @Test("Two thousand damaged pictures, some still decodable, allocate nothing from the heap and stay in their buffer")
  func damaged() throws {
    var random = SeededGenerator(seed: 8)
    let whole = try [["-sample", "2x1"], ["-sample", "2x2"], ["-sample", "1x1", "-restart", "1"], ["-optimize"]].map {
      try TestJPEG.libjpeg(width: 98, height: 50, options: $0)
    }
    var decoder = try testDecoder(maximumWidthPixels: 128, maximumHeightPixels: 128)
    let byteCount = JPEGDecoder.maximumPlanesByteCount(widthPixels: 128, heightPixels: 128)
    var buffer = [UInt8](repeating: 0xEE, count: byteCount + 4096)
    let requestsOfThrow = Self.heapRequestsOfThrow()
    var pictureCount = 0
    for round in 0..<2_000 {
      let jpeg = Self.damage(whole[round % whole.count], with: &random)
      var expectedRequests: UInt64 = 0
      let before = heap_meter_count_of_thread()
      do throws(JPEGDecoderError) {
        _ = try decoder.decodeRGB(jpeg, scaleEighths: 1 + round % 8, into: &buffer, byteCount: byteCount)
        _ = try decoder.decodePlanes(jpeg, into: &buffer, byteCount: byteCount)
        pictureCount += 1
      } catch { expectedRequests = requestsOfThrow }
      let requests = heap_meter_count_of_thread() - before
      #expect(requests == expectedRequests, "round \(round)")
    }
    #expect(buffer[byteCount...].allSatisfy { $0 == 0xEE })
    #expect(pictureCount > 100)
    #expect(pictureCount < 1_900)
    var other = try testDecoder()
    let expected = try other.planes(of: whole[0])[0].samples
    #expect(try decoder.planes(of: whole[0])[0].samples == expected)
  }

  /// Heap allocations of throwing an error under test: Swift Testing inspects each error, which uses heap memory.
  private static func heapRequestsOfThrow() -> UInt64 {
    let before = heap_meter_count_of_thread()
    do throws(JPEGDecoderError) { throw .damaged } catch {}
    return heap_meter_count_of_thread() - before
  }

  /// Changes, removes, inserts or truncates bytes, as often in the header as in the scan.
  private static func damage(_ jpeg: [UInt8], with random: inout SeededGenerator) -> [UInt8] {
    var damaged = jpeg
    for _ in 0...random.next() % 4 {
      let place = Int(random.next() % UInt64(random.next() % 2 == 0 ? 700 : damaged.count)) % damaged.count
      switch random.next() % 8 {
      case 0: damaged.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
      case 1: damaged.remove(at: place)
      case 2: damaged.removeLast(Int(random.next() % 40))
      case 3: damaged[place] = 0xFF
      default: damaged[place] ^= 1 << UInt8(random.next() % 8)
      }
    }
    return damaged
  }
}
