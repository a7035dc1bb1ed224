import Base

/// Asks what the microphone delivers.
package enum SoundTestRequest: BitwiseCopyable, Sendable {
  /// How each channel sounds from a position on to the newest frame, but at most for a second.
  case survey(AudioFormat, from: TimelinePosition)
  /// Where a chirp is that begins within ``PitchLimits/chirpSearchSeconds`` from a position on.
  case chirp(AudioFormat, from: TimelinePosition)
}

/// What was found.
package enum SoundTestReply: BitwiseCopyable, Sendable {
  case surveyed(SoundSurvey)
  case heard(HeardChirp)
  /// The microphone has not delivered so much, or it was overwritten meanwhile.
  case tooLittle
}

/// How the channels of the microphone sound.
package struct SoundSurvey: BitwiseCopyable, Sendable {
  /// At most 8.
  package internal(set) var channelCount: Int
  /// How much was listened to.
  package internal(set) var seconds: Double
  private var channels = InlineArray<8, SurveyedChannel>(repeating: SurveyedChannel())

  package init(channelCount: Int, seconds: Double) {
    self.channelCount = min(channelCount, 8)
    self.seconds = seconds
  }

  /// - Parameter channel: from 0 on, less than ``channelCount``.
  package subscript(channel: Int) -> SurveyedChannel {
    get { channels[channel] }
    set { channels[channel] = newValue }
  }
}

/// How one channel sounds; 1 is full scale.
package struct SurveyedChannel: BitwiseCopyable, Sendable {
  /// The mean of all samples.
  package var offset: Float = 0
  /// The least root of the mean square of a tenth of a second, without its mean: words and steps have pauses as long.
  package var noise: Float = 0
  /// The largest magnitude.
  package var peak: Float = 0
  /// Whether all samples are the same.
  package var isConstant = false
  /// Whether every sample is, bit by bit, that of the first channel.
  package var isLikeFirst = false

  package init() {}
}

/// A chirp in what the microphone delivers.
package struct HeardChirp: BitwiseCopyable, Sendable {
  /// How long after the position that was asked for it is likeliest to begin.
  package var seconds: Double
  /// Its peak there; 1 is full scale.
  package var level: Float
  /// How much likelier that place is than the mean of the others, as a ratio of power.
  package var clarity: Double

  package init(seconds: Double, level: Float, clarity: Double) {
    self.seconds = seconds
    self.level = level
    self.clarity = clarity
  }
}

extension SoundSurvey {
  /// Listens to what the ring holds from a position on, but at most for a second.
  /// - Returns: nil when that is less than a tenth of a second, or it was overwritten meanwhile.
  init?(_ tap: SampleRingTap, _ format: AudioFormat, from position: TimelinePosition) {
    let end = tap.end
    guard tap.bytesPerFrame == format.bytesPerFrame, position < end else { return nil }
    let start = max(position, end.earlier(by: UInt64(format.sampleRateHz)))
    let blockFrames = Int(format.sampleRateHz) / 10
    guard Int(end - start) >= blockFrames else { return nil }
    self.init(channelCount: Int(format.channelCount), seconds: Double(end - start) / Double(format.sampleRateHz))
    for channel in 0..<channelCount {
      self[channel] = SurveyedChannel(tap, format, channel, from: start, to: end, blockFrames: blockFrames)
    }
    guard tap.holds(start) else { return nil }
  }
}

extension SurveyedChannel {
  fileprivate init(
    _ tap: SampleRingTap, _ format: AudioFormat, _ channel: Int, from start: TimelinePosition,
    to end: TimelinePosition, blockFrames: Int
  ) {
    self.init()
    isConstant = true
    isLikeFirst = true
    var sums = ChannelSums(blockFrames: blockFrames)
    var position = start
    var first: Float?
    while position < end {
      let frames = tap.frames(from: position, to: end)
      let count = frames.byteCount / format.bytesPerFrame
      for frame in 0..<count {
        let firstOffset = frame * format.bytesPerFrame
        let offset = firstOffset + channel * format.sampleFormat.bytesPerSample
        let sample = format.sampleFormat.fraction(at: offset, in: frames)
        if sample != first ?? sample { isConstant = false }
        first = first ?? sample
        if isLikeFirst { isLikeFirst = frames.areSame(format.sampleFormat.bytesPerSample, at: offset, firstOffset) }
        if sample.magnitude > peak { peak = sample.magnitude }
        sums.hear(sample.isNaN ? 0 : Double(sample))
      }
      position = position + UInt64(count)
    }
    offset = Float(sums.mean)
    noise = sums.quietest
  }
}

/// What is summed up of a channel.
private struct ChannelSums {
  let blockFrames: Int
  private var sum = 0.0
  private var count = 0
  private var blockSum = 0.0
  private var blockSquares = 0.0
  private var blockCount = 0
  /// The root of the mean square of the quietest block.
  private(set) var quietest = Float.infinity

  init(blockFrames: Int) { self.blockFrames = blockFrames }

  var mean: Double { sum / Double(max(count, 1)) }

  mutating func hear(_ sample: Double) {
    sum += sample
    count += 1
    blockSum += sample
    blockSquares += sample * sample
    blockCount += 1
    guard blockCount == blockFrames else { return }
    let mean = blockSum / Double(blockCount)
    let power = max(blockSquares / Double(blockCount) - mean * mean, 0)
    quietest = min(quietest, Float(power.squareRoot()))
    (blockSum, blockSquares, blockCount) = (0, 0, 0)
  }
}

extension RawSpan {
  fileprivate func areSame(_ count: Int, at first: Int, _ second: Int) -> Bool {
    for index in 0..<count {
      // Sound: any byte is a number, and the span checks its bounds.
      let byte = unsafe unsafeLoad(fromByteOffset: first + index, as: UInt8.self)
      guard unsafe byte == unsafeLoad(fromByteOffset: second + index, as: UInt8.self) else { return false }
    }
    return true
  }
}
