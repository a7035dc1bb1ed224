import Base
import Kit

extension Player {
  /// The metronome's rhythm; nil while it is off.
  package var rhythm: Rhythm? { output.kit.clicks?.rhythm }

  /// The metronome's beat that is heard, 0 for the accent.
  package var beat: Int { output.kit.beat(queuedFrames: output.queue.frameCount) }

  /// Starts the metronome, or changes its rhythm. Refused while a file plays.
  package mutating func count(_ rhythm: Rhythm) throws(PlayerRefusal) {
    guard !state.isHeard else { throw .filePlays }
    output.kit.count(rhythm)
  }

  /// Ends the metronome; frames that the card already has, 80 ms at most, are still heard.
  package mutating func stopCounting() { output.kit.stopCounting() }

  /// Takes one tap of a tempo. From the second tap on, the metronome runs at that tempo with its beat on the tap.
  /// - Parameter instant: when the tap was made, by the monotonic clock.
  /// - Returns: beats per minute; nil for the first tap.
  package mutating func tap(at instant: Instant) throws(PlayerRefusal) -> Double? {
    guard !state.isHeard else { throw .filePlays }
    guard let beatsPerMinute = taps.tap(at: instant.rawValue) else { return nil }
    let rhythm = output.kit.clicks?.rhythm.at(beatsPerMinute: beatsPerMinute) ?? Rhythm(beatsPerMinute: beatsPerMinute)
    output.kit.count(rhythm)
    let secondsSince = Double(now - min(instant, now)) / 1e9
    let frames = (60 / rhythm.beatsPerMinute - secondsSince) * Double(format.sampleRateHz)
    output.kit.align(nextBeatAfter: Int(frames) - output.queue.frameCount)
    return rhythm.beatsPerMinute
  }

  /// Restarts the metronome with its accent, and lets a sounding chord fade. Refused while a file plays.
  package mutating func countIn(_ rhythm: Rhythm) throws(PlayerRefusal) {
    guard !state.isHeard else { throw .filePlays }
    output.kit.release()
    output.kit.stopCounting()
    output.kit.count(rhythm)
  }

  /// Why neither metronome, chord nor timecode can be heard now; nil if they can.
  package var kitRefusal: PlayerRefusal? { state.isHeard ? .filePlays : nil }

  /// Beeps as soon as possible. Refused while a file plays.
  package mutating func beginSlate() throws(PlayerRefusal) {
    guard !state.isHeard else { throw .filePlays }
    output.kit.beginSlate()
  }

  /// Chirps as soon as possible; ``takeSlateInstant()`` tells when the chirp begins. Refused while a file plays.
  package mutating func beginChirp() throws(PlayerRefusal) {
    guard !state.isHeard else { throw .filePlays }
    output.kit.beginChirp()
  }

  /// Drops the part of a beep or chirp that the card has not taken.
  package mutating func cancelSlate() { output.cancelSlate() }

  /// When a slate's beep or a chirp begins to be heard, by the monotonic clock; returned once, as the card reports it.
  package mutating func takeSlateInstant() -> Instant? { output.takeSlateInstant() }

  /// Plays the microphone through the speaker. Refused while a file plays.
  /// - Parameters:
  ///   - tap: the sample ring.
  ///   - format: the microphone's format; nil while it is closed.
  package mutating func monitor(_ tap: SampleRingTap, _ format: AudioFormat?) throws(PlayerRefusal) {
    guard let source = format else { throw .noMicrophone }
    guard source.sampleRateHz == self.format.sampleRateHz else {
      throw .otherRate(microphoneHz: source.sampleRateHz, speakerHz: self.format.sampleRateHz)
    }
    guard !state.isHeard else { throw .filePlays }
    output.monitor.begin(MonitoredSound.Source(tap: tap, format: source))
  }

  package mutating func stopMonitoring() { output.monitor.end() }

  /// The delay from the microphone to the speaker in milliseconds, without the latency of the two cards; nil while the
  /// microphone is not heard.
  package var monitorDelayMilliseconds: Double? {
    guard output.monitor.isOn else { return nil }
    return Double(output.monitorDelayFrames) * 1000 / Double(format.sampleRateHz)
  }

  /// Strums a chord; strings that still sound are cut off. Ignored while a file plays.
  package mutating func strum(_ shape: ChordShape, _ tuning: Tuning) {
    guard !state.isHeard else { return }
    output.kit.strum(shape, tuning)
  }
}
