import Base
import Machine

/// A sound card that is not heard itself: the player's frames go into a ring that other programs read, each frame at
/// its instant of a ``SharedTimeline``. So pause, seek, volume and all else apply to every listener.
///
/// While the player gives nothing there is silence: the timeline never stops.
package struct SharedCard: SpeakerDriver, ~Copyable {
  private var producer: SampleRingProducer
  private var consumer: SampleRingConsumer
  let tap: SampleRingTap
  /// The player's format.
  private let format: AudioFormat
  /// The ring's format; nil before anything was shared.
  private(set) var sharedFormat: AudioFormat?
  private(set) var timeline: SharedTimeline
  /// The first shared position; nothing was shared before it.
  private(set) var first: TimelinePosition = 0
  /// How much later than its instant a frame is heard.
  let delayNanoseconds: UInt64
  /// Frames that are not due yet, from `waitingStart` on.
  private var waiting: FixedBuffer
  private var waitingStart = 0
  private var waitingCount = 0
  private var isRunning = false
  private var hasRunDry = false

  /// As much as an ordinary card holds: ten exchanges.
  private static var bufferMilliseconds: UInt32 { 200 }

  /// - Parameters:
  ///   - ring: read by other programs, with ``ringByteCount(_:delayMilliseconds:)`` bytes.
  ///   - format: of the player.
  /// - Returns: nil if too little of `memory` is left.
  init?(_ ring: consuming SampleRing, _ format: AudioFormat, delayMilliseconds: UInt32, in memory: inout BootMemory) {
    let frames = PlaybackLimits.frames(milliseconds: Self.bufferMilliseconds, format)
    guard let waiting = FixedBuffer(byteCount: frames * format.bytesPerFrame, in: &memory) else { return nil }
    tap = ring.tap
    producer = ring.producer
    consumer = ring.consumer
    self.format = format
    self.waiting = waiting
    delayNanoseconds = UInt64(delayMilliseconds) * 1_000_000
    timeline = SharedTimeline(first: 0, at: 0, sampleRateHz: format.sampleRateHz)
  }

  /// The size of the ring in bytes: the local speaker reads what was shared `delayMilliseconds` ago, a tap may read
  /// three quarters, and half a second more allows for a late exchange.
  package static func ringByteCount(_ format: AudioFormat, delayMilliseconds: UInt32) -> Int {
    PlaybackLimits.frames(milliseconds: delayMilliseconds + 500, format) * format.bytesPerFrame * 4 / 3
  }

  /// Starts a timeline now, with silence.
  /// - Parameter microphone: what listeners hear otherwise; nil while it is closed. Its format is kept so that they
  ///   stay connected, unless its rate differs or the ring is too small for it.
  mutating func begin(_ microphone: AudioFormat?, at now: Instant) {
    consumer.release(before: consumer.end)
    var wanted = format
    if let microphone, microphone.sampleRateHz == format.sampleRateHz, tap.holds(microphone, for: delayNanoseconds) {
      wanted = microphone
    }
    if wanted != sharedFormat { producer.setFormat(wanted) }
    sharedFormat = wanted
    first = producer.end
    timeline = SharedTimeline(first: first, at: now, sampleRateHz: format.sampleRateHz)
  }

  /// Hands the frames that are due to the listeners.
  mutating func advance(at now: Instant) {
    guard let shared = sharedFormat else { return }
    consumer.release(before: consumer.end)
    let due = timeline.position(at: now)
    while producer.end < due {
      if isRunning, waitingCount == 0 {
        isRunning = false
        hasRunDry = true
      }
      let most = Int(clamping: due - producer.end)
      let moved = isRunning ? moveSound(atMost: min(waitingCount, most), shared) : addSilence(most, shared)
      guard moved > 0 else { return }
    }
  }

  private mutating func moveSound(atMost frameCount: Int, _ shared: AudioFormat) -> Int {
    let capacity = capacityFrames
    let moved = Self.move(
      waiting, from: waitingStart, capacity: capacity, format, to: &producer, frameCount: frameCount, shared)
    waitingStart = (waitingStart + moved) % capacity
    waitingCount -= moved
    return moved
  }

  private static func move(
    _ waiting: borrowing FixedBuffer, from start: Int, capacity: Int, _ format: AudioFormat,
    to producer: inout SampleRingProducer, frameCount: Int, _ shared: AudioFormat
  ) -> Int {
    var room = producer.acquire(maximumFrames: frameCount)
    let moved = room.byteCount / shared.bytesPerFrame
    for frame in 0..<moved {
      SoundConversion.copy(waiting.bytes, frame: (start + frame) % capacity, format, into: &room, frame: frame, shared)
    }
    producer.commit(frameCount: moved)
    return moved
  }

  private mutating func addSilence(_ frameCount: Int, _ shared: AudioFormat) -> Int {
    var room = producer.acquire(maximumFrames: frameCount)
    let added = room.byteCount / shared.bytesPerFrame
    for offset in 0..<added * shared.bytesPerFrame { room.storeBytes(of: 0, toByteOffset: offset, as: UInt8.self) }
    producer.commit(frameCount: added)
    return added
  }

  private var capacityFrames: Int { waiting.byteCount / format.bytesPerFrame }

  /// - Returns: the player's format, since there is nothing to negotiate.
  package mutating func open(_ request: SoundCardRequest) throws(DeviceFailure) -> AudioFormat {
    stop()
    return format
  }

  package mutating func look() throws(DeviceFailure) -> SpeakerState {
    SpeakerState(
      isRunning: isRunning, queuedFrames: waitingCount, freeFrames: capacityFrames - waitingCount, hasRunDry: hasRunDry,
      nextFrameInstant: timeline.instant(of: producer.end + UInt64(waitingCount)) + delayNanoseconds)
  }

  package mutating func write(_ frames: RawSpan) throws(DeviceFailure) -> Int {
    let bytesPerFrame = format.bytesPerFrame
    let capacity = capacityFrames
    let end = waitingStart + waitingCount
    let frameCount = min(frames.byteCount / bytesPerFrame, capacity - waitingCount)
    var room = waiting.mutableBytes
    for frame in 0..<frameCount {
      let place = (end + frame) % capacity
      for index in 0..<bytesPerFrame {
        room.storeBytes(
          of: frames.byte(at: frame * bytesPerFrame + index), toByteOffset: place * bytesPerFrame + index,
          as: UInt8.self)
      }
    }
    waitingCount += frameCount
    return frameCount
  }

  package mutating func start() throws(DeviceFailure) { isRunning = true }

  package mutating func stop() {
    waitingCount = 0
    isRunning = false
    hasRunDry = false
  }

  package mutating func close() { stop() }
}

