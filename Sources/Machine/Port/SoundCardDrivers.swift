import Base

/// What the configuration asks of a sound card, of the microphone or the speaker; the nearest that it offers is taken.
package struct SoundCardRequest: BitwiseCopyable, Sendable {
  /// An ALSA device name, such as `hw:0` or `default`.
  package var deviceName: FixedText<64>
  /// Sample frames a second, 8,000…192,000.
  package var sampleRateHz: UInt32
  /// 1…8.
  package var channelCount: UInt16
  /// Nil: the best that the card offers.
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

/// A sound card's capture side. Only reading it never waits.
package protocol MicrophoneDriver: SlowDevice, ~Copyable where Order == MicrophoneOrder, Outcome == AudioFormat? {
  /// Opens the card and starts it.
  /// - Returns: the format that was agreed, and that ``read(into:)`` delivers.
  mutating func open(_ request: SoundCardRequest) throws(DeviceFailure) -> AudioFormat

  /// Moves the frames sampled since the last call into `buffer`, as many as fit; never waits.
  /// - Throws: when the card is gone. An overrun is no error: the result reports it.
  mutating func read(into buffer: inout MutableRawSpan) throws(DeviceFailure) -> MicrophoneRead

  /// How much sound the card's own buffer holds; 0 while it is closed.
  var bufferNanoseconds: UInt64 { get }

  /// Starts a card again that has stopped by itself.
  mutating func restart() throws(DeviceFailure)

  /// Stops the card; undelivered frames are lost. Does nothing when it is closed.
  mutating func close()
}

/// What a worker does with a microphone.
package enum MicrophoneOrder: BitwiseCopyable, Sendable {
  /// The outcome is the format that was agreed.
  case open(SoundCardRequest)
  case restart
  case close
}

extension MicrophoneDriver where Self: ~Copyable {
  /// Makes the calls of an order.
  package mutating func carryOut(_ order: MicrophoneOrder) throws(DeviceFailure) -> AudioFormat? {
    switch order {
    case .open(let request): return try open(request)
    case .restart: try restart()
    case .close: close()
    }
    return nil
  }
}

/// The result of one reading of the microphone.
package struct MicrophoneRead: Equatable, Sendable {
  /// Frames written to the buffer, from its start.
  package var frameCount: Int
  /// Frames lost to an overrun since the last call. A call that reports a loss delivers no frames, so that the reader
  /// can fill the gap first.
  package var lostFrameCount: Int
  /// When the frame after the last one read was sampled, by the monotonic clock.
  package var endInstant: Instant
  /// Whether the card has stopped, after an overrun or a suspend: it delivers again once it is restarted, and then
  /// reports what was lost.
  package var hasStopped: Bool

  package init(frameCount: Int, lostFrameCount: Int, endInstant: Instant, hasStopped: Bool = false) {
    self.frameCount = frameCount
    self.lostFrameCount = lostFrameCount
    self.endInstant = endInstant
    self.hasStopped = hasStopped
  }
}

/// A sound card's playback side. Only looking and writing never wait.
///
/// It plays what is written, in order, from ``start()`` on.
package protocol SpeakerDriver: SlowDevice, ~Copyable where Order == SpeakerOrder, Outcome == SpeakerOutcome {
  /// Opens the card.
  /// - Returns: the format that was agreed, and that ``write(_:)`` takes.
  /// - Throws: `absent`, `busy` while another program holds it, `noPermission`, `unsupported`.
  mutating func open(_ request: SoundCardRequest) throws(DeviceFailure) -> AudioFormat

  /// Its state now. An underrun is no error: the result reports it, until ``stop()``.
  /// - Throws: when the card is gone: close it and open it again.
  mutating func look() throws(DeviceFailure) -> SpeakerState

  /// Takes as many whole frames of `frames` as fit into its buffer. Never waits.
  /// - Returns: how many frames it took.
  /// - Throws: as ``look()``.
  mutating func write(_ frames: RawSpan) throws(DeviceFailure) -> Int

  /// Begins to play what was written since ``open(_:)`` or ``stop()``; some drivers take their time.
  /// - Throws: as ``look()``.
  mutating func start() throws(DeviceFailure)

  /// Stops playing at once, and makes the card ready to start again; what was written and not played is dropped.
  mutating func stop()

  /// Gives the card back, for other programs. Does nothing when it is closed.
  mutating func close()
}

/// What the device worker does with a speaker.
package enum SpeakerOrder: BitwiseCopyable, Sendable {
  case open(SoundCardRequest)
  case start
  case stop
  case close
}

/// What comes of a ``SpeakerOrder``.
package enum SpeakerOutcome: BitwiseCopyable, Sendable {
  /// The format that was agreed.
  case opened(AudioFormat)
  case started
  /// How many frames were written and not played; nil where the card did not say.
  case stopped(queuedFrames: Int?)
  case closed
}

extension SpeakerDriver where Self: ~Copyable {
  /// Makes the calls of an order.
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
  /// Frames that it takes now.
  package var freeFrames: Int
  /// Whether it ran dry: it plays nothing until ``Speaker/stop()``.
  package var hasRunDry: Bool
  /// When the next frame to be written will be heard, by the monotonic clock; meaningless while it is stopped.
  package var nextFrameInstant: Instant

  package init(
    isRunning: Bool, queuedFrames: Int, freeFrames: Int, hasRunDry: Bool, nextFrameInstant: Instant
  ) {
    self.isRunning = isRunning
    self.queuedFrames = queuedFrames
    self.freeFrames = freeFrames
    self.hasRunDry = hasRunDry
    self.nextFrameInstant = nextFrameInstant
  }
}
