import Base

/// The microphone as it is heard through the speaker: read from the sample ring by a tap, which holds nothing back.
///
/// The two cards have clocks of their own. A frame is left out or heard twice now and then, so that what waits in the
/// ring neither grows nor ends.
struct MonitoredSound {
  /// Where the microphone's samples are.
  struct Source {
    var tap: SampleRingTap
    var format: AudioFormat
  }

  private var source: Source?
  /// The next frame of the microphone that is given to the card.
  private var next: TimelinePosition = 0
  /// So many of the frames that are given now are the microphone's, and the rest silence.
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

  /// How many frames the card has not been given.
  var waitingFrames: Int { source.map { max(0, next.distance(to: $0.tap.end)) } ?? 0 }

  /// Frames are about to be given to the card: decides which of the microphone's they are.
  mutating func align(frameCount: Int) {
    guard let source else { return readableFrames = 0 }
    let reserve = Int(source.format.sampleRateHz) * Int(PlaybackLimits.monitorReserveMilliseconds) / 1000
    let surplus = waitingFrames - frameCount
    guard surplus >= 0, surplus <= 4 * reserve, source.tap.bytesPerFrame == source.format.bytesPerFrame else {
      // Nothing is there yet, or a file was heard meanwhile: starts over, behind a piece of silence.
      next = source.tap.end - UInt64(min(reserve, Int(source.tap.end.rawValue)))
      return readableFrames = 0
    }
    readableFrames = frameCount
    if surplus > 2 * reserve { next += 1 } else if surplus < reserve / 2, next > 0 { next = next - 1 }
  }

  /// Adds the next frames to those in `buffer`.
  /// - Parameter gain: 0.0…1.0.
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

  /// Adds a frame. Where the card has more channels, the last of the microphone is in all of them.
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
