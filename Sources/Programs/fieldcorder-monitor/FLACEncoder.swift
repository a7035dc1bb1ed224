import Base
import CFFmpeg
import Wire

/// FLAC as a stream (RFC 9639): bit for bit what is recorded, except that floating-point samples become 24 bits.
struct FLACEncoder: ~Copyable {
  /// Samples of each channel in a frame: 24 ms at 48 kHz, one of the sizes that have a short code in a frame's header.
  private static var frameSize: Int32 { 1_152 }
  /// In STREAMINFO's place: its type, the mark of the last block, and its length.
  private static var streamInfoByteCount: Int { 34 }

  private let format: AudioFormat
  private var encoder: FrameEncoder

  /// - Returns: nil when there is no such encoder.
  init?(_ format: AudioFormat) {
    let isWide = format.sampleFormat != .int16
    guard
      let encoder = FrameEncoder(
        FrameEncoder.Request(
          name: "flac", sampleFormat: isWide ? AV_SAMPLE_FMT_S32 : AV_SAMPLE_FMT_S16,
          sampleRateHz: format.sampleRateHz, channelCount: Int32(format.channelCount),
          significantBits: isWide ? 24 : 16, frameSize: Self.frameSize))
    else { return nil }
    self.format = format
    self.encoder = encoder
  }

  /// - Returns: false when the encoder has given no header.
  func writeHeader(to stream: inout StreamRing) -> Bool {
    guard unsafe encoder.extraData.count == Self.streamInfoByteCount else { return false }
    let beginning: InlineArray<8, UInt8> = [0x66, 0x4C, 0x61, 0x43, 0x80, 0, 0, UInt8(Self.streamInfoByteCount)]
    return unsafe stream.appendHeader(beginning.span.bytes)
      && stream.appendHeader(RawSpan(_unsafeBytes: encoder.extraData))
  }

  /// - Parameter frames: in the memory format of the recorder's ring.
  mutating func take(_ frames: RawSpan, into stream: inout StreamRing) {
    let bytesPerFrame = format.bytesPerFrame
    let outputBytesPerFrame = Int(format.channelCount) * (format.sampleFormat == .int16 ? 2 : 4)
    var offset = 0
    while offset < frames.byteCount {
      let count = min(encoder.freeCount, (frames.byteCount - offset) / bytesPerFrame)
      guard count > 0, let room = unsafe encoder.room(bytesPerFrame: outputBytesPerFrame) else { return }
      let piece = frames.extracting(offset..<offset + count * bytesPerFrame)
      unsafe Self.convert(piece, format.sampleFormat, to: room)
      unsafe encoder.commit(count) { packet in
        stream.markEntry()
        unsafe stream.append(
          RawSpan(
            _unsafeBytes: UnsafeRawBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size))))
      }
      offset += count * bytesPerFrame
    }
  }

  private static func convert(_ samples: RawSpan, _ format: SampleFormat, to room: UnsafeMutableRawPointer) {
    guard format != .int16 else {
      return unsafe samples.withUnsafeBytes { unsafe room.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
    }
    let sampleByteCount = format.bytesPerSample
    for index in 0..<samples.byteCount / sampleByteCount {
      // A 24-bit sample is a whole number of these steps, and 24 bits fit a Float.
      let steps = format.fraction24(at: index * sampleByteCount, in: samples)
      unsafe room.storeBytes(of: steps << 8, toByteOffset: index * 4, as: Int32.self)
    }
  }
}

extension SampleFormat {
  /// The sample at a byte offset in steps of 24 bits.
  fileprivate func fraction24(at offset: Int, in bytes: RawSpan) -> Int32 {
    let steps = (fraction(at: offset, in: bytes) * 8_388_608).rounded(.toNearestOrEven)
    guard steps > -8_388_608 else { return steps.isNaN ? 0 : -8_388_608 }
    return steps < 8_388_607 ? Int32(steps) : 8_388_607
  }
}
