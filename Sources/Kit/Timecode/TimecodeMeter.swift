import Base

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
