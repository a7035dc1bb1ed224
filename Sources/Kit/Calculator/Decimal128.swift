/// A decimal number of 34 significant digits: exact where they are enough, and else rounded half to even, as IEEE 754
/// does it in its format decimal128. There is no infinity, and 0 has no sign.
package struct Decimal128: BitwiseCopyable, Equatable, Sendable {
  /// Below 10³⁴.
  let coefficient: UInt128
  /// The power of ten by which ``coefficient`` counts.
  let exponent: Int
  /// Whether it is below 0.
  package let isNegative: Bool

  static var zero: Decimal128 { Decimal128(0) }

  /// A whole number below 10³⁴.
  init(_ coefficient: UInt128, exponent: Int = 0) {
    self.init(coefficient: coefficient, exponent: exponent, isNegative: false)
  }

  private init(coefficient: UInt128, exponent: Int, isNegative: Bool) {
    self.coefficient = coefficient
    self.exponent = coefficient == 0 ? 0 : exponent
    self.isNegative = isNegative && coefficient > 0
  }

  /// Rounds to what fits: digits from 10³⁴ on, and those below the smallest number, 10⁻⁶¹⁷⁶.
  /// - Parameters:
  ///   - isAbove: whether the number is a little above `coefficient`, by less than 1; then `coefficient` has 36 digits at
  ///     least.
  ///   - digitCount: to how many digits, 1…34.
  /// - Throws: when it is too large.
  init(
    rounding coefficient: UInt128, exponent: Int, isNegative: Bool, isAbove: Bool = false,
    toDigits digitCount: Int = CalculatorLimits.digits
  ) throws(CalculationProblem) {
    let surplus = coefficient.digitCount - digitCount
    var rest = max(surplus, CalculatorLimits.leastExponent - exponent)
    var exponent = exponent + max(rest, 0)
    var rounded = coefficient
    var isAbove = isAbove
    var last: UInt128 = 0
    while rest > 0, rounded > 0 || last > 0 {
      isAbove = isAbove || last > 0
      last = rounded % 10
      rounded /= 10
      rest -= 1
    }
    if last > 5 || last == 5 && (isAbove || rounded % 2 == 1) { rounded += 1 }
    // 99…9 has become 100…0.
    if rounded.digitCount > digitCount {
      rounded /= 10
      exponent += 1
    }
    guard rounded == 0 || exponent + rounded.digitCount <= CalculatorLimits.largestExponent + 1 else {
      throw .overflow
    }
    self.init(coefficient: rounded, exponent: exponent, isNegative: isNegative)
  }

  /// The number with this many significant digits at most; itself when it has no more.
  func rounded(toDigits digitCount: Int) -> Decimal128 {
    let rounded = try? Decimal128(
      rounding: coefficient, exponent: exponent, isNegative: isNegative, toDigits: max(digitCount, 1))
    return rounded ?? self
  }

  /// Without zeros at the end of ``coefficient``.
  var reduced: Decimal128 {
    var (coefficient, exponent) = (coefficient, exponent)
    while coefficient > 0, coefficient % 10 == 0 {
      coefficient /= 10
      exponent += 1
    }
    return Decimal128(coefficient: coefficient, exponent: exponent, isNegative: isNegative)
  }

  static prefix func - (number: Decimal128) -> Decimal128 {
    Decimal128(coefficient: number.coefficient, exponent: number.exponent, isNegative: !number.isNegative)
  }

  /// Times a small power of ten, without rounding.
  func moved(by places: Int) -> Decimal128 {
    Decimal128(coefficient: coefficient, exponent: exponent + places, isNegative: isNegative)
  }

  /// The power of ten of its first digit.
  var leadingExponent: Int { exponent + coefficient.digitCount - 1 }

  /// Whether both are the same number.
  package static func == (left: Decimal128, right: Decimal128) -> Bool {
    let (left, right) = (left.reduced, right.reduced)
    return left.coefficient == right.coefficient && left.exponent == right.exponent
      && left.isNegative == right.isNegative
  }
}

extension UInt128 {
  /// How many decimal digits it has; 0 has none.
  var digitCount: Int {
    var count = 0
    var rest = self
    while rest > 0 {
      rest /= 10
      count += 1
    }
    return count
  }

  /// 10³⁶: a number from here on has two digits more than are kept, by which it is rounded.
  static var roundable: UInt128 { 1_000_000_000_000_000_000 * 1_000_000_000_000_000_000 }
}
