import Base
import Machine
import TestSupport
import Testing

@Suite("Simulated camera")
struct SimCameraTests {
  private func settings(_ pixelFormat: PixelFormat = .yuv420, width: UInt16 = 640, height: UInt16 = 480)
    -> SimSettings
  {
    var settings = SimSettings()
    settings.pixelFormat = pixelFormat
    settings.widthPixels = width
    settings.heightPixels = height
    return settings
  }

  @Test(
    "the frame number and the flash can be read after ffmpeg has encoded the picture, even at half the size",
    arguments: [PixelFormat.yuv420, .nv12, .yuyv], [1, 2])
  func throughForeignCoder(pixelFormat: PixelFormat, divisor: Int) throws {
    var recorder = try SimRecorder(settings(pixelFormat))
    recorder.sleep(milliseconds: 3_723_000)
    try recorder.takePictures()
    let skipped = recorder.pictures.count
    try recorder.run(milliseconds: 2_100)
    var raw: [UInt8] = []
    for picture in recorder.pictures[skipped...] { raw += picture.bytes }
    // At 12, ffmpeg's quantizers are coarser than those of quality 50 on libjpeg's scale.
    let folder = try TemporaryFolder()
    let name = [PixelFormat.yuv420: "yuv420p", .nv12: "nv12", .yuyv: "yuyv422"][pixelFormat]!
    try ForeignProgram.run(
      "ffmpeg",
      [
        "-v", "error", "-f", "rawvideo", "-pix_fmt", name, "-s", "640x480", "-r", "30", "-i", "-", "-vf",
        "scale=\(640 / divisor):\(480 / divisor)", "-c:v", "mjpeg", "-q:v", "12", folder.path(of: "take.mov"),
      ], input: raw)
    let decoded = LumaPicture.sequence(
      try ForeignProgram.decodeLuma(folder.path(of: "take.mov")), widthPixels: 640 / divisor,
      heightPixels: 480 / divisor)
    let numbers = decoded.map(FrameNumberReader.read)
    let first: UInt32 = 3_723 * 30
    #expect(numbers == (0..<63).map { first + $0 })
    #expect(decoded.map(FlashDetector.isFlashing) == (0..<63).map { $0 % 30 == 0 })
  }

  @Test("both can be read from the camera's JPEGs, with and without Huffman tables", arguments: [true, false])
  func coded(hasHuffmanTables: Bool) throws {
    var settings = settings(.mjpeg)
    settings.hasHuffmanTables = hasHuffmanTables
    var recorder = try SimRecorder(settings)
    #expect(recorder.videoFormat.pixelFormat == .mjpeg && recorder.videoFormat.bytesPerRow == 0)
    try recorder.run(milliseconds: 1_200)
    let jpegs = recorder.pictures.map { SegmentedJPEG($0.bytes) }
    #expect(jpegs.allSatisfy { $0.count(of: .huffmanTables) == (hasHuffmanTables ? 4 : 0) })
    let luma = try ForeignProgram.run(
      "ffmpeg", ["-v", "error", "-f", "mjpeg", "-i", "-", "-f", "rawvideo", "-pix_fmt", "gray", "-"],
      input: jpegs.flatMap(\.bytes))
    let decoded = LumaPicture.sequence(luma, widthPixels: 640, heightPixels: 480)
    #expect(decoded.map(FrameNumberReader.read) == (0..<36).map { $0 })
    #expect(decoded.map(FlashDetector.isFlashing) == (0..<36).map { $0 % 30 == 0 })
  }

