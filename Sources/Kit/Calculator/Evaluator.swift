import Base

/// Evaluates an expression token by token: operators of lower precedence wait on a stack.
struct Evaluator {
  /// What may come next.
  private enum State {
    /// A number, a unit, a parenthesis, or a number's sign.
    case operand
    /// As after ``operand``, or the unit of the preceding number.
    case unitOrSign
    /// An operator, a percent sign, a closing parenthesis, or the end.
    case sign
  }

  private struct Value: BitwiseCopyable {
    var quantity: Quantity
    /// Whether a plus or minus before it makes it a percentage of what it is added to.
    var isPercentage = false
  }

  private enum Waiting: BitwiseCopyable {
    case sign(Sign, column: Int)
    case negation
    case parenthesis(column: Int)
  }

  private var state = State.operand
  private var values = Stack<33, Value>(filler: Value(quantity: Quantity(.zero)))
  // The size is ``CalculatorLimits/depth``.
  private var waiting = Stack<32, Waiting>(filler: .negation)
  private let answer: Quantity?
  /// Whether nothing has been taken yet, and an operator would continue from ``answer``.
  private var mayGoOn: Bool
  /// The notation of what has been taken.
  private(set) var notation = Notation()

  init(answer: Quantity?, goesOn: Bool) {
    self.answer = answer
    mayGoOn = goesOn && answer != nil
  }

  /// Takes the next token.
  /// - Parameter text: the expression.
  mutating func take(_ token: Token, of text: Span<UInt8>) throws(CalculationError) {
    if mayGoOn, case .sign = token.kind { try goOn(before: token) }
    mayGoOn = false
    let isOperand = state == .operand
    if isOperand { try takeOperand(token) } else { try takeSign(token) }
    notation.append(token, of: text, isOperand: isOperand, answer: answer)
    if notation.text.isTruncated { throw CalculationError(.tooLong, column: token.column) }
  }

  /// The result, after ``Token/Kind/end``.
  func result() throws(CalculationError) -> Quantity {
    guard let value = values.top else { throw CalculationError(.numberMissing, column: 1) }
    do throws(CalculationProblem) { return try value.quantity.result() } catch {
      throw CalculationError(error, column: 1)
    }
  }

  private mutating func goOn(before token: Token) throws(CalculationError) {
    mayGoOn = false
    try take(Token(kind: .answer, column: token.column, start: 0, end: 0), of: Span())
  }

  private mutating func takeOperand(_ token: Token) throws(CalculationError) {
    switch token.kind {
    case .number(let number):
      try push(Quantity(number), at: token)
      state = .unitOrSign
    // A factor of a thousand is not a unit.
    case .unit(let unit) where unit.dimension != .number:
      try push(unit, at: token)
      state = .sign
    case .answer:
      guard let answer else { throw CalculationError(.noAnswer, column: token.column) }
      try push(answer, at: token)
      state = .sign
    case .open: try wait(.parenthesis(column: token.column), at: token)
    case .sign(.minus): try wait(.negation, at: token)
    case .sign(.plus): break
    case .unit, .sign, .percent, .close, .end: throw CalculationError(.numberMissing, column: token.column)
    }
  }

  private mutating func takeSign(_ token: Token) throws(CalculationError) {
    switch token.kind {
    case .unit(let unit) where state == .unitOrSign:
      try change(at: token) { value throws(CalculationProblem) in try value.quantity = value.quantity * unit }
      state = .sign
    case .percent:
      try change(at: token) { value throws(CalculationProblem) in
        guard value.quantity.dimension == .number else { throw .percentageOfUnit }
        try value.quantity = value.quantity / Quantity(Decimal128(100))
        value.isPercentage = true
      }
      state = .sign
    case .sign(let sign):
      try reduce(onlyTight: sign.bindsTightly)
      try wait(.sign(sign, column: token.column), at: token)
      state = .operand
    case .close:
      try reduce()
      guard case .parenthesis? = waiting.pop() else { throw CalculationError(.unopened, column: token.column) }
      try change(at: token) { value throws(CalculationProblem) in value.isPercentage = false }
      state = .sign
    case .end:
      try reduce()
      if case .parenthesis(let column)? = waiting.top { throw CalculationError(.unclosed, column: column) }
    case .number, .unit, .answer, .open: throw CalculationError(.signMissing, column: token.column)
    }
  }

  private mutating func push(_ quantity: Quantity, at token: Token) throws(CalculationError) {
    guard values.push(Value(quantity: quantity)) else { throw CalculationError(.tooDeep, column: token.column) }
  }

