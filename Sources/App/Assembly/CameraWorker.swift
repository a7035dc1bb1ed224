import Machine

/// Makes the slow calls of the camera. What zooms it comes first, for its orders are of the camera that is open now.
package struct CameraWorker: ~Copyable {
  private var lens: LentDevice<CameraLens<Camera.Zooming>>
  private var camera: LentDevice<Camera>

  init(_ machine: borrowing Hardware) {
    lens = machine.lens.workerEnd
    camera = machine.camera.workerEnd
  }

  /// Carries out one order.
  /// - Returns: whether there was one.
  package mutating func step() -> Bool { lens.step() || camera.step() }
}
