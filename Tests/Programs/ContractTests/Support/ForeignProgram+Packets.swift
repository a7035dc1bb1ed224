import Foundation
import TestSupport

/// A packet of a file, as ffprobe lists it.
struct Packet {
  var startSeconds: Double
  var durationSeconds: Double
}

extension ForeignProgram {
  /// Every packet of a stream, such as `a:0`: what a file holds that is still growing stands in no header.
  static func packets(_ path: String, stream: String) throws -> [Packet] {
    let list = try text(
      "ffprobe",
      [
        "-v", "error", "-select_streams", stream, "-show_entries", "packet=pts_time,duration_time", "-of", "csv=p=0",
        path,
      ])
    return list.split(separator: "\n").compactMap { line in
      let fields = line.split(separator: ",", omittingEmptySubsequences: false)
      guard fields.count >= 2, let start = Double(fields[0]) else { return nil }
      return Packet(startSeconds: start, durationSeconds: Double(fields[1]) ?? 0)
    }
  }

  /// The bytes of every picture of a file, as they lie in it.
  static func pictures(_ path: String) throws -> [[UInt8]] {
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    let list = try text(
      "ffprobe", ["-v", "error", "-select_streams", "v:0", "-show_entries", "packet=size,pos", "-of", "csv=p=0", path])
    return try list.split(separator: "\n").map { line in
      let numbers = line.split(separator: ",").compactMap { UInt64($0) }
      guard numbers.count == 2 else { throw Failure(description: "ffprobe does not know where a picture is") }
      try file.seek(toOffset: numbers[1])
      return [UInt8](try file.read(upToCount: Int(numbers[0])) ?? Data())
    }
  }

  /// How much sound a file holds, whether it was finished or not.
  static func soundSeconds(_ path: String) throws -> Double {
    try packets(path, stream: "a:0").last.map { $0.startSeconds + $0.durationSeconds } ?? 0
  }

  /// The samples of a part of a file, interleaved, full scale being 1.
  static func samples(_ path: String, fromSeconds start: Double, seconds: Double) throws -> [Float] {
    let bytes = try run(
      "ffmpeg",
      [
        "-v", "error", "-ss", String(start), "-t", String(seconds), "-i", path, "-map", "0:a:0", "-f", "f32le", "-",
      ])
    return stride(from: 0, to: bytes.count, by: 4).map { offset in
      Float(bitPattern: (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[offset + $1]) << (8 * UInt32($1)) })
    }
  }
}
