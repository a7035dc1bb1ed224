import Foundation

/// JPEG pictures that ffmpeg made: all different, 64×48.
enum Pictures {
  static let widthPixels: UInt16 = 64
  static let heightPixels: UInt16 = 48

  static let all: [[UInt8]] = {
    let folder = temporaryFile("pictures")
    defer { try? FileManager.default.removeItem(atPath: folder) }
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try Program.run([
        "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=size=64x48:rate=25", "-frames:v", "40",
        "-c:v", "mjpeg", "-q:v", "12", "-pix_fmt", "yuvj422p", folder + "/%03d.jpg",
      ])
      return try (1...40).map { number in
        try [UInt8](Data(contentsOf: URL(fileURLWithPath: folder + String(format: "/%03d.jpg", number))))
      }
    } catch {
      fatalError("no pictures to test with: \(error)")
    }
  }()
}
