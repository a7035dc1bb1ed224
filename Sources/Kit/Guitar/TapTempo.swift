/// The tempo that somebody taps.
package struct TapTempo: BitwiseCopyable, Sendable {
  /// The newest last; those before `count` taps are not used.
  private var instants = InlineArray<5, UInt64>(repeating: 0)
  private var count = 0

  /// Before the first tap.
  package init() { precondition(instants.count == GuitarLimits.taps, "the taps have another number than their limit") }

  /// Takes one tap.
  /// - Parameter nanoseconds: its instant, by a clock that does not jump.
  /// - Returns: beats a minute by the newest taps, within the metronome's limits; nil for the first one, and for one that
  ///   comes after a pause.
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
