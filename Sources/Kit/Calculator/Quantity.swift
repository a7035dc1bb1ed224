import Base

/// A number with or without a unit.
package struct Quantity: BitwiseCopyable, Equatable, Sendable {
  /// The value in bytes, seconds and their products.
  package let value: Decimal128
  package let dimension: Dimension

  init(_ value: Decimal128, _ dimension: Dimension = .number) {
    self.value = value
    self.dimension = dimension
  }

  static prefix func - (quantity: Quantity) -> Quantity { Quantity(-quantity.value, quantity.dimension) }

  /// - Throws: also if the two have different dimensions.
  static func + (left: Quantity, right: Quantity) throws(CalculationProblem) -> Quantity {
    var (left, right) = (left, right)
    if left.dimension != right.dimension { (left, right) = (left.settled, right.settled) }
    guard left.dimension == right.dimension else { throw .unlike(left.dimension, right.dimension) }
    return Quantity(try left.value + right.value, left.dimension)
  }

  static func * (left: Quantity, right: Quantity) throws(CalculationProblem) -> Quantity {
    Quantity(try left.value * right.value, left.dimension + right.dimension)
  }

  static func / (left: Quantity, right: Quantity) throws(CalculationProblem) -> Quantity {
    Quantity(try left.value / right.value, left.dimension - right.dimension)
  }

  /// Data times time becomes data: the sample rate was given without Hz.
  var settled: Quantity { dimension == .dataOverTime ? Quantity(value, .data) : self }

  /// ``settled`` as a result.
  /// - Throws: if the result has no meaningful dimension.
  func result() throws(CalculationProblem) -> Quantity {
    let settled = settled
    switch settled.dimension {
    case .number, .data, .time, .frequency, .rate: return settled
    default: throw .meaningless(settled.dimension)
    }
  }
}

extension Quantity {
  /// The text for people, with the number of bytes or seconds if a larger unit was rounded.
  @export(interface)
  package var text: FixedText<160> {
    switch dimension {
    case .data: scaled("B", "bytes")
    case .rate: "\(scaled("B/s", nil)) (\(Quantity(bits, dimension).scaled("bit/s", nil)))"
    case .frequency: scaled("Hz", nil)
    case .time: duration
    default: "\(value.text(digitCount: CalculatorLimits.shownDigits))"
    }
  }

  /// All digits and the plain unit, so that the text can be used in further calculations, in any context.
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

  /// - Parameter plainUnit: the unit for 1; the quantity follows in it, in parentheses.
  @export(interface)
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
  @export(interface)
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
  /// The value divided by a power of 1000 and rounded to a few decimals; below 1 to as many digits.
  fileprivate func shown(inThousands count: Int) -> Decimal128 {
    let scaled = moved(by: -3 * count)
    let decimals = CalculatorLimits.shownDecimals
    return scaled.leadingExponent < 0 ? scaled.rounded(toDigits: decimals + 1) : scaled.rounded(toDecimals: decimals)
  }

  /// The seconds in milliseconds, without a sign; nil from 10¹⁵ s on, which nobody counts in days.
  fileprivate var milliseconds: UInt64? {
    guard leadingExponent < 15 else { return nil }
    let moved = moved(by: 3)
    var whole = moved.coefficient
    for _ in 0..<max(moved.exponent, 0) { whole *= 10 }
    for _ in 0..<max(-moved.exponent, 0) { whole /= 10 }
    return UInt64(whole)
  }
}

/// What a quantity measures, as powers of the two base dimensions.
package struct Dimension: BitwiseCopyable, Equatable, Sendable {
  /// The power of data.
  var data: Int
  /// The power of time.
  var time: Int

  static var number: Dimension { Dimension(data: 0, time: 0) }
  static var data: Dimension { Dimension(data: 1, time: 0) }
  static var time: Dimension { Dimension(data: 0, time: 1) }
  static var frequency: Dimension { Dimension(data: 0, time: -1) }
  static var rate: Dimension { Dimension(data: 1, time: -1) }
  /// `48000*24bit*2*3h`: a sample rate that was given without Hz.
  static var dataOverTime: Dimension { Dimension(data: 1, time: 1) }

  static func + (left: Dimension, right: Dimension) -> Dimension {
    Dimension(data: left.data + right.data, time: left.time + right.time)
  }

  static func - (left: Dimension, right: Dimension) -> Dimension {
    Dimension(data: left.data - right.data, time: left.time - right.time)
  }

  /// The name within a sentence.
  var name: FixedText<48> {
    switch self {
    case .number: "a number"
    case .data, .dataOverTime: "an amount of data"
    case .time: "a time"
    case .frequency: "a frequency"
    case .rate: "a data rate"
    default: "data^\(data) time^\(time)"
    }
  }
}

/// The units of audio and video work.
enum Unit {
  /// - Returns: the value of 1 of the unit; nil for a word that is not a unit.
  static func named(_ word: Span<UInt8>) -> Quantity? {
    if let base = base(word) { return base }
    for index in prefixes.indices {
      guard let rest = word.removingPrefix(prefixes[index].name) else { continue }
      let factor = Decimal128(prefixes[index].factor)
      // 48k is a number.
      if rest.isEmpty { return Quantity(factor) }
      // Prefixes apply only to data and Hz: nobody counts in kilohours, and Mmin would be a unit.
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

  /// Prefixes of two letters precede the one-letter prefixes that they begin with.
  private static var prefixes: InlineArray<9, (name: StaticString, factor: UInt128)> {
    [
      ("Ki", 1 << 10), ("Mi", 1 << 20), ("Gi", 1 << 30), ("Ti", 1 << 40), ("k", 1000), ("K", 1000), ("M", 1_000_000),
      ("G", 1_000_000_000), ("T", 1_000_000_000_000),
    ]
  }
}
