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

  /// - Parameter timeBase: the unit of packet times.
  init(
    _ parameters: UnsafeMutablePointer<AVCodecParameters>, timeBase: AVRational
  ) throws(DecoderRefusal) {
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

  /// Decodes a packet; nil: there are no more.
  /// - Returns: false if it is damaged.
  mutating func send(_ packet: UnsafeMutablePointer<AVPacket>?) -> Bool {
    unsafe avcodec_send_packet(context, packet) >= 0
  }

  mutating func receive() -> Output {
    let result = unsafe avcodec_receive_frame(context, frame)
    if result >= 0 { return .frame }
    if result == ffmpeg_again() { return .needsPacket }
    return result == ffmpeg_end_of_file() ? .end : .damaged
  }

  /// Drops the decoder's history, because packets from another position follow.
  mutating func flush() { unsafe avcodec_flush_buffers(context) }

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
