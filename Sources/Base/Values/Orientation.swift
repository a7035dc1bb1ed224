/// Which way up the device is held, named as seen from its back: `landscapeLeft` is the camera's own upright position,
/// in which pictures need no rotation.
package enum Orientation: UInt8, BitwiseCopyable, Sendable {
  /// The camera's own upright position.
  case landscapeLeft
  /// Rotated by 90° clockwise, as seen by a viewer of the display.
  case portrait
  /// Rotated by 180°.
  case landscapeRight
  /// Rotated by 90° counter-clockwise.
  case portraitUpsideDown

  /// Degrees by which a player rotates the picture clockwise to show it upright.
  package var clockwiseDegrees: UInt16 {
    switch self {
    case .landscapeLeft: 0
    case .portrait: 90
    case .landscapeRight: 180
    case .portraitUpsideDown: 270
    }
  }

  /// Its name in commands, replies and configuration.
  package var name: StaticString {
    switch self {
    case .landscapeLeft: "landscape-left"
    case .portrait: "portrait"
    case .landscapeRight: "landscape-right"
    case .portraitUpsideDown: "portrait-upside-down"
    }
  }
}

/// A clockwise rotation by a multiple of 90 degrees.
package struct QuarterTurn: BitwiseCopyable, Equatable, Sendable {
  /// 0…3.
  package let count: UInt8

  /// No rotation.
  package static var none: QuarterTurn { QuarterTurn(count: 0) }

  /// The rotation that makes pictures upright when the camera is held in this orientation.
  package init(upright orientation: Orientation) {
    self.init(count: UInt8(orientation.clockwiseDegrees / 90))
  }

  private init(count: UInt8) { self.count = count & 3 }

  /// The inverse.
  package var reversed: QuarterTurn { QuarterTurn(count: 4 - count) }

  /// Whether width and height are exchanged.
  package var swapsSides: Bool { count & 1 == 1 }

  /// `first`, then `second`.
  package static func + (first: QuarterTurn, second: QuarterTurn) -> QuarterTurn {
    QuarterTurn(count: first.count + second.count)
  }
}

/// What decides the orientation in which pictures are shown: the accelerometer, or the user.
package enum Rotation: Choice, BitwiseCopyable {
  /// The accelerometer.
  case automatic
  /// The user's choice; the accelerometer is ignored.
  case fixed(Orientation)

  /// 0 for ``automatic``, and the orientation's number plus one for each fixed one.
  package init?(rawValue: UInt8) {
    guard rawValue > 0 else {
      self = .automatic
      return
    }
    guard let orientation = Orientation(rawValue: rawValue - 1) else { return nil }
    self = .fixed(orientation)
  }

  /// The inverse of ``init(rawValue:)``.
  package var rawValue: UInt8 {
    switch self {
    case .automatic: 0
    case .fixed(let orientation): orientation.rawValue + 1
    }
  }

  /// Its name in commands, replies and the state file.
  package var name: StaticString {
    switch self {
    case .automatic: "auto"
    case .fixed(let orientation): orientation.name
    }
  }
}
