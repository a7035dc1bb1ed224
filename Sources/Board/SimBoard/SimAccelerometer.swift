import Port
import Values
import Text

/// An accelerometer at rest, upright until something else is injected, with a chip's noise.
public struct SimAccelerometer: Accelerometer, ~Copyable {
  /// Readings are off by up to this much on each axis.
  public static var noiseMilliGravity: Int32 { 16 }

  private let isPresent: Bool
  private let noise: SimNoise
  private var readCount: UInt64 = 0
  private var acceleration = Acceleration(xMilliGravity: 0, yMilliGravity: 1000, zMilliGravity: 0)

  /// - Parameter isPresent: without it, ``open()`` fails as with no chip on the bus.
  public init(isPresent: Bool, seed: UInt64) {
    self.isPresent = isPresent
    noise = SimNoise(seed: seed, stream: 2)
  }

  /// The simulated chip is awake at once.
  public mutating func open() throws(DeviceFailure) -> FixedText<32> {
    try requirePresence()
    return "simulated accelerometer"
  }

  /// What was injected last, off by the noise.
  public mutating func read() throws(DeviceFailure) -> Acceleration {
    try requirePresence()
    let bits = noise.bits(at: readCount)
    readCount += 1
    return Acceleration(
      xMilliGravity: acceleration.xMilliGravity + Self.noise(bits),
      yMilliGravity: acceleration.yMilliGravity + Self.noise(bits >> 16),
      zMilliGravity: acceleration.zMilliGravity + Self.noise(bits >> 32))
  }

  /// Turns the simulated device.
  public mutating func inject(_ acceleration: Acceleration) {
    self.acceleration = acceleration
  }

  private static func noise(_ bits: UInt64) -> Int32 {
    Int32(bits & 0xFFFF) % (2 * noiseMilliGravity + 1) - noiseMilliGravity
  }

  private func requirePresence() throws(DeviceFailure) {
    guard !isPresent else { return }
    throw DeviceFailure(
      device: .accelerometer, kind: .absent, subject: "", problem: "is not on the simulated board",
      remedy: "pictures are taken to be upright")
  }
}
