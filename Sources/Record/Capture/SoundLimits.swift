/// What the meters measure, and what counts as sound that cannot be meant.
package enum SoundLimits {
  /// The time over which the mean level is reported: the momentary one of EBU Tech 3341.
  package static var windowNanoseconds: UInt64 { 400_000_000 }

  /// How long a peak is held: long enough to be read, as on the display.
  package static var peakNanoseconds: UInt64 { 2_000_000_000 }

  /// A microphone is dead, or clips all the time, once it has been so for this long: no pause between two words and no
  /// applause lasts as long, and somebody who has just begun a take still hears of it.
  static var patienceSeconds: UInt64 { 10 }

  /// The least share of the samples that are at full scale, like the one before, by which a channel clips: one in so many.
  /// An undistorted sine at full scale has one in 200 (twice the arccosine of 32,767 / 32,768, in π), and one that is
  /// 1 dB too loud one in 3, at least as long as a period has ten samples.
  static var samplesPerClippedOne: Int { 100 }

  /// The magnitude of full scale: the largest positive number of 16 bits.
  package static var fullScale: Float { 32_767 / 32_768 }

  /// What clips with pauses up to this long clips all the time: people breathe.
  static var clippingPauseSeconds: UInt64 { 1 }
}
