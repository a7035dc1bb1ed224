import Base
import Foundation
import TestPictures
import TestSupport
import Testing

@testable import Media
@testable import Record

@Suite struct CropTests {
  @Test(
    "a hundred random crops, rotated and zoomed, equal what ImageMagick cuts out of the upright picture",
    arguments: [PixelFormat.yuyv, .nv12, .yuv420], 1...4 as ClosedRange<UInt64>)
  func isExact(format: PixelFormat, seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let picture = TestPicture(
      format, width: 2 * Int.random(in: 8...90, using: &generator),
      height: 2 * Int.random(in: 8...90, using: &generator),
      rowPadding: 2 * Int.random(in: 0...5, using: &generator), seed: seed)
    let source = CropSource(try #require(PictureLayout(picture.format)))
    let looks = (0..<100).map { _ in Look(at: picture, using: &generator) }
    let wishes = looks.map { ReferenceCrop.Wish(rectangle: $0.uprightPixels, orientation: $0.orientation) }
    let rowScale = format == .yuyv ? 1 : 2
    let references = try [
      ReferenceCrop.cut(wishes, of: picture.luma),
      ReferenceCrop.cut(wishes, of: picture.blueDifference, columnScale: 2, rowScale: rowScale),
      ReferenceCrop.cut(wishes, of: picture.redDifference, columnScale: 2, rowScale: rowScale),
    ]
    let components = [source.luma, source.blueDifference, source.redDifference]
    for (index, look) in looks.enumerated() {
      for (component, reference) in zip(components, references) {
        let samples = component.cut(look.cameraPixels, of: picture.bytes)
        try #require(samples == reference[index], "\(look)")
      }
    }
  }

  @Test(
    "the JPEG of a crop has the right size, full chroma, and the right picture",
    arguments: [PixelFormat.yuyv, .nv12, .yuv420])
  func isEncoded(format: PixelFormat) throws {
    var generator = SeededGenerator(seed: 5)
    let picture = TestPicture(format, width: 160, height: 120)
    var memory = leakedBootMemory()
    var coder = try StillCoder(format: picture.format, quality: 100, in: &memory)
    for _ in 0..<12 {
      let look = Look(at: picture, using: &generator)
      let (still, jpeg) = try coder.code(look.still, of: picture)
      #expect(still.widthPixels == look.cameraPixels.width && still.heightPixels == look.cameraPixels.height)
      let source = CropSource(try #require(PictureLayout(picture.format)))
      let cut = [source.luma, source.blueDifference, source.redDifference].flatMap {
        $0.cut(look.cameraPixels, of: picture.bytes)
      }
      let decoded = try FFmpeg.decode(jpeg, as: "yuvj444p", width: still.widthPixels, height: still.heightPixels)
      try #require(decoded.count == cut.count)
      let worst = zip(decoded, cut).map { abs(Int($0) - Int($1)) }.max() ?? 0
      #expect(worst <= 3, "\(look)")
    }
  }

  @Test(
    "a camera's JPEG is decoded for a crop, and kept byte for byte as a whole still",
    arguments: ["2x2", "2x1", "1x1"])
  func decodes(sampling: String) throws {
    var generator = SeededGenerator(seed: 9)
    let whole = TestPicture(.yuyv, width: 150, height: 94)
    let jpeg = try ForeignProgram.run(
      "convert",
      [
        "-size", "150x94", "-depth", "8", "gray:-", "-colorspace", "sRGB", "-fill", "red", "-draw",
        "circle 60,40 90,50",
        "-quality", "92", "-sampling-factor", sampling, "jpg:-",
      ], input: whole.luma.samples)
    var format = whole.format
    format.pixelFormat = .mjpeg
    var memory = leakedBootMemory()
    var coder = try StillCoder(format: format, quality: 100, in: &memory)
    let buffer = StillCoder.maximumByteCount(format: format)
    let (_, kept) = try coder.code(Look.whole, of: jpeg, capacityByteCount: buffer)
    #expect(kept == jpeg)
    let format444 = "yuvj444p"
    let pixelFormat = sampling == "2x2" ? "yuvj420p" : sampling == "2x1" ? "yuvj422p" : format444
    let planes = try FFmpeg.decode(jpeg, as: pixelFormat, width: 150, height: 94)
    for _ in 0..<8 {
      let look = Look(at: whole, using: &generator)
      let (still, crop) = try coder.code(look.still, of: jpeg, capacityByteCount: buffer)
      let decoded = try FFmpeg.decode(crop, as: format444, width: still.widthPixels, height: still.heightPixels)
      let cut = look.cameraPixels
      for row in 0..<cut.height {
        for column in 0..<cut.width {
          let reference = Int(planes[(cut.y + row) * 150 + cut.x + column])
          try #require(abs(reference - Int(decoded[row * cut.width + column])) <= 4, "\(look)")
        }
      }
    }
  }

  @Test("a camera's JPEG cut off anywhere is refused, and the whole one is not")
  func survivesDamage() throws {
    let picture = TestPicture(.yuyv, width: 64, height: 48)
    var encoder = try testEncoder(picture.format)
    let jpeg = try encoder.encode(picture)
    var format = picture.format
    format.pixelFormat = .mjpeg
    var memory = leakedBootMemory()
    var coder = try StillCoder(format: format, quality: 100, in: &memory)
    let crop = StillOrder.Crop(PixelRectangle(x: 5, y: 5, width: 9, height: 9), of: PictureView(width: 64, height: 48))
    let still = Look.still(crop, orientation: .landscapeLeft, zoomFactor: 1)
    for end in 0..<jpeg.count {
      #expect(throws: JPEGEncoderError.self) {
        try coder.code(still, of: Array(jpeg[..<end]), capacityByteCount: 20_000)
      }
    }
    let (coded, _) = try coder.code(still, of: jpeg, capacityByteCount: 20_000)
    #expect(coded.widthPixels == 9)
  }

  @Test("a whole still of a JPEG that ends before its scan is refused, and missing tables are added")
  func tables() throws {
    let jpeg = try TestJPEG.libjpeg(width: 64, height: 48)
    let bare = TestJPEG.withoutHuffmanTables(jpeg)
    let format = VideoFormat(mjpegOf: TestPicture(.yuyv, width: 64, height: 48).format)
    var memory = leakedBootMemory()
    var coder = try StillCoder(format: format, quality: 100, in: &memory)
    let buffer = StillCoder.maximumByteCount(format: format)
    #expect(throws: JPEGEncoderError.notJPEG) {
      try coder.code(Look.whole, of: Array(SegmentedJPEG(bare).segments.joined()), capacityByteCount: buffer)
    }
    let (coded, still) = try coder.code(Look.whole, of: bare, capacityByteCount: buffer)
    #expect(coded.byteCount == bare.count + StandardHuffmanTables.byteCount)
    #expect(SegmentedJPEG(still).removing(.huffmanTables).bytes == bare)
  }

