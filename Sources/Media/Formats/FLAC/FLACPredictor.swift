/// Foresees a sample from the few before it: the sum of their products with the factors, divided by a power of two.
/// RFC 9639, 9.2.5 and 9.2.6.
struct FLACPredictor {
  static var mostOrder: Int { 8 }

  /// How many samples before a sample count.
  private(set) var order = 0
  /// The factor of each of them, the latest sample first; 0 beyond the order.
  private(set) var factors = InlineArray<8, Int32>(repeating: 0)
  /// The binary logarithm of the divisor.
  private(set) var shift = 0
  /// Bits of a factor in the file; 0 for a predictor that the file only names.
  private(set) var precision = 0

  /// The predictor that continues a polynomial.
  /// - Parameter order: 0...4.
  init(fixed order: Int) {
    self.order = order
    // 1; 2, -1; 3, -3, 1; 4, -6, 4, -1.
    var factor = Int32(-1)
    for place in 0..<order {
      factor = -factor * Int32(order - place) / Int32(place + 1)
      factors[place] = factor
    }
  }

  /// Bits of the subframe that state it, with the samples before the first that it foresees.
  /// - Parameter width: bits of a sample.
  func bitCount(width: Int) -> Int { order * width + (precision > 0 ? 4 + 5 + order * precision : 0) }

  /// Leaves what it does not foresee, with the sign in the lowest bit.
  /// - Returns: the sum.
  func leave(_ residual: UnsafeMutablePointer<UInt32>, of samples: UnsafePointer<Int32>, count: Int) -> UInt64 {
    var total = UInt64(0)
    for index in order..<max(order, min(Self.mostOrder, count)) {
      var sum = Int64(0)
      for place in 0..<order { unsafe sum &+= Int64(factors[place]) &* Int64(samples[index &- 1 &- place]) }
      total &+= unsafe store(samples[index], sum, to: residual + index)
    }
    guard count > Self.mostOrder else { return total }
    let (a, b, c, d) = (Int64(factors[0]), Int64(factors[1]), Int64(factors[2]), Int64(factors[3]))
    let (e, f, g, h) = (Int64(factors[4]), Int64(factors[5]), Int64(factors[6]), Int64(factors[7]))
    for index in Self.mostOrder..<count {
      let before = unsafe samples + index
      var sum = unsafe a &* Int64(before[-1]) &+ b &* Int64(before[-2]) &+ c &* Int64(before[-3])
      unsafe sum &+= d &* Int64(before[-4]) &+ e &* Int64(before[-5]) &+ f &* Int64(before[-6])
      unsafe sum &+= g &* Int64(before[-7]) &+ h &* Int64(before[-8])
      total &+= unsafe store(before[0], sum, to: residual + index)
    }
    return total
  }

  @inline(__always)
  private func store(_ sample: Int32, _ sum: Int64, to place: UnsafeMutablePointer<UInt32>) -> UInt64 {
    let rest = sample &- Int32(truncatingIfNeeded: sum &>> Int64(shift))
    let value = UInt32(bitPattern: rest &<< 1 ^ rest &>> 31)
    unsafe place.pointee = value
    return UInt64(value)
  }
}

extension FLACPredictor {
  /// The fixed predictor that leaves least.
  /// - Parameter count: more than 4.
  /// - Returns: it, and about the sum that it leaves.
  static func fixed(for samples: UnsafePointer<Int32>, count: Int) -> (predictor: FLACPredictor, sum: UInt64) {
    var (sum0, sum1, sum2, sum3, sum4) = (UInt64(0), UInt64(0), UInt64(0), UInt64(0), UInt64(0))
    for index in 4..<count {
      let (a, b) = unsafe (samples[index], samples[index - 1])
      let (c, d, e) = unsafe (samples[index - 2], samples[index - 3], samples[index - 4])
      let first = a &- b
      let second = first &- (b &- c)
      let secondBefore = b &- c &- (c &- d)
      let third = second &- secondBefore
      let fourth = third &- (secondBefore &- (c &- d &- (d &- e)))
      sum0 &+= UInt64(a.magnitude)
      sum1 &+= UInt64(first.magnitude)
      sum2 &+= UInt64(second.magnitude)
      sum3 &+= UInt64(third.magnitude)
      sum4 &+= UInt64(fourth.magnitude)
    }
    let sums: InlineArray<5, UInt64> = [sum0, sum1, sum2, sum3, sum4]
    var best = 0
    for order in 1...4 where sums[order] < sums[best] { best = order }
    return (FLACPredictor(fixed: best), 2 * sums[best])
  }

