import Port
import Posix

/// A step that a camera refused.
struct VideoError: Error {
  /// As the end of a sentence that starts with the camera's name.
  var problem: StaticString
  var kind: DeviceFailure.Kind
  var systemErrorNumber: Int32

  /// For a call that has just failed and left an `errno`.
  init(_ problem: StaticString) {
    self.problem = problem
    systemErrorNumber = lastSystemError
    kind = DeviceFailure.Kind(systemErrorNumber: systemErrorNumber)
  }

  /// For something that the camera does not offer.
  init(unsupported problem: StaticString) {
    self.problem = problem
    systemErrorNumber = 0
    kind = .unsupported
  }
}
