import Base
import CHeapMeter
import TestPictures
import TestSupport
import Testing

@testable import Media

/// A camera's own JPEGs on their way into a take.
@Suite struct PassedOnPictureTests {
  private static let format = VideoFormat(mjpegOf: TestPicture(.yuv420, width: 320, height: 240).format)
  private static let samplings = ["1x1", "2x1", "2x2", "1x2"]

  /// A picture with the standard tables, which cameras may omit.
  private static func randomJPEG(using random: inout SeededGenerator) throws -> [UInt8] {
    let quality = Int.random(in: 5...98, using: &random)
    return try TestJPEG.libjpeg(
      width: Int.random(in: 8...160, using: &random), height: Int.random(in: 8...120, using: &random),
      options: ["-quality", "\(quality)", "-sample", samplings.randomElement(using: &random)!],
      seed: random.next() % 1000)
  }

  @Test(
    "a JPEG with tables is passed on byte for byte, and one without gains exactly the tables",
    arguments: 1...40 as ClosedRange<UInt64>)
  func complete(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var coder = try testCoder(Self.format)
    let jpeg = try Self.randomJPEG(using: &random)
    #expect(SegmentedJPEG(jpeg).count(of: .huffmanTables) > 0)
    let isUntouched = try coder.code(jpeg, zoomFactor: 1) == jpeg
    #expect(isUntouched)

    let bare = TestJPEG.withoutHuffmanTables(jpeg)
    let completed = try coder.code(bare, zoomFactor: 1)
    #expect(completed.count == bare.count + StandardHuffmanTables.byteCount)
    let isTheRestUntouched = SegmentedJPEG(completed).removing(.huffmanTables).bytes == bare
    #expect(isTheRestUntouched)
    // The tables themselves are checked below: djpeg would replace missing ones.
    let original = try ForeignProgram.run("djpeg", [], input: jpeg)
    let isSame = try ForeignProgram.run("djpeg", [], input: completed) == original
    #expect(isSame)
  }

  @Test("the inserted tables are those written by libjpeg")
  func standardTables() throws {
    let jpeg = SegmentedJPEG(try TestJPEG.libjpeg(width: 64, height: 48))
    let written = jpeg.segments.filter { $0.starts(with: [0xFF, SegmentedJPEG.Marker.huffmanTables.rawValue]) }
    var segment: [UInt8] = []
    for index in StandardHuffmanTables.segment.indices { segment.append(StandardHuffmanTables.segment[index]) }
    #expect(written.count == 4)
    // A marker and a length of two bytes each, then tables. It does not matter how they are divided into segments.
    #expect(Array(segment.dropFirst(4)) == written.flatMap { $0.dropFirst(4) })
  }

  /// Such as of drivers that tell the size of their buffer as that of the picture.
  @Test("the zeros behind a picture are left out, those of one that is cut are not", arguments: [1, 4_095, 2_000_000])
  func padded(zeroCount: Int) throws {
    var random = SeededGenerator(seed: 3)
    var coder = try testCoder(Self.format)
    let jpeg = try Self.randomJPEG(using: &random)
    let padding = [UInt8](repeating: 0, count: zeroCount)
    let isTrimmed = try coder.code(jpeg + padding, zoomFactor: 1) == jpeg
    #expect(isTrimmed)
    let cut = Array(jpeg.dropLast(2)) + [0, 0]
    let isKept = try coder.code(cut, zoomFactor: 1) == cut
    #expect(isKept)
  }

  @Test("cut off anywhere it is passed on: before its scan unchanged, after that with tables", arguments: [1, 2])
  func cut(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let bare = SegmentedJPEG(TestJPEG.withoutHuffmanTables(try Self.randomJPEG(using: &random)))
    let headerByteCount = bare.bytes.count - bare.scan.count
    var coder = try testCoder(Self.format)
    let inScan = (0..<100).map { _ in Int.random(in: headerByteCount + 2..<bare.bytes.count, using: &random) }
    for end in Array(2..<headerByteCount + 40) + inScan {
      let picture = Array(bare.bytes[..<end])
      let passedOn = try coder.code(picture, zoomFactor: 1)
      guard end >= headerByteCount + 2 else {
        try #require(passedOn == picture, "cut at \(end)")
        continue
      }
      try #require(passedOn.count == end + StandardHuffmanTables.byteCount, "cut at \(end)")
      try #require(Array(passedOn[..<headerByteCount]) == Array(picture[..<headerByteCount]))
      try #require(passedOn.suffix(end - headerByteCount) == picture[headerByteCount...])
    }
  }