  @Test("limited-range samples are expanded in a crop as in the whole")
  func widens() throws {
    var picture = TestPicture(.nv12, width: 64, height: 48)
    picture.format.colorRange = .limited
    var memory = leakedBootMemory()
    var coder = try StillCoder(format: picture.format, quality: 100, in: &memory)
    let view = PictureView(width: 64, height: 48)
    let whole = PixelRectangle(x: 0, y: 0, width: 64, height: 48)
    let still = Look.still(StillOrder.Crop(whole, of: view), orientation: .landscapeLeft, zoomFactor: 1)
    let (_, jpeg) = try coder.code(still, of: picture)
    let decoded = try FFmpeg.decode(jpeg, as: "yuvj444p", width: 64, height: 48)
    let expanded = try FFmpeg.expand(picture)[0]
    let luma = TestPicture.Plane(width: 64, height: 48, samples: Array(decoded.prefix(64 * 48)))
    #expect(luma.psnr(of: expanded) > 45)
  }

  @Test("a picture cut short is refused, and the next one is coded as usual")
  func refusesShortPictures() throws {
    let picture = TestPicture(.yuv420, width: 64, height: 48)
    var memory = leakedBootMemory()
    var coder = try StillCoder(format: picture.format, quality: 90, in: &memory)
    let crop = StillOrder.Crop(PixelRectangle(x: 5, y: 5, width: 9, height: 9), of: PictureView(width: 64, height: 48))
    let still = Look.still(crop, orientation: .landscapeRight, zoomFactor: 1)
    #expect(throws: JPEGEncoderError.self) {
      try coder.code(still, of: Array(picture.bytes.dropLast()), capacityByteCount: 100_000)
    }
    #expect(throws: JPEGEncoderError.outputFull(capacityByteCount: 50)) {
      try coder.code(still, of: picture.bytes, capacityByteCount: 50)
    }
    let (coded, _) = try coder.code(still, of: picture)
    #expect(coded.widthPixels == 9 && coded.heightPixels == 9)
  }
}

/// A view of a picture, and a rectangle in it.
private struct Look: CustomStringConvertible {
  let orientation: Orientation
  let zoomFactor: Double
  let view: PictureView
  let rectangle: PixelRectangle
  let width: Int
  let height: Int

