import Base
import Machine
import Wire

/// Linear timecode for the speaker, on every channel, whatever its volume.
///
/// When a frame is heard is known from the card's readings, through a line that follows the card's clock; which timecode
/// that instant has, from ``source``. So nothing adds up, and a card that takes fewer frames than offered changes nothing.
struct SentTimecode {
  /// Nil while nothing is sent.
  var source: TimecodeSource?
  private var clock = SpeakerClock()
  /// The frame from which the next reading counts: ten a second, so that the line spans twelve seconds.
  private var nextReading: UInt64 = 0

  /// Of full scale: -12 dBFS, which inputs for a microphone and for a line can both take.
  private static var peak: Double { 0.25 }

  /// Notes when the frame after this many is heard.
  mutating func note(_ look: SpeakerState, givenFrames: UInt64, _ format: AudioFormat) {
    guard source != nil, look.isRunning, givenFrames >= nextReading else { return }
    nextReading = givenFrames + UInt64(format.sampleRateHz / 10)
    clock.note(position: format.nanoseconds(ofFrames: Int64(clamping: givenFrames)), at: look.nextFrameInstant)
  }

  /// The timecode of a frame; nil before the card has told when it is heard.
  private func place(_ frame: UInt64, _ source: TimecodeSource, _ format: AudioFormat) -> Double? {
    clock.instant(of: format.nanoseconds(ofFrames: Int64(clamping: frame))).map { source.frames(at: $0) }
  }

  /// Adds the next frames to those in `buffer`.
  /// - Parameter start: how many frames the card was given before.
  func mix(into buffer: inout FixedBuffer, frameCount: Int, from start: UInt64, _ format: AudioFormat) {
    guard let source, let first = place(start, source, format),
      let end = place(start + UInt64(frameCount), source, format)
    else { return }
    var frames = buffer.mutableBytes
    let bytesPerSample = format.sampleFormat.bytesPerSample
    let scale = Self.peak * format.sampleFormat.fullScale
    var number = Int.min
    var wave = TimecodeWave(Timecode(number: 0, source.rate), source.rate)
    var offset = 0
    for frame in 0..<frameCount {
      let place = first + (end - first) * Double(frame) / Double(frameCount)
      let whole = place.rounded(.down)
      if Int(whole) != number {
        number = Int(whole)
        wave = TimecodeWave(Timecode(number: number, source.rate), source.rate)
      }
      let level = wave.level(at: place - whole, sampleRateHz: Double(format.sampleRateHz), hertz: source.rate.hertz)
      for _ in 0..<format.channelCount {
        let mixed = format.sampleFormat.load(from: frames.bytes, at: offset) + level * scale
        format.sampleFormat.store(mixed, into: &frames, at: offset)
        offset += bytesPerSample
      }
    }
  }
}

extension Player {
  /// What is sent as linear timecode while no file plays; nil for nothing.
  package var sentTimecode: TimecodeSource? {
    get { output.timecode.source }
    set { output.timecode.source = newValue }
  }
}
