import CMath

/// The tempo and beat pattern of a metronome.
package struct Rhythm: BitwiseCopyable, Equatable, Sendable {
  /// Beats per minute, in hundredths: 2,000…40,000.
  package let hundredthsPerMinute: Int
  /// Beats per bar, 1…16; the first is accented.
  package let beats: Int
  /// Clicks per beat, 1…4.
  package let subdivisions: Int

  /// - Parameters:
  ///   - beatsPerMinute: as in ``GuitarLimits/beatsPerMinute``; rounded to hundredths.
  ///   - beats: as in ``GuitarLimits/beatsPerBar``.
  ///   - subdivisions: as in ``GuitarLimits/clicksPerBeat``.
  package init(beatsPerMinute: Double, beats: Int = 4, subdivisions: Int = 1) {
    precondition(
      GuitarLimits.beatsPerMinute.contains(beatsPerMinute) && GuitarLimits.beatsPerBar.contains(beats)
        && GuitarLimits.clicksPerBeat.contains(subdivisions), "a rhythm outside its limits")
    hundredthsPerMinute = Int(beatsPerMinute * 100 + 0.5)
    self.beats = beats
    self.subdivisions = subdivisions
  }

  package var beatsPerMinute: Double { Double(hundredthsPerMinute) / 100 }

  /// The same bar at another tempo.
  package func at(beatsPerMinute: Double) -> Rhythm {
    Rhythm(beatsPerMinute: beatsPerMinute, beats: beats, subdivisions: subdivisions)
  }
}

extension GuitarLimits {
  /// From the slowest tempo of a metronome, with beats three seconds apart, to the fastest.
  package static var beatsPerMinute: ClosedRange<Double> { 20...400 }

  package static var beatsPerBar: ClosedRange<Int> { 1...16 }

  /// Clicks per beat: up to sixteenths.
  package static var clicksPerBeat: ClosedRange<Int> { 1...4 }

  /// The length of a click. Four per beat at 400 a minute are 37.5 ms apart: each ends before the next.
  static var clickMilliseconds: Int { 25 }

  /// The length of a slate's beep: two pictures at ten a second, so that it overlaps at least one whole picture.
  static var slateMilliseconds: Int { 200 }

  /// Taps from which the tempo is taken: a bar of four, so that the error of one tap counts a quarter.
  static var taps: Int { 5 }

  /// The pause after which a tap starts over: the interval of the slowest tempo, and a tenth more.
  static var tapPauseNanoseconds: UInt64 { 3_300_000_000 }
}

package struct TapTempo: BitwiseCopyable, Sendable {
  /// The instants of the taps, newest last; only the first `count` are used.
  private var instants = InlineArray<5, UInt64>(repeating: 0)
  private var count = 0

  /// No taps yet.
  package init() { precondition(instants.count == GuitarLimits.taps, "the taps have another number than their limit") }

  /// Takes one tap.
  /// - Parameter nanoseconds: its instant, by a clock that does not jump.
  /// - Returns: beats per minute by the newest taps, within the metronome's limits; nil for the first tap, and for one
  ///   that comes after a pause.
  package mutating func tap(at nanoseconds: UInt64) -> Double? {
    if count > 0, nanoseconds - instants[count - 1] > GuitarLimits.tapPauseNanoseconds { count = 0 }
    if count == instants.count {
      for index in 1..<count { instants[index - 1] = instants[index] }
      count -= 1
    }
    instants[count] = nanoseconds
    count += 1
    guard count > 1, nanoseconds > instants[0] else { return nil }
    let beatsPerMinute = 60e9 * Double(count - 1) / Double(nanoseconds - instants[0])
    let limits = GuitarLimits.beatsPerMinute
    return min(max(beatsPerMinute, limits.lowerBound), limits.upperBound)
  }
}

