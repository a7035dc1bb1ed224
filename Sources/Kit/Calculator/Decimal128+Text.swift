import Base

extension Decimal128 {
  /// As a person reads it, rounded to some digits but not within its whole part: `1,234.5`, `-0.25`, `1.5e40`.
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

  /// Its digits without those that are 0 at the end, and the power of ten by which they count: `12e-1`, `-5e0`, `0e0`.
  package var exactText: FixedText<64> {
    let reduced = reduced
    let sign: StaticString = isNegative ? "-" : ""
    let digits: FixedText<48> = reduced.coefficient == 0 ? "0" : reduced.digits
    return "\(sign)\(digits)e\(reduced.exponent)"
  }

  /// Rounded to so many decimals.
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
