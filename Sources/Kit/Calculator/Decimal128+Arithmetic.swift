extension Decimal128 {
  /// The sum, rounded once.
  static func + (left: Decimal128, right: Decimal128) throws(CalculationProblem) -> Decimal128 {
    if left.coefficient == 0 { return right }
    if right.coefficient == 0 { return left }
    let (large, small) = left.exponent >= right.exponent ? (left, right) : (right, left)
    // The number with the larger exponent gets zeros, as long as it has space.
    var (coefficient, exponent) = (large.coefficient, large.exponent)
    while exponent > small.exponent, coefficient < .roundable {
      coefficient *= 10
      exponent -= 1
    }
    // The other loses the digits that are then still behind those.
    var rest = small.coefficient
    var isAbove = false
    for _ in 0..<min(exponent - small.exponent, CalculatorLimits.digits) {
      isAbove = isAbove || rest % 10 > 0
      rest /= 10
    }
    if large.isNegative == small.isNegative {
      return try Decimal128(
        rounding: coefficient + rest, exponent: exponent, isNegative: large.isNegative, isAbove: isAbove)
    }
    guard coefficient >= rest else {
      return try Decimal128(rounding: rest - coefficient, exponent: exponent, isNegative: small.isNegative)
    }
    return try Decimal128(
      rounding: coefficient - rest - (isAbove ? 1 : 0), exponent: exponent, isNegative: large.isNegative,
      isAbove: isAbove)
  }

  /// The product, rounded once.
  static func * (left: Decimal128, right: Decimal128) throws(CalculationProblem) -> Decimal128 {
    var sum: UInt128 = 0
    var exponent = left.exponent + right.exponent
    var isAbove = false
    // Digit by digit as on paper, from the last one on. `sum` stays below ten times `term`, and that below 10³⁷.
    var term = left.coefficient
    var rest = right.coefficient
    while rest > 0 {
      sum += term * (rest % 10)
      rest /= 10
      if rest == 0 { break }
      if term < .roundable {
        term *= 10
      } else {
        isAbove = isAbove || sum % 10 > 0
        sum /= 10
        exponent += 1
      }
    }
    return try Decimal128(
      rounding: sum, exponent: exponent, isNegative: left.isNegative != right.isNegative, isAbove: isAbove)
  }

  /// The quotient, rounded once.
  static func / (left: Decimal128, right: Decimal128) throws(CalculationProblem) -> Decimal128 {
    guard right.coefficient > 0 else { throw .divisionByZero }
    var divisor = right.coefficient
    var exponent = left.exponent - right.exponent
    while divisor * 10 <= left.coefficient {
      divisor *= 10
      exponent += 1
    }
    var rest = left.coefficient
    var quotient: UInt128 = 0
    while true {
      while rest >= divisor {
        rest -= divisor
        quotient += 1
      }
      if rest == 0 || quotient >= .roundable / 10 { break }
      rest *= 10
      quotient *= 10
      exponent -= 1
    }
    return try Decimal128(
      rounding: quotient, exponent: exponent, isNegative: left.isNegative != right.isNegative, isAbove: rest > 0)
  }
}
