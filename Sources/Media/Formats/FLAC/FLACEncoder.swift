import Base

/// Makes the frames of a FLAC stream with a fixed block size (RFC 9639), without losing a bit: fixed predictors of order
/// 0 to 4, partitioned Rice codes, stereo decorrelation, constant and verbatim subframes, and wasted bits.
///
/// A frame is never longer than ``FLACFormat/mostFrameByteCount(_:)``: a subframe is coded only if that is shorter than
/// its samples.
@safe package struct FLACEncoder: ~Copyable {
  // Safe: pieces of boot memory with no other user; all indexes are below the block size, or checked when bits are put.
  private let planes: UnsafeMutablePointer<Int32>
  private let residual: UnsafeMutablePointer<UInt32>
  private var bits: FLACBits
  private var format = AudioFormat(sampleRateHz: 48_000, channelCount: 1, sampleFormat: .int16)
  private var frameCount = 0
  /// The parameter of each partition of the residual.
  private var parameters = InlineArray<64, UInt8>(repeating: 0)

  /// - Returns: nil if `memory` is used up.
  package init?(in memory: inout BootMemory) {
    let planeByteCount = FLACFormat.blockFrames * 4
    guard let planes = unsafe memory.cut(byteCount: 8 * planeByteCount),
      let residual = unsafe memory.cut(byteCount: planeByteCount),
      let bits = FLACBits(byteCount: FLACFormat.bufferByteCount, in: &memory)
    else { return nil }
    unsafe self.planes = planes.baseAddress!.bindMemory(to: Int32.self, capacity: 8 * FLACFormat.blockFrames)
    unsafe self.residual = residual.baseAddress!.bindMemory(to: UInt32.self, capacity: FLACFormat.blockFrames)
    self.bits = bits
  }

  /// The frame that was made last.
  package var bytes: RawSpan {
    @_lifetime(borrow self)
    borrowing get { bits.bytes }
  }

  /// Starts a block.
  package mutating func begin(_ format: AudioFormat) {
    precondition(format.sampleFormat != .float32 && format.channelCount <= 8, "FLAC has whole numbers in 8 channels")
    self.format = format
    frameCount = 0
  }

  /// Adds sound to the block, which has room for ``FLACFormat/blockFrames``.
  package mutating func add(_ frames: RawSpan) {
    let channels = Int(format.channelCount)
    let count = frames.byteCount / format.bytesPerFrame
    precondition(frameCount + count <= FLACFormat.blockFrames, "more sound than a block holds")
    for channel in 0..<channels {
      let plane = unsafe plane(channel) + frameCount
      unsafe frames.withUnsafeBytes { source in
        switch format.sampleFormat {
        case .int16:
          for index in 0..<count {
            unsafe plane[index] = Int32(
              source.loadUnaligned(fromByteOffset: 2 * (index * channels + channel), as: Int16.self))
          }
        default:
          for index in 0..<count {
            let place = 3 * (index * channels + channel)
            let low = unsafe Int32(source[place]) | Int32(source[place + 1]) << 8
            unsafe plane[index] = low | Int32(Int8(bitPattern: source[place + 2])) << 16
          }
        }
      }
    }
    frameCount += count
  }

  /// Makes the frame of the block: ``bytes``.
  /// - Parameter number: of the frame in the stream, counted from 0.
  @export(interface)
  @_optimize(size)
  package mutating func finish(number: UInt64) {
    let width = format.sampleFormat.bitsPerSample
    bits.clear()
    guard format.channelCount == 2 else {
      bits.putHeader(format, assignment: UInt64(format.channelCount) - 1, frames: frameCount, number: number)
      for channel in 0..<Int(format.channelCount) { write(analysed(channel, width: width), channel) }
      return bits.putChecksum()
    }
    decorrelate()
    let costs: InlineArray<4, Int> = [
      analysed(0, width: width).bitCount, analysed(1, width: width).bitCount, analysed(2, width: width).bitCount,
      analysed(3, width: width + 1).bitCount,
    ]
    // Left and right; left and side; side and right; mid and side.
    let pairs: InlineArray<4, (first: Int, second: Int)> = [(0, 1), (0, 3), (3, 1), (2, 3)]
    var best = 0
    for index in 1..<4
    where costs[pairs[index].first] + costs[pairs[index].second] < costs[pairs[best].first] + costs[pairs[best].second]
    {
      best = index
    }
    bits.putHeader(format, assignment: best == 0 ? 1 : UInt64(7 + best), frames: frameCount, number: number)
    let pair = pairs[best]
    write(analysed(pair.first, width: pair.first == 3 ? width + 1 : width), pair.first)
    write(analysed(pair.second, width: pair.second == 3 ? width + 1 : width), pair.second)
    bits.putChecksum()
  }

  private func plane(_ index: Int) -> UnsafeMutablePointer<Int32> {
    unsafe planes + index * FLACFormat.blockFrames
  }

  /// Makes mid and side of left and right, in the third and fourth plane.
  private func decorrelate() {
    let (left, right, mid, side) = unsafe (plane(0), plane(1), plane(2), plane(3))
    for index in 0..<frameCount {
      unsafe mid[index] = (left[index] &+ right[index]) >> 1
      unsafe side[index] = left[index] &- right[index]
    }
  }
}

