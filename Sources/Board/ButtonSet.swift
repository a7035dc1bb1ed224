/// Which buttons are down.
public struct ButtonSet: Equatable, Sendable {
  /// Bit n is button number n.
  public var bits: UInt8

  public init(bits: UInt8 = 0) { self.bits = bits }

  public func contains(_ button: Button) -> Bool { bits & (1 << button.rawValue) != 0 }

  public mutating func insert(_ button: Button) { bits |= 1 << button.rawValue }

  public mutating func remove(_ button: Button) { bits &= ~(1 << button.rawValue) }

  public mutating func formUnion(_ other: ButtonSet) { bits |= other.bits }
}
