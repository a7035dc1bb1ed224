import Base

/// Puts the bits of a frame one after the other.
@safe struct FLACBits: ~Copyable {
  // Safe: a piece of boot memory with no other user; each store is checked against its size.
  private let memory: UnsafeMutableRawBufferPointer
  private var byteCount = 0
  /// The last bits, which are not in memory yet: fewer than 32.
  private var held: UInt64 = 0
  private var heldCount = 0

  init?(byteCount: Int, in boot: inout BootMemory) {
    guard let piece = unsafe boot.cut(byteCount: byteCount) else { return nil }
    unsafe memory = piece
  }

  var bytes: RawSpan {
    @_lifetime(borrow self)
    borrowing get {
      let span = unsafe RawSpan(_unsafeBytes: UnsafeRawBufferPointer(rebasing: memory[..<byteCount]))
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }

  mutating func clear() { (byteCount, held, heldCount) = (0, 0, 0) }

  /// - Parameter count: 1...32.
  @inline(never)
  mutating func put(_ value: UInt64, count: Int) { putAtOnce(value, count: count) }

  mutating func put(signed value: Int32, count: Int) {
    put(UInt64(truncatingIfNeeded: value) & (UInt64(1) << UInt64(count) - 1), count: count)
  }

  @inline(__always)
  private mutating func putAtOnce(_ value: UInt64, count: Int) {
    held = held &<< UInt64(count) | value
    heldCount &+= count
    guard heldCount >= 32 else { return }
    heldCount &-= 32
    unsafe precondition(byteCount <= memory.count &- 4, "a frame longer than its samples")
    unsafe memory.storeBytes(
      of: UInt32(truncatingIfNeeded: held &>> UInt64(heldCount)).bigEndian, toByteOffset: byteCount, as: UInt32.self)
    byteCount &+= 4
  }

  /// Puts the Rice codes of a part of the residual.
  mutating func put(_ residual: UnsafePointer<UInt32>, _ range: Range<Int>, parameter: UInt32) {
    let mask = UInt32(1) &<< parameter &- 1
    let one = UInt64(1) &<< UInt64(parameter)
    for index in range {
      let value = unsafe residual[index]
      var zeros = Int(value &>> parameter)
      let rest = one | UInt64(value & mask)
      while zeros &+ Int(parameter) > 31 {
        let some = min(zeros, 31)
        if some == 0 { break }
        put(0, count: some)
        zeros &-= some
      }
      putAtOnce(rest, count: zeros &+ Int(parameter) &+ 1)
    }
  }

  /// Puts a frame's header.
  /// - Parameter assignment: of the channels: RFC 9639, 9.1.3.
  @_optimize(size)
  mutating func putHeader(_ format: AudioFormat, assignment: UInt64, frames: Int, number: UInt64) {
    let isWhole = frames == FLACFormat.blockFrames
    let rate = FLACRate(format.sampleRateHz)
    put(0xFFF8, count: 16)
    put((isWhole ? FLACFormat.blockCode : 7) << 4 | rate.code, count: 8)
    put(assignment << 4 | (format.sampleFormat == .int16 ? 4 : 6) << 1, count: 8)
    putNumber(number)
    if !isWhole { put(UInt64(frames - 1), count: 16) }
    if rate.byteCount > 0 { put(rate.value, count: 8 * rate.byteCount) }
    flush()
    var crc = UInt8(0)
    for index in 0..<byteCount { crc = FLACChecksum.crc8(crc, bytes.byte(at: index)) }
    put(UInt64(crc), count: 8)
  }

  /// As UTF-8 codes a character, but up to 36 bits.
  @_optimize(size)
  private mutating func putNumber(_ number: UInt64) {
    guard number >= 0x80 else { return put(number, count: 8) }
    var following = UInt64(1)
    while number >> (6 * following + 6 - following) > 0 { following += 1 }
    put(0xFF << (7 - following) & 0xFF | number >> (6 * following), count: 8)
    for place in (0..<following).reversed() { put(0x80 | number >> (6 * place) & 0x3F, count: 8) }
  }

  /// Ends the frame.
  mutating func putChecksum() {
    if heldCount % 8 > 0 { put(0, count: 8 - heldCount % 8) }
    flush()
    var crc = UInt16(0)
    for index in 0..<byteCount { crc = FLACChecksum.crc16(crc, unsafe memory[index]) }
    put(UInt64(crc), count: 16)
    flush()
  }

  /// Moves whole bytes to memory.
  @_optimize(size)
  @inline(never)
  private mutating func flush() {
    while heldCount >= 8 {
      heldCount -= 8
      unsafe precondition(byteCount < memory.count, "a frame longer than its samples")
      unsafe memory[byteCount] = UInt8(truncatingIfNeeded: held >> UInt64(heldCount))
      byteCount += 1
    }
  }
}

/// The checksums of RFC 9639, 9.1.8 and 9.3.
enum FLACChecksum {
  /// Four bits at a time.
  static func crc8(_ crc: UInt8, _ byte: UInt8) -> UInt8 {
    let table: InlineArray<16, UInt8> = [
      0x00, 0x07, 0x0E, 0x09, 0x1C, 0x1B, 0x12, 0x15, 0x38, 0x3F, 0x36, 0x31, 0x24, 0x23, 0x2A, 0x2D,
    ]
    var crc = crc ^ byte
    for _ in 0..<2 { crc = crc << 4 ^ table[Int(crc >> 4)] }
    return crc
  }

