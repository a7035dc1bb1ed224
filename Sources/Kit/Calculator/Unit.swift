import Base

/// A unit of the trade.
enum Unit {
  /// - Returns: what 1 of it is; nil for a word that is not a unit.
  static func named(_ word: Span<UInt8>) -> Quantity? {
    if let base = base(word) { return base }
    for index in prefixes.indices {
      guard let rest = word.removingPrefix(prefixes[index].name) else { continue }
      let factor = Decimal128(prefixes[index].factor)
      // 48k is a number.
      if rest.isEmpty { return Quantity(factor) }
      // Only data and Hz: nobody counts in kilohours, and a Mmin would be one.
      guard let base = base(rest), base.dimension == .data || base.dimension == .frequency else { continue }
      return try? Quantity(factor) * base
    }
    return nil
  }

  private static func base(_ word: Span<UInt8>) -> Quantity? {
    if word.equals("B") { return Quantity(Decimal128(1), .data) }
    if word.equals("bit") { return Quantity(Decimal128(125, exponent: -3), .data) }
    if word.equals("Hz") { return Quantity(Decimal128(1), .frequency) }
    if word.equals("ms") { return Quantity(Decimal128(1, exponent: -3), .time) }
    if word.equals("s") { return Quantity(Decimal128(1), .time) }
    if word.equals("min") { return Quantity(Decimal128(60), .time) }
    if word.equals("h") { return Quantity(Decimal128(3600), .time) }
    if word.equals("d") { return Quantity(Decimal128(86_400), .time) }
    return nil
  }

  /// Those of two letters come before those that they begin with.
  private static var prefixes: InlineArray<9, (name: StaticString, factor: UInt128)> {
    [
      ("Ki", 1 << 10), ("Mi", 1 << 20), ("Gi", 1 << 30), ("Ti", 1 << 40), ("k", 1000), ("K", 1000), ("M", 1_000_000),
      ("G", 1_000_000_000), ("T", 1_000_000_000_000),
    ]
  }
}
