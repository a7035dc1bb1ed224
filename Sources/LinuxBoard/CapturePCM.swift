import CALSA
import Text

/// An open PCM of alsa-lib for capture; it closes when the value ends. Nothing waits but opening.
// Whoever ends the board ends this with it, from another module, and must see how.
@usableFromInline @safe struct CapturePCM: ~Copyable {
  // Sound: the handle is used only through this value and closed once, at its end.
  private let handle: OpaquePointer

  init(name: FixedText<64>) throws(ALSAError) {
    alsa_silence()
    var opened: OpaquePointer?
    let result = unsafe name.withCString { name in
      unsafe snd_pcm_open(&opened, name, SND_PCM_STREAM_CAPTURE, Int32(SND_PCM_NONBLOCK))
    }
    guard result == 0, let opened = unsafe opened else { throw ALSAError(result: Int(result)) }
    unsafe handle = opened
  }

  deinit { unsafe snd_pcm_close(handle) }

  /// Whether this is a card's own interface, rather than a plugin that converts.
  var isCardItself: Bool { unsafe snd_pcm_type(handle) == SND_PCM_TYPE_HW }

  /// Agrees with the card on the nearest to `wish` that it offers, in the first possible of `layouts`.
  func configure(
    _ wish: alsa_capture, layouts: InlineArray<5, CaptureLayout>
  ) throws(ALSAError) -> (agreed: alsa_capture, layout: CaptureLayout) {
    var formats = InlineArray<5, snd_pcm_format_t>(repeating: SND_PCM_FORMAT_UNKNOWN)
    for index in layouts.indices { formats[index] = layouts[index].cardFormat }
    var agreed = wish
    var result = unsafe formats.span.withUnsafeBufferPointer { formats in
      unsafe alsa_configure_hardware(handle, formats.baseAddress!, UInt32(formats.count), &agreed)
    }
    if result >= 0 { result = unsafe alsa_configure_timestamps(handle) }
    guard result >= 0 else { throw ALSAError(result: Int(result)) }
    return (agreed, layouts[Int(agreed.format_index)])
  }

  /// Starts to capture, for the first time or anew after a stop.
  func start() throws(ALSAError) {
    var result = unsafe snd_pcm_prepare(handle)
    if result >= 0 { result = unsafe snd_pcm_start(handle) }
    guard result >= 0 else { throw ALSAError(result: Int(result)) }
  }

  /// How many frames wait, and at which instant by the monotonic clock that was so; 0 when the card does not tell.
  func waitingFrames() throws(ALSAError) -> (count: Int, monotonicNanoseconds: UInt64) {
    var instant: UInt64 = 0
    let count = unsafe alsa_available(handle, &instant)
    guard count >= 0 else { throw ALSAError(result: count) }
    return (count, instant)
  }

  /// Lends the oldest waiting frames as they lie in the card's buffer, then takes them out of it.
  /// - Returns: how many there were, at most `frameCount`: fewer where the buffer wraps.
  func lendFrames(
    _ frameCount: Int, bytesPerFrame: Int, to body: (RawSpan) -> Void
  ) throws(ALSAError) -> Int {
    var offset: snd_pcm_uframes_t = 0
    var lent = snd_pcm_uframes_t(frameCount)
    var error: Int32 = 0
    guard let start = unsafe alsa_map(handle, &offset, &lent, &error) else { throw ALSAError(result: Int(error)) }
    // Sound: the card leaves these frames alone until they are committed.
    body(unsafe RawSpan(_unsafeStart: start, byteCount: Int(lent) * bytesPerFrame))
    let taken = unsafe snd_pcm_mmap_commit(handle, offset, lent)
    guard taken >= 0 else { throw ALSAError(result: taken) }
    return taken
  }

  /// Copies the oldest waiting frames to `room` from `offset` on.
  func readFrames(_ frameCount: Int, into room: inout MutableRawSpan, at offset: Int) throws(ALSAError) -> Int {
    let count = unsafe room.withUnsafeMutableBytes { room in
      unsafe snd_pcm_readi(handle, room.baseAddress! + offset, snd_pcm_uframes_t(frameCount))
    }
    guard count >= 0 else { throw ALSAError(result: count) }
    return count
  }
}
