/// Who shows the picture's middle larger.
enum ZoomPlace: Equatable, Sendable {
  /// The recorder, on top of the factor at which the camera stands: 1 for one that cannot zoom.
  case recorder(cameraFactor: Double)
  /// The camera, which was asked for this factor last; nil for one that was not asked yet.
  case camera(factor: Double?)
}
