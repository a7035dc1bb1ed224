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
