import Base
import Wire

/// Makes chunks of the recorder's sound: in pieces of any length and format it comes, and in equal pieces of 16 bits it
/// goes, each with the time of its first frame.
package struct ChunkMaker: ~Copyable {
  private var storage: FixedBuffer
  private var format = AudioFormat(sampleRateHz: 48_000, channelCount: 2, sampleFormat: .int16)
  private var clock = ChunkClock(sampleRateHz: 48_000)
  private var frameCount = 0
  private var chunkFrames = 960
  private var first: TimelinePosition = 0

  /// - Returns: nil when `memory` is used up.
  package init?(in memory: inout BootMemory) {
    guard let storage = FixedBuffer(byteCount: SnapcastLimits.payloadByteCount, in: &memory) else { return nil }
    self.storage = storage
  }

  /// Starts over, with another card or format.
  /// - Returns: false when a chunk would be longer than a client takes.
  package mutating func restart(_ format: AudioFormat) -> Bool {
    self.format = format
    clock = ChunkClock(sampleRateHz: format.sampleRateHz)
    frameCount = 0
    chunkFrames = SnapcastServer.chunkFrames(format)
    return chunkFrames * Int(format.channelCount) * 2 <= storage.byteCount
  }

  /// Takes a look at how much there is.
  package mutating func note(end: TimelinePosition, at now: Instant) { clock.note(end: end, at: now) }

  /// Takes frames, and passes each chunk that they complete to `take`.
  /// - Parameter position: of the first of them: a chunk does not reach over frames that were lost.
  package mutating func append(
    _ frames: RawSpan, at position: TimelinePosition, _ take: (_ sound: RawSpan, _ recorded: Instant) -> Void
  ) {
    if frameCount > 0, position != first + UInt64(frameCount) { frameCount = 0 }
    for frame in 0..<frames.byteCount / format.bytesPerFrame {
      if frameCount == 0 { first = position + UInt64(frame) }
      store(frames, frame)
      frameCount += 1
      guard frameCount == chunkFrames else { continue }
      frameCount = 0
      guard let recorded = clock.instant(of: first) else { continue }
      take(storage.bytes.extracting(first: chunkFrames * Int(format.channelCount) * 2), recorded)
    }
  }

  private mutating func store(_ frames: RawSpan, _ frame: Int) {
    let channelCount = Int(format.channelCount)
    let sampleFormat = format.sampleFormat
    let start = frameCount * channelCount
    var room = storage.mutableBytes
    for channel in 0..<channelCount {
      let offset = (frame * channelCount + channel) * sampleFormat.bytesPerSample
      let sample = sampleFormat.int16(at: offset, in: frames)
      room.storeBytes(of: sample.littleEndian, toByteOffset: (start + channel) * 2, as: Int16.self)
    }
  }
}

extension SampleFormat {
  /// The sample at a byte offset in 16 bits: exactly what it is when it has 16, else rounded.
  fileprivate func int16(at offset: Int, in bytes: RawSpan) -> Int16 {
    let scaled = (fraction(at: offset, in: bytes) * 32_768).rounded()
    // NaN compares false.
    guard scaled > -32_768 else { return scaled <= -32_768 ? .min : 0 }
    return scaled < 32_767 ? Int16(scaled) : .max
  }
}
