import Base

/// Which timecode each sample has, before and after the frames that were heard.
package struct TimecodeLine: BitwiseCopyable, Equatable, Sendable {
  package var rate: TimecodeRate
  package var sampleRateHz: UInt32
  /// A frame since midnight, where it begins, and how long each is, in samples.
  package var number: Int
  package var start: Double
  package var length: Double

  package init(rate: TimecodeRate, sampleRateHz: UInt32, number: Int, start: Double, length: Double) {
    self.rate = rate
    self.sampleRateHz = sampleRateHz
    self.number = number
    self.start = start
    self.length = length
  }

  package func place(at position: TimelinePosition) -> TimecodePlace {
    // A sample at a frame's first edge may be a rounding before it.
    let frames = (Double(position.rawValue) - start + 0.01) / length
    let whole = frames.rounded(.down)
    let number = (number + Int(whole)) % rate.framesPerDay
    return TimecodePlace(
      number: number < 0 ? number + rate.framesPerDay : number, samples: UInt32((frames - whole) * length), rate: rate)
  }

  /// How much faster the generator runs than the sound card.
  package var partsPerMillion: Double { (Double(sampleRateHz) / rate.hertz / length - 1) * 1e6 }
}

extension TimecodeRate {
  /// A signal that says it is drop-frame is, whatever is set: otherwise it would jump at each minute.
  fileprivate var withDrop: TimecodeRate {
    switch self {
    case .video29: .video29Drop
    case .video30: .video30Drop
    default: self
    }
  }
}

/// Fits a straight line to the frames of the last ten seconds: a single edge is only as exact as a sample and its noise,
/// the line's slope is exact to a few samples an hour.
struct TimecodeFit: BitwiseCopyable, Sendable {
  private let sampleRateHz: UInt32
  /// The rate that must be read; nil for any.
  private let wanted: TimecodeRate?
  private var rate = TimecodeRate.video25
  /// The newest frame: numbers and positions in the sums are relative to it.
  private var number = 0
  private(set) var start = 0.0
  private var length = 0.0
  private(set) var count = 0
  /// Whether the last frame was not the expected one: the next decides whether that was an error, or a jump.
  private var isDoubting = false
  // Weighted sums: of the frames, their numbers, their positions, and the products.
  private var weight = 0.0
  private var sumX = 0.0
  private var sumY = 0.0
  private var sumXX = 0.0
  private var sumXY = 0.0

  init(sampleRateHz: UInt32, wanted: TimecodeRate?) {
    self.sampleRateHz = sampleRateHz
    self.wanted = wanted
  }

  /// Begins anew if two frames are not where and what the ones before let expect.
  mutating func add(_ frame: LTCFrame) {
    if count > 0 {
      let deltaY = frame.start - start
      let deltaX = (deltaY / length).rounded()
      let isNear = deltaY < 3600 * Double(sampleRateHz) && abs(deltaX * length - deltaY) < length / 4
      if isNear, frame.isDrop == rate.isDrop || wanted != nil,
        Timecode(number: number + Int(deltaX), rate) == frame.timecode
      {
        move(deltaX, deltaY)
        weight += 1
        count += 1
        isDoubting = false
        number = frame.timecode.number(rate)
        fit()
        return
      }
      // A line is not given up for one frame.
      if line != nil, !isDoubting {
        isDoubting = true
        return
      }
    }
    self = TimecodeFit(sampleRateHz: sampleRateHz, wanted: wanted)
    length = frame.length
    rate = wanted.map { frame.isDrop ? $0.withDrop : $0 } ?? nearestRate(isDrop: frame.isDrop)
    guard abs(speed / rate.hertz - 1) < 0.11, frame.timecode.isValid(rate) else { return }
    number = frame.timecode.number(rate)
    start = frame.start
    weight = 1
    count = 1
  }

  /// Moves the origin of the sums to the next frame, and makes the frames before count less.
  private mutating func move(_ deltaX: Double, _ deltaY: Double) {
    let decay = 1 - 1.0 / 256
    sumXX = decay * (sumXX - 2 * deltaX * sumX + deltaX * deltaX * weight)
    sumXY = decay * (sumXY - deltaX * sumY - deltaY * sumX + deltaX * deltaY * weight)
    sumX = decay * (sumX - deltaX * weight)
    sumY = decay * (sumY - deltaY * weight)
    weight *= decay
    start += deltaY
  }

