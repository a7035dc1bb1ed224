import Rings
import Values

/// Listens to what the microphone has put into the sample ring, on request: it reads by a tap, and so holds nothing back.
public struct TunerWorker: ~Copyable {
  private let tap: SampleRingTap
  private var requests: QueueConsumer<TunerRequest>
  private var answers: QueueProducer<TunerAnswer>
  private var detector: PitchDetector
  private var window: FixedBuffer
  private let sampleRateHz: UInt32

  /// - Parameters:
  ///   - sampleRateHz: of the microphone that was there at boot.
  ///   - answers: with as many places as there are requests.
  /// - Returns: nil when `memory` has too little left.
  public init?(
    tap: SampleRingTap, sampleRateHz: UInt32, requests: consuming QueueConsumer<TunerRequest>,
    answers: consuming QueueProducer<TunerAnswer>, in memory: inout BootMemory
  ) {
    guard let detector = PitchDetector(sampleRateHz: sampleRateHz, in: &memory),
      let window = FixedBuffer(byteCount: detector.windowFrames * MemoryLayout<Float>.stride, in: &memory)
    else { return nil }
    self.tap = tap
    self.requests = requests
    self.answers = answers
    self.detector = detector
    self.window = window
    self.sampleRateHz = sampleRateHz
  }

  /// Answers the next request.
  /// - Returns: false if there was none.
  public mutating func step() -> Bool {
    guard let request = requests.pop() else { return false }
    let isTold = answers.push(answer(request))
    precondition(isTold, "each request is answered before the next one is made")
    return true
  }

  private mutating func answer(_ request: TunerRequest) -> TunerAnswer {
    guard request.format.sampleRateHz == sampleRateHz else { return .otherRate }
    guard Self.fill(&window, from: tap, request.format, frameCount: detector.windowFrames) else { return .tooSoon }
    return Self.pitch(in: window, &detector).map { .pitch(hertz: $0) } ?? .noPitch
  }

  private static func pitch(in window: borrowing FixedBuffer, _ detector: inout PitchDetector) -> Double? {
    // Sound: every pattern of bits is a Float, and the buffer begins on a cache line.
    detector.pitch(of: unsafe window.bytes._unsafeView(as: Float.self))
  }

  /// Takes the newest frames, the mean of all channels.
  /// - Returns: false when the ring has not so many, or they were overwritten meanwhile.
  private static func fill(
    _ window: inout FixedBuffer, from tap: SampleRingTap, _ format: AudioFormat, frameCount: Int
  ) -> Bool {
    let end = tap.end
    guard end.rawValue >= UInt64(frameCount), tap.bytesPerFrame == format.bytesPerFrame else { return false }
    var bytes = window.mutableBytes
    // Sound: as above.
    var samples = unsafe bytes._unsafeMutableView(as: Float.self)
    let start = end - UInt64(frameCount)
    var count = 0
    while count < frameCount {
      let frames = tap.frames(from: start + UInt64(count), to: end)
      let pieceFrames = frames.byteCount / format.bytesPerFrame
      for frame in 0..<pieceFrames {
        samples[count + frame] = format.mean(ofFrameAt: frame * format.bytesPerFrame, in: frames)
      }
      count += pieceFrames
    }
    return tap.holds(start)
  }
}

/// Asks for the pitch of what is heard now.
public struct TunerRequest: BitwiseCopyable, Sendable {
  /// In which the microphone delivers.
  public var format: AudioFormat

  /// For a microphone of this format.
  public init(format: AudioFormat) { self.format = format }
}

/// What a ``TunerWorker`` has heard.
public enum TunerAnswer: BitwiseCopyable, Equatable, Sendable {
  case pitch(hertz: Double)
  /// Silence, noise, or several tones.
  case noPitch
  /// The microphone has not delivered for a whole second yet.
  case tooSoon
  /// The microphone has another rate than the one that was there at boot.
  case otherRate
}

extension AudioFormat {
  /// The mean of a frame's channels; full scale is 1.
  fileprivate func mean(ofFrameAt offset: Int, in bytes: RawSpan) -> Float {
    var sum: Float = 0
    for channel in 0..<Int(channelCount) {
      sum += sampleFormat.fraction(at: offset + channel * sampleFormat.bytesPerSample, in: bytes)
    }
    return sum / Float(channelCount)
  }
}
