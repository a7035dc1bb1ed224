/// Uniform random numbers from a seed, the same on every machine (SplitMix64; Steele, Lea and Flood, 2014).
package struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// A generator at the start of the sequence of `seed`.
  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    defer { state &+= Self.increment }
    return Self.bits(at: 1, ofSeed: state)
  }

  /// Number `index` of the sequence of `seed`, without calculating those before it: the first has index 1.
  package static func bits(at index: UInt64, ofSeed seed: UInt64) -> UInt64 {
    var mixed = seed &+ index &* increment
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  private static var increment: UInt64 { 0x9E37_79B9_7F4A_7C15 }
}
