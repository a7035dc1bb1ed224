import Base
import CFFmpeg
import Machine
import Wire

/// One item's decoder: packets in, frames of sound out.
@safe struct ItemDecoder: ~Copyable {
  enum Output {
    case frame
    case needsPacket
    case end
    case damaged
  }

  // Safe: both owned by the value until it ends.
  private let context: UnsafeMutablePointer<AVCodecContext>
  /// The output of the last decode.
  let frame: UnsafeMutablePointer<AVFrame>
  /// The bytes of a frame of samples that need no decoding: they are passed on where they lie. 0 if they need it.
  private let passedByteCount: Int32
  /// What comes after the packet that is passed on.
  private var passed = Output.needsPacket

  /// - Parameters:
  ///   - timeBase: the unit of packet times.
  ///   - isPCM: whether packets are whole frames of samples, without anything to skip.
  init(
    _ parameters: UnsafeMutablePointer<AVCodecParameters>, timeBase: AVRational, isPCM: Bool
  ) throws(DecoderRefusal) {
    passedByteCount = unsafe isPCM ? Self.passedByteCount(parameters.pointee) : 0
    guard let codec = unsafe avcodec_find_decoder(parameters.pointee.codec_id) else { throw .unknownCodec }
    var made = unsafe avcodec_alloc_context3(codec)
    let context = unsafe Heap.required(made)
    let frame = unsafe Heap.required(av_frame_alloc())
    unsafe context.pointee.thread_count = 1
    unsafe context.pointee.pkt_timebase = timeBase
    var options: OpaquePointer?
    unsafe SoundFile.set(&options, "codec_whitelist", Whitelist.codecs)
    let isOpen =
      unsafe avcodec_parameters_to_context(context, parameters) >= 0 && avcodec_open2(context, codec, &options) >= 0
    unsafe av_dict_free(&options)
    guard isOpen else {
      unsafe avcodec_free_context(&made)
      var unused: UnsafeMutablePointer<AVFrame>? = unsafe frame
      unsafe av_frame_free(&unused)
      throw .unknownCodec
    }
    unsafe self.context = context
    unsafe self.frame = frame
  }

  deinit {
    var context: UnsafeMutablePointer<AVCodecContext>? = unsafe context
    unsafe avcodec_free_context(&context)
    var frame: UnsafeMutablePointer<AVFrame>? = unsafe frame
    unsafe av_frame_free(&frame)
  }

  private static func passedByteCount(_ parameters: AVCodecParameters) -> Int32 {
    let channelCount = unsafe parameters.ch_layout.nb_channels
    return switch unsafe parameters.codec_id {
    case AV_CODEC_ID_PCM_S16LE: 2 * channelCount
    case AV_CODEC_ID_PCM_S32LE, AV_CODEC_ID_PCM_F32LE: 4 * channelCount
    default: 0
    }
  }

  /// Decodes a packet, which stays as it is until the next; nil: there are no more.
  /// - Returns: false if it is damaged.
  mutating func send(_ packet: UnsafeMutablePointer<AVPacket>?) -> Bool {
    guard passedByteCount > 0 else { return unsafe avcodec_send_packet(context, packet) >= 0 }
    guard let packet = unsafe packet else {
      passed = .end
      return true
    }
    unsafe av_frame_unref(frame)
    unsafe frame.pointee.format = context.pointee.sample_fmt.rawValue
    unsafe frame.pointee.sample_rate = context.pointee.sample_rate
    unsafe frame.pointee.nb_samples = packet.pointee.size / passedByteCount
    unsafe frame.pointee.pts = packet.pointee.pts
    unsafe frame.pointee.data.0 = packet.pointee.data
    passed = .frame
    return unsafe av_channel_layout_copy(&frame.pointee.ch_layout, &context.pointee.ch_layout) >= 0
  }

  mutating func receive() -> Output {
    if passedByteCount > 0 {
      defer { if case .frame = passed { passed = .needsPacket } }
      return passed
    }
    let result = unsafe avcodec_receive_frame(context, frame)
    if result >= 0 { return .frame }
    if result == ffmpeg_again() { return .needsPacket }
    return result == ffmpeg_end_of_file() ? .end : .damaged
  }

  /// Drops the decoder's history, because packets from another position follow.
  mutating func flush() {
    passed = .needsPacket
    unsafe avcodec_flush_buffers(context)
  }

  /// Fills the frame with silence, in the format that was decoded last.
  /// - Returns: false if nothing has been decoded yet.
  mutating func makeSilence(frameCount: Int32) -> Bool {
    unsafe av_frame_unref(frame)
    let parameters = unsafe context
    guard unsafe parameters.pointee.sample_rate > 0, unsafe parameters.pointee.ch_layout.nb_channels > 0 else {
      return false
    }
    unsafe frame.pointee.format = parameters.pointee.sample_fmt.rawValue
    unsafe frame.pointee.sample_rate = parameters.pointee.sample_rate
    unsafe frame.pointee.nb_samples = frameCount
    guard unsafe av_channel_layout_copy(&frame.pointee.ch_layout, &parameters.pointee.ch_layout) >= 0,
      unsafe av_frame_get_buffer(frame, 0) >= 0
    else { return false }
    unsafe av_samples_set_silence(
      frame.pointee.extended_data, 0, frameCount, parameters.pointee.ch_layout.nb_channels,
      parameters.pointee.sample_fmt)
    return true
  }
}

/// Reports at intervals that a seek is still under way, so that the recorder keeps waiting.
struct SearchReporter: BitwiseCopyable {
  /// Well within the recorder's timeout for a sign of life.
  private static var intervalNanoseconds: UInt64 { 400_000_000 }

  private let socket: Int32
  private var due = Instant.max

  init(socket: borrowing OrderSocket) { self.socket = socket.descriptor }
  mutating func begin() { due = .now + Self.intervalNanoseconds }

  /// Must be called for each packet or read of a search.
  mutating func tick() {
    let now = Instant.now
    guard now >= due else { return }
    due = now + Self.intervalNanoseconds
    Sandbox.renewTime()
    OrderSocket(descriptor: socket).send(.searching)
  }
}
