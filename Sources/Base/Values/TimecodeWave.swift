/// A frame of linear timecode as sound, SMPTE ST 12-1: biphase mark, 80 bits.
///
/// Each bit begins with an edge, and a one has another in its middle. The number of ones is even, so that every frame
/// begins at the same level.
package struct TimecodeWave: BitwiseCopyable, Sendable {
  private let data: UInt64

  /// The last 16 bits, which occur nowhere else; the first of them is the lowest.
  package static var pattern: UInt16 { 0xBFFC }
  private static var halfCount: Int { 160 }

  package init(_ timecode: Timecode, _ rate: TimecodeRate) {
    func digits(_ number: UInt8) -> UInt64 { UInt64(number % 10) | UInt64(number / 10) << 8 }
    var bits = digits(timecode.frames) | digits(timecode.seconds) << 16
    bits |= digits(timecode.minutes) << 32 | digits(timecode.hours) << 48
    if rate.isDrop { bits |= 1 << 10 }
    // The pattern has 13 ones. The bit that makes them even depends on the rate.
    if bits.nonzeroBitCount % 2 == 0 { bits |= 1 << (rate == .video25 ? 59 : 27) }
    data = bits
  }

  private func hasEdge(before half: Int) -> Bool {
    let bit = half / 2
    return half % 2 == 0 || (bit < 64 ? data >> UInt64(bit) : UInt64(Self.pattern) >> UInt64(bit - 64)) & 1 == 1
  }

  /// - Parameter half: of a bit, 0..<160.
  package func isHigh(inHalf half: Int) -> Bool {
    let whole = (half + 1) / 2
    let ones = data & (whole < 64 ? 1 << UInt64(whole) - 1 : .max)
    let rest = UInt64(Self.pattern) & (1 << UInt64(max(whole - 64, 0)) - 1)
    return (half / 2 + 1 + ones.nonzeroBitCount + rest.nonzeroBitCount) % 2 == 1
  }

  /// The wave with edges that take 40 µs, but at least two samples: so each crosses zero where it should.
  /// - Parameters:
  ///   - fraction: of the frame, 0..<1.
  ///   - sampleRateHz: of the sound.
  ///   - hertz: frames a second.
  /// - Returns: -1…1.
  package func level(at fraction: Double, sampleRateHz: Double, hertz: Double) -> Double {
    let place = fraction * Double(Self.halfCount)
    let half = min(Int(place), Self.halfCount - 1)
    let halfSamples = sampleRateHz / hertz / Double(Self.halfCount)
    let edge = min(max(20e-6 * sampleRateHz, 1), halfSamples / 2)
    var distance = edge
    if hasEdge(before: half) { distance = min(distance, (place - Double(half)) * halfSamples) }
    if half == Self.halfCount - 1 || hasEdge(before: half + 1) {
      distance = min(distance, (Double(half + 1) - place) * halfSamples)
    }
    return (isHigh(inHalf: half) ? distance : -distance) / edge
  }
}

/// The timecode of each instant: what is sent.
package struct TimecodeSource: BitwiseCopyable, Equatable, Sendable {
  package var rate: TimecodeRate
  /// By the monotonic clock.
  package var instant: Instant
  /// Frames since midnight then; more than a day's count on.
  package var frames: Double
  package var framesPerNanosecond: Double

  package init(rate: TimecodeRate, instant: Instant, frames: Double, framesPerNanosecond: Double) {
    self.rate = rate
    self.instant = instant
    self.frames = frames
    self.framesPerNanosecond = framesPerNanosecond
  }

  package func frames(at instant: Instant) -> Double {
    frames + Double(self.instant.distance(to: instant)) * framesPerNanosecond
  }
}
