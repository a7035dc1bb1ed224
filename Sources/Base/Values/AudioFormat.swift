/// Interleaved PCM as stored in the audio ring and, except for byte order, in the file.
package struct AudioFormat: BitwiseCopyable, Equatable, Sendable {
  /// Sample frames per second, 8,000…192,000.
  package var sampleRateHz: UInt32
  /// 1…8.
  package var channelCount: UInt16
  /// The memory format of one sample of one channel.
  package var sampleFormat: SampleFormat

  package init(sampleRateHz: UInt32, channelCount: UInt16, sampleFormat: SampleFormat) {
    self.sampleRateHz = sampleRateHz
    self.channelCount = channelCount
    self.sampleFormat = sampleFormat
  }

  /// Bytes of one sample frame: one sample of every channel.
  package var bytesPerFrame: Int { Int(channelCount) * sampleFormat.bytesPerSample }
}
