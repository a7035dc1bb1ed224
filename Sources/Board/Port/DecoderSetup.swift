import Values

/// What a decoder's process decodes to.
public struct DecoderSetup: BitwiseCopyable, Equatable, Sendable {
  /// The speaker's format: everything is converted to it.
  public var format: AudioFormat
  /// Room of the PCM ring, whole frames; 0 for a decoder that only probes.
  public var ringByteCount: Int

  /// A setup of both.
  public init(format: AudioFormat, ringByteCount: Int) {
    self.format = format
    self.ringByteCount = ringByteCount
  }
}
