import Base

/// Splits an expression into tokens.
struct Lexer: ~Escapable {
  let text: Span<UInt8>
  private var index = 0
  private var column = 1

  @_lifetime(copy text)
  init(_ text: Span<UInt8>) { self.text = text }

  /// The next token; ``Token/Kind/end`` after the last.
  mutating func next() throws(CalculationError) -> Token {
    while index < text.count, text[index].isBlank { advance(by: 1) }
    let (start, column) = (index, column)
    let kind = try kind()
    return Token(kind: kind, column: column, start: start, end: index)
  }

  private mutating func kind() throws(CalculationError) -> Token.Kind {
    guard index < text.count else { return .end }
    let byte = text[index]
    if byte.isDigit || byte == UInt8(ascii: ".") { return .number(try number()) }
    if byte.isLetter { return try word() }
    if let kind = Self.kind(of: byte) {
      advance(by: 1)
      return kind
    }
    if let sign = takeSign() { return .sign(sign) }
    throw CalculationError(.unknownCharacter(character), column: column)
  }

  private static func kind(of byte: UInt8) -> Token.Kind? {
    switch byte {
    case UInt8(ascii: "+"): .sign(.plus)
    case UInt8(ascii: "-"): .sign(.minus)
    case UInt8(ascii: "*"): .sign(.times)
    case UInt8(ascii: "/"): .sign(.dividedBy)
    case UInt8(ascii: "%"): .percent
    case UInt8(ascii: "("): .open
    case UInt8(ascii: ")"): .close
    default: nil
    }
  }

  /// Takes one of the signs outside ASCII: `−`, `×` and `÷`.
  private mutating func takeSign() -> Sign? {
    let rest = text.extracting(droppingFirst: index)
    let sign: Sign
    if rest.removingPrefix(Sign.minus.text) != nil {
      sign = .minus
    } else if rest.removingPrefix(Sign.times.text) != nil {
      sign = .times
    } else if rest.removingPrefix(Sign.dividedBy.text) != nil {
      sign = .dividedBy
    } else {
      return nil
    }
    advance(by: sign.text.utf8CodeUnitCount)
    return sign
  }

  private mutating func word() throws(CalculationError) -> Token.Kind {
    let (start, column) = (index, column)
    while index < text.count, text[index].isLetter { advance(by: 1) }
    let word = text.extracting(start..<index)
    if word.equals("ans") { return .answer }
    guard let unit = Unit.named(word) else { throw CalculationError(.unknownWord(FixedText(word)), column: column) }
    return .unit(unit)
  }

  private mutating func number() throws(CalculationError) -> Decimal128 {
    let column = column
    do throws(CalculationProblem) {
      var literal = NumberLiteral()
      while index < text.count, try literal.accepts(text[index], before: text.extracting(droppingFirst: index + 1)) {
        advance(by: 1)
      }
      return try literal.number()
    } catch {
      throw CalculationError(error, column: column)
    }
  }

  /// The character at the present place, for a message.
  private var character: FixedText<4> {
    var end = index + 1
    while end < text.count, text[end].isUTF8Continuation { end += 1 }
    return FixedText(text.extracting(index..<end))
  }

  private mutating func advance(by byteCount: Int) {
    for _ in 0..<byteCount {
      // The continuation bytes of a character do not count as columns.
      index += 1
      if index == text.count || !text[index].isUTF8Continuation { column += 1 }
    }
  }
}

extension UInt8 {
  var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
  var isLetter: Bool {
    let lower = self | 0x20
    return lower >= UInt8(ascii: "a") && lower <= UInt8(ascii: "z")
  }
}

/// A piece of an expression.
struct Token: BitwiseCopyable {
  enum Kind: BitwiseCopyable, Equatable {
    case number(Decimal128)
    /// The value of 1 of the unit.
    case unit(Quantity)
    case answer
    case sign(Sign)
    case percent
    case open
    case close
    case end
  }

  var kind: Kind
  /// The column of its first character, counted from 1.
  var column: Int
  /// Its bytes in the expression.
  var start: Int
  var end: Int
}

/// One of the four arithmetic operators.
enum Sign: BitwiseCopyable, Equatable {
  case plus, minus, times, dividedBy

  /// Whether the operator takes precedence over plus and minus.
  var bindsTightly: Bool { self == .times || self == .dividedBy }

  /// The notation of the operator.
  var text: StaticString {
    switch self {
    case .plus: "+"
    case .minus: "−"
    case .times: "×"
    case .dividedBy: "÷"
    }
  }
}

/// A number being read: `1,234.50`, `.5`, `1e-6`. The whole part has a comma before every three digits, or no commas.
struct NumberLiteral {
  private enum Part {
    /// `sinceComma` counts digits; nil before the first comma.
    case whole(sinceComma: Int?)
    case fraction
    case exponentSign
    case exponent
  }

  private var part = Part.whole(sinceComma: nil)
  /// At most 37 digits: more than a number keeps.
  private var coefficient: UInt128 = 0
  private var digitCount = 0
  /// The power of ten of ``coefficient``.
  private var exponent = 0
  /// Whether a digit other than 0 found no space in ``coefficient``.
  private var isAbove = false
  private var literalExponent = 0
  private var isExponentNegative = false

  /// Takes the next byte.
  /// - Parameter rest: the bytes after it.
  /// - Returns: false if the number has ended before it.
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

  /// Checks that three digits follow the last comma.
  private func endWhole() throws(CalculationProblem) {
    if case .whole(let sinceComma) = part, sinceComma ?? 3 != 3 { throw .malformedNumber }
  }
}
