import Base

/// What is known of an open file.
package struct ItemProperties: BitwiseCopyable, Equatable, Sendable {
  /// Without the padding of its coding.
  package var durationSeconds = 0.0
  /// Sample frames in the file's own rate, without padding.
  package var frameCount: UInt64 = 0
  /// The file's own rate.
  package var sampleRateHz: UInt32 = 0
  /// The file's own channels.
  package var channelCount: UInt16 = 0
  /// FFmpeg's name of the codec: `pcm_s16le`, `mp3`.
  package var codecName: FixedText<24> = ""
  /// Sample frames of each packet; 0 when packets hold different numbers of them.
  package var framesPerPacket: UInt32 = 0
  /// Whether packets differ in bytes, or in frames.
  package var packetsVary = false
  /// Bytes of the largest packet, or an upper bound.
  package var largestPacketByteCount: UInt32 = 0
  /// Bytes of each of the three buffers.
  package var bufferByteCount: UInt32 = 0
  /// Packets that one read puts into a buffer.
  package var packetsPerRead: UInt32 = 0
  /// From the file's tags; empty when it has none.
  package var title: FixedText<128> = ""
  /// From the file's tags; empty when it has none.
  package var artist: FixedText<128> = ""

  package init() {}

  /// Whether the duration can occur: below 30 years.
  package var isPossible: Bool { durationSeconds >= 0 && durationSeconds < 1e9 }

  /// The numbers, and three texts of full length, each after its length.
  static var maximumByteCount: Int { 39 + (1 + 24) + 2 * (1 + 128) }

  func encode(into writer: inout WireWriter) {
    writer.fraction(durationSeconds)
    writer.number(frameCount)
    writer.number(sampleRateHz)
    writer.number(channelCount)
    writer.number(framesPerPacket)
    writer.flag(packetsVary)
    writer.number(largestPacketByteCount)
    writer.number(bufferByteCount)
    writer.number(packetsPerRead)
    writer.text(codecName)
    writer.text(title)
    writer.text(artist)
  }

  init(_ reader: inout WireReader) throws(MalformedMessage) {
    self.init()
    durationSeconds = try reader.seconds()
    frameCount = try reader.count()
    sampleRateHz = try reader.number(in: 1...10_000_000)
    channelCount = try reader.number(in: 1...1024)
    framesPerPacket = try reader.number()
    packetsVary = try reader.flag()
    largestPacketByteCount = try reader.number()
    bufferByteCount = try reader.number()
    packetsPerRead = try reader.number()
    codecName = try reader.text()
    title = try reader.text()
    artist = try reader.text()
  }
}