  init(at picture: TestPicture, using generator: inout SeededGenerator) {
    width = Int(picture.format.widthPixels)
    height = Int(picture.format.heightPixels)
    orientation = Orientation(rawValue: UInt8.random(in: 0...3, using: &generator))!
    zoomFactor = [1, 1, 2, 4, 1.5, 3.7, 16].randomElement(using: &generator)!
    let isOnItsSide = orientation == .portrait || orientation == .portraitUpsideDown
    let size = isOnItsSide ? (height, width) : (width, height)
    view =
      Bool.random(using: &generator)
      ? PictureView(width: size.0, height: size.1)
      : PictureView(
        x: .random(in: 0...500, using: &generator), y: .random(in: 0...500, using: &generator),
        width: .random(in: 1...999, using: &generator), height: .random(in: 1...999, using: &generator))
    let width = Int.random(in: 1...view.width, using: &generator)
    let height = Int.random(in: 1...view.height, using: &generator)
    rectangle = PixelRectangle(
      x: view.x + .random(in: 0...view.width - width, using: &generator),
      y: view.y + .random(in: 0...view.height - height, using: &generator), width: width, height: height)
  }

  var cameraPixels: PixelRectangle {
    view.cameraPixels(
      of: rectangle, widthPixels: width, heightPixels: height, orientation: orientation, zoomFactor: zoomFactor)
  }

  /// The rectangle as defined by the specification, in upright pixels.
  var uprightPixels: PixelRectangle {
    let isOnItsSide = orientation == .portrait || orientation == .portraitUpsideDown
    let columns = pixels(
      rectangle.x - view.x, rectangle.width, of: view.width, in: isOnItsSide ? height : width)
    let rows = pixels(rectangle.y - view.y, rectangle.height, of: view.height, in: isOnItsSide ? width : height)
    return PixelRectangle(x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
  }

  private func pixels(_ start: Int, _ length: Int, of units: Int, in side: Int) -> Range<Int> {
    let seen = Decimal(side) / Decimal(zoomFactor)
    let corner = { (unit: Int) -> Int in
      var exact = (Decimal(side) - seen) / 2 + Decimal(unit) * seen / Decimal(units)
      var rounded = Decimal()
      unsafe NSDecimalRound(&rounded, &exact, 0, .plain)
      return NSDecimalNumber(decimal: rounded).intValue
    }
    let first = min(corner(start), side - 1)
    return first..<max(corner(start + length), first + 1)
  }

  private static var header: PictureHeader {
    PictureHeader(samplePosition: 5, instant: 0, cameraSequence: 0)
  }

  /// The whole visible picture, without zoom.
  static var whole: StillPicture {
    StillPicture(
      picture: RawPicture(bufferIndex: 0, byteCount: 0, header: header),
      order: StillOrder(number: 1, crop: nil, orientation: .landscapeLeft, unixOffsetNanoseconds: 0))
  }

  var still: StillPicture {
    Self.still(StillOrder.Crop(rectangle, of: view), orientation: orientation, zoomFactor: zoomFactor)
  }

  static func still(_ crop: StillOrder.Crop, orientation: Orientation, zoomFactor: Double) -> StillPicture {
    StillPicture(
      picture: RawPicture(
        bufferIndex: 0, byteCount: 0, header: header, zoomFactor: zoomFactor),
      order: StillOrder(number: 1, crop: crop, orientation: orientation, unixOffsetNanoseconds: 0))
  }

  var description: String { "\(rectangle) of \(view), \(orientation.name), zoomed by \(zoomFactor): \(cameraPixels)" }
}

extension CropComponent {
  /// Every sample of a rectangle.
  fileprivate func cut(_ rectangle: PixelRectangle, of picture: [UInt8]) -> [UInt8] {
    var samples = [UInt8](repeating: 0, count: rectangle.width * rectangle.height)
    unsafe samples.withUnsafeMutableBufferPointer { target in
      unsafe picture.withUnsafeBytes { source in
        for row in 0..<rectangle.height {
          unsafe cutRow(row, of: rectangle, from: source, to: target.baseAddress! + row * rectangle.width)
        }
      }
    }
    return samples
  }
}

extension StillCoder {
  mutating func code(
    _ still: StillPicture, of picture: [UInt8], capacityByteCount: Int
  ) throws(JPEGEncoderError) -> (CodedStill, [UInt8]) {
    var buffer = [UInt8](repeating: 0xEE, count: capacityByteCount)
    var elements = buffer.mutableSpan
    var bytes = unsafe elements.mutableBytes
    let coded = try unsafe code(still, of: picture.span.bytes, into: &bytes)
    return (coded, Array(buffer[..<coded.byteCount]))
  }

  mutating func code(
    _ still: StillPicture, of picture: TestPicture
  ) throws(JPEGEncoderError) -> (CodedStill, [UInt8]) {
    try code(
      still, of: picture.bytes, capacityByteCount: Self.maximumByteCount(format: picture.format))
  }
}