/// How a channel of a block is coded.
private struct Subframe {
  enum Kind {
    case constant
    case verbatim
    case predicted(order: Int)
  }

  var kind: Kind
  /// Bits of each sample, without wasted ones.
  var width: Int
  /// Low bits that are 0 in every sample.
  var wasted: Int
  var partitionOrder = 0
  /// At most this many bits, for its content.
  var bitCount: Int
}

extension FLACEncoder {
  /// Chooses how a plane is coded, and leaves its residual and parameters. The plane keeps its samples.
  @inline(never)
  private mutating func analysed(_ index: Int, width: Int) -> Subframe {
    let samples = unsafe plane(index)
    let first = unsafe samples[0]
    var (used, changes) = (Int32(0), Int32(0))
    for place in 0..<frameCount {
      unsafe used |= samples[place]
      unsafe changes |= samples[place] ^ first
    }
    guard changes != 0 else { return Subframe(kind: .constant, width: width, wasted: 0, bitCount: width) }
    let wasted = used.trailingZeroBitCount
    let verbatim = Subframe(
      kind: .verbatim, width: width - wasted, wasted: wasted, bitCount: frameCount * (width - wasted))
    guard frameCount > 4 else { return verbatim }
    let order = unsafe Self.bestOrder(samples, frameCount)
    unsafe predict(samples, order: order, wasted: wasted)
    var subframe = Subframe(kind: .predicted(order: order), width: width - wasted, wasted: wasted, bitCount: 0)
    let (partitionOrder, bitCount) = partition(order: order)
    subframe.partitionOrder = partitionOrder
    subframe.bitCount = order * subframe.width + 6 + bitCount
    return subframe.bitCount < verbatim.bitCount ? subframe : verbatim
  }

  /// The order of the predictor that leaves least.
  private static func bestOrder(_ samples: UnsafeMutablePointer<Int32>, _ count: Int) -> Int {
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
    return best
  }

  /// Leaves what the predictor does not foresee, with the sign in the lowest bit.
  private func predict(_ samples: UnsafeMutablePointer<Int32>, order: Int, wasted: Int) {
    let factors: InlineArray<5, (Int32, Int32, Int32, Int32)> = [
      (0, 0, 0, 0), (1, 0, 0, 0), (2, -1, 0, 0), (3, -3, 1, 0), (4, -6, 4, -1),
    ]
    let (a, b, c, d) = factors[order]
    let shift = Int32(wasted)
    for index in order..<min(4, frameCount) {
      var foreseen = Int32(0)
      unsafe foreseen &+= index > 0 ? a &* samples[index - 1] : 0
      unsafe foreseen &+= index > 1 ? b &* samples[index - 2] : 0
      unsafe foreseen &+= index > 2 ? c &* samples[index - 3] : 0
      unsafe store(samples[index] &- foreseen, shift, at: index)
    }
    for index in 4..<frameCount {
      let near = unsafe a &* samples[index - 1] &+ b &* samples[index - 2]
      let far = unsafe c &* samples[index - 3] &+ d &* samples[index - 4]
      unsafe store(samples[index] &- near &- far, shift, at: index)
    }
  }