/// A short decaying cosine: a click of the metronome, or the beep of a slate. A cosine starts with its loudest sample,
/// which marks the instant.
package struct Click: BitwiseCopyable, Sendable {
  package enum Kind: BitwiseCopyable, Sendable {
    /// The first beat of a bar.
    case accent
    /// Another beat.
    case beat
    /// A subdivision of a beat.
    case between
    /// The beep that is looked for in a take, and in those of other devices.
    case slate

    /// An octave between accent and beat, so that a small speaker still tells them apart.
    var hertz: Double {
      switch self {
      case .accent: 1760
      case .beat, .between: 880
      case .slate: 1000
      }
    }

    /// Full scale is 1.
    var level: Float {
      switch self {
      case .accent: 0.7
      case .beat: 0.5
      case .between: 0.2
      case .slate: 0.9
      }
    }

    var milliseconds: Int { self == .slate ? GuitarLimits.slateMilliseconds : GuitarLimits.clickMilliseconds }
  }

  private let sampleRateHz: Int
  private var frameCount = 0
  private var level: Float = 0
  private var framesLeft = 0
  /// The last two samples of the cosine, and the factor by which they give the next one.
  private var last: Float = 0
  private var secondLast: Float = 0
  private var factor: Float = 0

  /// A silent click.
  /// - Parameter sampleRateHz: 8,000…192,000.
  package init(sampleRateHz: Int) { self.sampleRateHz = sampleRateHz }

  /// Whether any samples are left.
  package var isSounding: Bool { framesLeft > 0 }

  /// Begins at the next rendered frame.
  package mutating func begin(_ kind: Kind) {
    let cosine = Float(cos(2 * Double.pi * kind.hertz / Double(sampleRateHz)))
    factor = 2 * cosine
    last = cosine
    secondLast = 1
    level = kind.level
    frameCount = sampleRateHz * kind.milliseconds / 1000
    framesLeft = frameCount
  }

  /// Adds the next frames to a part of `samples`.
  package mutating func render(into samples: inout MutableSpan<Float>, _ range: Range<Int>) {
    var index = range.lowerBound
    while framesLeft > 0, index < range.upperBound {
      let fade = Float(framesLeft) / Float(frameCount)
      samples[index] += level * fade * fade * secondLast
      let next = factor * last - secondLast
      secondLast = last
      last = next
      framesLeft -= 1
      index += 1
    }
  }
}

/// A metronome's sound: click number k begins exactly at sample frame k · interval, rounded down, however long it runs.
/// The interval is a fraction of integers, so that no error accumulates.
package struct ClickTrack: BitwiseCopyable, Sendable {
  /// The tempo and beat pattern.
  package private(set) var rhythm: Rhythm
  private let sampleRateHz: Int
  /// Frames until the next click.
  private var framesLeft = 0
  /// The remainder of the rounding, in frames / ``denominator``.
  private var carry = 0
  /// The index of the next click in its bar, 0 for the accent.
  private var index = 0
  private var click: Click

  /// Begins with the accent, at the first frame.
  /// - Parameter sampleRateHz: 8,000…192,000.
  package init(_ rhythm: Rhythm, sampleRateHz: UInt32) {
    self.rhythm = rhythm
    self.sampleRateHz = Int(sampleRateHz)
    click = Click(sampleRateHz: Int(sampleRateHz))
  }

  private var numerator: Int { 60 * 100 * sampleRateHz }
  private var denominator: Int { rhythm.hundredthsPerMinute * rhythm.subdivisions }

  /// Changes the rhythm. The next click comes after the same fraction of an interval as before; with other beats or
  /// subdivisions it begins a bar.
  package mutating func change(to rhythm: Rhythm) {
    guard rhythm != self.rhythm else { return }
    let oldDenominator = denominator
    let isSameBar = rhythm.beats == self.rhythm.beats && rhythm.subdivisions == self.rhythm.subdivisions
    self.rhythm = rhythm
    framesLeft = framesLeft * oldDenominator / denominator
    carry = 0
    if !isSameBar { index = 0 }
  }

  /// Lets a beat begin after this many frames, and counts on from there.
  package mutating func align(nextBeatAfter frames: Int) {
    let beat = (index + rhythm.subdivisions - 1) / rhythm.subdivisions % rhythm.beats
    index = beat * rhythm.subdivisions
    framesLeft = max(0, frames)
    carry = 0
  }

  /// The beat that began last, 0 for the accent, for a listener who hears the rendered sound later.
  /// - Parameter frames: how much later, in frames, 0 or more.
  package func beat(heardLaterBy frames: Int) -> Int {
    let interval = numerator / denominator
    let missing = frames - (interval - framesLeft)
    let clicksNotHeard = missing <= 0 ? 0 : (missing + interval - 1) / interval
    let clicks = rhythm.beats * rhythm.subdivisions
    let last = (index - 1 - clicksNotHeard) % clicks
    return (last < 0 ? last + clicks : last) / rhythm.subdivisions
  }

  /// Adds the next frames to the first frames of `samples`.
  package mutating func render(frameCount: Int, into samples: inout MutableSpan<Float>) {
    var start = 0
    while start < frameCount {
      if framesLeft == 0 { begin() }
      let count = min(framesLeft, frameCount - start)
      click.render(into: &samples, start..<start + count)
      framesLeft -= count
      start += count
    }
  }

  private mutating func begin() {
    let (whole, rest) = numerator.quotientAndRemainder(dividingBy: denominator)
    framesLeft = whole
    carry += rest
    if carry >= denominator {
      carry -= denominator
      framesLeft += 1
    }
    click.begin(index == 0 ? .accent : index % rhythm.subdivisions == 0 ? .beat : .between)
    index = (index + 1) % (rhythm.beats * rhythm.subdivisions)
  }
}
