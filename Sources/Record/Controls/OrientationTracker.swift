import Base

/// The device's orientation from a polled accelerometer, stable enough to be written into a file.
///
/// A new orientation counts once every reading for 300 ms has shown it. A reading shows another orientation only if up
/// is more than 60° away from that of the present one: 15° beyond the middle between the two, so that a device held at
/// an angle does not flicker. A reading that shows no orientation keeps the last one and restarts the 300 ms: the
/// device is lying flat (less than 500 mg in the plane of the picture, more than 60° from upright), being shaken or in
/// free fall (magnitude outside 700…1300 mg).
package struct OrientationTracker: Sendable {
  private enum Phase {
    case settled
    case turning(to: Orientation, since: Instant)
  }

  /// The present orientation.
  package private(set) var orientation: Orientation
  private var phase = Phase.settled
  private let stableNanoseconds: UInt64

  /// - Parameters:
  ///   - orientation: valid until readings show another.
  ///   - stableNanoseconds: how long readings must agree.
  package init(orientation: Orientation = .landscapeLeft, stableNanoseconds: UInt64 = 300_000_000) {
    self.orientation = orientation
    self.stableNanoseconds = stableNanoseconds
  }

  /// Takes a reading.
  /// - Parameter now: by the monotonic clock, never earlier than at the last call.
  /// - Returns: the new orientation if this reading confirms it; else nil.
  package mutating func step(_ acceleration: Acceleration, at now: Instant) -> Orientation? {
    guard let shown = Self.orientation(of: acceleration, from: orientation), shown != orientation else {
      phase = .settled
      return nil
    }
    guard case .turning(to: shown, since: let since) = phase else {
      phase = .turning(to: shown, since: now)
      return nil
    }
    guard now >= since + stableNanoseconds else { return nil }
    phase = .settled
    orientation = shown
    return shown
  }

  /// The orientation that one reading shows if `present` was the last one; nil if it shows none.
  static func orientation(of acceleration: Acceleration, from present: Orientation) -> Orientation? {
    let x = Int64(acceleration.xMilliGravity)
    let y = Int64(acceleration.yMilliGravity)
    let z = Int64(acceleration.zMilliGravity)
    // Unsigned: three squares of the largest readings fit, even from a faulty chip.
    let planeSquare = x.magnitude * x.magnitude + y.magnitude * y.magnitude
    let square = planeSquare + z.magnitude * z.magnitude
    guard planeSquare >= 500 * 500, square >= 700 * 700, square <= 1300 * 1300 else { return nil }
    return isWithin60Degrees(x: x, y: y, of: present) ? present : nearest(x: x, y: y)
  }

  private static func isWithin60Degrees(x: Int64, y: Int64, of orientation: Orientation) -> Bool {
    let up = Position(orientation).acceleration
    let along = (x * Int64(up.xMilliGravity) + y * Int64(up.yMilliGravity)) / 1000
    let across = (x * Int64(up.yMilliGravity) - y * Int64(up.xMilliGravity)) / 1000
    // The tangent of 60° is 1.732.
    return along > 0 && abs(across) * 1000 <= along * 1732
  }

  private static func nearest(x: Int64, y: Int64) -> Orientation {
    if abs(y) >= abs(x) { return y > 0 ? .landscapeLeft : .landscapeRight }
    return x > 0 ? .portraitUpsideDown : .portrait
  }
}

/// A position in which the device is held or laid down, by name.
///
/// With the picture upright, x points right, y up, and z out of the display. Rotating the device about z by 90°
/// clockwise, seen from the display's side, brings the picture's left edge to the top: that is `portrait`.
package enum Position: UInt8, Choice {
  case landscapeLeft
  case portrait
  case landscapeRight
  case portraitUpsideDown
  /// Lying on its back, the display facing the sky.
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

  /// The reading of an ideal accelerometer at rest in this position: the direction of up, with magnitude 1000.
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
