import Base

/// Makes the frames of a FLAC stream with a fixed block size (RFC 9639), without losing a bit: fixed and linear predictors,
/// partitioned Rice codes, stereo decorrelation, constant and verbatim subframes, and wasted bits.
///
/// A frame is never longer than ``FLACFormat/mostFrameByteCount(_:)``: a subframe is coded only if that is shorter than
/// its samples.
@safe package struct FLACEncoder: ~Copyable {
  // Safe: pieces of boot memory with no other user; all indexes are below the block size, or checked when bits are put.
  private let planes: UnsafeMutablePointer<Int32>
  private let residuals: UnsafeMutablePointer<UInt32>
  private let window: UnsafeMutablePointer<Double>
  private var bits: FLACBits
  private var format = AudioFormat(sampleRateHz: 48_000, channelCount: 1, sampleFormat: .int16)
  private var frameCount = 0

  /// - Returns: nil if `memory` is used up.
  package init?(in memory: inout BootMemory) {
    let planeByteCount = FLACFormat.blockFrames * 4
    let windowByteCount = (FLACFormat.blockFrames + FLACPredictor.mostOrder) * 8
    guard let planes = unsafe memory.cut(byteCount: 8 * planeByteCount),
      let residuals = unsafe memory.cut(byteCount: Self.residualCount * planeByteCount),
      let window = unsafe memory.cut(byteCount: windowByteCount),
      let bits = FLACBits(byteCount: FLACFormat.bufferByteCount, in: &memory)
    else { return nil }
    unsafe self.planes = planes.baseAddress!.bindMemory(to: Int32.self, capacity: 8 * FLACFormat.blockFrames)
    unsafe self.residuals = residuals.baseAddress!.bindMemory(
      to: UInt32.self, capacity: Self.residualCount * FLACFormat.blockFrames)
    unsafe self.window = window.baseAddress!.bindMemory(
      to: Double.self, capacity: FLACFormat.blockFrames + FLACPredictor.mostOrder)
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
    let subframes: InlineArray<4, Subframe> = [
      analysed(0, width: width), analysed(1, width: width), analysed(2, width: width), analysed(3, width: width + 1),
    ]
    // Left and right; left and side; side and right; mid and side.
    let pairs: InlineArray<4, (first: Int, second: Int)> = [(0, 1), (0, 3), (3, 1), (2, 3)]
    var best = (index: 0, bitCount: Int.max)
    for index in 0..<4 {
      let bitCount = subframes[pairs[index].first].bitCount + subframes[pairs[index].second].bitCount
      if bitCount < best.bitCount { best = (index, bitCount) }
    }
    bits.putHeader(format, assignment: best.index == 0 ? 1 : UInt64(7 + best.index), frames: frameCount, number: number)
    let pair = pairs[best.index]
    write(subframes[pair.first], pair.first)
    write(subframes[pair.second], pair.second)
    bits.putChecksum()
  }

  /// Of two channels each has one until all are compared, as have mid and side; others are written one by one.
  private static var residualCount: Int { 4 }

  private func plane(_ index: Int) -> UnsafeMutablePointer<Int32> {
    unsafe planes + index * FLACFormat.blockFrames
  }

  private func residual(_ index: Int) -> UnsafeMutablePointer<UInt32> {
    unsafe residuals + index % Self.residualCount * FLACFormat.blockFrames
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
    case predicted(FLACPredictor, FLACPartition)
  }

  var kind: Kind
  /// Bits of each sample, without wasted ones.
  var width: Int
  /// Low bits that are 0 in every sample.
  var wasted: Int
  /// At most this many bits, for its content.
  var bitCount: Int
}

extension FLACEncoder {
  /// Chooses how a plane is coded, and leaves its residual, and its samples without wasted bits.
  @inline(never)
  private func analysed(_ index: Int, width: Int) -> Subframe {
    let samples = unsafe plane(index)
    let first = unsafe samples[0]
    var (used, changes) = (Int32(0), Int32(0))
    for place in 0..<frameCount {
      unsafe used |= samples[place]
      unsafe changes |= samples[place] ^ first
    }
    guard changes != 0 else { return Subframe(kind: .constant, width: width, wasted: 0, bitCount: width) }
    let wasted = used.trailingZeroBitCount
    let width = width - wasted
    if wasted > 0 {
      for place in 0..<frameCount { unsafe samples[place] >>= Int32(wasted) }
    }
    let verbatim = Subframe(kind: .verbatim, width: width, wasted: wasted, bitCount: frameCount * width)
    guard frameCount > FLACPredictor.mostOrder else { return verbatim }
    let predictor = predict(index, width: width)
    let partition = unsafe FLACPartition(residual(index), count: frameCount, first: predictor.order)
    let bitCount = predictor.bitCount(width: width) + partition.bitCount
    guard bitCount < verbatim.bitCount else { return verbatim }
    return Subframe(kind: .predicted(predictor, partition), width: width, wasted: wasted, bitCount: bitCount)
  }

  /// Chooses the predictor, and leaves the residual.
  private func predict(_ index: Int, width: Int) -> FLACPredictor {
    let (samples, residual) = unsafe (plane(index), residual(index))
    let fixed = unsafe FLACPredictor.fixed(for: samples, count: frameCount)
    if let linear = unsafe FLACPredictor.linear(for: samples, count: frameCount, width: width, scratch: window) {
      let sum = unsafe linear.leave(residual, of: samples, count: frameCount)
      if cost(linear, sum, width) < cost(fixed.predictor, fixed.sum, width) { return linear }
    }
    _ = unsafe fixed.predictor.leave(residual, of: samples, count: frameCount)
    return fixed.predictor
  }

  /// About how many bits a subframe needs.
  private func cost(_ predictor: FLACPredictor, _ sum: UInt64, _ width: Int) -> Int {
    predictor.bitCount(width: width) + FLACPartition.parameter(sum: sum, count: frameCount - predictor.order).bitCount
  }

  @_optimize(size)
  @inline(never)
  private mutating func write(_ subframe: Subframe, _ index: Int) {
    let type: UInt64 =
      switch subframe.kind {
      case .constant: 0
      case .verbatim: 1
      case .predicted(let predictor, _): UInt64(predictor.order + (predictor.precision > 0 ? 31 : 8))
      }
    bits.put(type << 1 | (subframe.wasted > 0 ? 1 : 0), count: 8)
    if subframe.wasted > 0 { bits.put(1, count: subframe.wasted) }
    switch subframe.kind {
    case .constant: putSamples(of: index, 1, subframe.width)
    case .verbatim: putSamples(of: index, frameCount, subframe.width)
    case .predicted(let predictor, let partition):
      putSamples(of: index, predictor.order, subframe.width)
      bits.put(predictor)
      unsafe bits.put(residual(index), count: frameCount, first: predictor.order, partition)
    }
  }

  @_optimize(size)
  private mutating func putSamples(of index: Int, _ count: Int, _ width: Int) {
    let samples = unsafe plane(index)
    for place in 0..<count { bits.put(signed: unsafe samples[place], count: width) }
  }
}