  private mutating func wait(_ operation: Waiting, at token: Token) throws(CalculationError) {
    guard waiting.push(operation) else { throw CalculationError(.tooDeep, column: token.column) }
  }

  /// Changes the newest value.
  private mutating func change(
    at token: Token, _ body: (inout Value) throws(CalculationProblem) -> Void
  ) throws(CalculationError) {
    guard var value = values.pop() else { return }
    do throws(CalculationProblem) { try body(&value) } catch { throw CalculationError(error, column: token.column) }
    _ = values.push(value)
  }

  /// Applies what waits since the last opening parenthesis: signs of numbers, and operators, all or only tight ones.
  private mutating func reduce(onlyTight: Bool = false) throws(CalculationError) {
    while let operation = waiting.top {
      switch operation {
      case .parenthesis: return
      case .negation:
        guard let value = values.pop() else { return }
        _ = values.push(Value(quantity: -value.quantity, isPercentage: value.isPercentage))
      case .sign(let sign, let column):
        guard !onlyTight || sign.bindsTightly, let right = values.pop(), let left = values.pop() else { return }
        do throws(CalculationProblem) {
          _ = values.push(Value(quantity: try Self.combined(left.quantity, sign, right)))
        } catch {
          throw CalculationError(error, column: column)
        }
      }
      _ = waiting.pop()
    }
  }

  private static func combined(_ left: Quantity, _ sign: Sign, _ right: Value) throws(CalculationProblem) -> Quantity {
    switch sign {
    case .plus: try left + (right.isPercentage ? left * right.quantity : right.quantity)
    case .minus: try left + -(right.isPercentage ? left * right.quantity : right.quantity)
    case .times: try left * right.quantity
    case .dividedBy: try left / right.quantity
    }
  }
}

/// The stack of an evaluation.
struct Stack<let capacity: Int, Element: BitwiseCopyable>: BitwiseCopyable {
  private var elements: InlineArray<capacity, Element>
  private(set) var count = 0

  /// - Parameter filler: the value of unused places.
  init(filler: Element) { elements = InlineArray(repeating: filler) }

  /// - Returns: false, with nothing stored, if there is no space.
  mutating func push(_ element: Element) -> Bool {
    guard count < capacity else { return false }
    elements[count] = element
    count += 1
    return true
  }

  /// The newest element; nil if there is none.
  var top: Element? { count > 0 ? elements[count - 1] : nil }

  mutating func pop() -> Element? {
    guard let top else { return nil }
    count -= 1
    return top
  }
}

/// The notation of an expression: digits grouped, operators with spaces around them.
struct Notation {
  private(set) var text = FixedText<256>()
  /// An operator that has not been written yet: a unit that divides follows a slash, as in `5 MB/s`.
  private var sign: Sign?

  /// - Parameters:
  ///   - expression: the expression that contains the token.
  ///   - isOperand: whether a value was expected, so that a sign belongs to it.
  ///   - answer: the value of `ans`.
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

package enum CalculatorLimits {
  /// Significant digits of a number, as in decimal128 (IEEE 754). If 15 are needed, they remain after any chain of
  /// operations that loses fewer than 19.
  static var digits: Int { 34 }

  /// Numbers are below 10 to the power of this plus one, as in decimal128.
  static var largestExponent: Int { 6144 }

  /// The smallest number is 10 to this power: there are 34 digits from 10⁻⁶¹⁴³ on, and fewer below that.
  static var leastExponent: Int { -6176 }

  /// Digits shown of a result: two rows of a pocket calculator. The other 14 keep `1 ÷ 3 × 3` at 1.
  static var shownDigits: Int { 20 }

  /// Decimals shown of a result with a unit: a thousandth of a gigabyte is a second of a take.
  static var shownDecimals: Int { 3 }

  /// Results from 10 to this power on, and those below 10⁻⁷, are shown with a power of ten.
  static var largestWholeExponent: Int { 33 }

  /// The lower limit; see ``largestWholeExponent``.
  static var leastShownExponent: Int { -7 }

  /// The largest exponent of a literal, so that sums of exponents do not overflow: anything beyond is too large, or 0.
  static var largestLiteralExponent: Int { 99_999 }

  /// Bytes of an expression's notation, including spaces and commas: three rows of a terminal and more.
  package static var expressionByteCount: Int { 256 }

  /// Parentheses and operators open at a time; one more value can wait for them.
  static var depth: Int { 32 }
}
