import Base

/// An expression and its result.
package struct Calculation: BitwiseCopyable, Sendable {
  /// As it is written out: `1,234 × 5`. It can be calculated again, and gives the same.
  package let expression: FixedText<256>
  /// Its value.
  package let result: Quantity

  /// Calculates.
  /// - Parameters:
  ///   - text: what was typed; an equals sign at the end is skipped.
  ///   - answer: what `ans` is; nil when there is no result yet.
  ///   - goesOn: whether a sign at the start goes on from `answer`.
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
