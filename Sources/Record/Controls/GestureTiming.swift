/// The limits that distinguish gestures.
package struct GestureTiming: Equatable, Sendable {
  /// A level counts once it has lasted this long; at least 1. Tactile switches bounce for up to 10 ms.
  package var stableNanoseconds: UInt64
  /// A press of this length or longer is long.
  package var longPressNanoseconds: UInt64
  /// A press that begins sooner than this after a release makes a double of the two.
  package var doublePressNanoseconds: UInt64

  /// The usual limits, except for those that are given.
  package init(
    stableNanoseconds: UInt64 = 20_000_000, longPressNanoseconds: UInt64 = 800_000_000,
    doublePressNanoseconds: UInt64 = 350_000_000
  ) {
    self.stableNanoseconds = stableNanoseconds
    self.longPressNanoseconds = longPressNanoseconds
    self.doublePressNanoseconds = doublePressNanoseconds
  }
}
