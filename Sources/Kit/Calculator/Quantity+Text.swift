import Base

extension Quantity {
  /// As a person reads it, with the number of bytes or seconds where a larger unit was rounded.
  package var text: FixedText<160> {
    switch dimension {
    case .data: scaled("B", "bytes")
    case .rate: "\(scaled("B/s", nil)) (\(Quantity(bits, dimension).scaled("bit/s", nil)))"
    case .frequency: scaled("Hz", nil)
    case .time: duration
    default: "\(value.text(digitCount: CalculatorLimits.shownDigits))"
    }
  }

  /// With all digits and its plain unit, so that it can be calculated with again, whatever stands beside it.
  var exactText: FixedText<80> {
    let number = value.text(digitCount: CalculatorLimits.digits)
    let unit: StaticString =
      switch dimension {
      case .data: " B"
      case .rate: " B/s"
      case .frequency: " Hz"
      case .time: " s"
      default: ""
      }
    return value.isNegative || dimension == .rate ? "(\(number)\(unit))" : "\(number)\(unit)"
  }

  private var bits: Decimal128 { (try? value * Decimal128(8)) ?? value }

  /// - Parameter plainUnit: what 1 is called; in parentheses the quantity follows in it.
  private func scaled(_ unit: StaticString, _ plainUnit: StaticString?) -> FixedText<160> {
    let prefixes: InlineArray<5, StaticString> = ["", "k", "M", "G", "T"]
    var step = min(max(value.leadingExponent, 0) / 3, prefixes.count - 1)
    var number = value.shown(inThousands: step)
    // 999.9996 kB is 1 MB.
    if number.leadingExponent >= 3, step + 1 < prefixes.count {
      step += 1
      number = value.shown(inThousands: step)
    }
    var text: FixedText<160> = "\(number.text(digitCount: CalculatorLimits.shownDigits)) \(prefixes[step])\(unit)"
    if let plainUnit, step > 0 {
      text.append(" (\(value.text(digitCount: CalculatorLimits.shownDigits)) \(plainUnit))" as FixedText<96>)
    }
    return text
  }

  /// `2 d 3 h 5 min 7.25 s (183,907.25 s)`.
  private var duration: FixedText<160> {
    let seconds = value.shown(inThousands: 0)
    let plain: FixedText<64> = "\(value.text(digitCount: CalculatorLimits.shownDigits)) s"
    guard let milliseconds = seconds.milliseconds, milliseconds >= 60_000 else {
      return "\(seconds.text(digitCount: CalculatorLimits.shownDigits)) s"
    }
    var text: FixedText<160> = value.isNegative ? "-" : ""
    let days = milliseconds / 86_400_000
    let hours = milliseconds / 3_600_000 % 24
    if days > 0 { text.append("\(Decimal128(UInt128(days)).text(digitCount: 20)) d " as FixedText<64>) }
    if hours > 0 { text.append("\(hours) h " as FixedText<64>) }
    let minutes = milliseconds / 60_000 % 60
    if minutes > 0 { text.append("\(minutes) min " as FixedText<64>) }
    let rest = Decimal128(UInt128(milliseconds % 60_000), exponent: -3)
    if rest.coefficient > 0 { text.append("\(rest.text(digitCount: 20)) s " as FixedText<64>) }
    text.append("(\(plain))" as FixedText<80>)
    return text
  }
}

extension Decimal128 {
  /// Divided by a power of 1000, and rounded to a few decimals; below 1 to as many digits.
  fileprivate func shown(inThousands count: Int) -> Decimal128 {
    let scaled = moved(by: -3 * count)
    let decimals = CalculatorLimits.shownDecimals
    return scaled.leadingExponent < 0 ? scaled.rounded(toDigits: decimals + 1) : scaled.rounded(toDecimals: decimals)
  }

  /// Of seconds, without a sign; nil from 10¹⁵ s on, which nobody counts in days.
  fileprivate var milliseconds: UInt64? {
    guard leadingExponent < 15 else { return nil }
    let moved = moved(by: 3)
    var whole = moved.coefficient
    for _ in 0..<max(moved.exponent, 0) { whole *= 10 }
    for _ in 0..<max(-moved.exponent, 0) { whole /= 10 }
    return UInt64(whole)
  }
}
