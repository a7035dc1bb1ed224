import TestSupport
import Viewing

extension ViewStatus {
  /// A status that differs from a new one in every field.
  static var telling: ViewStatus {
    var random = SeededGenerator(seed: 1)
    return Self.random(using: &random)
  }

  /// A random status that a recorder can have.
  static func random(using random: inout SeededGenerator) -> ViewStatus {
    var status = ViewStatus()
    status.isRecording = Bool.random(using: &random)
    status.takeMilliseconds = random.next()
    status.zoomFactor = Float.random(in: 1...16, using: &random)
    status.orientation = UInt8.random(in: 0...3, using: &random)
    status.viewfinder = ViewFraction(
      x: Float.random(in: 0...1, using: &random), y: Float.random(in: 0...1, using: &random),
      width: Float.random(in: 0...1, using: &random), height: Float.random(in: 0...1, using: &random))
    status.peakDecibels = [Float.random(in: -90...0, using: &random), Float.random(in: -90...0, using: &random)]
    status.freeByteCount = random.next()
    status.faults = UInt32.random(in: 0...31, using: &random)
    return status
  }
}
