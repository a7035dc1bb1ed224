import Base
import CFFmpeg

/// libavformat's Ogg muxer, which writes whole pages into an ``OggSink``.
@safe struct OggFile: ~Copyable {
  /// The sound in a page, in microseconds: two Opus packets. A listener waits for two pages.
  private static var pageMicroseconds: Int64 { 40_000 }
  private static var bufferByteCount: Int { 4_096 }

  // Safe: owned by the value until it ends.
  private var context: UnsafeMutablePointer<AVFormatContext>?
  // Safe: made at the start, and never destroyed.
  private let sink: UnsafeMutablePointer<OggSink>

  /// - Parameters:
  ///   - parameters: those of the only stream.
  ///   - timeBase: that of its packets.
  /// - Returns: nil if the library lacks something.
  init?(
    _ parameters: UnsafePointer<AVCodecParameters>, timeBase: AVRational, _ sink: UnsafeMutablePointer<OggSink>
  ) {
    unsafe self.sink = sink
    unsafe sink.pointee.byteCount = 0
    guard unsafe avformat_alloc_output_context2(&context, nil, cString("ogg"), nil) >= 0, let context = unsafe context,
      let buffer = unsafe av_malloc(Self.bufferByteCount)?.assumingMemoryBound(to: UInt8.self)
    else { return nil }
    unsafe context.pointee.pb = ffmpeg_make_output(buffer, Int32(Self.bufferByteCount), sink) { sink, bytes, count in
      unsafe sink!.assumingMemoryBound(to: OggSink.self).pointee.append(bytes, Int(count))
    }
    // Avoids system random numbers and the time, because the sandbox refuses their files.
    unsafe context.pointee.flags |= AVFMT_FLAG_BITEXACT
    unsafe av_opt_set_int(context.pointee.priv_data, cString("page_duration"), Self.pageMicroseconds, 0)
    guard unsafe context.pointee.pb != nil, let stream = unsafe avformat_new_stream(context, nil),
      unsafe avcodec_parameters_copy(stream.pointee.codecpar, parameters) >= 0
    else { return nil }
    // Another container's codec tag does not apply to Ogg.
    unsafe stream.pointee.codecpar.pointee.codec_tag = 0
    unsafe stream.pointee.time_base = timeBase
  }

  deinit {
    guard let context = unsafe context else { return }
    if let output = unsafe context.pointee.pb {
      unsafe av_freep(&output.pointee.buffer)
      unsafe avio_context_free(&context.pointee.pb)
    }
    unsafe avformat_free_context(context)
  }

  func writeHeader() -> Bool {
    guard unsafe avformat_write_header(context, nil) >= 0 else { return false }
    unsafe avio_flush(context!.pointee.pb)
    return true
  }

  /// Adds a packet, which may complete a page.
  func write(_ packet: UnsafeMutablePointer<AVPacket>) {
    unsafe packet.pointee.stream_index = 0
    unsafe _ = av_write_frame(context, packet)
    unsafe avio_flush(context!.pointee.pb)
  }

  /// Lends the complete pages, if any, and then drops them.
  /// - Returns: what `body` returns; true if there are none.
  func take(_ body: (RawSpan) -> Bool) -> Bool {
    let pages = unsafe sink.pointee.pages
    guard unsafe !pages.isEmpty else { return true }
    unsafe sink.pointee.byteCount = 0
    return unsafe body(RawSpan(_unsafeBytes: pages))
  }
}

/// Bytes that libavformat has written.
@safe struct OggSink {
  /// More than a page can have (RFC 3533: 65,307 bytes), and than is written at once.
  private static var capacity: Int { 131_072 }

  // Safe: a piece of boot memory with no other user.
  private let bytes: UnsafeMutableRawBufferPointer
  var byteCount = 0

  init?(in memory: inout BootMemory) {
    guard let bytes = unsafe memory.cut(byteCount: Self.capacity) else { return nil }
    unsafe self.bytes = bytes
  }

  var pages: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(rebasing: bytes[..<byteCount]) }

  /// - Returns: the number of bytes taken, which is all of them.
  mutating func append(_ piece: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    guard let piece = unsafe piece, unsafe count <= bytes.count - byteCount else { return ffmpeg_input_output_error() }
    unsafe (bytes.baseAddress! + byteCount).copyMemory(from: piece, byteCount: count)
    byteCount += count
    return Int32(count)
  }
}
