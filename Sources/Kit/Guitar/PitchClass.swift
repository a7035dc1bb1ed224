/// One of the twelve notes, whatever its octave and its spelling.
package struct PitchClass: BitwiseCopyable, Equatable, Sendable {
  /// 0 (C) to 11 (B).
  package let number: Int

  /// - Parameter semitones: from any C, of either sign.
  package init(_ semitones: Int) { number = ((semitones % 12) + 12) % 12 }
}

/// A set of pitch classes.
package struct PitchClassSet: BitwiseCopyable, Equatable, Sendable {
  private var bits: UInt16 = 0

  /// The empty set.
  package init() {}

  /// How many are in it.
  package var count: Int { bits.nonzeroBitCount }

  /// Adds one.
  package mutating func insert(_ pitchClass: PitchClass) { bits |= 1 << UInt16(pitchClass.number) }

  /// Takes one out.
  package mutating func remove(_ pitchClass: PitchClass) { bits &= ~(1 << UInt16(pitchClass.number)) }

  /// Whether it is in the set.
  package func contains(_ pitchClass: PitchClass) -> Bool { bits >> UInt16(pitchClass.number) & 1 == 1 }

  /// Whether all of it is in `other`.
  package func isSubset(of other: PitchClassSet) -> Bool { bits & ~other.bits == 0 }
}

/// From a chord's root up to one of its notes.
struct Interval: BitwiseCopyable, Equatable {
  /// 1 for the root itself, 3 for a third, 13 for a thirteenth.
  var degree: Int
  var semitones: Int
}
