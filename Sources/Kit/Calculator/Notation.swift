import Base

/// An expression as it is written out: digits grouped, signs with spaces around them.
struct Notation {
  private(set) var text = FixedText<256>()
  /// A sign between two values that is not written yet: a unit that divides follows a stroke, as in `5 MB/s`.
  private var sign: Sign?

  /// - Parameters:
  ///   - expression: in which the token lies.
  ///   - isOperand: whether a value was to come, so that a sign belongs to it.
  ///   - answer: what `ans` is.
  mutating func append(_ token: Token, of expression: Span<UInt8>, isOperand: Bool, answer: Quantity?) {
    if case .sign(let sign) = token.kind, !isOperand {
      self.sign = sign
      return
    }
    writeSign(before: token)
    let word = expression.extracting(token.start..<token.end)
    switch token.kind {
    case .number: append(number: word)
    case .unit:
      if !isOperand { text.append(" ") }
      text.append(bytes: word)
    case .answer: if let answer { text.append(answer.exactText) }
    case .sign(.minus): text.append("-")
    case .percent: text.append("%")
    case .open: text.append("(")
    case .close: text.append(")")
    case .sign, .end: break
    }
  }

  private mutating func writeSign(before token: Token) {
    guard let sign else { return }
    self.sign = nil
    if sign == .dividedBy, case .unit = token.kind { return text.append("/") }
    text.append(" \(sign.text) " as FixedText<8>)
  }

  private mutating func append(number word: Span<UInt8>) {
    var digits = FixedText<256>()
    var end = 0
    while end < word.count, word[end].isDigit || word[end] == UInt8(ascii: ",") {
      if word[end].isDigit { digits.append(byte: word[end]) }
      end += 1
    }
    if digits.isEmpty { digits.append("0") }
    text.append(grouping: digits.bytes)
    text.append(bytes: word.extracting(droppingFirst: end))
  }
}
