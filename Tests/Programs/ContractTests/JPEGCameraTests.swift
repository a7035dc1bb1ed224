import Foundation
import TestSupport
import Testing

/// A camera that delivers JPEGs, as most USB cameras do: they reach the card unchanged, apart from added Huffman tables
/// that the camera left out, and the program does only what the camera cannot.
@Suite struct JPEGCameraTests {
  @Test(
    "a take holds the camera's JPEGs, each of them complete, at any quality setting for encoding here",
    arguments: ["yes", "no"])
  func passedOn(huffmanTables: String) throws {
    let takes = try [20, 95].map { quality in
      let session = try Session(
        ["wait 1", "press record", "wait 5", "press record", "wait 2", "status json", "quit"],
        configuration: Self.configuration(quality: quality, huffmanTables: huffmanTables))
      let (path, status) = try Self.take(of: session)
      let movie = try RecordedMovie(path)
      #expect(movie.firstGap == nil)
      #expect(movie.numbers.count == Int(status.videoFrames) && movie.numbers.count > 140)
      return try ForeignProgram.pictures(path)
    }
    let isSame = takes[0] == takes[1]
    #expect(isSame)
    // libjpeg, which simulates the camera, writes a segment for each table; inserted tables share one.
    let segmentCount = huffmanTables == "yes" ? 4 : 1
    #expect(takes[0].allSatisfy { SegmentedJPEG($0).count(of: .huffmanTables) == segmentCount })
    try expectReadable(takes[0])
  }