  @inline(__always)
  private func store(_ rest: Int32, _ shift: Int32, at index: Int) {
    let value = rest >> shift
    unsafe residual[index] = UInt32(bitPattern: value &<< 1 ^ value &>> 31)
  }

  /// Divides the residual into the partitions that need least, and leaves their parameters.
  /// - Returns: the binary logarithm of their number, and at most how many bits they need.
  @_optimize(size)
  private mutating func partition(order: Int) -> (partitionOrder: Int, bitCount: Int) {
    var finest = min(6, frameCount.trailingZeroBitCount)
    while finest > 0, frameCount >> finest <= max(order, 15) { finest -= 1 }
    var sums = InlineArray<64, UInt64>(repeating: 0)
    let length = frameCount >> finest
    for place in 0..<1 << finest {
      var sum = UInt64(0)
      for index in max(place * length, order)..<(place + 1) * length { unsafe sum &+= UInt64(residual[index]) }
      sums[place] = sum
    }
    var best = (partitionOrder: 0, bitCount: Int.max)
    for partitionOrder in (0...finest).reversed() {
      var found = InlineArray<64, UInt8>(repeating: 0)
      var bitCount = 0
      for place in 0..<1 << partitionOrder {
        let count = (frameCount >> partitionOrder) - (place == 0 ? order : 0)
        let (parameter, cost) = Self.parameter(sums[place], UInt64(count))
        found[place] = parameter
        bitCount += cost
      }
      if bitCount < best.bitCount {
        best = (partitionOrder, bitCount)
        parameters = found
      }
      for place in 0..<(1 << partitionOrder) / 2 { sums[place] = sums[2 * place] + sums[2 * place + 1] }
    }
    return best
  }

  /// - Returns: the Rice parameter for values with this sum, and at most how many bits they need with it.
  @_optimize(size)
  private static func parameter(_ sum: UInt64, _ count: UInt64) -> (parameter: UInt8, bitCount: Int) {
    let mean = sum / max(count, 1)
    let guess = UInt64(max(63 - mean.leadingZeroBitCount, 0))
    var best = (parameter: UInt8(0), bitCount: Int.max)
    for parameter in max(guess, 1) - 1...guess + 1 {
      let bitCount = Int(count * (parameter + 1) + sum >> parameter)
      if bitCount < best.bitCount { best = (UInt8(parameter), bitCount) }
    }
    return (best.parameter, best.bitCount + 5)
  }

  @_optimize(size)
  @inline(never)
  private mutating func write(_ subframe: Subframe, _ index: Int) {
    let samples = unsafe plane(index)
    let type: UInt64 =
      switch subframe.kind {
      case .constant: 0
      case .verbatim: 1
      case .predicted(let order): UInt64(8 + order)
      }
    bits.put(type << 1 | (subframe.wasted > 0 ? 1 : 0), count: 8)
    if subframe.wasted > 0 { bits.put(1, count: subframe.wasted) }
    switch subframe.kind {
    case .constant: unsafe put(samples, 0..<1, subframe)
    case .verbatim: unsafe put(samples, 0..<frameCount, subframe)
    case .predicted(let order):
      unsafe put(samples, 0..<order, subframe)
      putResidual(order: order, subframe.partitionOrder)
    }
  }

  @_optimize(size)
  private mutating func put(_ samples: UnsafeMutablePointer<Int32>, _ range: Range<Int>, _ subframe: Subframe) {
    let mask = UInt64(1) << UInt64(subframe.width) - 1
    for index in range {
      let value = unsafe samples[index] >> Int32(subframe.wasted)
      bits.put(UInt64(truncatingIfNeeded: value) & mask, count: subframe.width)
    }
  }

  private mutating func putResidual(order: Int, _ partitionOrder: Int) {
    var isWide = false
    for place in 0..<1 << partitionOrder where parameters[place] > 14 { isWide = true }
    bits.put(isWide ? 1 : 0, count: 2)
    bits.put(UInt64(partitionOrder), count: 4)
    let length = frameCount >> partitionOrder
    for place in 0..<1 << partitionOrder {
      bits.put(UInt64(parameters[place]), count: isWide ? 5 : 4)
      let range = max(place * length, order)..<(place + 1) * length
      unsafe bits.put(residual, range, parameter: UInt32(parameters[place]))
    }
  }
}
