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

  /// One of the signs that are no ASCII: `−`, `×` and `÷`.
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
      // The bytes that continue a character are no column.
      index += 1
      if index == text.count || !text[index].isUTF8Continuation { column += 1 }
    }
  }
}

extension UInt8 {
  var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
  var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
  var isLetter: Bool {
    let lower = self | 0x20
    return lower >= UInt8(ascii: "a") && lower <= UInt8(ascii: "z")
  }
}