  @Test("a camera that leaves out Huffman tables makes the same take as with them")
  func sameTake() throws {
    let takes = try ["yes", "no"].map { huffmanTables in
      let session = try Session(
        ["wait 1", "press record", "wait 2", "press record", "wait 2", "status json", "quit"],
        configuration: Self.configuration(huffmanTables: huffmanTables))
      return try ForeignProgram.pictures(Self.take(of: session).path)
    }
    #expect(takes[0].count == takes[1].count && takes[0].count > 50)
    for (own, completed) in zip(takes[0], takes[1]) {
      let isSame =
        SegmentedJPEG(own).removing(.huffmanTables).bytes == SegmentedJPEG(completed).removing(.huffmanTables).bytes
      try #require(isSame)
    }
    let decoded = try takes.map { try ForeignProgram.run("djpeg", [], input: #require($0.last)) }
    let isSame = decoded[0] == decoded[1]
    #expect(isSame)
  }

  /// ImageMagick reads each as a file, without a warning.
  private func expectReadable(_ pictures: [[UInt8]]) throws {
    let folder = try TemporaryFolder()
    let paths = try zip(0..., pictures).map { try folder.write($1, as: "\($0).jpg") }
    let sizes = try ForeignProgram.text(
      "identify", ["-regard-warnings", "-verbose", "-format", "%wx%h\n"] + paths
    ).split(separator: "\n")
    #expect(sizes.count == pictures.count && sizes.allSatisfy { $0 == "640x480" })
  }

  @Test("while zooming every picture is on the curve, and at 1 again the camera's own follow", arguments: [1, 3])
  func zoomed(encoderCount: Int) throws {
    let session = try Session(
      [
        "wait 1", "press record", "wait 1", "zoom 8", "wait 2", "zoom 1", "wait 2", "press record", "wait 2",
        "status json", "quit",
      ], configuration: Self.configuration(huffmanTables: "no") + "encoders = \(encoderCount)\n")
    let (path, status) = try Self.take(of: session)
    let pictures = LumaPicture.sequence(try ForeignProgram.decodeLuma(path), widthPixels: 640, heightPixels: 480)
    let seconds = try ForeignProgram.pictureSeconds(path)
    #expect(pictures.count == Int(status.videoFrames) && seconds.count == pictures.count)
    // The first picture is shown from the press on.
    for (start, next) in zip(seconds, seconds.dropFirst()).dropFirst() { #expect(abs(next - start - 1.0 / 30) < 0.005) }

    let exponents = try pictures.map { log2(try #require(ZoomReader.read($0))) }
    let top = try #require(exponents.firstIndex { $0 > 2.985 })
    let up = try #require(Self.start(of: zip(seconds, exponents).prefix(top).map { ($0, $1) }))
    let down = try #require(Self.start(of: zip(seconds, exponents).dropFirst(top).map { ($0, 3 - $1) }))
    for (second, exponent) in zip(seconds, exponents) {
      let expected = min(max(3 * (second - up), 0), 3) - min(max(3 * (second - down), 0), 3)
      #expect(abs(exponent - expected) < 0.015, "at \(second) s")
    }

    let headers = try ForeignProgram.pictures(path).map { SegmentedJPEG($0).segments }
    let own = headers.map { $0 == headers[0] }
    let first = try #require(own.firstIndex(of: false)), last = try #require(own.lastIndex(of: false))
    #expect(!own[first...last].contains(true))
    #expect(abs(seconds[first] - up) < 0.04 && abs(seconds[last] - down - 1) < 0.04)
    let number = try #require(FrameNumberReader.read(pictures[0]))
    for index in pictures.indices where own[index] {
      #expect(FrameNumberReader.read(pictures[index]) == number + UInt32(index))
    }
  }

  @Test(
    "a still is one of the camera's JPEGs with Exif before it, and a crop has its samples", arguments: ["yes", "no"])
  func stills(huffmanTables: String) throws {
    // An area in which all pictures are equal: the foot of the arrow, and colours on two sides of it.
    let crop = (x: 365, y: 395, width: 201, height: 81)
    let session = try Session(
      [
        "wait 1", "viewfinder \(crop.x) \(crop.y) \(crop.width) \(crop.height)", "press record", "wait 1", "snapshot",
        "snapshot crop", "press record", "wait 2", "status json", "quit",
      ], configuration: Self.configuration(huffmanTables: huffmanTables))
    let (path, _) = try Self.take(of: session)
    let stills = session.takes().filter { $0.hasSuffix(".jpg") }
    try #require(stills.count == 2)

    let still = SegmentedJPEG([UInt8](try Data(contentsOf: URL(fileURLWithPath: stills[0]))))
    #expect(still.count(of: .exif) == 1 && still.segments[1].starts(with: [0xFF, 0xE1]))
    let isCameras = try ForeignProgram.pictures(path).contains(still.removing(.exif).bytes)
    #expect(isCameras)
    #expect(still.count(of: .huffmanTables) > 0)

    let whole = try Self.samples(stills[0], "yuvj422p")
    let cut = try Self.samples(stills[1], "yuvj444p")
    try #require(whole.count == 640 * 480 * 2 && cut.count == 3 * crop.width * crop.height)
    var worst = 0
    for component in 0..<3 {
      let columnsPerSample = component == 0 ? 1 : 2
      let start = [0, 640 * 480, 640 * 480 * 3 / 2][component]
      for row in 0..<crop.height {
        for column in 0..<crop.width {
          let sample = whole[start + ((crop.y + row) * 640 + crop.x + column) / columnsPerSample]
          worst = max(worst, abs(Int(sample) - Int(cut[(component * crop.height + row) * crop.width + column])))
        }
      }
    }
    // The loss of encoding at quality 100.
    #expect(worst <= 4)
  }

  private static func configuration(quality: Int = 85, huffmanTables: String) -> String {
    """
    [record]
    preroll_seconds = 0
    [photo]
    quality = 100
    [sim]
    huffman_tables = \(huffmanTables)
    [video]
    format = mjpeg
    quality = \(quality)

    """
  }

  /// The only take of a session, without losses, and the status at the end.
  private static func take(of session: Session) throws -> (path: String, status: RecorderStatus) {
    #expect(session.end() == 0)
    let status = try #require(session.statuses().last)
    #expect(status.droppedVideoFrames == 0 && status.audioOverruns == 0)
    #expect(status.heapAllocationsSinceBootComplete == 0)
    let takes = session.takes().filter { $0.hasSuffix(".mov") }
    try #require(takes.count == 1)
    return (takes[0], status)
  }

  /// When a glide of three powers of two per second began, computed from its pictures.
  private static func start(of glide: [(seconds: Double, exponent: Double)]) -> Double? {
    let starts = glide.filter { $0.exponent > 0.3 && $0.exponent < 2.7 }.map { $0.seconds - $0.exponent / 3 }.sorted()
    return starts.isEmpty ? nil : starts[starts.count / 2]
  }

  private static func samples(_ path: String, _ pixelFormat: String) throws -> [UInt8] {
    #expect(try ForeignProgram.probe(path, stream: "v:0", entry: "pix_fmt") == pixelFormat)
    return try ForeignProgram.run("ffmpeg", ["-v", "error", "-noautorotate", "-i", path, "-f", "rawvideo", "-"])
  }
}
