/// How a residual is divided into parts, each of which has Rice codes with a parameter of its own: RFC 9639, 9.2.7.
struct FLACPartition {
  /// The binary logarithm of the number of parts.
  private(set) var order = 0
  private(set) var parameters = InlineArray<64, UInt8>(repeating: 0)
  /// At most this many bits, for all codes and parameters.
  private(set) var bitCount = Int.max

  /// The division that needs least.
  /// - Parameters:
  ///   - count: samples of the block.
  ///   - first: the first of them that was foreseen.
  @_optimize(size)
  init(_ residual: UnsafePointer<UInt32>, count: Int, first: Int) {
    var finest = min(6, count.trailingZeroBitCount)
    while finest > 0, count >> finest <= max(first, 15) { finest -= 1 }
    var sums = InlineArray<64, UInt64>(repeating: 0)
    let length = count >> finest
    for place in 0..<1 << finest {
      sums[place] = unsafe Self.sum(residual, max(place * length, first)..<(place + 1) * length)
    }
    for order in (0...finest).reversed() {
      var found = InlineArray<64, UInt8>(repeating: 0)
      var bitCount = 0
      for place in 0..<1 << order {
        let length = (count >> order) - (place == 0 ? first : 0)
        let (parameter, cost) = Self.parameter(sum: sums[place], count: length)
        found[place] = parameter
        bitCount += cost
      }
      if bitCount < self.bitCount { (self.order, parameters, self.bitCount) = (order, found, bitCount) }
      for place in 0..<(1 << order) / 2 { sums[place] = sums[2 * place] + sums[2 * place + 1] }
    }
    bitCount += 6
  }

  @_optimize(speed)
  private static func sum(_ residual: UnsafePointer<UInt32>, _ range: Range<Int>) -> UInt64 {
    var sum = UInt64(0)
    for index in range { unsafe sum &+= UInt64(residual[index]) }
    return sum
  }

  /// - Returns: the parameter for values with this sum, and at most how many bits they need with it.
  @_optimize(size)
  static func parameter(sum: UInt64, count: Int) -> (parameter: UInt8, bitCount: Int) {
    let mean = sum / UInt64(max(count, 1))
    let guess = UInt64(max(63 - mean.leadingZeroBitCount, 0))
    var best = (parameter: UInt8(0), bitCount: Int.max)
    for parameter in max(guess, 1) - 1...guess + 1 {
      let bitCount = Int(UInt64(count) * (parameter + 1) + sum >> parameter)
      if bitCount < best.bitCount { best = (UInt8(parameter), bitCount) }
    }
    return (best.parameter, best.bitCount + 5)
  }
}

extension FLACBits {
  @_optimize(size)
  mutating func put(_ residual: UnsafePointer<UInt32>, count: Int, first: Int, _ partition: FLACPartition) {
    var isWide = false
    for place in 0..<1 << partition.order where partition.parameters[place] > 14 { isWide = true }
    put(isWide ? 1 : 0, count: 2)
    put(UInt64(partition.order), count: 4)
    let length = count >> partition.order
    for place in 0..<1 << partition.order {
      let parameter = partition.parameters[place]
      put(UInt64(parameter), count: isWide ? 5 : 4)
      unsafe put(residual, max(place * length, first)..<(place + 1) * length, parameter: UInt32(parameter))
    }
  }
}
