import Base

/// A question about the microphone's sound.
package enum SoundTestRequest: BitwiseCopyable, Sendable {
  /// Analyses each channel from a position to the newest frame, but at most one second.
  case survey(AudioFormat, from: TimelinePosition)
  /// Finds a chirp that begins within ``PitchLimits/chirpSearchSeconds`` after a position.
  case chirp(AudioFormat, from: TimelinePosition)
}

/// The answer to the question.
package enum SoundTestReply: BitwiseCopyable, Sendable {
  case surveyed(SoundSurvey)
  case heard(HeardChirp)
  /// The microphone has not delivered enough, or the sound was overwritten meanwhile.
  case tooLittle
}

/// An analysis of the microphone's channels.
package struct SoundSurvey: BitwiseCopyable, Sendable {
  /// At most 8.
  package internal(set) var channelCount: Int
  /// The length of the analysed sound.
  package internal(set) var seconds: Double
  private var channels = InlineArray<8, SurveyedChannel>(repeating: SurveyedChannel())

  package init(channelCount: Int, seconds: Double) {
    self.channelCount = min(channelCount, 8)
    self.seconds = seconds
  }

  /// - Parameter channel: the index from 0, below ``channelCount``.
  package subscript(channel: Int) -> SurveyedChannel {
    get { channels[channel] }
    set { channels[channel] = newValue }
  }
}

/// The analysis of one channel; full scale is 1.
package struct SurveyedChannel: BitwiseCopyable, Sendable {
  /// The mean of all samples.
  package var offset: Float = 0
  /// The RMS of the quietest tenth of a second, without its mean: words and steps have pauses of that length.
  package var noise: Float = 0
  /// The largest magnitude.
  package var peak: Float = 0
  /// Whether all samples are the same.
  package var isConstant = false
  /// Whether every sample equals the first channel's, bit by bit.
  package var isLikeFirst = false

  package init() {}
}

/// A chirp in the microphone's sound.
package struct HeardChirp: BitwiseCopyable, Sendable {
  /// Its most likely start, after the position that was asked for.
  package var seconds: Double
  /// Its peak level there; full scale is 1.
  package var level: Float
  /// How far that place stands out from the mean of the others, as a ratio of power.
  package var clarity: Double
}

extension SoundSurvey {
  /// Analyses the ring's sound from a position on, but at most one second.
  /// - Returns: nil if there is less than a tenth of a second, or it was overwritten meanwhile.
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

/// The running sums of a channel.
private struct ChannelSums {
  let blockFrames: Int
  private var sum = 0.0
  private var count = 0
  private var blockSum = 0.0
  private var blockSquares = 0.0
  private var blockCount = 0
  /// The RMS of the quietest block.
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
      // Safe: any byte is a valid number, and the span checks its bounds.
      let byte = unsafe unsafeLoad(fromByteOffset: first + index, as: UInt8.self)
      guard unsafe byte == unsafeLoad(fromByteOffset: second + index, as: UInt8.self) else { return false }
    }
    return true
  }
}
