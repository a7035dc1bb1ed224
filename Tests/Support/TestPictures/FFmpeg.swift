import Foundation
import TestSupport

/// ffmpeg as an independent decoder.
package enum FFmpeg {
  /// Decodes a JPEG without any conversion.
  package static func decode(_ jpeg: [UInt8], as picture: TestPicture) throws -> [TestPicture.Plane] {
    let file = FileManager.default.temporaryDirectory.appending(path: "fieldcorder-\(UUID().uuidString).jpg")
    try Data(jpeg).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let pixelFormat = picture.format.pixelFormat == .yuyv ? "yuvj422p" : "yuvj420p"
    let probed = try run("ffprobe", ["-show_entries", "stream=width,height,pix_fmt", "-of", "csv=p=0", file.path])
    let expected = "\(picture.format.widthPixels),\(picture.format.heightPixels),\(pixelFormat)"
    try require(String(decoding: probed, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines) == expected)
    var rest = try run("ffmpeg", ["-i", file.path, "-f", "rawvideo", "-"])[...]
    let planes = picture.planes.map { plane in
      defer { rest = rest.dropFirst(plane.width * plane.height) }
      return TestPicture.Plane(
        width: plane.width, height: plane.height, samples: Array(rest.prefix(plane.width * plane.height)))
    }
    try require(rest.isEmpty && planes.allSatisfy { $0.samples.count == $0.width * $0.height })
    return planes
  }

  /// Every sample of a JPEG that must have this size and pixel format, plane after plane.
  package static func decode(_ jpeg: [UInt8], as pixelFormat: String, width: Int, height: Int) throws -> [UInt8] {
    let file = FileManager.default.temporaryDirectory.appending(path: "fieldcorder-\(UUID().uuidString).jpg")
    try Data(jpeg).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let probed = try run("ffprobe", ["-show_entries", "stream=width,height,pix_fmt", "-of", "csv=p=0", file.path])
    try require(
      String(decoding: probed, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        == "\(width),\(height),\(pixelFormat)")
    return try run("ffmpeg", ["-i", file.path, "-f", "rawvideo", "-"])
  }

  /// Expands limited-range samples to full range, with ffmpeg's own arithmetic.
  package static func expand(_ picture: TestPicture) throws -> [TestPicture.Plane] {
    try filter(picture, "scale=in_range=limited:out_range=full:flags=accurate_rnd")
  }

  /// The middle of a picture, scaled to full size by bilinear interpolation.
  package static func cropAndScale(_ picture: TestPicture, width: Int, height: Int) throws -> [TestPicture.Plane] {
    let size = "\(picture.luma.width):\(picture.luma.height)"
    return try filter(picture, "crop=\(width):\(height),scale=\(size):flags=bilinear+accurate_rnd")
  }

  private static func filter(_ picture: TestPicture, _ filters: String) throws -> [TestPicture.Plane] {
    let planes = picture.planes
    let file = FileManager.default.temporaryDirectory.appending(path: "fieldcorder-\(UUID().uuidString).yuv")
    try Data(planes.flatMap(\.samples)).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let pixelFormat = picture.format.pixelFormat == .yuyv ? "yuv422p" : "yuv420p"
    let size = "\(picture.luma.width)x\(picture.luma.height)"
    let filtered = try run(
      "ffmpeg",
      [
        "-f", "rawvideo", "-pixel_format", pixelFormat, "-video_size", size, "-i", file.path, "-vf", filters,
        "-pix_fmt", pixelFormat, "-f", "rawvideo", "-",
      ])
    var rest = filtered[...]
    return planes.map { plane in
      defer { rest = rest.dropFirst(plane.width * plane.height) }
      return TestPicture.Plane(
        width: plane.width, height: plane.height, samples: Array(rest.prefix(plane.width * plane.height)))
    }
  }

  /// - Returns: the program's standard output; it must not report an error.
  private static func run(_ program: String, _ arguments: [String]) throws -> [UInt8] {
    let process = Process()
    let output = Pipe()
    let errors = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [program, "-v", "error"] + arguments
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    let complaints = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    try require(process.terminationStatus == 0 && complaints == "", complaints)
    return Array(bytes)
  }

  private static func require(_ isTrue: Bool, _ complaints: String = "") throws {
    guard isTrue else {
      throw ForeignProgram.Failure(description: "ffmpeg does not decode what was expected \(complaints)")
    }
  }
}
