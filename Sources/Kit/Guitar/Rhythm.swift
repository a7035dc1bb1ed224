/// What a metronome counts.
package struct Rhythm: BitwiseCopyable, Equatable, Sendable {
  /// Beats a minute, in hundredths: 2,000…40,000.
  package let hundredthsPerMinute: Int
  /// Beats to a bar, 1…16; the first is accented.
  package let beats: Int
  /// Clicks to a beat, 1…4.
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

  /// Beats a minute.
  package var beatsPerMinute: Double { Double(hundredthsPerMinute) / 100 }

  /// The same bar at another tempo.
  package func at(beatsPerMinute: Double) -> Rhythm {
    Rhythm(beatsPerMinute: beatsPerMinute, beats: beats, subdivisions: subdivisions)
  }
}

extension GuitarLimits {
  /// From the slowest that a metronome counts, where single beats are three seconds apart, to the fastest.
  package static var beatsPerMinute: ClosedRange<Double> { 20...400 }

  /// Beats to a bar.
  package static var beatsPerBar: ClosedRange<Int> { 1...16 }

  /// Clicks to a beat: sixteenths.
  package static var clicksPerBeat: ClosedRange<Int> { 1...4 }

  /// The length of a click. Four to a beat at 400 a minute are 37.5 ms apart: each ends before the next.
  static var clickMilliseconds: Int { 25 }

  /// The length of a slate's beep: two pictures at ten a second, so that it is heard beside one picture at least.
  static var slateMilliseconds: Int { 200 }

  /// Taps from which the tempo is taken: a bar of four, so that one that is early or late counts a quarter.
  static var taps: Int { 5 }

  /// After this long a tap starts over: the interval of the slowest tempo, and a tenth.
  static var tapPauseNanoseconds: UInt64 { 3_300_000_000 }
}
