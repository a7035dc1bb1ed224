/// Which buttons are down.
public struct ButtonSet: Equatable, Sendable {
  /// Bit n is button number n.
  public var bits: UInt8

  /// The buttons whose bits are set; none when left out.
  public init(bits: UInt8 = 0) { self.bits = bits }

  /// Whether `button` is down.
  public func contains(_ button: Button) -> Bool { bits & (1 << button.rawValue) != 0 }
}
