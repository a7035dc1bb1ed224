import Base
import CFFmpeg

/// Converts an item's format to the card's. Sound that already has the card's format passes through bit for bit.
///
/// A file with as many channels as the card is mapped channel for channel, whatever they are called. One channel goes
/// to both sides at full level, and two to one at half level each. More than two are mixed to two by ITU-R BS.775
/// (center and surrounds at −3 dB, without the low-frequency channel), and attenuated so that they cannot clip: 5.1 by
/// 7.7 dB.
@safe struct SampleConverter: ~Copyable {
  /// The most frames that are converted at once.
  private static var inputLimit: Int { 4096 }
  static var outputLimit: Int { 16_384 }

  private let target: AudioFormat
  // Safe: owned by the value until it ends.
  private var resampler: OpaquePointer?
  private let output: UnsafeMutablePointer<UInt8>
  private var sourceFormat: Int32 = -1
  private var sourceRateHz: Int32 = 0
  /// Whether the sound has the card's format already.
  private var isPassed = false
  // Safe: in the output, or in the frame that was passed, which stays until these are used.
  private(set) var frames: UnsafeRawPointer
  /// Whether the sound was ever made longer or shorter since ``begin()``.
  private var isStretched = false
  private let sourceLayout: UnsafeMutablePointer<AVChannelLayout>
  private(set) var producedFrameCount: Int64 = 0

  init(target: AudioFormat) {
    self.target = target
    unsafe sourceLayout = Heap.place(AVChannelLayout())
    unsafe output = Heap.bytes(Self.outputLimit * Int(target.channelCount) * 4)
    unsafe frames = UnsafeRawPointer(output)
  }

  deinit {
    var resampler = unsafe resampler
    unsafe swr_free(&resampler)
    unsafe av_channel_layout_uninit(sourceLayout)
    unsafe Heap.remove(sourceLayout)
    unsafe Heap.removeBytes(output)
  }

  /// Begins a new run of sound, unrelated to the one before.
  mutating func begin() {
    unsafe swr_free(&resampler)
    producedFrameCount = 0
    isStretched = false
  }

  /// Makes sound that is converted from now on a little longer.
  /// - Parameter partsPerMillion: by how much, -1000…1000; below 0 shorter.
  mutating func stretch(partsPerMillion: Double) {
    guard unsafe resampler != nil, isStretched || partsPerMillion != 0 else { return }
    isStretched = true
    // Each setting lasts ten seconds, and is renewed before it ends.
    let span = 10 * Int32(target.sampleRateHz)
    _ = unsafe swr_set_compensation(resampler, Int32(partsPerMillion * Double(span) / 1e6), span)
  }

  /// Whether a frame has another format than those before it, which must be flushed first.
  func needsFlush(before frame: UnsafeMutablePointer<AVFrame>) -> Bool {
    unsafe resampler != nil && !matches(frame)
  }

  private func matches(_ frame: UnsafeMutablePointer<AVFrame>) -> Bool {
    unsafe frame.pointee.format == sourceFormat && frame.pointee.sample_rate == sourceRateHz
      && av_channel_layout_compare(sourceLayout, &frame.pointee.ch_layout) == 0
  }

  /// The most source frames that may be converted at once, so that the output fits.
  func inputLimit(sampleRateHz: Int32) -> Int {
    min(Self.inputLimit, max(1, Int(sampleRateHz) * (Self.outputLimit / 2) / Int(target.sampleRateHz)))
  }

  /// Converts frames `first..<first + count` of a frame, at most ``inputLimit(sampleRateHz:)``.
  /// - Returns: the number of frames in ``frames``.
  mutating func convert(_ frame: UnsafeMutablePointer<AVFrame>, from first: Int, count: Int) -> Int {
    if unsafe resampler == nil || !matches(frame) {
      guard unsafe configure(frame) else { return 0 }
    }
    let format = unsafe AVSampleFormat(frame.pointee.format)
    let channels = Int(unsafe frame.pointee.ch_layout.nb_channels)
    if isPassed, !isStretched, let start = unsafe ffmpeg_plane(frame, 0) {
      unsafe frames = UnsafeRawPointer(start + first * channels * Int(av_get_bytes_per_sample(format)))
      producedFrameCount += Int64(count)
      return count
    }
    var planes = unsafe InlineArray<64, UnsafePointer<UInt8>?>(repeating: nil)
    let isPlanar = av_sample_fmt_is_planar(format) != 0
    let stride = Int(av_get_bytes_per_sample(format)) * (isPlanar ? 1 : channels)
    for plane in 0..<(isPlanar ? min(channels, 64) : 1) {
      unsafe planes[plane] = ffmpeg_plane(frame, Int32(plane))! + first * stride
    }
    var span = unsafe planes.mutableSpan
    return unsafe span.withUnsafeMutableBufferPointer { unsafe run($0.baseAddress, Int32(count)) }
  }

