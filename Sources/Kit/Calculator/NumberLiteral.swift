import Base

/// A number that is being read: `1,234.50`, `.5`, `1e-6`. Commas stand before each three digits of the whole part, or
/// nowhere.
struct NumberLiteral {
  private enum Part {
    /// `sinceComma` counts digits; nil before the first comma.
    case whole(sinceComma: Int?)
    case fraction
    case exponentSign
    case exponent
  }

  private var part = Part.whole(sinceComma: nil)
  /// 37 digits at most: more than are kept.
  private var coefficient: UInt128 = 0
  private var digitCount = 0
  /// Of the digits in ``coefficient``.
  private var exponent = 0
  /// Whether a digit that is not 0 found no space in ``coefficient``.
  private var isAbove = false
  private var literalExponent = 0
  private var isExponentNegative = false

  /// Takes the next byte.
  /// - Parameter rest: what follows it.
  /// - Returns: false when the number has ended before it.
  mutating func accepts(_ byte: UInt8, before rest: Span<UInt8>) throws(CalculationProblem) -> Bool {
    if byte.isDigit {
      take(byte - UInt8(ascii: "0"))
      return true
    }
    switch (byte, part) {
    case (UInt8(ascii: ","), .whole(let sinceComma)):
      guard digitCount > 0, sinceComma ?? 3 == 3, sinceComma != nil || digitCount <= 3 else { throw .malformedNumber }
      part = .whole(sinceComma: 0)
    case (UInt8(ascii: "."), .whole):
      try endWhole()
      part = .fraction
    case (UInt8(ascii: "e"), .whole), (UInt8(ascii: "e"), .fraction), (UInt8(ascii: "E"), .whole),
      (UInt8(ascii: "E"), .fraction):
      try endWhole()
      part = .exponentSign
    case (UInt8(ascii: "+"), .exponentSign), (UInt8(ascii: "-"), .exponentSign):
      guard !rest.isEmpty, rest[0].isDigit else { throw .malformedNumber }
      isExponentNegative = byte == UInt8(ascii: "-")
      part = .exponent
    case (UInt8(ascii: ","), _), (UInt8(ascii: "."), _): throw .malformedNumber
    default: return false
    }
    return true
  }

  /// The number, rounded to the digits that are kept.
  func number() throws(CalculationProblem) -> Decimal128 {
    try endWhole()
    if case .exponentSign = part { throw .malformedNumber }
    guard digitCount > 0 else { throw .malformedNumber }
    return try Decimal128(
      rounding: coefficient, exponent: exponent + (isExponentNegative ? -literalExponent : literalExponent),
      isNegative: false, isAbove: isAbove)
  }

  private mutating func take(_ digit: UInt8) {
    switch part {
    case .whole(let sinceComma): part = .whole(sinceComma: sinceComma.map { $0 + 1 })
    case .exponentSign: part = .exponent
    case .fraction, .exponent: break
    }
    if case .exponent = part {
      literalExponent = min(literalExponent * 10 + Int(digit), CalculatorLimits.largestLiteralExponent)
      return
    }
    digitCount += 1
    if case .fraction = part { exponent -= 1 }
    guard coefficient < .roundable else {
      isAbove = isAbove || digit > 0
      exponent += 1
      return
    }
    coefficient = coefficient * 10 + UInt128(digit)
  }

  /// The last comma has three digits behind it.
  private func endWhole() throws(CalculationProblem) {
    if case .whole(let sinceComma) = part, sinceComma ?? 3 != 3 { throw .malformedNumber }
  }
}
