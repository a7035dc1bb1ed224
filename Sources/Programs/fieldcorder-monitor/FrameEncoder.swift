import CFFmpeg

/// One of libavcodec's sound encoders: it takes frames of a fixed number of samples, and gives packets.
@safe struct FrameEncoder: ~Copyable {
  /// What is asked of an encoder.
  struct Request {
    var name: StaticString
    /// How its samples lie in memory: interleaved.
    var sampleFormat: AVSampleFormat
    var sampleRateHz: UInt32
    var channelCount: Int32
    /// Bits of a sample that count; 0 for all.
    var significantBits: Int32 = 0
    var bitRate: Int64 = 0
    /// Samples of each channel in a frame; 0 for what the encoder takes.
    var frameSize: Int32 = 0
  }

  // Sound: owned by the value until it ends.
  private var codec: UnsafeMutablePointer<AVCodecContext>?
  private var frame: UnsafeMutablePointer<AVFrame>?
  private var packet: UnsafeMutablePointer<AVPacket>?
  /// Frames of samples in the frame that is being filled.
  private(set) var filledCount = 0
  private var position: Int64 = 0

  /// - Returns: nil when the library lacks the encoder, or it refuses the format.
  init?(_ request: Request) {
    unsafe codec = unsafe avcodec_alloc_context3(avcodec_find_encoder_by_name(cString(request.name)))
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

  /// What the encoder is, for a file format.
  var context: UnsafeMutablePointer<AVCodecContext> { unsafe codec! }

  /// What the stream's header is made of.
  var extraData: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: codec!.pointee.extradata, count: Int(codec!.pointee.extradata_size))
  }

  /// Frames of samples that still fit into the frame.
  var freeCount: Int { unsafe Int(frame!.pointee.nb_samples) - filledCount }

  /// Where they go, interleaved; nil when the machine has no memory left.
  mutating func room(bytesPerFrame: Int) -> UnsafeMutableRawPointer? {
    let isWritable = unsafe av_frame_make_writable(frame) >= 0
    guard isWritable else { return nil }
    return unsafe UnsafeMutableRawPointer(frame!.pointee.data.0!) + filledCount * bytesPerFrame
  }

  /// So many were put there. A full frame is encoded.
  /// - Parameter take: is lent each packet that is complete.
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
