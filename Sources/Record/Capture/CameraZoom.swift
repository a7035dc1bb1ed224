import Base
import Machine
import Media

/// The zoom and what performs it: the camera if it can, because it may have more pixels than it delivers; otherwise the
/// encoder.
package struct CameraZoom: Sendable {
  /// The zoom factor over time.
  package var motion: Zoom
  private let configuredMaximum: Double
  private var place = ZoomPlace.recorder(cameraFactor: 1)

  /// - Parameter motion: its maximum is the configured one.
  package init(_ motion: Zoom) {
    self.motion = motion
    configuredMaximum = motion.maximum
  }

  /// Starts with a camera that was just opened, whatever its present factor.
  /// - Parameter cameraMaximum: the camera's largest factor; nil if it cannot zoom.
  mutating func start(cameraMaximum: Double?) {
    guard let cameraMaximum, cameraMaximum > 1, cameraMaximum.isFinite else {
      place = .recorder(cameraFactor: 1)
      return motion.limit(to: configuredMaximum)
    }
    place = .camera(factor: nil)
    motion.limit(to: min(configuredMaximum, cameraMaximum))
  }

  /// The factor to which a zooming camera must be set now; nil if there is nothing to set.
  func factorToSet(at now: Instant) -> Double? {
    let factor = motion.factor(at: now)
    guard case .camera(let present) = place, factor != present else { return nil }
    return factor
  }

  /// Notes that the camera was set to `factor`.
  mutating func noteSet(_ factor: Double) {
    if case .camera = place { place = .camera(factor: factor) }
  }

  /// Notes that the camera refuses to zoom: from now on the recorder supplies the rest of the factor, and the camera is
  /// not asked again.
  mutating func noteRefusal() {
    if case .camera(let present) = place { place = .recorder(cameraFactor: present ?? 1) }
  }

  /// The factor that the encoder applies to a picture exposed at this instant: 1 or more.
  func factorToApply(at instant: Instant) -> Double {
    switch place {
    case .recorder(let cameraFactor): max(motion.factor(at: instant) / cameraFactor, 1)
    case .camera: 1
    }
  }
}

/// What performs the zoom.
enum ZoomPlace: Equatable, Sendable {
  /// The recorder, on top of the camera's fixed factor, which is 1 if it cannot zoom.
  case recorder(cameraFactor: Double)
  /// The camera, last set to this factor; nil before the first time.
  case camera(factor: Double?)
}
