import Port
import Imaging

/// The zoom, and who carries it out: the camera itself where it can, for it may have more pixels than it delivers, or
/// else whoever encodes its pictures.
public struct CameraZoom: Sendable {
  /// What is asked of it.
  public var motion: Zoom
  private let configuredMaximum: Double
  private var place = ZoomPlace.recorder(cameraFactor: 1)

  /// - Parameter motion: has the largest factor that is ever wanted.
  public init(_ motion: Zoom) {
    self.motion = motion
    configuredMaximum = motion.maximum
  }

  /// Takes over a camera that was just opened, at whatever factor it is.
  /// - Parameter cameraMaximum: the largest factor of its own; nil for a camera that has none.
  mutating func start(cameraMaximum: Double?) {
    guard let cameraMaximum, cameraMaximum > 1, cameraMaximum.isFinite else {
      place = .recorder(cameraFactor: 1)
      return motion.limit(to: configuredMaximum)
    }
    place = .camera(factor: nil)
    motion.limit(to: min(configuredMaximum, cameraMaximum))
  }

  /// Lets a camera that zooms by itself have the factor of this instant.
  /// - Returns: its refusal; from then on the recorder makes up for what is missing, and the camera is not asked again.
  mutating func drive(_ camera: inout some Camera & ~Copyable, atNanoseconds now: UInt64) -> DeviceFailure? {
    let factor = motion.factor(atNanoseconds: now)
    guard case .camera(let present) = place, factor != present else { return nil }
    do throws(DeviceFailure) {
      try camera.setZoom(factor)
      place = .camera(factor: factor)
      return nil
    } catch {
      place = .recorder(cameraFactor: present ?? 1)
      return error
    }
  }

  /// What is left to be done with a picture that was exposed at this instant: 1 or more.
  func factorToApply(atNanoseconds instant: UInt64) -> Double {
    switch place {
    case .recorder(let cameraFactor): max(motion.factor(atNanoseconds: instant) / cameraFactor, 1)
    case .camera: 1
    }
  }
}
