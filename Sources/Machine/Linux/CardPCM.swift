import Base
import CALSA
import CLinux

/// An open PCM of alsa-lib, for capture or playback; it closes when the value is destroyed. Only opening blocks.
// Destroyed with the machine in another module, which must see its deinit.
@usableFromInline @safe package struct CardPCM: ~Copyable {
  // Safe: the handle is used only through this value and closed once, at its end.
  let handle: OpaquePointer

  init(name: FixedText<64>, direction: snd_pcm_stream_t) throws(ALSAError) {
    alsa_silence()
    var opened: OpaquePointer?
    let result = unsafe name.withCString { name in
      unsafe snd_pcm_open(&opened, name, direction, Int32(SND_PCM_NONBLOCK))
    }
    guard result == 0, let opened = unsafe opened else { throw ALSAError(result: Int(result)) }
    unsafe handle = opened
  }

  deinit { unsafe snd_pcm_close(handle) }

  /// Whether this is a card's own interface, rather than a plugin that converts.
  var isCardItself: Bool { unsafe snd_pcm_type(handle) == SND_PCM_TYPE_HW }

  /// Agrees with the card on the nearest configuration to `wish`, with the first possible of `layouts`.
  func configure(
    _ wish: alsa_agreement, layouts: InlineArray<5, CardLayout>
  ) throws(ALSAError) -> (agreed: alsa_agreement, layout: CardLayout) {
    var formats = InlineArray<5, snd_pcm_format_t>(repeating: SND_PCM_FORMAT_UNKNOWN)
    for index in layouts.indices { formats[index] = layouts[index].cardFormat }
    var agreed = wish
    var result = unsafe formats.span.withUnsafeBufferPointer { formats in
      unsafe alsa_configure_hardware(handle, formats.baseAddress!, UInt32(formats.count), &agreed)
    }
    if result >= 0 { result = unsafe alsa_configure_software(handle) }
    guard result >= 0 else { throw ALSAError(result: Int(result)) }
    return (agreed, layouts[Int(agreed.format_index)])
  }

  /// Makes it ready to start, after opening or a stop.
  func prepare() throws(ALSAError) {
    try Self.check(unsafe snd_pcm_prepare(handle))
  }

  func start() throws(ALSAError) {
    try Self.check(unsafe snd_pcm_start(handle))
  }

  /// Stops it at once; the frames in its buffer are lost.
  func drop() throws(ALSAError) {
    try Self.check(unsafe snd_pcm_drop(handle))
  }

  /// Lends the next frames in the card's buffer, to be read or written, then advances past them.
  /// - Parameters:
  ///   - frameCount: at most as many as the card reported available.
  /// - Returns: how many frames were lent: fewer than `frameCount` if the buffer wraps.
  func lendFrames(
    _ frameCount: Int, bytesPerFrame: Int, to body: (inout MutableRawSpan) -> Void
  ) throws(ALSAError) -> Int {
    var offset: snd_pcm_uframes_t = 0
    let wanted = snd_pcm_uframes_t(frameCount)
    var lent = wanted
    var error: Int32 = 0
    guard let start = unsafe alsa_map(handle, &offset, &lent, &error) else { throw ALSAError(result: Int(error)) }
    lent = min(lent, wanted)
    // Safe: the card leaves these frames alone until they are committed.
    var frames = unsafe MutableRawSpan(_unsafeStart: start, byteCount: Int(lent) * bytesPerFrame)
    body(&frames)
    return try Self.count(unsafe snd_pcm_mmap_commit(handle, offset, lent), of: frameCount)
  }

  private static func check(_ result: Int32) throws(ALSAError) {
    guard result >= 0 else { throw ALSAError(result: Int(result)) }
  }

  /// - Parameters:
  ///   - result: a number of frames, or a negative error.
  ///   - most: the most frames that a card can have moved.
  static func count(_ result: snd_pcm_sframes_t, of most: Int) throws(ALSAError) -> Int {
    guard result >= 0 else { throw ALSAError(result: result) }
    return min(result, most)
  }

  /// How many frames wait, and the monotonic time of that count, both as the card reports.
  func waitingFrames() throws(ALSAError) -> (count: UInt, instant: Instant) {
    var count: snd_pcm_uframes_t = 0
    var nanoseconds: UInt64 = 0
    let result = unsafe alsa_available(handle, &count, &nanoseconds)
    guard result >= 0 else { throw ALSAError(result: result) }
    return (count, Instant(nanoseconds))
  }

  /// Copies the oldest waiting frames to `buffer`, starting at `offset`.
  func readFrames(_ frameCount: Int, into buffer: inout MutableRawSpan, at offset: Int) throws(ALSAError) -> Int {
    let count = unsafe buffer.withUnsafeMutableBytes { buffer in
      unsafe snd_pcm_readi(handle, buffer.baseAddress! + offset, snd_pcm_uframes_t(frameCount))
    }
    return try Self.count(count, of: frameCount)
  }

  /// The current state. An underrun is a state, not an error.
  func look() throws(ALSAError) -> alsa_status {
    var status = alsa_status()
    let result = unsafe alsa_look(handle, &status)
    guard result >= 0 else { throw ALSAError(result: Int(result)) }
    return status
  }

  /// How many frames fit, as the card reported when it was last looked at.
  func fittingFrames() throws(ALSAError) -> Int {
    try Self.count(unsafe snd_pcm_avail_update(handle), of: .max)
  }

  func writeFrames(_ frameCount: Int, from frames: RawSpan) throws(ALSAError) -> Int {
    let count = unsafe frames.withUnsafeBytes { frames in
      unsafe snd_pcm_writei(handle, frames.baseAddress!, snd_pcm_uframes_t(frameCount))
    }
    return try Self.count(count, of: frameCount)
  }
}

