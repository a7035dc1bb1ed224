import Base
import Wire

/// Cuts the recorder's sound into chunks: it takes frames in pieces of any length and any format, and returns equal
/// pieces of 16-bit samples, each with the time of its first frame.
package struct ChunkMaker: ~Copyable {
  private var storage: FixedBuffer
  private var format = AudioFormat(sampleRateHz: 48_000, channelCount: 2, sampleFormat: .int16)
  /// When frames were recorded, estimated from the observations so far.
  package private(set) var clock = ChunkClock(sampleRateHz: 48_000)
  /// The instant of frame 0 if it is known exactly; otherwise it follows from observations.
  private var epoch: Instant?
  private var frameCount = 0
  private var chunkFrames = 960
  private var first: TimelinePosition = 0

  package init?(in memory: inout BootMemory) {
    guard let storage = FixedBuffer(byteCount: SnapcastLimits.payloadByteCount, in: &memory) else { return nil }
    self.storage = storage
  }

  /// Starts over with another card, format or source.
  /// - Parameter epoch: the instant of frame 0 on the monotonic clock; nil to derive it from observations.
  /// - Returns: false if a chunk would be longer than a client accepts.
  package mutating func restart(_ format: AudioFormat, epoch: Instant? = nil) -> Bool {
    self.format = format
    self.epoch = epoch
    clock = ChunkClock(sampleRateHz: format.sampleRateHz)
    frameCount = 0
    chunkFrames = SnapcastServer.chunkFrames(format)
    return chunkFrames * Int(format.channelCount) * 2 <= storage.byteCount
  }

  /// Notes how many frames there are at an instant.
  package mutating func note(end: TimelinePosition, at now: Instant) { clock.note(end: end, at: now) }

  /// Uses another maker's observations of the same frames from now on, so that both give each frame the same time.
  package mutating func go(by clock: ChunkClock) { self.clock = clock }

  /// Takes frames, and passes each chunk that they complete to `take`.
  /// - Parameter position: of the first frame: a chunk does not extend across lost frames.
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
      guard let recorded = instant(of: first) else { continue }
      take(storage.bytes.extracting(first: chunkFrames * Int(format.channelCount) * 2), recorded)
    }
  }

  private func instant(of position: TimelinePosition) -> Instant? {
    guard let epoch else { return clock.instant(of: position) }
    let rate = UInt64(format.sampleRateHz)
    let (seconds, rest) = position.rawValue.quotientAndRemainder(dividingBy: rate)
    return epoch + seconds * 1_000_000_000 + rest * 1_000_000_000 / rate
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
  /// The sample at a byte offset in 16 bits: exact if it has 16 bits, otherwise rounded.
  fileprivate func int16(at offset: Int, in bytes: RawSpan) -> Int16 {
    let scaled = (fraction(at: offset, in: bytes) * 32_768).rounded()
    // Comparisons with NaN are false.
    guard scaled > -32_768 else { return scaled <= -32_768 ? .min : 0 }
    return scaled < 32_767 ? Int16(scaled) : .max
  }
}

/// The newest chunks in their wire format, the same for all clients. A client that has not been sent a chunk by the
/// time it is overwritten is too slow.
struct ChunkRing: ~Copyable {
  private var storage: FixedBuffer
  private var slotCount = 0
  /// The size of each chunk with its headers.
  private(set) var messageByteCount = 0
  /// One past the newest chunk, counted since the program started.
  private(set) var end: UInt64 = 0
  private var start: UInt64 = 0

  init?(in memory: inout BootMemory) {
    guard let storage = FixedBuffer(byteCount: SnapcastLimits.backlogByteCount, in: &memory) else { return nil }
    self.storage = storage
  }

  /// Sets the bytes of sound in each chunk that follows; earlier chunks are discarded.
  mutating func restart(soundByteCount: Int) {
    messageByteCount = Chunk.headByteCount + soundByteCount
    slotCount = storage.byteCount / messageByteCount
    start = end
  }

  /// - Parameter sound: as many bytes as given to ``restart(soundByteCount:)``.
  mutating func append(_ sound: RawSpan, recorded: Instant, at now: Instant) {
    let place = Int(end % UInt64(slotCount)) * messageByteCount
    let placeEnd = place + messageByteCount
    var bytes = storage.mutableBytes
    var room = bytes._mutatingExtracting(place..<placeEnd)
    Chunk(recorded: WireTime(recorded), byteCount: sound.byteCount).writeHead(into: &room, sent: WireTime(now))
    for index in 0..<sound.byteCount {
      room.storeBytes(of: sound.byte(at: index), toByteOffset: Chunk.headByteCount + index, as: UInt8.self)
    }
    end += 1
  }

  /// Whether a chunk is held, or is still to come.
  func holds(_ number: UInt64) -> Bool { number >= start && end <= number + UInt64(slotCount) }

  /// The bytes from this chunk to the newest one, with headers, for a client that is that far behind.
  func byteCount(since number: UInt64) -> Int { number < end ? Int(end - number) * messageByteCount : 0 }

  /// A chunk that is held, as a message.
  @_lifetime(borrow self)
  func message(_ number: UInt64) -> RawSpan {
    let place = Int(number % UInt64(slotCount)) * messageByteCount
    return storage.bytes.extracting(place..<place + messageByteCount)
  }
}
