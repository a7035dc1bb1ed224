/// Whose turn it is on a virtual clock, drawn from a seed (SplitMix64; Steele, Lea and Flood, 2014).
public struct TurnOrder: Sendable {
  private var state: UInt64

  /// The order that `seed` stands for: the same one each time.
  public init(seed: UInt64) { state = seed }

  /// Whether the encoder has its turn before the storage worker.
  mutating func isEncoderFirst() -> Bool { next() & 1 == 0 }

  /// A number below `bound`.
  mutating func draw(below bound: UInt64) -> UInt64 { next() % bound }

  private mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
    return bits ^ bits >> 31
  }
}
