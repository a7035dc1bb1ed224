import Base
import Wire

/// What the level meters keep: the highest peak for a while, and whether a channel has clipped.
package struct MeterHold: BitwiseCopyable, Sendable {
  /// How long a peak stays, and how long a light burns.
  static var peakNanoseconds: UInt64 { 2_000_000_000 }
  static var clipNanoseconds: UInt64 { 4_000_000_000 }

  private var peaks: InlineArray<2, HeldMaximum> = [HeldMaximum(-90), HeldMaximum(-90)]
  private(set) var hasClipped: InlineArray<2, Bool> = [false, false]
  private var clipEnd: InlineArray<2, Instant> = [0, 0]
  /// Nil before the first status.
  private var clipCounts: InlineArray<2, UInt32>?

  var peakDecibels: InlineArray<2, Float> { [peaks[0].value, peaks[1].value] }

  /// Nothing held.
  package init() {}

  /// Takes a newer status into account; to be called again as time goes by.
  package mutating func follow(_ status: ViewStatus, at now: Instant) {
    let before = clipCounts ?? status.clipCounts
    for channel in 0..<2 {
      peaks[channel].follow(status.peakDecibels[channel], for: Self.peakNanoseconds, at: now)
      if status.clipCounts[channel] != before[channel] { clipEnd[channel] = now + Self.clipNanoseconds }
      hasClipped[channel] = now < clipEnd[channel]
    }
    clipCounts = status.clipCounts
  }
}
