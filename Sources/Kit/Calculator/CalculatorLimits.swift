/// The limits of the calculator, with their reasons.
package enum CalculatorLimits {
  /// Significant digits of a number: those of decimal128 (IEEE 754). Whoever needs 15 has them after any chain of
  /// operations that loses fewer than 19.
  static var digits: Int { 34 }

  /// Numbers are below 10 to one more than this, as in decimal128.
  static var largestExponent: Int { 6144 }

  /// The smallest number is 10 to this: there are 34 digits from 10⁻⁶¹⁴³ on, and below that fewer.
  static var leastExponent: Int { -6176 }

  /// Digits of a result that are shown: two rows of a pocket calculator. The other 14 keep `1 ÷ 3 × 3` at 1.
  static var shownDigits: Int { 20 }

  /// Decimals of a result with a unit: a thousandth of a gigabyte is a second of a take.
  static var shownDecimals: Int { 3 }

  /// Results from 10 to this on, and those below 10⁻⁷, are shown with a power of ten.
  static var largestWholeExponent: Int { 33 }

  /// See ``largestWholeExponent``.
  static var leastShownExponent: Int { -7 }

  /// A literal's power of ten, so that sums of exponents do not overflow: one of more digits is too large, or 0.
  static var largestLiteralExponent: Int { 99_999 }

  /// Bytes of an expression as it is written out: three rows of a terminal and more. Spaces and commas are counted.
  package static var expressionByteCount: Int { 256 }

  /// Parentheses and signs that are open at a time; values that wait for them are one more.
  static var depth: Int { 32 }
}
