/// Which buttons are down.
public struct ButtonSet: Equatable, Sendable {
  /// Bit n is button number n.
  public var bits: UInt8

  /// The buttons whose bits are set; none when left out.
  public init(bits: UInt8 = 0) { self.bits = bits }

  /// Whether `button` is down.
  public func contains(_ button: Button) -> Bool { bits & (1 << button.rawValue) != 0 }

  /// Takes `button` as down.
  public mutating func insert(_ button: Button) { bits |= 1 << button.rawValue }

  /// Takes `button` as up.
  public mutating func remove(_ button: Button) { bits &= ~(1 << button.rawValue) }

  /// Takes every button as down that is down in either.
  public mutating func formUnion(_ other: ButtonSet) { bits |= other.bits }
}
