import Foundation
import TestSupport

/// The pictures of a recorded file, as read by ffmpeg and ffprobe.
struct RecordedMovie {
  let path: String
  /// The number in each picture, in the file's order; nil if it cannot be read.
  let numbers: [UInt32?]
  /// When each picture is shown.
  let seconds: [Double]
  /// When each picture with the flash on is shown.
  let flashSeconds: [Double]

  init(_ path: String) throws {
    self.path = path
    // Each cell of the simulated camera's grid becomes 4 × 4 pixels, for any size of the picture.
    let luma = try ForeignProgram.run(
      "ffmpeg",
      [
        "-v", "error", "-noautorotate", "-i", path, "-map", "0:v:0", "-fps_mode", "passthrough", "-vf",
        "scale=80:60:flags=area", "-f", "rawvideo", "-pix_fmt", "gray", "-",
      ])
    let pictures = LumaPicture.sequence(luma, widthPixels: 80, heightPixels: 60)
    numbers = pictures.map(FrameNumberReader.read)
    seconds = try ForeignProgram.pictureSeconds(path)
    flashSeconds = zip(pictures, seconds).filter { FlashDetector.isFlashing($0.0) }.map(\.1)
  }

  /// The first number that is missing or repeated; nil if the numbers are consecutive.
  var firstGap: String? {
    guard numbers.count == seconds.count else { return "\(numbers.count) pictures, but \(seconds.count) packets" }
    for (before, number) in zip(numbers, numbers.dropFirst()) where number == nil || number != before.map({ $0 + 1 }) {
      return "\(before.map(String.init) ?? "unreadable"), then \(number.map(String.init) ?? "unreadable")"
    }
    return numbers.isEmpty ? "no pictures" : nil
  }

  /// The distance of each flash from the nearest click, in seconds.
  func distances(toClicks clicks: [Double]) -> [Double] {
    flashSeconds.map { flash in clicks.map { abs($0 - flash) }.min() ?? .infinity }
  }
}
