import Foundation
import TestSupport

/// JPEG pictures made by ffmpeg: all different, 64×48.
enum Pictures {
  static let widthPixels: UInt16 = 64
  static let heightPixels: UInt16 = 48

  static let all: [[UInt8]] = {
    do {
      let folder = try TemporaryFolder()
      try ForeignProgram.run(
        "ffmpeg",
        [
          "-v", "error", "-f", "lavfi", "-i", "testsrc=size=64x48:rate=25", "-frames:v", "40",
          "-c:v", "mjpeg", "-q:v", "12", "-pix_fmt", "yuvj422p", folder.path(of: "%03d.jpg"),
        ])
      return try (1...40).map { try folder.read(String(format: "%03d.jpg", $0)) }
    } catch {
      fatalError("no pictures to test with: \(error)")
    }
  }()
}
