import Foundation
import TestSupport

/// JPEG files made by independent programs.
package enum TestJPEG {
  /// A picture of waves with a little noise, encoded by libjpeg's own program.
  /// - Parameter options: cjpeg's options.
  package static func libjpeg(width: Int, height: Int, options: [String] = [], seed: UInt64 = 1) throws -> [UInt8] {
    try ForeignProgram.run("cjpeg", options, input: waves(width: width, height: height, seed: seed))
  }

  /// ffmpeg's test picture, encoded by ffmpeg.
  package static func ffmpeg(width: Int, height: Int, pixelFormat: String, options: [String] = []) throws -> [UInt8] {
    try ForeignProgram.run(
      "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=\(width)x\(height)", "-frames:v", "1", "-pix_fmt", pixelFormat]
        + options + ["-c:v", "mjpeg", "-f", "mjpeg", "-"])
  }

  /// The same picture without its Huffman tables.
  package static func withoutHuffmanTables(_ jpeg: [UInt8]) -> [UInt8] {
    SegmentedJPEG(jpeg).removing(.huffmanTables).bytes
  }

  private static func waves(width: Int, height: Int, seed: UInt64) -> [UInt8] {
    var random = SeededGenerator(seed: seed)
    var pixels = Array("P6\n\(width) \(height)\n255\n".utf8)
    for y in 0..<height {
      for x in 0..<width {
        let across = sin(Double(x) / 9 + Double(seed))
        let down = sin(Double(y) / 7 + Double(seed))
        for (a, b) in [(60.0, 50.0), (-50.0, 40.0), (20.0, -70.0)] {
          pixels.append(UInt8(124 + Int(a * across + b * down) + Int(random.next() % 8)))
        }
      }
    }
    return pixels
  }
}
