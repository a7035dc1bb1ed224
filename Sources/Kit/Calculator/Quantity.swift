/// A number with or without a unit.
package struct Quantity: BitwiseCopyable, Equatable, Sendable {
  /// In bytes, seconds and their products.
  package let value: Decimal128
  /// What it measures.
  package let dimension: Dimension

  init(_ value: Decimal128, _ dimension: Dimension = .number) {
    self.value = value
    self.dimension = dimension
  }

  static prefix func - (quantity: Quantity) -> Quantity { Quantity(-quantity.value, quantity.dimension) }

  /// - Throws: also when the two measure different things.
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

  /// Data times time is data: the rate had no Hz.
  var settled: Quantity { dimension == .dataOverTime ? Quantity(value, .data) : self }

  /// ``settled`` as a result.
  /// - Throws: when nobody measures such a thing.
  func result() throws(CalculationProblem) -> Quantity {
    let settled = settled
    switch settled.dimension {
    case .number, .data, .time, .frequency, .rate: return settled
    default: throw .meaningless(settled.dimension)
    }
  }
}
