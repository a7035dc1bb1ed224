import TestSupport

/// What ffmpeg makes of a file.
public struct Reference: Sendable {
  /// Sample frames a second.
  public let sampleRateHz: Int
  /// Channels.
  public let channelCount: Int
  /// Every sample, interleaved, little-endian, in the format that was asked for.
  public let samples: ArraySlice<UInt8>
  private let bytesPerSample: Int

  /// Sample frames that come out.
  public var frameCount: Int { samples.count / (channelCount * bytesPerSample) }

  /// How long it sounds.
  public var seconds: Double { Double(frameCount) / Double(sampleRateHz) }

  /// What a lossless file of a signal decodes to, in the signal's own depth.
  public init(_ signal: Signal) {
    channelCount = signal.channelCount
    sampleRateHz = signal.sampleRateHz
    bytesPerSample = signal.bitsPerSample / 8
    samples = signal.bytes()[...]
  }

  /// Has ffmpeg decode a file in its own rate and channels.
  /// - Parameter sampleFormat: as ffmpeg names it.
  /// - Throws: what it complained of.
  public init(path: String, as sampleFormat: SampleCoding = .float32) throws {
    let wav = try ForeignProgram.run(
      "ffmpeg",
      [
        "-nostdin", "-v", "error", "-i", path, "-map", "0:a:0", "-c:a", sampleFormat.rawValue, "-f", "wav", "-",
      ])
    guard let format = Self.chunk("fmt ", of: wav), let data = Self.chunk("data", of: wav) else {
      throw ForeignProgram.Failure(description: "ffmpeg made no WAV of \(path)")
    }
    channelCount = Int(wav[format + 2])
    sampleRateHz = (0..<4).reduce(0) { $0 | Int(wav[format + 4 + $1]) << (8 * $1) }
    bytesPerSample = Int(wav[format + 14]) / 8
    samples = wav[data...]
  }

  /// How a sample is to be written, as ffmpeg names it.
  public enum SampleCoding: String, Sendable {
    case int16 = "pcm_s16le"
    case int24 = "pcm_s24le"
    case float32 = "pcm_f32le"
  }

  /// Where a chunk's content begins. The size of the last one, the sound, was not known when it was written to a pipe.
  private static func chunk(_ name: String, of wav: [UInt8]) -> Int? {
    var offset = 12
    while offset + 8 <= wav.count {
      if wav[offset..<offset + 4].elementsEqual(name.utf8) { return offset + 8 }
      offset += 8 + (4..<8).reduce(0) { $0 | Int(wav[offset + $1]) << (8 * ($1 - 4)) }
    }
    return nil
  }
}