extension SampleRingTap {
  /// Whether the ring can hold this much of another format, plus the reserve for a reader and a late exchange.
  fileprivate func holds(_ format: AudioFormat, for nanoseconds: UInt64) -> Bool {
    SharedCard.ringByteCount(format, delayMilliseconds: UInt32(nanoseconds / 1_000_000)) <= level.byteCount
  }
}

/// Copies frames between formats of the same rate.
enum SoundConversion {
  /// If the target has more channels, the source's last channel feeds the extra ones.
  static func copy(
    _ source: RawSpan, frame: Int, _ format: AudioFormat, into target: inout MutableRawSpan, frame targetFrame: Int,
    _ targetFormat: AudioFormat
  ) {
    for channel in 0..<Int(targetFormat.channelCount) {
      let sample = sample(source, frame: frame, channel: channel, format)
      let place = targetFrame * targetFormat.bytesPerFrame + channel * targetFormat.sampleFormat.bytesPerSample
      targetFormat.sampleFormat.store(sample * scale(format, targetFormat), into: &target, at: place)
    }
  }

  /// A sample in the source's own units.
  static func sample(_ source: RawSpan, frame: Int, channel: Int, _ format: AudioFormat) -> Double {
    let place = min(channel, Int(format.channelCount) - 1) * format.sampleFormat.bytesPerSample
    return format.sampleFormat.load(from: source, at: frame * format.bytesPerFrame + place)
  }

  /// A power of two, so that values within range convert exactly.
  static func scale(_ format: AudioFormat, _ target: AudioFormat) -> Double {
    target.sampleFormat.unit / format.sampleFormat.unit
  }
}

extension SampleFormat {
  /// The magnitude of the lowest sample.
  fileprivate var unit: Double {
    switch self {
    case .int16: 32_768
    case .int24: 8_388_608
    case .float32: 1
    }
  }
}
