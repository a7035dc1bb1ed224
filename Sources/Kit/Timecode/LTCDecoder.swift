import Base

/// A frame of linear timecode (SMPTE ST 12-1) as it was heard.
package struct LTCFrame: BitwiseCopyable, Equatable, Sendable {
  package var timecode: Timecode
  package var isDrop: Bool
  /// Where its first edge is, in samples.
  package var start: Double
  /// How long it was, in samples.
  package var length: Double
}

/// Reads linear timecode out of sound: biphase mark, forward, at 21 to 33 frames a second, from -40 dBFS on, whatever
/// its polarity and its offset.
///
/// An edge is where the sound crosses its mean, between two samples. It counts once the sound has gone on by a third of
/// its peak, so that noise at the crossing does not count. A bit has an edge at its start; a one has another in its
/// middle. The last 16 of a frame's 80 bits are a pattern that occurs nowhere else.
package struct LTCDecoder: BitwiseCopyable, Sendable {
  private let sampleRateHz: Float
  private let meanWeight: Float
  private let peakDecay: Float
  private var mean: Float = 0
  private var peak: Float = 0
  private var last: Float = 0
  private var isHigh = false
  /// The newest sample's place.
  private var place = 0.0
  /// The last crossing, which may not count.
  private var crossing = 0.0
  /// The last edge.
  private var edge = 0.0
  /// How long a bit is, in samples.
  private var bitLength: Double
  /// The first half of a one; 0 if none is begun.
  private var half = 0.0
  private var data: UInt64 = 0
  private var sync: UInt16 = 0
  private var bitCount = 0
  /// Where the frame began whose bits are counted; nil before the first pattern.
  private var frameStart: Double?

  package init(sampleRateHz: UInt32) {
    self.sampleRateHz = Float(sampleRateHz)
    // Of the mean 8 ms, far above the length of a bit, so that the edges stay where they are; of the peak 20 ms.
    meanWeight = 125 / Float(sampleRateHz)
    peakDecay = 1 - 50 / Float(sampleRateHz)
    bitLength = Double(sampleRateHz) / 2_140
  }

  /// Begins anew with the sample at `place`.
  package mutating func restart(at place: Double) {
    self = LTCDecoder(sampleRateHz: UInt32(sampleRateHz))
    self.place = place - 1
    edge = place
  }

  /// - Returns: a frame, if it ends with this sample.
  @_optimize(speed)
  package mutating func hear(_ sample: Float) -> LTCFrame? {
    mean += (sample - mean) * meanWeight
    let level = sample - mean
    place += 1
    peak = max(peak * peakDecay, level < 0 ? -level : level)
    if (level < 0) != (last < 0) {
      let step = level - last
      crossing = step == 0 ? place : place - Double(level / step)
    }
    last = level
    // Below -52 dBFS nothing counts.
    let threshold = max(peak * 0.33, 0.0025)
    guard isHigh ? level < -threshold : level > threshold else { return nil }
    isHigh.toggle()
    let length = crossing - edge
    edge = crossing
    return hear(edgeAfter: length)
  }

  private mutating func hear(edgeAfter length: Double) -> LTCFrame? {
    guard length > 0.25 * bitLength, length < 1.6 * bitLength else {
      lose()
      return nil
    }
    if length > 0.75 * bitLength {
      guard half == 0 else {
        lose()
        return nil
      }
      return hear(bit: 0, of: length)
    }
    if half == 0 {
      half = length
      return nil
    }
    defer { half = 0 }
    return hear(bit: 1, of: half + length)
  }

  private mutating func lose() {
    half = 0
    bitCount = 0
    frameStart = nil
  }

  private mutating func hear(bit: UInt16, of length: Double) -> LTCFrame? {
    let shortest = Double(sampleRateHz) / 2_680
    let longest = Double(sampleRateHz) / 1_700
    bitLength = min(max(bitLength + (length - bitLength) / 8, shortest), longest)
    data = data >> 1 | UInt64(sync & 1) << 63
    sync = sync >> 1 | bit << 15
    bitCount += 1
    let pattern: UInt16 = 0xBFFC
    guard sync == pattern else { return nil }
    defer {
      frameStart = edge
      bitCount = 0
    }
    guard bitCount == 80, let frameStart else { return nil }
    return frame(from: frameStart)
  }

  /// The frame in ``data``; nil if its digits are none.
  private func frame(from start: Double) -> LTCFrame? {
    let (frames, seconds) = (number(at: 0, tens: 3), number(at: 16, tens: 7))
    let (minutes, hours) = (number(at: 32, tens: 7), number(at: 48, tens: 3))
    guard let frames, let seconds, let minutes, let hours, frames < 30, seconds < 60, minutes < 60, hours < 24 else {
      return nil
    }
    return LTCFrame(
      timecode: Timecode(hours: hours, minutes: minutes, seconds: seconds, frames: frames),
      isDrop: data >> 10 & 1 == 1, start: start, length: edge - start)
  }

  /// Two digits, of which the first has 8 bits after the second's place.
  private func number(at bit: UInt64, tens mask: UInt64) -> UInt8? {
    let (units, tens) = (data >> bit & 15, data >> (bit + 8) & mask)
    return units < 10 ? UInt8(10 * tens + units) : nil
  }
}
