import Base

/// A decimal number of 34 significant digits: exact if they suffice, and otherwise rounded half to even, as in the
/// decimal128 format of IEEE 754. There is no infinity, and 0 has no sign.
package struct Decimal128: BitwiseCopyable, Equatable, Sendable {
  /// Below 10³⁴.
  let coefficient: UInt128
  /// The power of ten that multiplies ``coefficient``.
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
  ///   - isAbove: whether the number is above `coefficient` by less than 1; `coefficient` then has at least 36 digits.
  ///   - digitCount: the number of digits to round to, 1…34.
  /// - Throws: if the number is too large.
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

  /// The number with at most this many significant digits; unchanged if it has no more.
  func rounded(toDigits digitCount: Int) -> Decimal128 {
    let rounded = try? Decimal128(
      rounding: coefficient, exponent: exponent, isNegative: isNegative, toDigits: max(digitCount, 1))
    return rounded ?? self
  }

  /// The number without trailing zeros in ``coefficient``.
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

  /// The number times a small power of ten, without rounding.
  func moved(by places: Int) -> Decimal128 {
    Decimal128(coefficient: coefficient, exponent: exponent + places, isNegative: isNegative)
  }

  /// The power of ten of the first digit.
  var leadingExponent: Int { exponent + coefficient.digitCount - 1 }

  /// Whether both are the same number.
  package static func == (left: Decimal128, right: Decimal128) -> Bool {
    let (left, right) = (left.reduced, right.reduced)
    return left.coefficient == right.coefficient && left.exponent == right.exponent
      && left.isNegative == right.isNegative
  }
}

extension UInt128 {
  /// The number of decimal digits; 0 has none.
  var digitCount: Int {
    var count = 0
    var rest = self
    while rest > 0 {
      rest /= 10
      count += 1
    }
    return count
  }

  /// 10³⁶: from here on a number has two digits more than are kept, by which it is rounded.
  static var roundable: UInt128 { 1_000_000_000_000_000_000 * 1_000_000_000_000_000_000 }
}

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
    // The other number loses the digits that are still beyond those.
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
    // Long multiplication, from the last digit on. `sum` stays below ten times `term`, and that below 10³⁷.
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

extension Decimal128 {
  /// The text for people, rounded to some digits but not within its whole part: `1,234.5`, `-0.25`, `1.5e40`.
  @export(interface)
  func text(digitCount: Int) -> FixedText<64> {
    let shown = rounded(toDigits: max(digitCount, leadingExponent + 1)).reduced
    var text = FixedText<64>()
    if shown.isNegative { text.append("-") }
    let digits = shown.digits
    let leading = shown.leadingExponent
    guard (CalculatorLimits.leastShownExponent...CalculatorLimits.largestWholeExponent).contains(leading) else {
      guard shown.coefficient > 0 else { return "0" }
      text.append(bytes: digits.bytes.extracting(first: 1))
      if digits.byteCount > 1 { text.append(".") }
      text.append(bytes: digits.bytes.extracting(droppingFirst: 1))
      text.append("e\(leading)" as FixedText<8>)
      return text
    }
    var whole = FixedText<48>()
    for index in 0...max(leading, 0) { whole.append(byte: digits.digit(at: index + min(leading, 0))) }
    text.append(grouping: whole.bytes)
    guard shown.exponent < 0 else { return text }
    text.append(".")
    for index in leading + 1..<digits.byteCount { text.append(byte: digits.digit(at: index)) }
    return text
  }

  /// The digits without trailing zeros, and their power of ten: `12e-1`, `-5e0`, `0e0`.
  package var exactText: FixedText<64> {
    let reduced = reduced
    let sign: StaticString = isNegative ? "-" : ""
    let digits: FixedText<48> = reduced.coefficient == 0 ? "0" : reduced.digits
    return "\(sign)\(digits)e\(reduced.exponent)"
  }

  /// Rounded to this many decimals.
  func rounded(toDecimals count: Int) -> Decimal128 {
    leadingExponent + 1 + count >= 0 ? rounded(toDigits: leadingExponent + 1 + count) : .zero
  }

  /// The digits of ``coefficient``; none for 0.
  private var digits: FixedText<48> {
    var digits = FixedText<48>()
    var power: UInt128 = 1
    for _ in 1..<max(coefficient.digitCount, 1) { power *= 10 }
    var rest = coefficient
    while power > 0, coefficient > 0 {
      var digit = UInt8(ascii: "0")
      while rest >= power {
        rest -= power
        digit += 1
      }
      digits.append(byte: digit)
      power /= 10
    }
    return digits
  }
}

extension FixedText<48> {
  /// A digit of a number; 0 before the first and after the last.
  fileprivate func digit(at index: Int) -> UInt8 {
    index >= 0 && index < byteCount ? bytes[index] : UInt8(ascii: "0")
  }
}
