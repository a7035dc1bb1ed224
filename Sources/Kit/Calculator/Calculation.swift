import Base

/// An expression and its result.
package struct Calculation: BitwiseCopyable, Sendable {
  /// The normalised expression: `1,234 × 5`. Calculating it again gives the same result.
  package let expression: FixedText<256>
  package let result: Quantity

  /// Calculates.
  /// - Parameters:
  ///   - text: the text as typed; an equals sign at the end is skipped.
  ///   - answer: the value of `ans`; nil if there is no result yet.
  ///   - goesOn: whether an operator at the start continues from `answer`.
  @export(interface)
  package init(_ text: Span<UInt8>, answer: Quantity? = nil, goesOn: Bool = false) throws(CalculationError) {
    let text = text.hasSuffix("=") ? text.extracting(droppingLast: 1) : text
    var lexer = Lexer(text)
    var evaluator = Evaluator(answer: answer, goesOn: goesOn)
    while true {
      let token = try lexer.next()
      try evaluator.take(token, of: text)
      if token.kind == .end { break }
    }
    result = try evaluator.result()
    expression = evaluator.notation.text
  }

  /// `1,234 × 5 = 6,170`.
  package var line: FixedText<440> { "\(expression) = \(result.text)" }
}

/// Why an expression has no result.
package struct CalculationError: Error, BitwiseCopyable, Equatable, Sendable {
  package let problem: CalculationProblem
  /// The column of the expression at which it was found, counted from 1.
  package let column: Int

  init(_ problem: CalculationProblem, column: Int) {
    self.problem = problem
    self.column = column
  }

  /// The reason as one line, without a leading `error:`.
  package var line: FixedText<192> { "column \(column): \(problem.text)" }
}

/// What is wrong with an expression.
package enum CalculationProblem: Error, BitwiseCopyable, Equatable, Sendable {
  /// A division by 0.
  case divisionByZero
  /// A number is 10⁶¹⁴⁵ or larger.
  case overflow
  /// Where a number, a unit or a parenthesis is expected there is something else, or nothing.
  case numberMissing
  /// Two values stand next to each other.
  case signMissing
  /// A digit, a comma or an exponent is misplaced.
  case malformedNumber
  /// A word that is neither a unit nor `ans`.
  case unknownWord(FixedText<16>)
  /// A character that no calculation contains.
  case unknownCharacter(FixedText<4>)
  /// A parenthesis that is never closed.
  case unclosed
  /// A parenthesis that was never opened.
  case unopened
  /// More open parentheses and operators than ``CalculatorLimits/depth``.
  case tooDeep
  /// More than ``CalculatorLimits/expressionByteCount`` bytes.
  case tooLong
  /// Quantities that cannot be added or subtracted.
  case unlike(Dimension, Dimension)
  /// The result has no meaningful dimension.
  case meaningless(Dimension)
  /// A percent sign after a quantity with a unit.
  case percentageOfUnit
  /// `ans` before the first result.
  case noAnswer

  /// The problem, with its remedy if there is one.
  @export(interface)
  var text: FixedText<160> {
    switch self {
    case .divisionByZero: "division by zero"
    case .overflow: "the number is too large: 10^\(CalculatorLimits.largestExponent + 1) or more"
    case .numberMissing: "a number is missing"
    case .signMissing: "an operator is missing: + - * or /"
    case .malformedNumber: "this is not a number such as 1,234.5 or 1e6"
    case .unknownWord(let word):
      "\"\(word)\" is not a unit: use bit, B, Hz, ms, s, min, h, d with k M G T Ki Mi Gi Ti"
    case .unknownCharacter(let character): "\"\(character)\" is not part of a calculation"
    case .unclosed: "this parenthesis is not closed"
    case .unopened: "this parenthesis was not opened"
    case .tooDeep: "there are more than \(CalculatorLimits.depth) open parentheses and operators"
    case .tooLong:
      "the expression is longer than \(CalculatorLimits.expressionByteCount) bytes when its digits are grouped"
    case .unlike(let left, let right): "\(left.name) and \(right.name) cannot be added or subtracted"
    case .meaningless(let dimension): "the result is \(dimension.name), which is neither data, time, rate nor number"
    case .percentageOfUnit: "a percentage has no unit"
    case .noAnswer: "there is no result yet for ans"
    }
  }
}
