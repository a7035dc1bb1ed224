import Foundation
import Machine
import TestSupport
import Testing

/// Stills, from a command or a button to how third-party programs show them.
@Suite struct StillTests {
  @Test(
    "a still and a crop are shown as the device was held, like a take; Exif has the time and the device",
    arguments: [
      // The same irregular rectangle of the camera's picture, most of the arrow, in each orientation.
      Way(position: "landscape-left", exif: 1, degrees: 0, crop: (365, 273, 201, 133)),
      Way(position: "portrait", exif: 6, degrees: 90, crop: (74, 365, 133, 201)),
      Way(position: "landscape-right", exif: 3, degrees: 180, crop: (74, 74, 201, 133)),
      Way(position: "portrait-upside-down", exif: 8, degrees: 270, crop: (273, 74, 133, 201)),
    ], Cases.some(1, of: ["yuyv", "nv12", "yuv420", "mjpeg"]))
  func orientations(_ way: Way, format: String) throws {
    let isOnItsSide = way.degrees % 180 != 0
    let crop = way.crop
    let session = try Session(
      [
        "tilt \(way.position)", "wait 1.3", "viewfinder \(crop.x) \(crop.y) \(crop.width) \(crop.height)", "snapshot",
        "snapshot crop", "press record", "wait 1", "press record", "wait 1", "status json", "quit",
      ], configuration: "[video]\nformat = \(format)\n")
    #expect(session.end() == 0)
    #expect(try session.statuses().first?.heapAllocationsSinceBootComplete == 0)
    let stills = session.takes().filter { $0.hasSuffix(".jpg") }
    try #require(stills.count == 2)
    let size = isOnItsSide ? "480 x 640" : "640 x 480"
    let lines = try session.lines().filter { $0.hasPrefix("still photo/") }
    #expect(
      lines.count == 2 && lines[0].contains(".jpg, \(size), ")
        && lines[1].contains(".jpg, \(crop.width) x \(crop.height), "))
    for still in stills {
      let exif = try exif(
        still, ["Orientation#", "Validate", "SubSecDateTimeOriginal", "Make", "Software", "SerialNumber"])
      try #require(exif.count == 6)
      #expect(exif[0] == "\(way.exif)")
      #expect(exif[1] == "OK")
      #expect(exif[2].contains(#/^2026:01:01 00:00:0\d\.\d{3}\+00:00$/#))
      #expect(exif[3] == "fieldcorder")
      #expect(exif[4].hasPrefix("fieldcorder "))
      #expect(try exif[5] == session.statuses()[0].uuid.uuidString.lowercased())
    }
    // The take as a player shows it: the moving bar and the frame's number differ, which is a tenth of the picture.
    let movie = try #require(session.takes().first { $0.hasSuffix(".mov") })
    let shown = try gray(movie: movie)
    let width = isOnItsSide ? 480 : 640
    let upright = try gray(stills[0])
    try #require(upright.count == shown.count)
    #expect(Self.difference(upright, shown) < 12)
    #expect(Self.arrowDegrees(upright, width: width) == way.degrees)
    let cut = try gray(stills[1])
    try #require(cut.count == crop.width * crop.height)
    var reference: [UInt8] = []
    for row in crop.y..<crop.y + crop.height {
      reference += upright[row * width + crop.x..<row * width + crop.x + crop.width]
    }
    #expect(Self.difference(cut, reference) < 2)
  }

  struct Way {
    var position: String
    var exif: Int
    /// The clockwise rotation by a viewer.
    var degrees: Int
    /// In the view's coordinates.
    var crop: (x: Int, y: Int, width: Int, height: Int)
  }

  @Test("a long press takes a still while armed and during a take, which has all its pictures")
  func longPress() throws {
    let session = try Session([
      "wait 1", "press record 1000", "wait 2", "press record", "wait 2", "press record 900", "wait 3",
      "snapshot", "snapshot crop", "press record", "wait 1", "status json", "quit",
    ])
    #expect(session.end() == 0)
    let stills = session.takes().filter { $0.hasSuffix(".jpg") }
    #expect(stills.count == 4)
    #expect(try session.lines().count { $0.hasPrefix("* still photo/") } == 2)
    let movie = try RecordedMovie(try #require(session.takes().first { $0.hasSuffix(".mov") }))
    #expect(movie.firstGap == nil)
    let status = try #require(session.statuses().last)
    #expect(status.droppedVideoFrames == 0 && status.heapAllocationsSinceBootComplete == 0)
  }

  @Test("the library lists stills among the other files, and by their kind")
  func isListed() throws {
    let session = try Session(["wait 1", "snapshot", "list photo", "list video", "quit"])
    #expect(session.end() == 0)
    let path = try #require(session.takes().first)
    #expect(try session.lines().count { path.hasSuffix("/" + $0) } == 1)
  }

  @Test("without a camera, or while it is closed, a still is refused with what to do")
  func isRefused() throws {
    let closed = try Session(
      ["wait 1", "snapshot", "preview", "press record 1000", "wait 2", "quit"], configuration: "[record]\narm = press\n"
    )
    #expect(closed.end() == 0)
    #expect(try closed.lines().count { $0.contains("the camera is closed: begin a take first") } == 3)
    let without = try Session(
      ["wait 1", "snapshot", "viewfinder", "quit"], configuration: "[record]\nwhat = audio\n")
    #expect(without.end() == 0)
    #expect(try without.lines().count { $0.hasPrefix("error: there is no camera") } == 2)
    #expect(closed.takes().isEmpty && without.takes().isEmpty)
  }

  @Test("a viewfinder in the view's own coordinates cuts the same pixels")
  func viewCoordinates() throws {
    let session = try Session(
      [
        "wait 1", "viewfinder 110 60 20 20", "snapshot crop", "viewfinder 0 0 9999 9999", "viewfinder 0 0 0 5",
        "viewfinder", "quit",
      ],
      configuration: "[view]\nx = 100\ny = 50\nwidth = 64\nheight = 24\n")
    #expect(session.end() == 0)
    let lines = try session.lines()
    #expect(lines.contains("viewfinder 110 54 20 20 of 64 x 24"))
    #expect(lines.count { $0 == "viewfinder 100 50 64 24 of 64 x 24" } == 2)
    #expect(lines.count { $0.hasPrefix("error: viewfinder expects") } == 1)
    #expect(lines.contains { $0.contains(".jpg, 200 x 400, ") })
  }

  /// A value for each tag; `-` if there is none.
  private func exif(_ path: String, _ tags: [String]) throws -> [String] {
    try ForeignProgram.text("exiftool", ["-f", "-s3"] + tags.map { "-" + $0 } + [path])
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// A still as a viewer shows it.
  private func gray(_ path: String) throws -> [UInt8] {
    try ForeignProgram.run("convert", [path, "-auto-orient", "-colorspace", "gray", "-depth", "8", "gray:-"])
  }

  /// A picture of a take as a player shows it.
  private func gray(movie path: String) throws -> [UInt8] {
    let picture = try ForeignProgram.run(
      "ffmpeg", ["-v", "error", "-ss", "0.5", "-i", path, "-frames:v", "1", "-f", "image2pipe", "-c:v", "png", "-"])
    let folder = try TemporaryFolder()
    return try gray(try folder.write(picture, as: "picture.png"))
  }

  /// The mean difference of two pictures' pixels.
  private static func difference(_ one: [UInt8], _ other: [UInt8]) -> Double {
    Double(zip(one, other).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }) / Double(max(one.count, 1))
  }

  /// The clockwise rotation of the scene's arrow in a picture of this width: its head is wider than its shaft.
  private static func arrowDegrees(_ picture: [UInt8], width: Int) -> Int? {
    let height = picture.count / width
    let isOnItsSide = height > width
    // Cells of the scene's 20 × 15 grid that are white at the head, but not beside the shaft.
    for degrees in isOnItsSide ? [90, 270] : [0, 180] {
      let isWhite = { (column: Double, row: Double) -> Bool in
        let (across, down) = (column / 20, row / 15)
        let place =
          switch degrees {
          case 90: (1 - down, across)
          case 180: (1 - across, 1 - down)
          case 270: (down, 1 - across)
          default: (across, down)
          }
        return picture[Int(place.1 * Double(height)) * width + Int(place.0 * Double(width))] > 180
      }
      if isWhite(13, 10.7), isWhite(17, 10.7), !isWhite(13, 8.3), !isWhite(17, 8.3), isWhite(15, 13.5), !isWhite(13, 12)
      {
        return degrees
      }
    }
    return nil
  }
}
