/// How fast timecode counts, SMPTE ST 12-1.
package enum TimecodeRate: UInt8, BitwiseCopyable, Choice {
  case film23
  case film24
  case video25
  case video29
  /// Two numbers are left out in each minute but every tenth, so that it keeps up with the time of day.
  case video29Drop
  case video30
  /// With the numbers of ``video29Drop``, a thousandth faster.
  case video30Drop

  /// `23.976`, `29.97-drop`
  package var name: StaticString {
    switch self {
    case .film23: "23.976"
    case .film24: "24"
    case .video25: "25"
    case .video29: "29.97"
    case .video29Drop: "29.97-drop"
    case .video30: "30"
    case .video30Drop: "30-drop"
    }
  }

  /// The frames that a second of timecode counts.
  package var framesPerSecond: Int {
    switch self {
    case .film23, .film24: 24
    case .video25: 25
    case .video29, .video29Drop, .video30, .video30Drop: 30
    }
  }

  package var isDrop: Bool { self == .video29Drop || self == .video30Drop }

  /// Frames in each of so many seconds of time: 1001 for the rates of NTSC.
  package var secondsPerThousandFrames: Int {
    switch self {
    case .film23, .video29, .video29Drop: 1001
    default: 1000
    }
  }

  /// Frames in a second of time.
  package var hertz: Double { Double(framesPerSecond * 1000) / Double(secondsPerThousandFrames) }

  /// The samples in so many frames, rounded down.
  fileprivate func samples(in frameCount: Int, sampleRateHz: UInt32) -> UInt64 {
    // 2.6 million frames by 192,000 by 1001 is far below 2⁶³.
    UInt64(frameCount) * UInt64(sampleRateHz) * UInt64(secondsPerThousandFrames) / UInt64(framesPerSecond * 1000)
  }

  /// The samples in 24 hours of timecode.
  package func samplesPerDay(sampleRateHz: UInt32) -> UInt64 {
    samples(in: framesPerDay, sampleRateHz: max(sampleRateHz, 1))
  }

  /// The frames that 24 hours of timecode count.
  package var framesPerDay: Int { 86_400 * framesPerSecond - (isDrop ? 144 * 18 : 0) }
}

/// A frame's place in 24 hours: `10:00:00:12`.
package struct Timecode: BitwiseCopyable, Equatable, Sendable {
  package var hours: UInt8
  package var minutes: UInt8
  package var seconds: UInt8
  package var frames: UInt8

  package init(hours: UInt8, minutes: UInt8, seconds: UInt8, frames: UInt8) {
    self.hours = hours
    self.minutes = minutes
    self.seconds = seconds
    self.frames = frames
  }

  /// - Parameter number: of frames since midnight; counted on, modulo 24 hours.
  package init(number: Int, _ rate: TimecodeRate) {
    let day = rate.framesPerDay
    var number = (number % day + day) % day
    if rate.isDrop {
      // Ten minutes have 17,982 frames; the first of them is whole, the others begin with frame 2.
      let (tens, rest) = number.quotientAndRemainder(dividingBy: 17_982)
      number += 18 * tens + 2 * ((rest - 2) / 1_798)
    }
    let (second, frame) = number.quotientAndRemainder(dividingBy: rate.framesPerSecond)
    self.init(
      hours: UInt8(second / 3600), minutes: UInt8(second / 60 % 60), seconds: UInt8(second % 60), frames: UInt8(frame))
  }

  /// Frames since midnight.
  package func number(_ rate: TimecodeRate) -> Int {
    let minutes = Int(hours) * 60 + Int(minutes)
    let number = (minutes * 60 + Int(seconds)) * rate.framesPerSecond + Int(frames)
    return rate.isDrop ? number - 2 * (minutes - minutes / 10) : number
  }

  /// Whether the rate has this frame.
  package func isValid(_ rate: TimecodeRate) -> Bool {
    guard hours < 24, minutes < 60, seconds < 60, Int(frames) < rate.framesPerSecond else { return false }
    return !rate.isDrop || frames > 1 || seconds > 0 || minutes % 10 == 0
  }

  /// With a colon; drop-frame with a semicolon before the frames.
  package func text(_ rate: TimecodeRate) -> FixedText<16> {
    let separator: StaticString = rate.isDrop ? ";" : ":"
    return "\(hours, width: 2):\(minutes, width: 2):\(seconds, width: 2)\(separator)\(frames, width: 2)"
  }
}

extension Timecode {
  /// For people: `10:00:00:12 at 25`.
  package func label(_ rate: TimecodeRate) -> FixedText<32> { "\(text(rate)) at \(rate.name)" }
}

/// A place within a frame, to the sample.
package struct TimecodePlace: BitwiseCopyable, Equatable, Sendable {
  /// Frames since midnight.
  package var number: Int
  /// Samples since the frame began.
  package var samples: UInt32
  package var rate: TimecodeRate

  package init(number: Int, samples: UInt32, rate: TimecodeRate) {
    self.number = number
    self.samples = samples
    self.rate = rate
  }

  package static var key: StaticString { "timecode: " }

  /// What a ledger says after ``key``: `10:00:00:12 at 25, 345 samples into the frame`.
  package var text: FixedText<64> {
    "\(Timecode(number: number, rate).text(rate)) at \(rate.name), \(samples) samples into the frame"
  }

  /// - Parameter text: as ``text`` says. Nil for any other.
  package init?(_ text: Span<UInt8>) {
    guard text.count > 15, let hours = text.pair(at: 0), let minutes = text.pair(at: 3),
      let seconds = text.pair(at: 6), let frames = text.pair(at: 9),
      let rest = text.extracting(droppingFirst: 11).removingPrefix(" at "), let comma = rest.firstIndex(of: ","),
      let rate = TimecodeRate(name: rest.extracting(first: comma)), comma + 2 < rest.count,
      let samples = rest.extracting(droppingFirst: comma + 2).firstWord.parseInteger(as: UInt32.self)
    else { return nil }
    let timecode = Timecode(hours: hours, minutes: minutes, seconds: seconds, frames: frames)
    guard timecode.isValid(rate) else { return nil }
    self.init(number: timecode.number(rate), samples: samples, rate: rate)
  }

  /// Samples since midnight, as if the rates of both were exact.
  package func samplesSinceMidnight(sampleRateHz: UInt32) -> UInt64 {
    rate.samples(in: number, sampleRateHz: sampleRateHz) + UInt64(samples)
  }
}

extension Span<UInt8> {
  /// A number of two digits.
  fileprivate func pair(at place: Int) -> UInt8? { extracting(place..<place + 2).parseInteger(as: UInt8.self) }
}

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
