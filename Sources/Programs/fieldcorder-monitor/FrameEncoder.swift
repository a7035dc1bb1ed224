import Base
import CFFmpeg
import Wire

/// One of libavcodec's audio encoders: takes frames of a fixed number of samples, and outputs packets.
@safe struct FrameEncoder: ~Copyable {
  struct Request {
    var name: StaticString
    /// The interleaved sample format in memory.
    var sampleFormat: AVSampleFormat
    var sampleRateHz: UInt32
    var channelCount: Int32
    /// Significant bits of a sample; 0 for all.
    var significantBits: Int32 = 0
    var bitRate: Int64 = 0
    /// Samples per channel in a frame; 0 for the encoder's default.
    var frameSize: Int32 = 0
  }

  // Safe: owned by the value until it ends.
  private var codec: UnsafeMutablePointer<AVCodecContext>?
  private var frame: UnsafeMutablePointer<AVFrame>?
  private var packet: UnsafeMutablePointer<AVPacket>?
  /// Sample frames in the encoder frame that is being filled.
  private(set) var filledCount = 0
  private var position: Int64 = 0

  /// - Returns: nil if the library lacks the encoder, or the encoder refuses the format.
  init?(_ request: Request) {
    unsafe codec = unsafe avcodec_alloc_context3(avcodec_find_encoder_by_name(request.name.cString))
    unsafe frame = unsafe av_frame_alloc()
    unsafe packet = unsafe av_packet_alloc()
    guard let codec = unsafe codec, let frame = unsafe frame, unsafe packet != nil else { return nil }
    unsafe codec.pointee.sample_fmt = request.sampleFormat
    unsafe codec.pointee.sample_rate = Int32(request.sampleRateHz)
    unsafe codec.pointee.time_base = AVRational(num: 1, den: Int32(request.sampleRateHz))
    unsafe codec.pointee.bits_per_raw_sample = request.significantBits
    unsafe codec.pointee.bit_rate = request.bitRate
    unsafe codec.pointee.frame_size = request.frameSize
    unsafe av_channel_layout_default(&codec.pointee.ch_layout, request.channelCount)
    guard unsafe avcodec_open2(codec, nil, nil) >= 0, unsafe codec.pointee.frame_size > 0 else { return nil }
    unsafe frame.pointee.format = request.sampleFormat.rawValue
    unsafe frame.pointee.sample_rate = codec.pointee.sample_rate
    unsafe frame.pointee.nb_samples = codec.pointee.frame_size
    guard unsafe av_channel_layout_copy(&frame.pointee.ch_layout, &codec.pointee.ch_layout) >= 0,
      unsafe av_frame_get_buffer(frame, 0) >= 0
    else { return nil }
  }

  deinit {
    var (codec, frame, packet) = unsafe (codec, frame, packet)
    unsafe avcodec_free_context(&codec)
    unsafe av_frame_free(&frame)
    unsafe av_packet_free(&packet)
  }

  /// The encoder's context, from which a container takes its settings.
  var context: UnsafeMutablePointer<AVCodecContext> { unsafe codec! }

  /// The codec's extra data, from which the stream's header is made.
  var extraData: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: codec!.pointee.extradata, count: Int(codec!.pointee.extradata_size))
  }

  /// Sample frames that still fit into the encoder frame.
  var freeCount: Int { unsafe Int(frame!.pointee.nb_samples) - filledCount }

  /// Where the next interleaved samples go; nil if the machine has no memory left.
  mutating func room(bytesPerFrame: Int) -> UnsafeMutableRawPointer? {
    let isWritable = unsafe av_frame_make_writable(frame) >= 0
    guard isWritable else { return nil }
    return unsafe UnsafeMutableRawPointer(frame!.pointee.data.0!) + filledCount * bytesPerFrame
  }

  /// Adds this many sample frames, which were put there. A full encoder frame is encoded.
  /// - Parameter take: is lent each complete packet.
  mutating func commit(_ count: Int, _ take: (UnsafeMutablePointer<AVPacket>) -> Void) {
    filledCount += count
    guard freeCount == 0 else { return }
    filledCount = 0
    unsafe frame!.pointee.pts = position
    position += Int64(unsafe frame!.pointee.nb_samples)
    guard unsafe avcodec_send_frame(codec, frame) >= 0 else { return }
    while unsafe avcodec_receive_packet(codec, packet) >= 0 {
      unsafe take(packet!)
      unsafe av_packet_unref(packet)
    }
  }
}

/// FLAC as a stream (RFC 9639): bit for bit what is recorded, except that floating-point samples become 24 bits.
struct FLACEncoder: ~Copyable {
  /// Samples per channel in a frame: 24 ms at 48 kHz, one of the sizes that have a short code in the frame header.
  private static var frameSize: Int32 { 1_152 }
  /// The length of the STREAMINFO block.
  static var streamInfoByteCount: Int { 34 }
  /// `fLaC`, and the header of that block, marked as the last metadata block.
  static var beginning: InlineArray<8, UInt8> {
    [0x66, 0x4C, 0x61, 0x43, 0x80, 0, 0, UInt8(streamInfoByteCount)]
  }

  private let format: AudioFormat
  private var encoder: FrameEncoder

  /// - Returns: nil if there is no such encoder.
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