  /// Outputs the frames that are still inside, a part at a time.
  /// - Returns: the number of frames; 0 if none is left.
  mutating func flush() -> Int {
    guard unsafe resampler != nil, isStretched || sourceRateHz != Int32(target.sampleRateHz) else { return 0 }
    return unsafe run(nil, 0)
  }

  private mutating func run(_ planes: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, _ count: Int32) -> Int {
    unsafe frames = UnsafeRawPointer(output)
    let produced = unsafe max(0, Int(ffmpeg_resample(resampler, output, Int32(Self.outputLimit), planes, count)))
    producedFrameCount += Int64(produced)
    return produced
  }

  private mutating func configure(_ frame: UnsafeMutablePointer<AVFrame>) -> Bool {
    unsafe swr_free(&resampler)
    sourceFormat = unsafe frame.pointee.format
    sourceRateHz = unsafe frame.pointee.sample_rate
    unsafe av_channel_layout_uninit(sourceLayout)
    unsafe av_channel_layout_copy(sourceLayout, &frame.pointee.ch_layout)
    var source = unsafe AVChannelLayout()
    var card = unsafe AVChannelLayout()
    unsafe Self.layout(&source, like: sourceLayout)
    unsafe Self.layout(&card, ofCardWith: Int32(target.channelCount), for: &source)
    let format: AVSampleFormat =
      switch target.sampleFormat {
      case .int16: AV_SAMPLE_FMT_S16
      case .int24: AV_SAMPLE_FMT_S32
      case .float32: AV_SAMPLE_FMT_FLT
      }
    let result = unsafe swr_alloc_set_opts2(
      &resampler, &card, format, Int32(target.sampleRateHz), &source, AVSampleFormat(sourceFormat), sourceRateHz, 0,
      nil)
    defer {
      unsafe av_channel_layout_uninit(&source)
      unsafe av_channel_layout_uninit(&card)
    }
    guard result >= 0 else { return false }
    isPassed =
      unsafe sourceFormat == format.rawValue && sourceRateHz == Int32(target.sampleRateHz)
      && source.nb_channels == Int32(target.channelCount)
    unsafe ffmpeg_never_louder(resampler)
    if unsafe source.nb_channels == 1 { spreadOneChannel() }
    return unsafe swr_init(resampler) >= 0
  }

  private static func layout(
    _ card: inout AVChannelLayout, ofCardWith channelCount: Int32, for source: inout AVChannelLayout
  ) {
    if unsafe source.nb_channels == channelCount {
      _ = unsafe av_channel_layout_copy(&card, &source)
    } else if channelCount == 4 {
      // Two in front and two behind; the default would be three and one.
      _ = unsafe av_channel_layout_from_mask(&card, 0x33)
    } else {
      unsafe av_channel_layout_default(&card, channelCount)
    }
  }

  /// A file without a channel layout gets the usual one.
  private static func layout(_ layout: inout AVChannelLayout, like given: UnsafeMutablePointer<AVChannelLayout>) {
    if unsafe given.pointee.order == AV_CHANNEL_ORDER_NATIVE {
      _ = unsafe av_channel_layout_copy(&layout, given)
    } else {
      unsafe av_channel_layout_default(&layout, given.pointee.nb_channels)
    }
  }

  private mutating func spreadOneChannel() {
    var matrix = InlineArray<8, Double>(repeating: 0)
    matrix[0] = 1
    if target.channelCount > 1 { matrix[1] = 1 }
    var span = matrix.mutableSpan
    unsafe span.withUnsafeMutableBufferPointer { _ = unsafe swr_set_matrix(resampler, $0.baseAddress, 1) }
  }
}

extension AudioFormat {
  /// 24-bit samples take four bytes until they are in the ring.
  var bytesPerConvertedFrame: Int { Int(channelCount) * (sampleFormat == .int16 ? 2 : 4) }
}