  @Test("all pixel formats show the same picture in the same colours", arguments: [PixelFormat.yuv420, .nv12, .yuyv])
  func colours(pixelFormat: PixelFormat) throws {
    var recorder = try SimRecorder(settings(pixelFormat))
    try recorder.run(milliseconds: 40)
    let name = [PixelFormat.yuv420: "yuv420p", .nv12: "nv12", .yuyv: "yuyv422"][pixelFormat]!
    let rgb = try ForeignProgram.run(
      "ffmpeg",
      [
        "-v", "error", "-f", "rawvideo", "-pix_fmt", name, "-s", "640x480", "-i", "-", "-vf", "format=rgb24", "-f",
        "rawvideo", "-",
      ], input: recorder.pictures[0].bytes)
    // In the middle of each bar, near the upper edge: bars at 75 % are made of 0 and 191.
    let bars = (0..<8).map { bar in (0..<3).map { Int(rgb[3 * (4 * 640 + 80 * bar + 40) + $0]) } }
    let expected = [[1, 1, 1], [1, 1, 0], [0, 1, 1], [0, 1, 0], [1, 0, 1], [1, 0, 0], [0, 0, 1], [0, 0, 0]]
    for (bar, parts) in zip(bars, expected) {
      for (part, isLit) in zip(bar, parts) { #expect(abs(part - 191 * isLit) <= 8) }
    }
  }

  @Test(
    "every even size from 160x120 on carries a readable number in every frame",
    arguments: [(160, 120), (320, 240), (638, 482), (1280, 720), (1920, 1080)] as [(UInt16, UInt16)])
  func sizes(width: UInt16, height: UInt16) throws {
    var recorder = try SimRecorder(settings(width: width, height: height))
    try recorder.run(milliseconds: 1_200)
    #expect(recorder.lumaPictures.map(FrameNumberReader.read) == (0..<36).map { $0 })
  }

  @Test(
    "the zoom factor can be read after ffmpeg has cropped, enlarged and encoded the picture, to half a per cent",
    arguments: [(640, 480), (638, 482), (1280, 720), (1920, 1080)] as [(UInt16, UInt16)])
  func zoom(width: UInt16, height: UInt16) throws {
    var recorder = try SimRecorder(settings(width: width, height: height))
    try recorder.run(milliseconds: 40)
    let (columns, rows) = (Double(width), Double(height))
    for factor in [1, 1.1, 1.5, 2, 3, 4.7, 8, 11, 16] {
      // What the second crop removes anyway is not scaled up first; chroma stays aligned with its luma.
      let margin = { (side: Double) in max(0, ((side - side / factor) / 4).rounded(.down) * 2 - 2) }
      let filter =
        "crop=w=\(columns - 2 * margin(columns)):h=\(rows - 2 * margin(rows)),scale=w=iw*16:h=ih*16:flags=neighbor,"
        + "crop=w=\(columns * 16 / factor):h=\(rows * 16 / factor),scale=w=\(width):h=\(height):flags=area"
      let jpeg = try ForeignProgram.run(
        "ffmpeg",
        [
          "-v", "error", "-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", "\(width)x\(height)", "-i", "-", "-vf", filter,
          "-c:v", "mjpeg", "-q:v", "5", "-f", "image2pipe", "-",
        ], input: recorder.pictures[0].bytes)
      let luma = try ForeignProgram.run(
        "ffmpeg", ["-v", "error", "-f", "mjpeg", "-i", "-", "-f", "rawvideo", "-pix_fmt", "gray", "-"], input: jpeg)
      let picture = LumaPicture(widthPixels: Int(width), heightPixels: Int(height), bytes: luma[...])
      let read = try #require(ZoomReader.read(picture))
      #expect(abs(read / factor - 1) < 0.005, "\(factor)")
    }
  }

  @Test("a picture drawn over an older one equals one drawn from scratch", arguments: [PixelFormat.yuv420, .mjpeg])
  func redrawn(pixelFormat: PixelFormat) throws {
    var recorder = try SimRecorder(settings(pixelFormat))
    try recorder.run(milliseconds: 7_900, keepsBytes: false)
    try recorder.run(milliseconds: 100)
    let last = recorder.pictures.last!
    var fresh = try SimRecorder(settings(pixelFormat))
    fresh.sleep(milliseconds: 7_900)
    fresh.board.camera.device.close()
    _ = try fresh.board.camera.device.open(SimRecorder.cameraRequest)
    try fresh.run(milliseconds: 100)
    let again = fresh.pictures.first { $0.exposedAt == last.exposedAt }
    let isSame = again?.bytes == last.bytes
    #expect(isSame)
  }

  @Test("a picture that is upside down, or has one wrong bit, is detected as a misread")
  func misread() throws {
    var recorder = try SimRecorder(settings())
    try recorder.run(milliseconds: 40)
    let picture = recorder.lumaPictures[0]
    let turned = LumaPicture(widthPixels: 640, heightPixels: 480, bytes: Array(picture.bytes.reversed())[...])
    #expect(FrameNumberReader.read(picture) == 0)
    #expect(FrameNumberReader.read(turned) == nil)
    var damaged = Array(picture.bytes)
    for row in 32..<64 {
      for column in 64..<96 { damaged[row * 640 + column] = 235 }
    }
    let lost = LumaPicture(widthPixels: 640, heightPixels: 480, bytes: damaged[...])
    #expect(FrameNumberReader.read(lost) == nil)
  }

  @Test("frames are exposed one period apart and delivered a few milliseconds later, in order")
  func timing() throws {
    var recorder = try SimRecorder(settings())
    try recorder.run(milliseconds: 2_000, keepsBytes: false)
    let expected = (0..<60).map { recorder.start + ($0 * 1_000_000_000 + 29) / 30 }
    #expect(recorder.pictures.map(\.exposedAt) == expected)
    #expect(recorder.pictures.map(\.sequence) == (0..<60).map { $0 })
  }

  @Test("without a free buffer frames are dropped, and the gap in the sequence shows how many")
  func dropped() throws {
    var recorder = try SimRecorder(settings())
    recorder.sleep(milliseconds: 1_000)
    var held: [CameraFrame] = []
    while let frame = try recorder.board.camera.device.dequeue() { held.append(frame) }
    #expect(held.map(\.sequence) == [0, 1, 2, 3, 4, 5])
    #expect(Set(held.map(\.bufferIndex)).count == 6)
    recorder.sleep(milliseconds: 1_000)
    try recorder.board.camera.device.requeue(bufferIndex: held[2].bufferIndex)
    recorder.sleep(milliseconds: 200)
    let next = try recorder.board.camera.device.dequeue()
    #expect(next?.sequence == 60)
    #expect(next?.bufferIndex == held[2].bufferIndex)
    let none = try recorder.board.camera.device.dequeue()
    #expect(none == nil)
  }

  @Test("a reopened camera counts from 0 while its pictures go on counting")
  func reopened() throws {
    var recorder = try SimRecorder(settings())
    recorder.sleep(milliseconds: 10_000)
    recorder.board.camera.device.close()
    #expect(recorder.board.camera.device.bufferCount == 0)
    _ = try recorder.board.camera.device.open(SimRecorder.cameraRequest)
    try recorder.run(milliseconds: 100)
    #expect(recorder.pictures.map(\.sequence) == [0, 1, 2])
    #expect(recorder.lumaPictures.map(FrameNumberReader.read) == [300, 301, 302])
  }

  @Test("a camera that is absent, not open, or cannot draw what is requested reports it")
  func failures() throws {
    var absent = settings()
    absent.faults.add(Fault(.absent, of: .camera, nanoseconds: 0..<1))
    let recorder = try SimRecorder(settings())
    recorder.board.camera.device.close()
    let notOpen = #expect(throws: DeviceFailure.self) { _ = try recorder.board.camera.device.dequeue() }
    #expect(notOpen?.kind == .absent)
    #expect(throws: DeviceFailure.self) { _ = try SimRecorder(absent) }
    let unsupported = #expect(throws: DeviceFailure.self) { _ = try SimRecorder(settings(width: 641)) }
    #expect(unsupported?.kind == .unsupported)
    #expect(throws: DeviceFailure.self) { _ = try SimRecorder(settings(.mjpeg, height: 118)) }
  }

  @Test("a board too large for its boot memory is refused", arguments: [PixelFormat.yuv420, .mjpeg])
  func memory(pixelFormat: PixelFormat) {
    let settings = settings(pixelFormat)
    let byteCount = bootMemoryByteCount { _ = try? Hardware(simulated: settings, in: &$0) }
    var small = leakedBootMemory(byteCount: byteCount - 1)
    let refused = (try? Hardware(simulated: settings, in: &small)) == nil
    var enough = leakedBootMemory(byteCount: byteCount)
    let given = (try? Hardware(simulated: settings, in: &enough)) != nil
    #expect(refused)
    #expect(given)
  }
}
