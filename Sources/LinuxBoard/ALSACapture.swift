import Board
import CALSA
import CLinux
import Media
import Posix
import Text

/// A capture stream that runs.
// Whoever ends the board ends this with it, from another module, and must see how.
@usableFromInline struct ALSACapture: ~Copyable {
  /// How often the card is asked to report: often enough that most looks find something new.
  private static let periodMicroseconds: UInt32 = 10_000
  /// A stamp farther from now than this is not of the clock that was asked for.
  private static let plausibleStampAgeNanoseconds: UInt64 = 1_000_000_000

  let format: AudioFormat
  private let pcm: CapturePCM
  private let layout: CaptureLayout
  /// Whether the card's buffer can be looked at in place; otherwise the driver copies from it.
  private let isMapped: Bool
  /// Finds the frames that are lost between two readings.
  private var continuity: CaptureContinuity

  init(_ request: MicrophoneRequest) throws(ALSAError) {
    let pcm = try CapturePCM(name: request.deviceName)
    var wish = alsa_capture()
    wish.rate_hz = request.sampleRateHz
    wish.channel_count = UInt32(request.channelCount)
    wish.buffer_microseconds = request.bufferMilliseconds * 1000
    wish.period_microseconds = Self.periodMicroseconds
    let layouts = CaptureLayout.preference(for: request.sampleFormat, isCardItself: pcm.isCardItself)
    let (agreed, layout) = try pcm.configure(wish, layouts: layouts)
    guard let channelCount = UInt16(exactly: agreed.channel_count), (1...8).contains(channelCount) else {
      throw ALSAError(result: -Int(EINVAL))
    }
    try pcm.start()
    self.pcm = pcm
    self.layout = layout
    isMapped = agreed.is_mapped != 0
    format = AudioFormat(
      sampleRateHz: agreed.rate_hz, channelCount: channelCount, sampleFormat: layout.sampleFormat)
    continuity = CaptureContinuity(sampleRateHz: agreed.rate_hz)
  }

  /// Moves waiting frames into `room`; after an overrun it starts the card anew and says what was lost.
  mutating func read(into room: inout MutableRawSpan) throws(ALSAError) -> MicrophoneRead {
    do throws(ALSAError) {
      return try readOnce(into: &room)
    } catch {
      guard error.systemErrorNumber == EPIPE || error.systemErrorNumber == ESTRPIPE else { throw error }
      continuity.breakOff()
      try pcm.start()
      return MicrophoneRead(frameCount: 0, lostFrameCount: 0, endMonotonicNanoseconds: monotonicNanosecondsNow())
    }
  }

  private mutating func readOnce(into room: inout MutableRawSpan) throws(ALSAError) -> MicrophoneRead {
    let waiting = try pcm.waitingFrames()
    let instant = plausible(waiting.monotonicNanoseconds)
    if let loss = continuity.loss(before: waiting.count, at: instant) { return loss }
    let wanted = min(waiting.count, room.byteCount / format.bytesPerFrame)
    var done = 0
    while done < wanted {
      let count = try move(wanted - done, into: &room, at: done * format.bytesPerFrame)
      guard count > 0 else { break }
      done += count
    }
    return continuity.reading(of: done, leaving: waiting.count - done, at: instant)
  }

  /// The card's stamp, or now where the card's is of no clock of ours.
  private func plausible(_ stamp: UInt64) -> UInt64 {
    let now = monotonicNanosecondsNow()
    return stamp <= now && now - stamp < Self.plausibleStampAgeNanoseconds ? stamp : now
  }

  private func move(_ frameCount: Int, into room: inout MutableRawSpan, at offset: Int) throws(ALSAError) -> Int {
    guard isMapped else { return try pcm.readFrames(frameCount, into: &room, at: offset) }
    let bytesPerFrame = layout.cardBytesPerSample * Int(format.channelCount)
    return try pcm.lendFrames(frameCount, bytesPerFrame: bytesPerFrame) { frames in
      layout.copy(frames, into: &room, at: offset)
    }
  }
}
