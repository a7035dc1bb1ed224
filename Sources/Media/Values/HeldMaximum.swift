/// The highest value of the last while, as a meter holds a peak.
public struct HeldMaximum: BitwiseCopyable, Sendable {
  /// The highest value that is still held.
  public private(set) var value: Float
  private var end: Instant = 0

  /// Holds `value` until anything else comes.
  public init(_ value: Float) { self.value = value }

  /// Takes the newest value, which stays until a higher one comes, or for `nanoseconds`.
  public mutating func follow(_ newest: Float, for nanoseconds: UInt64, at now: Instant) {
    guard newest >= value || now >= end else { return }
    value = newest
    end = now + nanoseconds
  }
}
