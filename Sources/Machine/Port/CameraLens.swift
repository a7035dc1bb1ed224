/// Zooms a camera by a way of its own: while that takes its time, the loop has the camera, and no picture waits.
package protocol CameraZooming: BitwiseCopyable, Sendable {
  /// Magnifies the middle of the picture in the camera, from one of the next pictures on. Only while the camera is open.
  /// - Parameter factor: 1…``Camera/maximumZoom``; the camera takes the nearest it can.
  /// - Throws: when the camera refuses; it keeps its factor.
  func set(_ factor: Double) throws(DeviceFailure)
}

/// Of a camera that does not zoom.
package struct NoZooming: CameraZooming {
  /// Does nothing.
  package func set(_ factor: Double) throws(DeviceFailure) {}
}

/// What zooms the camera, as a device with a worker: the camera's own, so that nothing is zoomed that is being closed.
package struct CameraLens<Zooming: CameraZooming>: SlowDevice {
  /// Another factor for the camera that is open.
  package struct Order: BitwiseCopyable, Sendable {
    /// Of that camera.
    package let zooming: Zooming
    /// See ``CameraZooming/set(_:)``.
    package let factor: Double

    /// The camera must be open until the order is carried out.
    package init(_ zooming: Zooming, factor: Double) {
      self.zooming = zooming
      self.factor = factor
    }
  }

  package init() {}

  /// - Returns: the factor.
  package mutating func carryOut(_ order: Order) throws(DeviceFailure) -> Double {
    try order.zooming.set(order.factor)
    return order.factor
  }
}
