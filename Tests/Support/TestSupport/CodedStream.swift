import Foundation

/// An H.264 stream made by libx264 in the style of a hardware encoder, without B-frames: one packet per picture.
package struct CodedStream: Sendable {
  /// Encoding parameters.
  package struct Choice: Sendable, CustomStringConvertible {
    /// As named by libx264.
    package var profile: String
    /// Width of the visible picture; the coded one is a multiple of 16.
    package var widthPixels: Int
    /// Height of the visible picture; the coded one is a multiple of 16.
    package var heightPixels: Int
    /// Pictures from one keyframe to the next.
    package var keyframeInterval: Int
    /// Slices per picture.
    package var sliceCount = 1
    /// The pixel format, as named by ffmpeg.
    package var pixels = "yuv420p"

    /// Parameters from their values.
    package init(
      _ profile: String, _ widthPixels: Int, _ heightPixels: Int, keyframeInterval: Int, sliceCount: Int = 1,
      pixels: String = "yuv420p"
    ) {
      self.profile = profile
      self.widthPixels = widthPixels
      self.heightPixels = heightPixels
      self.keyframeInterval = keyframeInterval
      self.sliceCount = sliceCount
      self.pixels = pixels
    }

    /// The name in a test's title.
    package var description: String {
      "\(profile) \(widthPixels)x\(heightPixels), a keyframe every \(keyframeInterval), \(sliceCount) slices"
    }
  }

  /// Annex B packets: delimiter, parameter sets if any, picture.
  package var packets: [[UInt8]]
  /// Whether each packet is a keyframe, as reported by ffprobe.
  package let keyframes: [Bool]
  /// The decoded pictures' digests, as reported by ffmpeg.
  package let digests: [String]
  /// Its encoding parameters.
  package let choice: Choice
  /// The stream in one piece.
  package let bytes: [UInt8]

  /// Encodes `pictureCount` pictures, all of them different.
  package init(_ choice: Choice, pictureCount: Int) throws {
    self.choice = choice
    let folder = try TemporaryFolder()
    let path = folder.path(of: "stream.h264")
    let parameters = "aud=1:repeat-headers=1:scenecut=0:open-gop=0:slices=\(choice.sliceCount)"
    try ForeignProgram.run(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i",
        "testsrc2=size=\(choice.widthPixels)x\(choice.heightPixels):rate=25,noise=alls=10:allf=t:all_seed=1",
        "-frames:v", "\(pictureCount)", "-pix_fmt", choice.pixels, "-c:v", "libx264", "-profile:v", choice.profile,
        "-preset", "veryfast", "-threads", "1", "-bf", "0", "-g", "\(choice.keyframeInterval)",
        "-x264-params", parameters, path,
      ])
    bytes = try folder.read("stream.h264")
    packets = Self.split(bytes)
    keyframes = try Self.keyframes(path)
    digests = try Self.digests(path)
    precondition(packets.count == pictureCount && keyframes.count == pictureCount)
    precondition(Set(digests).count == pictureCount, "two pictures of the stream are alike")
  }

  /// The units of a packet, without start codes.
  package static func units(_ packet: [UInt8]) -> [[UInt8]] {
    var starts: [Int] = []
    for index in packet.indices.dropLast(2) where packet[index...].starts(with: [0, 0, 1]) { starts.append(index) }
    return starts.enumerated().map { number, start in
      var unit = packet[(start + 3)..<(number + 1 < starts.count ? starts[number + 1] : packet.count)]
      while unit.last == 0 { unit.removeLast() }
      return Array(unit)
    }
  }

  /// Whether a unit is a parameter set.
  package static func isParameterSet(_ unit: [UInt8]) -> Bool { [7, 8].contains(unit[0] & 0x1F) }

  /// The packets without delimiters, and with parameter sets only in the first of `parameterSetsIn`.
  package func packets(parameterSetsIn: Set<Int>, startCode: [UInt8] = [0, 0, 0, 1]) -> [[UInt8]] {
    packets.enumerated().map { number, packet in
      Self.units(packet).filter { unit in
        unit[0] & 0x1F != 9 && (parameterSetsIn.contains(number) || !Self.isParameterSet(unit))
      }.flatMap { startCode + $0 }
    }
  }

  /// The digest of every picture of a file, as coded, whatever its orientation.
  /// - Throws: if ffmpeg reports an error.
  package static func digests(_ path: String) throws -> [String] {
    let text = try ForeignProgram.text(
      "ffmpeg",
      [
        "-v", "error", "-xerror", "-noautorotate", "-i", path, "-map", "0:v", "-fps_mode", "passthrough", "-f",
        "framemd5", "-",
      ])
    return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { line in
      line.split(separator: ",").last.map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }

  /// Which packets of a file's video stream are keyframes, as reported by ffprobe.
  package static func keyframes(_ path: String) throws -> [Bool] {
    try ForeignProgram.text(
      "ffprobe", ["-v", "error", "-select_streams", "v", "-show_entries", "packet=flags", "-of", "csv=p=0", path]
    ).split(separator: "\n").filter { !$0.isEmpty }.map { $0.hasPrefix("K") }
  }

  /// Splits at the delimiters, which begin every picture.
  private static func split(_ bytes: [UInt8]) -> [[UInt8]] {
    let delimiter: [UInt8] = [0, 0, 0, 1, 9]
    var starts: [Int] = []
    for index in bytes.indices where bytes[index] == 0 && bytes[index...].starts(with: delimiter) {
      starts.append(index)
    }
    return starts.enumerated().map { number, start in
      Array(bytes[start..<(number + 1 < starts.count ? starts[number + 1] : bytes.count)])
    }
  }
}
