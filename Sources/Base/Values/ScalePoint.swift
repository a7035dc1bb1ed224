/// A point on a scale that counts up from zero. Points can be compared, and the distance between them measured. Two
/// points cannot be added, and points of different scales cannot be compared.
package protocol ScalePoint: Strideable, BitwiseCopyable, Sendable, ExpressibleByIntegerLiteral where Stride == Int {
  /// The distance from zero, in the scale's unit.
  var rawValue: UInt64 { get }

  init(_ rawValue: UInt64)
}

extension ScalePoint {
  package static var zero: Self { Self(0) }
  /// The last point: later than any event.
  package static var max: Self { Self(.max) }
  package init(integerLiteral value: UInt64) { self.init(value) }
  package static func == (left: Self, right: Self) -> Bool { left.rawValue == right.rawValue }
  package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  package static func + (point: Self, distance: UInt64) -> Self { Self(point.rawValue + distance) }
  /// The point `distance` earlier, which must not be before zero.
  package static func - (point: Self, distance: UInt64) -> Self { Self(point.rawValue - distance) }
  package static func += (point: inout Self, distance: UInt64) { point = point + distance }
  /// The distance from `start` to a point that is not before it.
  package static func - (end: Self, start: Self) -> UInt64 { end.rawValue - start.rawValue }

  /// The point `distance` later, or the last one.
  package func later(by distance: UInt64) -> Self {
    let (sum, isTooLarge) = rawValue.addingReportingOverflow(distance)
    return isTooLarge ? .max : Self(sum)
  }

  /// The point `distance` earlier, or zero.
  package func earlier(by distance: UInt64) -> Self { Self(rawValue - Swift.min(distance, rawValue)) }

  /// The distance from `start`; 0 if `start` is later.
  package func distance(since start: Self) -> UInt64 { self > start ? self - start : 0 }

  /// The distance to `other`, negative if `other` is earlier.
  package func distance(to other: Self) -> Int { Int(truncatingIfNeeded: other.rawValue &- rawValue) }

  /// The point `distance` later, or earlier if it is negative.
  package func advanced(by distance: Int) -> Self { Self(rawValue &+ UInt64(truncatingIfNeeded: distance)) }
}

/// A point in time on the system's monotonic clock (`CLOCK_MONOTONIC`).
package struct Instant: ScalePoint {
  /// In nanoseconds.
  package let rawValue: UInt64

  /// - Parameter nanoseconds: since the clock's zero.
  package init(_ nanoseconds: UInt64) { rawValue = nanoseconds }
}

/// A position on the recording's timeline.
package struct TimelinePosition: ScalePoint {
  /// In sample frames.
  package let rawValue: UInt64

  /// - Parameter frames: since the recorder was armed.
  package init(_ frames: UInt64) { rawValue = frames }
}

/// The sequence number of a picture in its ring: the first one ever written is 0.
package struct PictureNumber: ScalePoint {
  /// The number of pictures before it.
  package let rawValue: UInt64

  /// - Parameter count: the number of pictures before it.
  package init(_ count: UInt64) { rawValue = count }
}

/// The recent maximum, as a meter holds a peak. The highest value after it is kept as well, to be held in its turn.
package struct HeldMaximum: BitwiseCopyable, Sendable {
  /// The highest value that is still held.
  package private(set) var value: Float
  private var end: Instant = 0
  /// The highest value since then, and the time until which it counts.
  private var next = -Float.infinity
  private var nextEnd: Instant = 0

  /// Holds `value` until the next one arrives.
  package init(_ value: Float) { self.value = value }

  /// Takes the newest value and holds it for `nanoseconds`, or until a higher one arrives.
  package mutating func follow(_ newest: Float, for nanoseconds: UInt64, at now: Instant) {
    guard newest < value else {
      value = newest
      end = now + nanoseconds
      next = -.infinity
      return
    }
    if newest >= next {
      next = newest
      nextEnd = now + nanoseconds
    }
    guard now >= end else { return }
    value = next
    end = nextEnd
    next = -.infinity
  }
}