  /// The linear predictor that is best for the samples' autocorrelation.
  /// - Parameters:
  ///   - count: more than ``mostOrder``.
  ///   - width: bits of a sample.
  ///   - scratch: room for `count` and ``mostOrder`` numbers.
  /// - Returns: nil if no number of 32 bits is certain to hold what it leaves.
  @_optimize(size)
  static func linear(
    for samples: UnsafePointer<Int32>, count: Int, width: Int, scratch: UnsafeMutablePointer<Double>
  ) -> FLACPredictor? {
    unsafe taper(samples, count, into: scratch)
    let correlation = unsafe autocorrelation(scratch, count)
    // A further factor costs its bits, and those of a sample. It pays if the others become shorter by as much: each by
    // half the binary logarithm of the ratio of the errors.
    let worth = 1 + 1.386 * Double(factorBitCount + width) / Double(count)
    var (error, price) = (correlation[0], 1.0)
    var factors = InlineArray<8, Double>(repeating: 0)
    var best = (cost: error, order: 0, factors: factors)
    for order in 1...mostOrder where error > 0 {
      var reflection = correlation[order]
      for place in 0..<order - 1 { reflection -= factors[place] * correlation[order - 1 - place] }
      reflection /= error
      let before = factors
      for place in 0..<order - 1 { factors[place] -= reflection * before[order - 2 - place] }
      factors[order - 1] = reflection
      error *= 1 - reflection * reflection
      price *= worth
      if error * price < best.cost { best = (error * price, order, factors) }
    }
    return FLACPredictor(best.factors, order: best.order, width: width)
  }

  /// The most that the file can state of a factor. Fewer would make frames of noise shorter by up to one in 2,000, and
  /// those of tones longer by a third.
  private static var factorBitCount: Int { 15 }

  /// Rounds factors.
  @_optimize(size)
  private init?(_ exact: InlineArray<8, Double>, order: Int, width: Int) {
    var largest = 0.0
    for index in 0..<order { largest = max(largest, exact[index].magnitude) }
    guard order > 0, largest > 0, largest.isFinite else { return nil }
    (self.order, precision) = (order, Self.factorBitCount)
    shift = min(precision - 2 - Int(largest.exponent), 15)
    guard shift >= 0 else { return nil }
    let limit = Double(1 << (precision - 1))
    var (carry, total) = (0.0, Int64(0))
    for index in 0..<order {
      // What rounding one factor loses the next one gets.
      carry += exact[index] * Double(1 << shift)
      let rounded = min(max(carry.rounded(), -limit), limit - 1)
      carry -= rounded
      factors[index] = Int32(rounded)
      total += Int64(rounded.magnitude)
    }
    // No sample is more than 2^(width - 1), and no foreseen one more than that times the factors' sum.
    guard (total >> Int64(shift) + 2) << Int64(width - 1) < 1 << 31 else { return nil }
  }

  /// Fades the samples in and out over a quarter each, after zeros for what was before.
  @_optimize(speed)
  private static func taper(
    _ samples: UnsafePointer<Int32>, _ count: Int, into window: UnsafeMutablePointer<Double>
  ) {
    for index in 0..<mostOrder { unsafe window[index] = 0 }
    for index in 0..<count { unsafe window[mostOrder + index] = Double(samples[index]) }
    let length = count / 4
    for index in 0..<length {
      let way = (Double(index) + 0.5) / Double(length)
      let share = way * way * (3 - 2 * way)
      unsafe window[mostOrder + index] *= share
      unsafe window[mostOrder + count - 1 - index] *= share
    }
  }

  /// The sums of the products of each number and the one so many before it, for 0 to ``mostOrder``.
  @_optimize(speed)
  private static func autocorrelation(_ window: UnsafePointer<Double>, _ count: Int) -> InlineArray<9, Double> {
    var sums = SIMD8<Double>()
    var square = 0.0
    let bytes = unsafe UnsafeRawPointer(window)
    for index in 0..<count {
      let number = unsafe window[mostOrder + index]
      square += number * number
      sums += unsafe bytes.loadUnaligned(fromByteOffset: 8 * index, as: SIMD8<Double>.self) * number
    }
    var result = InlineArray<9, Double>(repeating: square)
    for place in 1...mostOrder { result[place] = sums[mostOrder - place] }
    return result
  }
}

extension FLACBits {
  /// Puts what the file states of a predictor.
  @_optimize(size)
  mutating func put(_ predictor: FLACPredictor) {
    guard predictor.precision > 0 else { return }
    put(UInt64(predictor.precision - 1), count: 4)
    put(UInt64(predictor.shift), count: 5)
    for place in 0..<predictor.order { put(signed: predictor.factors[place], count: predictor.precision) }
  }
}
