import Base
import CFFmpeg
import Wire

/// Opus in Ogg (RFC 6716, 7845): at 48 kHz, of one channel or two; more are mixed to two.
@safe struct OpusEncoder: ~Copyable {
  private static var sampleRateHz: UInt32 { 48_000 }
  /// As good as transparent for music in stereo.
  private static var bitRatePerChannel: Int64 { 64_000 }

  private let format: AudioFormat
  private let channelCount: Int32
  private var encoder: FrameEncoder
  // Sound: owned by the value until it ends.
  private var resampler: OpaquePointer?
  private var file: OggFile
  /// Samples as numbers of the library: made once, and not given back.
  private let numbers: UnsafeMutableBufferPointer<Float>

  /// - Parameter room: for samples on their way.
  /// - Returns: nil when the library lacks something.
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

  /// - Returns: false when it does not fit.
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
      // All of it is inside from the first call on.
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

/// What an ``OpusEncoder`` needs of the memory, whichever it is.
@safe struct OpusRoom: BitwiseCopyable {
  /// Samples that are converted at once: 43 ms of two channels at 48 kHz.
  private static var numberCount: Int { 4_096 }

  // Sound: pieces of boot memory; the present encoder alone uses them.
  let numbers: UnsafeMutableBufferPointer<Float>
  let sink: UnsafeMutablePointer<OggSink>

  /// - Returns: nil when `memory` is used up.
  init?(in memory: inout BootMemory) {
    guard let piece = unsafe memory.cut(byteCount: Self.numberCount * 4), let bytes = OggSink(in: &memory),
      let sink = unsafe memory.place(bytes)
    else { return nil }
    unsafe numbers = piece.bindMemory(to: Float.self)
    unsafe self.sink = sink
  }
}