  private mutating func fit() {
    length = (weight * sumXY - sumX * sumY) / (weight * sumXX - sumX * sumX)
    if wanted == nil {
      let nearest = nearestRate(isDrop: rate.isDrop)
      if nearest.framesPerSecond == rate.framesPerSecond { rate = nearest }
    }
  }

  /// Frames a second of the sound card.
  private var speed: Double { Double(sampleRateHz) / length }

  private func nearestRate(isDrop: Bool) -> TimecodeRate {
    var nearest = isDrop ? TimecodeRate.video29Drop : .film23
    var rawValue: UInt8 = 0
    while let rate = TimecodeRate(rawValue: rawValue) {
      if rate.isDrop == isDrop, abs(rate.hertz - speed) < abs(nearest.hertz - speed) { nearest = rate }
      rawValue += 1
    }
    return nearest
  }

  /// Nil until a second has been heard.
  var line: TimecodeLine? {
    guard count >= rate.framesPerSecond else { return nil }
    let offset = (sumY - length * sumX) / weight
    return TimecodeLine(rate: rate, sampleRateHz: sampleRateHz, number: number, start: start + offset, length: length)
  }
}

/// Asks for the timecode in the sound since the last such request.
package struct TimecodeRequest: BitwiseCopyable, Equatable, Sendable {
  /// The microphone's format.
  package var format: AudioFormat
  /// Counted from 1.
  package var channel: UInt16
  /// Nil for any.
  package var rate: TimecodeRate?

  package init(format: AudioFormat, channel: UInt16, rate: TimecodeRate?) {
    self.format = format
    self.channel = channel
    self.rate = rate
  }
}

/// A ``TunerWorker``'s answer about timecode; nil if none was heard in the last half second.
package typealias TimecodeReply = TimecodeLine?

/// Reads timecode out of the sound in the ring, request after request.
struct TimecodeMeter: BitwiseCopyable, Sendable {
  private var request: TimecodeRequest?
  private var decoder = LTCDecoder(sampleRateHz: 48_000)
  private var fit = TimecodeFit(sampleRateHz: 48_000, wanted: nil)
  private var next: TimelinePosition = 0

  /// Listens to what is new, at most a second of it.
  mutating func answer(_ request: TimecodeRequest, _ tap: SampleRingTap) -> TimecodeReply {
    let (format, end) = (request.format, tap.end)
    guard tap.bytesPerFrame == format.bytesPerFrame, (1...format.channelCount).contains(request.channel) else {
      return nil
    }
    let rate = format.sampleRateHz
    if self.request != request || next < end.earlier(by: UInt64(rate)) || next > end {
      if self.request != request || next > end { fit = TimecodeFit(sampleRateHz: rate, wanted: request.rate) }
      self.request = request
      next = end.earlier(by: UInt64(rate / 5))
      decoder = LTCDecoder(sampleRateHz: rate)
      decoder.restart(at: Double(next.rawValue))
    }
    let start = next
    while next < end {
      let frames = tap.frames(from: next, to: end)
      hear(frames, format, Int(request.channel - 1) * format.sampleFormat.bytesPerSample)
      next = next + UInt64(frames.byteCount / format.bytesPerFrame)
    }
    guard tap.holds(start), Double(end.rawValue) - fit.start < Double(rate) / 2 else { return nil }
    return fit.line
  }

  /// - Parameter offset: the channel's place in a frame.
  @_optimize(speed)
  private mutating func hear(_ frames: RawSpan, _ format: AudioFormat, _ offset: Int) {
    var offset = offset
    for _ in 0..<frames.byteCount / format.bytesPerFrame {
      let sample = format.sampleFormat.fraction(at: offset, in: frames)
      offset += format.bytesPerFrame
      if let frame = decoder.hear(sample.isFinite ? sample : 0) { fit.add(frame) }
    }
  }
}
