/// Which way up the device is held, named as seen from its back. In `landscapeLeft`, the camera's own upright position,
/// pictures need no rotation.
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

  package static var none: QuarterTurn { QuarterTurn(count: 0) }

  /// The rotation that makes pictures upright when the camera is held in this orientation.
  package init(upright orientation: Orientation) {
    self.init(count: UInt8(orientation.clockwiseDegrees / 90))
  }

  private init(count: UInt8) { self.count = count & 3 }
  package var reversed: QuarterTurn { QuarterTurn(count: 4 - count) }
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

/// Acceleration along the device's axes in thousandths of standard gravity: at rest it points up, with length 1000.
///
/// The axes are those of the board with the picture upright: x to the right, y up, z out of the display towards the
/// viewer.
package struct Acceleration: BitwiseCopyable, Equatable, Sendable {
  /// To the right, in thousandths of standard gravity (9.80665 m/s²).
  package var xMilliGravity: Int32
  /// Upwards, in thousandths of standard gravity.
  package var yMilliGravity: Int32
  /// Out of the display, in thousandths of standard gravity.
  package var zMilliGravity: Int32

  package init(xMilliGravity: Int32, yMilliGravity: Int32, zMilliGravity: Int32) {
    self.xMilliGravity = xMilliGravity
    self.yMilliGravity = yMilliGravity
    self.zMilliGravity = zMilliGravity
  }
}
