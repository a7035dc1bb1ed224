/// Seeded noise that is a function of its place: any part of it can be had at any time, and again.
struct SimNoise: Sendable {
  private let seed: UInt64

  /// - Parameter stream: keeps the noise of one device apart from another's.
  init(seed: UInt64, stream: UInt64) {
    self.seed = Self.mix(seed &+ stream &* 0x9E37_79B9_7F4A_7C15)
  }

  /// 64 even bits (the output function of SplitMix64; Steele, Lea, Flood 2014).
  func bits(at place: UInt64) -> UInt64 {
    Self.mix(seed &+ place &* 0x9E37_79B9_7F4A_7C15)
  }

  private static func mix(_ value: UInt64) -> UInt64 {
    var mixed = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
