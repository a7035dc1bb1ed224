import Port

/// Makes the slow calls of the camera. What zooms it comes first, for its orders are of the camera that is open now.
public struct CameraWorker<Machine: Hardware & ~Copyable>: ~Copyable {
  private var lens: LentDevice<CameraLens<Machine.BoardCamera.Zooming>>
  private var camera: LentDevice<Machine.BoardCamera>

  init(_ machine: borrowing Machine) {
    lens = machine.lens.workerEnd
    camera = machine.camera.workerEnd
  }

  /// Carries out one order.
  /// - Returns: whether there was one.
  public mutating func step() -> Bool { lens.step() || camera.step() }
}