  @Test(
    "anything that starts like a JPEG is passed on unchanged, or with tables before its first scan", arguments: 1...4)
  func damaged(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let bare = TestJPEG.withoutHuffmanTables(try Self.randomJPEG(using: &random))
    var coder = try testCoder(Self.format)
    for _ in 0..<2_000 {
      var picture = bare
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        picture[Int.random(in: 2..<min(picture.count, 400), using: &random)] = UInt8(random.next() % 256)
      }
      let passedOn = try coder.code(picture, zoomFactor: 1)
      if passedOn.count == picture.count {
        try #require(passedOn == picture)
      } else {
        let offset = try #require(zip(passedOn, picture + [0]).enumerated().first { $1.0 != $1.1 }?.offset)
        var rest = passedOn
        // The scan's marker starts with the same byte as the tables' marker.
        rest.removeSubrange(offset - 1..<offset - 1 + StandardHuffmanTables.byteCount)
        try #require(rest == picture)
      }
    }
  }

  @Test("a JPEG that needs no Huffman tables gets none")
  func arithmetic() throws {
    var coder = try testCoder(Self.format)
    for options in [["-arithmetic"], ["-arithmetic", "-progressive"], ["-progressive"]] {
      let jpeg = try TestJPEG.libjpeg(width: 64, height: 48, options: options)
      let isUntouched = try coder.code(jpeg, zoomFactor: 1) == jpeg
      #expect(isUntouched)
    }
  }

  @Test("a picture that does not fit with its tables is refused, and the coder is ready for the next one")
  func smallRooms() throws {
    var coder = try testCoder(Self.format)
    let jpeg = try TestJPEG.libjpeg(width: 64, height: 48)
    let bare = TestJPEG.withoutHuffmanTables(jpeg)
    let needed = bare.count + StandardHuffmanTables.byteCount
    for buffer in [0, 2, bare.count - 1, bare.count, needed - 1] {
      #expect(throws: JPEGEncoderError.outputFull(capacityByteCount: buffer)) {
        try coder.code(bare, zoomFactor: 1, capacityByteCount: buffer)
      }
    }
    #expect(try coder.code(bare, zoomFactor: 1, capacityByteCount: needed).count == needed)
    #expect(try coder.code(jpeg, zoomFactor: 1, capacityByteCount: jpeg.count).count == jpeg.count)
  }

  @Test("the largest picture that a camera may send fits with and without tables")
  func largest() throws {
    var coder = try testCoder(Self.format)
    let largest = JPEGEncoder.maximumByteCount(format: Self.format)
    let jpeg = try TestJPEG.libjpeg(width: 320, height: 240)
    for (picture, added) in [(jpeg, 0), (TestJPEG.withoutHuffmanTables(jpeg), StandardHuffmanTables.byteCount)] {
      // Not by zeros, which are left out.
      let padded = picture + [UInt8](repeating: 1, count: largest - picture.count)
      let passedOn = try coder.code(padded, zoomFactor: 1)
      #expect(passedOn.count == largest + added)
      #expect(passedOn.count <= PictureCoder.maximumByteCount(format: Self.format))
    }
  }

  @Test("passing pictures on allocates nothing from the heap")
  func heap() throws {
    var coder = try testCoder(Self.format)
    coder.prepareThread()
    let bare = TestJPEG.withoutHuffmanTables(try TestJPEG.libjpeg(width: 320, height: 240))
    var buffer = [UInt8](repeating: 0, count: PictureCoder.maximumByteCount(format: Self.format))
    _ = try coder.code(bare, zoomFactor: 1, into: &buffer)
    let before = heap_meter_count_of_thread()
    for _ in 0..<100 { _ = try coder.code(bare, zoomFactor: 1, into: &buffer) }
    let requests = heap_meter_count_of_thread() - before
    #expect(requests == 0)
  }
}
