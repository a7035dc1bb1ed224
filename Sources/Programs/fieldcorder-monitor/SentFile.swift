import Base
import CFFmpeg

/// The packets of the file, from its first to its last. For another pass it is opened again.
@safe struct SentFile: ~Copyable {
  private static var bufferByteCount: Int32 { 32_768 }
  /// FFmpeg's least certainty of what a file is: from four frames of MP3 on.
  private static var leastScore: Int32 { 25 }
  /// Reads that fail one after the other, after which the rest is damaged.
  private static var errorLimit: Int { 1_000 }
  private static var formats: StaticString { "aac,flac,mp3,ogg" }
  private static var codecs: StaticString { "aac,flac,mp1,mp1float,mp2,mp2float,mp3,mp3float,opus,vorbis" }

  // Sound: all live until the value ends; the bytes outlive it.
  private var input: UnsafeMutablePointer<AVIOContext>?
  private var context: UnsafeMutablePointer<AVFormatContext>?
  private var stream: UnsafeMutablePointer<AVStream>?
  private(set) var kind = FileKind.mp3

  /// - Parameter bytes: outlive the value.
  init(_ bytes: UnsafeMutablePointer<SentBytes>) throws(FileProblem) {
    unsafe bytes.pointee.rewind()
    guard let buffer = unsafe av_malloc(Int(Self.bufferByteCount))?.assumingMemoryBound(to: UInt8.self) else {
      throw .noSound
    }
    unsafe input = ffmpeg_make_input(buffer, Self.bufferByteCount, bytes, readSentBytes, seekSentBytes)
    var format: UnsafePointer<AVInputFormat>?
    guard unsafe input != nil, unsafe av_probe_input_buffer2(input, &format, nil, nil, 0, 1 << 20) >= Self.leastScore,
      let kind = unsafe Self.kind(format)
    else { throw .unknownKind }
    self.kind = kind
    unsafe context = avformat_alloc_context()
    guard let fresh = unsafe context else { throw .noSound }
    unsafe fresh.pointee.pb = input
    unsafe fresh.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
    unsafe ffmpeg_refuse_references(fresh)
    var options: OpaquePointer?
    unsafe av_dict_set(&options, cString("format_whitelist"), cString(Self.formats), 0)
    unsafe av_dict_set(&options, cString("codec_whitelist"), cString(Self.codecs), 0)
    let result = unsafe avformat_open_input(&context, nil, format, &options)
    unsafe av_dict_free(&options)
    guard result >= 0, unsafe avformat_find_stream_info(context, nil) >= 0 else { throw .noSound }
    unsafe stream = Self.firstSound(context!)
    guard unsafe stream != nil else { throw .noSound }
  }

  deinit {
    var (context, input) = unsafe (context, input)
    unsafe avformat_close_input(&context)
    guard let bytes = unsafe input else { return }
    unsafe av_freep(&bytes.pointee.buffer)
    unsafe avio_context_free(&input)
  }

  private static func kind(_ format: UnsafePointer<AVInputFormat>?) -> FileKind? {
    guard let name = unsafe format?.pointee.name else { return nil }
    for number in 0...FileKind.ogg.rawValue {
      let kind = FileKind(rawValue: number)!
      if unsafe strcmp(name, cString(kind.formatName)) == 0 { return kind }
    }
    return nil
  }

  /// The others are not read.
  private static func firstSound(_ context: UnsafeMutablePointer<AVFormatContext>) -> UnsafeMutablePointer<AVStream>? {
    var found: UnsafeMutablePointer<AVStream>?
    for index in 0..<Int(unsafe context.pointee.nb_streams) {
      guard let stream = unsafe context.pointee.streams[index] else { continue }
      if unsafe found == nil, unsafe stream.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_AUDIO {
        unsafe found = stream
      } else {
        unsafe stream.pointee.discard = AVDISCARD_ALL
      }
    }
    return unsafe found
  }

  var parameters: UnsafeMutablePointer<AVCodecParameters> { unsafe stream!.pointee.codecpar }

  var timeBase: AVRational { unsafe stream!.pointee.time_base }

  /// The codec's own header: of FLAC its STREAMINFO.
  var extraData: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: parameters.pointee.extradata, count: Int(parameters.pointee.extradata_size))
  }

  /// Reads the next packet of sound into `packet`, which is empty.
  /// - Returns: false at the end.
  mutating func read(into packet: UnsafeMutablePointer<AVPacket>) -> Bool {
    var errorCount = 0
    while errorCount < Self.errorLimit {
      let result = unsafe av_read_frame(context, packet)
      if result >= 0 {
        if unsafe packet.pointee.stream_index == stream!.pointee.index, unsafe packet.pointee.size > 0 { return true }
        unsafe av_packet_unref(packet)
      } else if result == ffmpeg_end_of_file() || result == ffmpeg_input_output_error() {
        return false
      } else {
        errorCount += 1
      }
    }
    return false
  }
}