/// An open card that has agreed on a format and is prepared to start.
package struct CardStream: ~Copyable {
  /// How often the card updates its position: often enough that most reads find new frames.
  private static let periodMicroseconds: UInt32 = 10_000
  /// An older timestamp does not come from the requested clock.
  private static let plausibleStampAgeNanoseconds: UInt64 = 1_000_000_000

  let pcm: CardPCM
  /// The format of samples in our memory.
  let format: AudioFormat
  let layout: CardLayout
  /// Whether the card's buffer can be used in place; otherwise the driver copies.
  let isMapped: Bool
  /// The length of the card's buffer, which limits every number that the card reports later.
  private let bufferFrames: Int

  init(_ request: SoundCardRequest, direction: snd_pcm_stream_t) throws(ALSAError) {
    let pcm = try CardPCM(name: request.deviceName, direction: direction)
    var asked = alsa_agreement()
    asked.rate_hz = request.sampleRateHz
    asked.channel_count = UInt32(request.channelCount)
    asked.buffer_microseconds = request.bufferMilliseconds * 1000
    asked.period_microseconds = Self.periodMicroseconds
    let layouts = CardLayout.preference(for: request.sampleFormat, isCardItself: pcm.isCardItself)
    let (agreed, layout) = try pcm.configure(asked, layouts: layouts)
    guard let channelCount = UInt16(exactly: agreed.channel_count), (1...8).contains(channelCount),
      CardLimits.sampleRatesHz.contains(agreed.rate_hz), CardLimits.bufferFrames.contains(agreed.buffer_frames)
    else { throw ALSAError(result: -Int(EINVAL)) }
    try pcm.prepare()
    self.pcm = pcm
    self.layout = layout
    isMapped = agreed.is_mapped != 0
    bufferFrames = Int(agreed.buffer_frames)
    format = AudioFormat(sampleRateHz: agreed.rate_hz, channelCount: channelCount, sampleFormat: layout.sampleFormat)
  }

  /// The size of a frame in the card's buffer.
  var cardBytesPerFrame: Int { layout.cardBytesPerSample * Int(format.channelCount) }

  /// The capacity of the card's buffer.
  var bufferNanoseconds: UInt64 { UInt64(bufferFrames) * 1_000_000_000 / UInt64(format.sampleRateHz) }

  /// How many frames wait in a capturing card, and the monotonic time of that count.
  /// - Throws: an overrun if the card reports more than its buffer holds: frames have been overwritten.
  func waitingFrames() throws(ALSAError) -> (count: Int, instant: Instant) {
    let waiting = try pcm.waitingFrames()
    guard waiting.count <= UInt(bufferFrames) else { throw .overrun }
    return (Int(waiting.count), Self.plausible(waiting.instant))
  }

  /// A number of frames, clamped to what the buffer can hold.
  func framesInBuffer(_ count: Int) -> Int { min(max(count, 0), bufferFrames) }

  /// The card's timestamp, or the current time if it comes from another clock.
  static func plausible(_ stamp: Instant) -> Instant {
    let now = Instant.now
    return stamp <= now && now - stamp < plausibleStampAgeNanoseconds ? stamp : now
  }
}