  /// The polynomial x^16 + x^15 + x^2 + 1 is a multiple of x + 1, so a byte t shifts to t * (x^2 + x), and to
  /// x^15 + x + 1 besides if it has an odd number of ones.
  @inline(__always)
  static func crc16(_ crc: UInt16, _ byte: UInt8) -> UInt16 {
    let high = crc &>> 8 ^ UInt16(byte)
    // Each bit says whether so many ones are odd.
    let oddness = UInt16(0x6996) &>> ((high ^ high &>> 4) & 15)
    return crc &<< 8 ^ high &<< 1 ^ high &<< 2 ^ (0 &- (oddness & 1)) & 0x8003
  }
}

/// How a frame's header states the sample rate: RFC 9639, 9.1.2.
struct FLACRate {
  var code: UInt64
  var value: UInt64 = 0
  /// Bytes at the header's end.
  var byteCount = 0

  @_optimize(size)
  init(_ hertz: UInt32) {
    let rates: InlineArray<11, UInt32> = [
      88_200, 176_400, 192_000, 8_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000,
    ]
    for index in rates.indices where rates[index] == hertz {
      code = UInt64(index + 1)
      return
    }
    if hertz % 1000 == 0, hertz <= 255_000 {
      (code, value, byteCount) = (12, UInt64(hertz / 1000), 1)
    } else if hertz <= 65_535 {
      (code, value, byteCount) = (13, UInt64(hertz), 2)
    } else if hertz % 10 == 0, hertz <= 655_350 {
      (code, value, byteCount) = (14, UInt64(hertz / 10), 2)
    } else {
      code = 0
    }
  }
}

/// The limits of FLAC files.
package enum FLACFormat {
  /// Sample frames of each frame but the last.
  package static var blockFrames: Int { 4_096 }
  /// It, as the frames' headers state it.
  static var blockCode: UInt64 { 12 }
  /// A frame of noise in eight channels of 24 bits: 16 bytes of header, 3 beside each channel's samples, and 2.
  static var bufferByteCount: Int { 8 * (3 * blockFrames + 3) + 18 + 6 }
  /// RFC 9639, 8.2: the count of sample frames has 36 bits.
  package static var mostSampleFrames: UInt64 { 1 << 36 - 1 }

  /// The longest frame.
  package static func mostFrameByteCount(_ format: AudioFormat) -> Int {
    blockFrames * format.bytesPerFrame + 3 * Int(format.channelCount) + 18
  }
}
