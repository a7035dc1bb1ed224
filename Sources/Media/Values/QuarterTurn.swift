/// A turn clockwise by a multiple of 90 degrees.
public struct QuarterTurn: BitwiseCopyable, Equatable, Sendable {
  /// 0…3.
  public let count: UInt8

  /// No turn at all.
  public static var none: QuarterTurn { QuarterTurn(count: 0) }

  /// What makes the pictures of a camera that is held like this upright.
  public init(upright orientation: Orientation) {
    self.init(count: UInt8(orientation.clockwiseDegrees / 90))
  }

  private init(count: UInt8) { self.count = count & 3 }

  /// The turn back.
  public var reversed: QuarterTurn { QuarterTurn(count: 4 - count) }

  /// Whether the width becomes the height.
  public var swapsSides: Bool { count & 1 == 1 }

  /// One after the other.
  public static func + (first: QuarterTurn, second: QuarterTurn) -> QuarterTurn {
    QuarterTurn(count: first.count + second.count)
  }
}
