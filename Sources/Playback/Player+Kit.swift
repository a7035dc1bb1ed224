import Base
import Kit

extension Player {
  /// What the metronome counts; nil while it is off.
  package var rhythm: Rhythm? { output.kit.clicks?.rhythm }

  /// The beat of the metronome that is heard, 0 for the accent.
  package var beat: Int { output.kit.beat(queuedFrames: output.queue.frameCount) }

  /// Starts the metronome, or changes what it counts. Not while a file plays.
  package mutating func count(_ rhythm: Rhythm) throws(PlayerRefusal) {
    guard !state.isHeard else { throw .filePlays }
    output.kit.count(rhythm)
  }

  /// Ends the metronome; what the card has been given, 80 ms at most, is still heard.
  package mutating func stopCounting() { output.kit.stopCounting() }

  /// One tap of a tempo. From the second on the metronome counts it, its beat on the tap.
  /// - Parameter instant: of the tap, by the monotonic clock.
  /// - Returns: beats a minute; nil for the first tap.
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

  /// Starts a metronome again, with its accent, and lets a chord that sounds fade. Not while a file plays.
  package mutating func countIn(_ rhythm: Rhythm) throws(PlayerRefusal) {
    guard !state.isHeard else { throw .filePlays }
    output.kit.release()
    output.kit.stopCounting()
    output.kit.count(rhythm)
  }

  /// Why neither metronome nor chord can be heard now; nil when they can.
  package var kitRefusal: PlayerRefusal? { state.isHeard ? .filePlays : nil }

  /// Beeps as soon as possible. Not while a file plays.
  package mutating func beginSlate() throws(PlayerRefusal) {
    guard !state.isHeard else { throw .filePlays }
    output.kit.beginSlate()
  }

  /// Chirps as soon as possible; ``takeSlateInstant()`` tells when it is heard first. Not while a file plays.
  package mutating func beginChirp() throws(PlayerRefusal) {
    guard !state.isHeard else { throw .filePlays }
    output.kit.beginChirp()
  }

  /// Forgets what the card has not taken of a beep or a chirp.
  package mutating func cancelSlate() { output.cancelSlate() }

  /// When the beep of a slate, or a chirp, is heard first, by the monotonic clock: once, when the card says so.
  package mutating func takeSlateInstant() -> Instant? { output.takeSlateInstant() }

  /// Lets the microphone be heard through the speaker. Not while a file plays.
  /// - Parameters:
  ///   - tap: the sample ring.
  ///   - format: in which the microphone delivers; nil while it is closed.
  package mutating func monitor(_ tap: SampleRingTap, _ format: AudioFormat?) throws(PlayerRefusal) {
    guard let source = format else { throw .noMicrophone }
    guard source.sampleRateHz == self.format.sampleRateHz else {
      throw .otherRate(microphoneHz: source.sampleRateHz, speakerHz: self.format.sampleRateHz)
    }
    guard !state.isHeard else { throw .filePlays }
    output.monitor.begin(MonitoredSound.Source(tap: tap, format: source))
  }

  package mutating func stopMonitoring() { output.monitor.end() }

  /// How much later than at the microphone it is heard, in milliseconds, without what the two cards need; nil while it
  /// is not heard.
  package var monitorDelayMilliseconds: Double? {
    guard output.monitor.isOn else { return nil }
    return Double(output.monitorDelayFrames) * 1000 / Double(format.sampleRateHz)
  }

  /// Strums a chord; what strings sounded before ends. Not heard while a file plays.
  package mutating func strum(_ shape: ChordShape, _ tuning: Tuning) {
    guard !state.isHeard else { return }
    output.kit.strum(shape, tuning)
  }
}
