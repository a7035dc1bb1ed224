import Base
import CALSA
import CLinux

/// An open card that has agreed on a format, and is prepared to start.
package struct CardStream: ~Copyable {
  /// How often the card updates its position: often enough that most reads find something new.
  private static let periodMicroseconds: UInt32 = 10_000
  /// A timestamp older than this is not of the requested clock.
  private static let plausibleStampAgeNanoseconds: UInt64 = 1_000_000_000

  let pcm: CardPCM
  /// The format of samples in our memory.
  let format: AudioFormat
  let layout: CardLayout
  /// Whether the card's buffer can be used in place; otherwise the driver copies.
  let isMapped: Bool
  /// The length of the card's buffer: no number that the card says later may be larger.
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
    format = AudioFormat(
      sampleRateHz: agreed.rate_hz, channelCount: channelCount, sampleFormat: layout.sampleFormat)
  }

  /// What a frame takes in the card's buffer.
  var cardBytesPerFrame: Int { layout.cardBytesPerSample * Int(format.channelCount) }

  /// How many frames wait in a card that captures, and when that was so by the monotonic clock.
  /// - Throws: an overrun where the card says more than its buffer holds: they have been overwritten.
  func waitingFrames() throws(ALSAError) -> (count: Int, instant: Instant) {
    let waiting = try pcm.waitingFrames()
    guard waiting.count <= UInt(bufferFrames) else { throw .overrun }
    return (Int(waiting.count), Self.plausible(waiting.instant))
  }

  /// A number of frames in the buffer, as far as it can be one.
  func framesInBuffer(_ count: Int) -> Int { min(max(count, 0), bufferFrames) }

  /// The card's timestamp, or now where it is of another clock.
  static func plausible(_ stamp: Instant) -> Instant {
    let now = Instant.now
    return stamp <= now && now - stamp < plausibleStampAgeNanoseconds ? stamp : now
  }
}