  /// - Returns: false if the encoder provided no header.
  func writeHeader(to stream: inout StreamRing) -> Bool {
    guard unsafe encoder.extraData.count == Self.streamInfoByteCount else { return false }
    let beginning = Self.beginning
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

/// Opus in Ogg (RFC 6716, 7845) at 48 kHz, with one or two channels; more are mixed to two.
@safe struct OpusEncoder: ~Copyable {
  private static var sampleRateHz: UInt32 { 48_000 }
  /// Nearly transparent for music in stereo.
  private static var bitRatePerChannel: Int64 { 64_000 }

  private let format: AudioFormat
  private let channelCount: Int32
  private var encoder: FrameEncoder
  // Safe: owned by the value until it ends.
  private var resampler: OpaquePointer?
  private var file: OggFile
  /// Samples converted to floating point; allocated once and never freed.
  private let numbers: UnsafeMutableBufferPointer<Float>

  /// - Parameter room: working memory for samples.
  /// - Returns: nil if the library lacks something.
  init?(_ format: AudioFormat, _ room: OpusRoom) {
    let channelCount: Int32 = format.channelCount == 1 ? 1 : 2
    guard
      let encoder = FrameEncoder(
        FrameEncoder.Request(
          name: "libopus", sampleFormat: AV_SAMPLE_FMT_FLT, sampleRateHz: Self.sampleRateHz, channelCount: channelCount,
          bitRate: Self.bitRatePerChannel * Int64(channelCount))),
      let file = Self.file(encoder, room),
      let resampler = unsafe Self.resampler(from: format, to: channelCount)
    else { return nil }
    self.format = format
    self.channelCount = channelCount
    self.encoder = encoder
    self.file = file
    unsafe numbers = room.numbers
    unsafe self.resampler = resampler
  }

  deinit {
    var resampler = unsafe resampler
    unsafe swr_free(&resampler)
  }

  private static func file(_ encoder: borrowing FrameEncoder, _ room: OpusRoom) -> OggFile? {
    var parameters = unsafe avcodec_parameters_alloc()
    defer { unsafe avcodec_parameters_free(&parameters) }
    guard let filled = unsafe parameters, unsafe avcodec_parameters_from_context(filled, encoder.context) >= 0 else {
      return nil
    }
    return unsafe OggFile(filled, timeBase: encoder.context.pointee.time_base, room.sink)
  }

  private static func resampler(from format: AudioFormat, to channelCount: Int32) -> OpaquePointer? {
    var made: OpaquePointer?
    var source = unsafe AVChannelLayout()
    var target = unsafe AVChannelLayout()
    unsafe av_channel_layout_default(&source, Int32(format.channelCount))
    unsafe av_channel_layout_default(&target, channelCount)
    defer {
      unsafe av_channel_layout_uninit(&source)
      unsafe av_channel_layout_uninit(&target)
    }
    guard
      unsafe swr_alloc_set_opts2(
        &made, &target, AV_SAMPLE_FMT_FLT, Int32(sampleRateHz), &source, AV_SAMPLE_FMT_FLT, Int32(format.sampleRateHz),
        0, nil) >= 0
    else { return nil }
    unsafe ffmpeg_never_louder(made)
    guard unsafe swr_init(made) >= 0 else {
      unsafe swr_free(&made)
      return nil
    }
    return unsafe made
  }

  /// - Returns: false if it does not fit.
  mutating func writeHeader(to stream: inout StreamRing) -> Bool {
    file.writeHeader() && file.take { stream.appendHeader($0) }
  }

  /// - Parameter frames: in the memory format of the recorder's ring.
  mutating func take(_ frames: RawSpan, into stream: inout StreamRing) {
    let bytesPerFrame = format.bytesPerFrame
    let mostFrames = unsafe numbers.count / Int(format.channelCount)
    var offset = 0
    while offset < frames.byteCount {
      let count = min(mostFrames, (frames.byteCount - offset) / bytesPerFrame)
      guard count > 0 else { return }
      for index in 0..<count * Int(format.channelCount) {
        unsafe numbers[index] = format.sampleFormat.fraction(
          at: offset + index * format.sampleFormat.bytesPerSample, in: frames)
      }
      encode(count, into: &stream)
      offset += count * bytesPerFrame
    }
  }

  /// The resampler keeps what does not fit into the encoder's frame.
  private mutating func encode(_ count: Int, into stream: inout StreamRing) {
    var input =
      unsafe UnsafePointer<UInt8>(UnsafeRawPointer(numbers.baseAddress!).assumingMemoryBound(to: UInt8.self))
      as UnsafePointer<UInt8>?
    var inputCount = Int32(count)
    while let room = unsafe encoder.room(bytesPerFrame: Int(channelCount) * 4) {
      let free = Int32(encoder.freeCount)
      let output = unsafe room.assumingMemoryBound(to: UInt8.self)
      let made =
        inputCount > 0
        ? unsafe ffmpeg_resample(resampler, output, free, &input, inputCount)
        : unsafe ffmpeg_resample(resampler, output, free, nil, 0)
      // The first call consumes all input.
      inputCount = 0
      guard made > 0 else { return }
      unsafe encoder.commit(Int(made)) { packet in unsafe file.write(packet) }
      _ = file.take { pages in
        stream.markEntry()
        stream.append(pages)
        return true
      }
    }
  }
}

/// Working memory that all ``OpusEncoder``s use in turn.
@safe struct OpusRoom: BitwiseCopyable {
  /// Samples that are converted at once: 43 ms of two channels at 48 kHz.
  private static var numberCount: Int { 4_096 }

  // Safe: pieces of boot memory; only the present encoder uses them.
  let numbers: UnsafeMutableBufferPointer<Float>
  let sink: UnsafeMutablePointer<OggSink>

  init?(in memory: inout BootMemory) {
    guard let piece = unsafe memory.cut(byteCount: Self.numberCount * 4), let bytes = OggSink(in: &memory),
      let sink = unsafe memory.place(bytes)
    else { return nil }
    unsafe numbers = piece.bindMemory(to: Float.self)
    unsafe self.sink = sink
  }
}
