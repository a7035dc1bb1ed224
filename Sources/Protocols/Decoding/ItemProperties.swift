import Text

/// What an open file is.
public struct ItemProperties: BitwiseCopyable, Equatable, Sendable {
  /// How long it sounds, without the padding of its coding.
  public var durationSeconds: Double
  /// Sample frames of the file in its own rate, likewise.
  public var frameCount: UInt64
  /// The file's own rate.
  public var sampleRateHz: UInt32
  /// The file's own channels.
  public var channelCount: UInt16
  /// What it is coded in, as people call it: `pcm_s16le`, `mp3`.
  public var codecName: FixedText<24>
  /// Sample frames of each packet; 0 when packets hold different numbers of them.
  public var framesPerPacket: UInt32
  /// Whether packets differ in bytes, or in frames.
  public var packetsVary: Bool
  /// Bytes of the largest packet, or what bounds it.
  public var largestPacketByteCount: UInt32
  /// Bytes of each of the three buffers.
  public var bufferByteCount: UInt32
  /// Packets that are read into a buffer at once.
  public var packetsPerRead: UInt32
  /// From the file's tags; empty when it has none.
  public var title: FixedText<128>
  /// Likewise.
  public var artist: FixedText<128>

  /// Properties of a file without sound, to be filled in.
  public init() {
    durationSeconds = 0
    frameCount = 0
    sampleRateHz = 0
    channelCount = 0
    codecName = ""
    framesPerPacket = 0
    packetsVary = false
    largestPacketByteCount = 0
    bufferByteCount = 0
    packetsPerRead = 0
    title = ""
    artist = ""
  }
}
