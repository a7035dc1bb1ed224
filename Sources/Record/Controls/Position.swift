import Base

/// A way to hold or lay the device, by name.
///
/// With the picture upright, x points right, y up and z out of the display. Rotating the device about z by 90°
/// clockwise, seen from the display's side, puts the picture's left edge on top: that is `portrait`.
package enum Position: UInt8, Choice {
  case landscapeLeft
  case portrait
  case landscapeRight
  case portraitUpsideDown
  /// Lying on its back, the display towards the sky.
  case faceUp
  case faceDown

  /// The number of positions; the raw values count up from 0.
  package static var count: Int { 6 }

  /// The position of an orientation.
  package init(_ orientation: Orientation) {
    switch orientation {
    case .landscapeLeft: self = .landscapeLeft
    case .portrait: self = .portrait
    case .landscapeRight: self = .landscapeRight
    case .portraitUpsideDown: self = .portraitUpsideDown
    }
  }

  /// The word in commands and replies.
  package var name: StaticString {
    switch self {
    case .landscapeLeft: Orientation.landscapeLeft.name
    case .portrait: Orientation.portrait.name
    case .landscapeRight: Orientation.landscapeRight.name
    case .portraitUpsideDown: Orientation.portraitUpsideDown.name
    case .faceUp: "face-up"
    case .faceDown: "face-down"
    }
  }

  /// The reading of an ideal accelerometer at rest in this position: the direction of up, with length 1000.
  package var acceleration: Acceleration {
    switch self {
    case .landscapeLeft: Acceleration(xMilliGravity: 0, yMilliGravity: 1000, zMilliGravity: 0)
    case .portrait: Acceleration(xMilliGravity: -1000, yMilliGravity: 0, zMilliGravity: 0)
    case .landscapeRight: Acceleration(xMilliGravity: 0, yMilliGravity: -1000, zMilliGravity: 0)
    case .portraitUpsideDown: Acceleration(xMilliGravity: 1000, yMilliGravity: 0, zMilliGravity: 0)
    case .faceUp: Acceleration(xMilliGravity: 0, yMilliGravity: 0, zMilliGravity: 1000)
    case .faceDown: Acceleration(xMilliGravity: 0, yMilliGravity: 0, zMilliGravity: -1000)
    }
  }
}
