/// Interleaved PCM as stored in the audio ring and, except for byte order, in the file.
public struct AudioFormat: BitwiseCopyable, Equatable, Sendable {
  /// Sample frames per second, 8,000…192,000.
  public var sampleRateHz: UInt32
  /// 1…8.
  public var channelCount: UInt16
  /// The memory format of one sample of one channel.
  public var sampleFormat: SampleFormat

  package init(sampleRateHz: UInt32, channelCount: UInt16, sampleFormat: SampleFormat) {
    self.sampleRateHz = sampleRateHz
    self.channelCount = channelCount
    self.sampleFormat = sampleFormat
  }

  /// Bytes of one sample frame: one sample of every channel.
  public var bytesPerFrame: Int { Int(channelCount) * sampleFormat.bytesPerSample }
}
