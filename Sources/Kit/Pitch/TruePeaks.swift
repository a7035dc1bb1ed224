import Base

/// A request for the true peaks of the sound.
package struct TruePeakRequest: BitwiseCopyable, Sendable {
  /// The microphone's format.
  package var format: AudioFormat
  /// The start of the range, which extends to the newest frame, but at most over one second.
  package var start: TimelinePosition

  /// - Parameters:
  ///   - format: the microphone's format.
  ///   - start: the start of the range, which extends to the newest frame, but at most over one second.
  package init(format: AudioFormat, start: TimelinePosition) {
    self.format = format
    self.start = start
  }
}

/// The true peak of each channel.
package struct TruePeakReply: BitwiseCopyable, Sendable {
  /// Where the next request continues.
  package private(set) var end: TimelinePosition
  /// The largest magnitude of the sound in each channel of the format, up to 8; full scale is 1. Nil if there was too
  /// little sound, or it was overwritten meanwhile.
  package private(set) var peaks: InlineArray<8, Float>?

  /// - Parameter window: a buffer whose contents are lost.
  init(
    _ request: TruePeakRequest, _ tap: SampleRingTap, _ filter: TruePeakFilter, _ window: inout FixedBuffer
  ) {
    let history = UInt64(TruePeakFilter.tapCount - 1)
    let newest = tap.end
    let second = min(newest.rawValue, UInt64(request.format.sampleRateHz))
    let first = max(max(request.start, newest - second), TimelinePosition(history))
    end = min(first, newest)
    guard tap.bytesPerFrame == request.format.bytesPerFrame, first < newest else { return }
    var peaks = InlineArray<8, Float>(repeating: 0)
    let largest = window.bytes.byteCount / MemoryLayout<Float>.stride - Int(history)
    while true {
      let count = min(Int(newest - end), largest) / TruePeakFilter.blockFrames * TruePeakFilter.blockFrames
      guard count > 0 else { break }
      for channel in 0..<min(Int(request.format.channelCount), 8) {
        let peak = window.load(channel, of: tap, request.format, from: end - history, frameCount: Int(history) + count)
        let samples = window.bytes.extracting(first: (Int(history) + count) * MemoryLayout<Float>.stride)
        let factor = TruePeakFilter.factor(sampleRateHz: request.format.sampleRateHz)
        peaks[channel] = max(peaks[channel], max(peak, filter.peak(of: samples, factor: factor)))
      }
      end = end + UInt64(count)
    }
    guard end > first, tap.holds(first - history) else { return }
    self.peaks = peaks
  }
}

extension FixedBuffer {
  /// Loads one channel's samples as `Float`; NaN becomes silence.
  /// - Returns: their largest magnitude.
  fileprivate mutating func load(
    _ channel: Int, of tap: SampleRingTap, _ format: AudioFormat, from start: TimelinePosition, frameCount: Int
  ) -> Float {
    var bytes = mutableBytes
    let limit = start + UInt64(frameCount)
    var count = 0
    var peak: Float = 0
    while count < frameCount {
      let frames = tap.frames(from: start + UInt64(count), to: limit)
      var offset = channel * format.sampleFormat.bytesPerSample
      for _ in 0..<frames.byteCount / format.bytesPerFrame {
        let sample = format.sampleFormat.fraction(at: offset, in: frames)
        bytes.storeBytes(of: sample.isNaN ? 0 : sample, toByteOffset: count * 4, as: Float.self)
        if sample.magnitude > peak { peak = sample.magnitude }
        offset += format.bytesPerFrame
        count += 1
      }
    }
    return peak
  }
}
