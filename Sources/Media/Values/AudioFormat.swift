/// Interleaved PCM as it lies in the audio ring and, but for byte order, in the file.
public struct AudioFormat: BitwiseCopyable, Equatable, Sendable {
  /// Sample frames a second, 8,000…192,000.
  public var sampleRateHz: UInt32
  /// 1…8.
  public var channelCount: UInt16
  /// How one sample of one channel lies in memory.
  public var sampleFormat: SampleFormat

  /// A format of all that it is made of.
  public init(sampleRateHz: UInt32, channelCount: UInt16, sampleFormat: SampleFormat) {
    self.sampleRateHz = sampleRateHz
    self.channelCount = channelCount
    self.sampleFormat = sampleFormat
  }

  /// Bytes of one sample frame: one sample of every channel.
  public var bytesPerFrame: Int { Int(channelCount) * sampleFormat.bytesPerSample }
}
