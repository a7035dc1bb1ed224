import Base

/// The microphone as heard through the speaker. A tap reads it from the sample ring without blocking the producer.
///
/// The two cards have independent clocks. Now and then a frame is dropped or repeated, so that the backlog in the ring
/// neither grows nor runs out.
struct MonitoredSound {
  /// Where the microphone's samples come from.
  struct Source {
    var tap: SampleRingTap
    var format: AudioFormat
  }

  private var source: Source?
  /// The next microphone frame to give to the card.
  private var next: TimelinePosition = 0
  /// How many of the frames being given now are the microphone's; the rest are silence.
  private var readableFrames = 0

  var isOn: Bool { source != nil }

  mutating func begin(_ source: Source) {
    self.source = source
    next = source.tap.end
  }

  mutating func end() {
    source = nil
    readableFrames = 0
  }

  /// How many frames are in the ring that the card has not been given.
  var waitingFrames: Int { source.map { max(0, next.distance(to: $0.tap.end)) } ?? 0 }

  /// Decides, before frames are given to the card, which of them are the microphone's.
  mutating func align(frameCount: Int) {
    guard let source else { return readableFrames = 0 }
    let reserve = Int(source.format.sampleRateHz) * Int(PlaybackLimits.monitorReserveMilliseconds) / 1000
    let surplus = waitingFrames - frameCount
    guard surplus >= 0, surplus <= 4 * reserve, source.tap.bytesPerFrame == source.format.bytesPerFrame else {
      // Nothing has arrived yet, or a file was heard meanwhile: restart with a gap of silence.
      next = source.tap.end - UInt64(min(reserve, Int(source.tap.end.rawValue)))
      return readableFrames = 0
    }
    readableFrames = frameCount
    if surplus > 2 * reserve { next += 1 } else if surplus < reserve / 2, next > 0 { next = next - 1 }
  }

  /// Adds the next frames to those in `buffer`.
  /// - Parameter gain: 0.0…1.0.
  @export(interface)
  func mix(into buffer: inout FixedBuffer, frameCount: Int, _ format: AudioFormat, gain: Double) {
    guard let source else { return }
    let end = next + UInt64(min(frameCount, readableFrames))
    var frames = buffer.mutableBytes
    var position = next
    var offset = 0
    while position < end {
      let piece = source.tap.frames(from: position, to: end)
      let pieceFrames = piece.byteCount / source.format.bytesPerFrame
      for frame in 0..<pieceFrames {
        Self.add(source.format, piece, frame, to: &frames, at: offset, format, gain: gain)
        offset += format.bytesPerFrame
      }
      position += UInt64(pieceFrames)
    }
  }

  /// Adds a frame. If the card has more channels, the microphone's last channel feeds the extra ones.
  private static func add(
    _ source: AudioFormat, _ samples: RawSpan, _ frame: Int, to frames: inout MutableRawSpan, at offset: Int,
    _ format: AudioFormat, gain: Double
  ) {
    let scale = gain * format.sampleFormat.fullScale / source.sampleFormat.fullScale
    for channel in 0..<Int(format.channelCount) {
      let place = min(channel, Int(source.channelCount) - 1) * source.sampleFormat.bytesPerSample
      let sample = source.sampleFormat.load(from: samples, at: frame * source.bytesPerFrame + place)
      let offset = offset + channel * format.sampleFormat.bytesPerSample
      let mixed = format.sampleFormat.load(from: frames.bytes, at: offset) + sample * scale
      format.sampleFormat.store(mixed, into: &frames, at: offset)
    }
  }

  mutating func advance(frameCount: Int) {
    let readFrames = min(frameCount, readableFrames)
    next += UInt64(readFrames)
    readableFrames -= readFrames
  }
}
