import TestSupport

/// A file as decoded by ffmpeg.
package struct Reference: Sendable {
  /// Sample frames per second.
  package let sampleRateHz: Int
  /// Channels.
  package let channelCount: Int
  /// Every sample, interleaved, little-endian, in the requested format.
  package let samples: ArraySlice<UInt8>
  private let bytesPerSample: Int

  /// The number of decoded sample frames.
  package var frameCount: Int { samples.count / (channelCount * bytesPerSample) }

  /// Duration in seconds.
  package var seconds: Double { Double(frameCount) / Double(sampleRateHz) }

  /// The expected result for a lossless file of a signal, in the signal's own depth.
  package init(_ signal: Signal) {
    channelCount = signal.channelCount
    sampleRateHz = signal.sampleRateHz
    bytesPerSample = signal.bitsPerSample / 8
    samples = signal.bytes()[...]
  }

  /// Lets ffmpeg decode a file at the file's own rate and channel count.
  /// - Parameter sampleFormat: as named by ffmpeg.
  /// - Throws: the error reported by ffmpeg.
  package init(path: String, as sampleFormat: SampleCoding = .float32) throws {
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

  /// The format of a sample, as named by ffmpeg.
  package enum SampleCoding: String, Sendable {
    case int16 = "pcm_s16le"
    case int24 = "pcm_s24le"
    case float32 = "pcm_f32le"
  }

  /// The offset of a chunk's content. The size of the last chunk, the sound, was unknown when it was written to a pipe.
  private static func chunk(_ name: String, of wav: [UInt8]) -> Int? {
    var offset = 12
    while offset + 8 <= wav.count {
      if wav[offset..<offset + 4].elementsEqual(name.utf8) { return offset + 8 }
      offset += 8 + (4..<8).reduce(0) { $0 | Int(wav[offset + $1]) << (8 * ($1 - 4)) }
    }
    return nil
  }
}
