import TestSupport
import Testing

/// A take, a still and the preview on the console have the same orientation, also for third-party programs.
@Suite struct WayUpTests {
  @Test(
    "take, still and preview show the picture in the same orientation",
    arguments: Cases.some(
      2, of: [("landscape-left", 0), ("portrait", 90), ("landscape-right", 180), ("portrait-upside-down", 270)]),
    ["auto", "mjpeg"])
  func agreement(_ way: (position: String, degrees: Int), format: String) throws {
    let degrees = way.degrees
    let session = try Session(
      [
        "tilt \(way.position)", "wait 1", "press record", "wait 1", "press record", "wait 1", "snapshot", "wait 1",
        "preview", "quit",
      ], configuration: "[video]\nformat = \(format)\n[sim]\nhuffman_tables = no\n")
    #expect(session.end() == 0)
    let take = try #require(session.takes().first { $0.hasSuffix(".mov") })
    let still = try #require(session.takes().first { $0.hasSuffix(".jpg") })
    let folder = try TemporaryFolder()
    let sensor = folder.path(of: "sensor.png")
    let played = folder.path(of: "played.png")
    try ForeignProgram.run("ffmpeg", ["-v", "error", "-noautorotate", "-i", take, "-frames:v", "1", sensor])
    try ForeignProgram.run("ffmpeg", ["-v", "error", "-i", take, "-frames:v", "1", played])
    let drawing = try TerminalDrawing(lines: try session.lines().filter(TerminalDrawing.isLine))
    let ppm = try folder.write(
      [UInt8]("P6\n\(drawing.widthPixels) \(drawing.heightPixels)\n255\n".utf8) + drawing.rgb, as: "preview.ppm")
    let reference = try arrow(sensor, ["-rotate", "\(degrees)"], degrees)
    for picture in [played, still, ppm] {
      let shown = try arrow(picture, ["-auto-orient"], degrees)
      let difference = zip(shown, reference).map { abs(Int($0) - Int($1)) }.reduce(0, +) / reference.count
      #expect(difference <= 12, "\(picture) differs by \(difference) of 255")
    }
  }

  /// The arrow in the upright picture, as the brightness of 24 x 24 points: in any other orientation the picture has
  /// nothing in common with it.
  private func arrow(_ path: String, _ turn: [String], _ degrees: Int) throws -> [UInt8] {
    let side = "60x60!"
    let luma = try ForeignProgram.run(
      "convert", [path] + turn + ["-colorspace", "Gray", "-depth", "8", "-resize", side, "gray:-"])
    // Columns 11 to 18 of 20 and rows 8 to 13 of 15, after a rotation.
    let (left, top) = [0: (33, 32), 90: (4, 33), 180: (3, 4), 270: (32, 3)][degrees]!
    return (0..<24).flatMap { row in (0..<24).map { luma[(top + row) * 60 + left + $0] } }
  }
}
