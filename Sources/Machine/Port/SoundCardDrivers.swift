import Base

/// The configured settings for a sound card's microphone or speaker; the driver takes the nearest that the card offers.
package struct SoundCardRequest: BitwiseCopyable, Sendable {
  /// An ALSA device name, such as `hw:0` or `default`.
  package var deviceName: FixedText<64>
  /// Sample frames per second, 8,000…192,000.
  package var sampleRateHz: UInt32
  /// 1…8.
  package var channelCount: UInt16
  /// Nil for the best format that the card offers.
  package var sampleFormat: SampleFormat?
  /// The length of the card's own buffer.
  package var bufferMilliseconds: UInt32

  package init(
    deviceName: FixedText<64>, sampleRateHz: UInt32, channelCount: UInt16, sampleFormat: SampleFormat?,
    bufferMilliseconds: UInt32
  ) {
    self.deviceName = deviceName
    self.sampleRateHz = sampleRateHz
    self.channelCount = channelCount
    self.sampleFormat = sampleFormat
    self.bufferMilliseconds = bufferMilliseconds
  }
}

/// A sound card's capture side. Reading it never blocks; other calls may.
package protocol MicrophoneDriver: SlowDevice, ~Copyable where Order == MicrophoneOrder, Outcome == AudioFormat? {
  /// Opens the card and starts it.
  /// - Returns: the agreed format, in which ``read(into:)`` delivers.
  mutating func open(_ request: SoundCardRequest) throws(DeviceFailure) -> AudioFormat

  /// Moves the frames sampled since the last call into `buffer`, as many as fit; never blocks.
  /// - Throws: if the card has gone. An overrun is not an error: the result reports it.
  mutating func read(into buffer: inout MutableRawSpan) throws(DeviceFailure) -> MicrophoneRead

  /// The capacity of the card's own buffer; 0 while the card is closed.
  var bufferNanoseconds: UInt64 { get }

  /// Restarts a card that has stopped by itself.
  mutating func restart() throws(DeviceFailure)

  /// Stops the card; undelivered frames are lost. Does nothing if it is closed.
  mutating func close()
}

package enum MicrophoneOrder: BitwiseCopyable, Sendable {
  /// The outcome is the agreed format.
  case open(SoundCardRequest)
  case restart
  case close
}

extension MicrophoneDriver where Self: ~Copyable {
  /// Makes an order's calls.
  package mutating func carryOut(_ order: MicrophoneOrder) throws(DeviceFailure) -> AudioFormat? {
    switch order {
    case .open(let request): return try open(request)
    case .restart: try restart()
    case .close: close()
    }
    return nil
  }
}

package struct MicrophoneRead: Equatable, Sendable {
  /// Frames written to the buffer, from its start.
  package var frameCount: Int
  /// Frames lost to an overrun since the last call. A call that reports a loss delivers no frames, so that the reader
  /// can fill the gap first.
  package var lostFrameCount: Int
  /// When the frame after the last one read was sampled, on the monotonic clock.
  package var endInstant: Instant
  /// Whether the card has stopped, after an overrun or a suspend. Once restarted, it delivers again and reports what
  /// was lost.
  package var hasStopped: Bool

  package init(frameCount: Int, lostFrameCount: Int, endInstant: Instant, hasStopped: Bool = false) {
    self.frameCount = frameCount
    self.lostFrameCount = lostFrameCount
    self.endInstant = endInstant
    self.hasStopped = hasStopped
  }
}

/// A sound card's playback side. Polling its state and writing never block; other calls may.
///
/// From ``start()`` on, it plays what is written, in order.
package protocol SpeakerDriver: SlowDevice, ~Copyable where Order == SpeakerOrder, Outcome == SpeakerOutcome {
  /// Opens the card.
  /// - Returns: the agreed format, which ``write(_:)`` takes.
  /// - Throws: `absent`, `busy` while another program holds it, `noPermission`, `unsupported`.
  mutating func open(_ request: SoundCardRequest) throws(DeviceFailure) -> AudioFormat

  /// The current state. An underrun is not an error: the result reports it, until ``stop()``.
  /// - Throws: if the card has gone: close it and open it again.
  mutating func look() throws(DeviceFailure) -> SpeakerState

  /// Takes as many whole frames of `frames` as fit into the card's buffer. Never blocks.
  /// - Returns: how many frames it took.
  /// - Throws: as ``look()``.
  mutating func write(_ frames: RawSpan) throws(DeviceFailure) -> Int

  /// Starts playing what was written since ``open(_:)`` or ``stop()``; some drivers are slow to start.
  /// - Throws: as ``look()``.
  mutating func start() throws(DeviceFailure)

  /// Stops playing at once and makes the card ready to start again; frames written but not yet played are dropped.
  mutating func stop()

  /// Releases the card for other programs. Does nothing if it is closed.
  mutating func close()
}

package enum SpeakerOrder: BitwiseCopyable, Sendable {
  case open(SoundCardRequest)
  case start
  case stop
  case close
}

package enum SpeakerOutcome: BitwiseCopyable, Sendable {
  /// The agreed format.
  case opened(AudioFormat)
  case started
  /// Frames written but not played; nil if the card did not report it.
  case stopped(queuedFrames: Int?)
  case closed
}

extension SpeakerDriver where Self: ~Copyable {
  /// Makes an order's calls.
  package mutating func carryOut(_ order: SpeakerOrder) throws(DeviceFailure) -> SpeakerOutcome {
    switch order {
    case .open(let request): return .opened(try open(request))
    case .start:
      try start()
      return .started
    case .stop:
      let state = try? look()
      stop()
      return .stopped(queuedFrames: state.map { $0.hasRunDry ? 0 : $0.queuedFrames })
    case .close:
      close()
      return .closed
    }
  }
}

/// The state of the speaker at one instant.
package struct SpeakerState: Equatable, Sendable {
  /// Whether it is playing.
  package var isRunning: Bool
  /// Frames written and not yet played.
  package var queuedFrames: Int
  /// Frames that it can take now.
  package var freeFrames: Int
  /// Whether it had an underrun: it plays nothing until ``Speaker/stop()``.
  package var hasRunDry: Bool
  /// When the next frame to be written will be heard, on the monotonic clock; meaningless while it is stopped.
  package var nextFrameInstant: Instant

  package init(isRunning: Bool, queuedFrames: Int, freeFrames: Int, hasRunDry: Bool, nextFrameInstant: Instant) {
    self.isRunning = isRunning
    self.queuedFrames = queuedFrames
    self.freeFrames = freeFrames
    self.hasRunDry = hasRunDry
    self.nextFrameInstant = nextFrameInstant
  }
}
