/// A piece of an expression.
struct Token: BitwiseCopyable {
  enum Kind: BitwiseCopyable, Equatable {
    case number(Decimal128)
    /// What 1 of the unit is.
    case unit(Quantity)
    case answer
    case sign(Sign)
    case percent
    case open
    case close
    case end
  }

  var kind: Kind
  /// Its first character, counted from 1.
  var column: Int
  /// Its bytes in the expression.
  var start: Int
  var end: Int
}

/// One of the four signs of arithmetic.
enum Sign: BitwiseCopyable, Equatable {
  case plus, minus, times, dividedBy

  /// Whether it is done before plus and minus.
  var bindsTightly: Bool { self == .times || self == .dividedBy }

  /// As it is written out.
  var text: StaticString {
    switch self {
    case .plus: "+"
    case .minus: "−"
    case .times: "×"
    case .dividedBy: "÷"
    }
  }
}
