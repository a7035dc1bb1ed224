import Base
import CMath

/// Analyses the microphone's sound in the sample ring, on request: it reads through a tap, and so never blocks the
/// ring. It provides the pitch for tuning, the verdict on a practised chord, true peaks for the level display, the
/// levels for triggers, timecode, and the self-test of the microphone.
package struct TunerWorker: ~Copyable {
  private let tap: SampleRingTap
  private var pitches: JobWorkerEnd<TunerRequest, TunerReply>
  private var chords: JobWorkerEnd<ChordRequest, ChordReply>
  private var peaks: JobWorkerEnd<TruePeakRequest, TruePeakReply>
  private var tests: JobWorkerEnd<SoundTestRequest, SoundTestReply>
  private var triggers: JobWorkerEnd<TriggerRequest, TriggerReply>
  private var timecodes: JobWorkerEnd<TimecodeRequest, TimecodeReply>
  private var meter = TriggerMeter()
  private var timecodeMeter = TimecodeMeter()
  private let filter: TruePeakFilter
  private var detector: PitchDetector
  private var listener: ChordListener
  private var window: FixedBuffer
  private let sampleRateHz: UInt32

  /// - Parameters:
  ///   - sampleRateHz: the rate of the microphone that was there at boot.
  ///   - pitches: like the others it has one more place for replies than for requests, for a request that nobody waits
  ///     for any more.
  /// - Returns: nil if `memory` has too little left.
  package init?(
    tap: SampleRingTap, sampleRateHz: UInt32, pitches: consuming JobWorkerEnd<TunerRequest, TunerReply>,
    chords: consuming JobWorkerEnd<ChordRequest, ChordReply>,
    peaks: consuming JobWorkerEnd<TruePeakRequest, TruePeakReply>,
    tests: consuming JobWorkerEnd<SoundTestRequest, SoundTestReply>,
    triggers: consuming JobWorkerEnd<TriggerRequest, TriggerReply>,
    timecodes: consuming JobWorkerEnd<TimecodeRequest, TimecodeReply>, in memory: inout BootMemory
  ) {
    let chirpFrames = HeardChirp.windowFrames(sampleRateHz: sampleRateHz)
    let chordFrames = Int(PitchLimits.chordSeconds * Double(sampleRateHz)) / Self.chordDecimation(sampleRateHz)
    guard let filter = TruePeakFilter(in: &memory),
      let detector = PitchDetector(sampleRateHz: sampleRateHz, in: &memory),
      let listener = ChordListener(in: &memory),
      let window = FixedBuffer(
        byteCount: max(detector.windowFrames, max(chordFrames, chirpFrames)) * MemoryLayout<Float>.stride, in: &memory)
    else { return nil }
    self.tap = tap
    self.pitches = pitches
    self.chords = chords
    self.peaks = peaks
    self.tests = tests
    self.triggers = triggers
    self.timecodes = timecodes
    self.filter = filter
    self.detector = detector
    self.listener = listener
    self.window = window
    self.sampleRateHz = sampleRateHz
  }

  /// Answers the next request.
  /// - Returns: false if there was none.
  @export(interface)
  package mutating func step() -> Bool {
    if let request = triggers.requests.pop() {
      triggers.answer(request, meter.answer(request.value, tap))
    } else if let request = timecodes.requests.pop() {
      timecodes.answer(request, timecodeMeter.answer(request.value, tap))
    } else if let request = chords.requests.pop() {
      chords.answer(request, answer(request.value))
    } else if let request = peaks.requests.pop() {
      peaks.answer(request, TruePeakReply(request.value, tap, filter, &window))
    } else if let request = tests.requests.pop() {
      tests.answer(request, answer(request.value))
    } else if let request = pitches.requests.pop() {
      pitches.answer(request, answer(request.value))
    } else {
      return false
    }
    return true
  }

  private mutating func answer(_ request: TunerRequest) -> TunerReply {
    guard request.sampleRateHz == sampleRateHz else { return .otherRate }
    guard Self.fill(&window, from: tap, request, frameCount: detector.windowFrames) else { return .tooSoon }
    return Self.pitch(in: window, detector.windowFrames, &detector).map { .pitch(hertz: $0) } ?? .noPitch
  }

  private static func pitch(
    in window: borrowing FixedBuffer, _ frameCount: Int, _ detector: inout PitchDetector
  ) -> Double? {
    // Safe: every bit pattern is a Float, and the buffer is aligned to a cache line.
    detector.pitch(of: unsafe window.bytes._unsafeView(as: Float.self).extracting(first: frameCount))
  }

  private mutating func answer(_ request: SoundTestRequest) -> SoundTestReply {
    switch request {
    case .survey(let format, let start): SoundSurvey(tap, format, from: start).map { .surveyed($0) } ?? .tooLittle
    case .chirp(let format, let start):
      format.sampleRateHz == sampleRateHz
        ? HeardChirp(tap, format, from: start, &window).map { .heard($0) } ?? .tooLittle : .tooLittle
    }
  }

  private mutating func answer(_ request: ChordRequest) -> ChordReply {
    guard request.format.sampleRateHz == sampleRateHz else { return .otherRate }
    let decimation = Self.chordDecimation(sampleRateHz)
    let seconds = min(request.seconds, PitchLimits.chordSeconds)
    let count = Int(seconds * Double(sampleRateHz)) / decimation
    guard Self.fill(&window, from: tap, request.format, frameCount: count * decimation, decimation) else {
      return .tooSoon
    }
    let rateHz = Double(sampleRateHz) / Double(decimation)
    return Self.chord(request, in: window, count, rateHz: rateHz, &listener).map { .heard($0) } ?? .nothing
  }

  private static func chord(
    _ request: ChordRequest, in window: borrowing FixedBuffer, _ frameCount: Int, rateHz: Double,
    _ listener: inout ChordListener
  ) -> HeardChord? {
    // Safe: as above.
    let samples = unsafe window.bytes._unsafeView(as: Float.self).extracting(first: frameCount)
    return listener.hear(request.notes, audible: request.audible, in: samples, rateHz: rateHz)
  }

  private static func chordDecimation(_ sampleRateHz: UInt32) -> Int {
    max(1, Int(sampleRateHz) / PitchLimits.chordRateHz)
  }

  /// Takes the newest frames as the mean of all channels, decimated with triangular weights, which suppress aliasing.
  /// - Returns: false if the ring does not have enough frames, or they were overwritten meanwhile.
  @_optimize(speed)
  private static func fill(
    _ window: inout FixedBuffer, from tap: SampleRingTap, _ format: AudioFormat, frameCount: Int, _ decimation: Int = 1
  ) -> Bool {
    let end = tap.end
    guard end.rawValue >= UInt64(frameCount), tap.bytesPerFrame == format.bytesPerFrame else { return false }
    var bytes = window.mutableBytes
    // Safe: as above.
    var samples = unsafe bytes._unsafeMutableView(as: Float.self)
    for index in 0..<frameCount / decimation { samples[index] = 0 }
    let start = end - UInt64(frameCount)
    let scale = 1 / Float(decimation * decimation)
    var count = 0
    while count < frameCount {
      let frames = tap.frames(from: start + UInt64(count), to: end)
      let pieceFrames = frames.byteCount / format.bytesPerFrame
      for frame in 0..<pieceFrames {
        let sample = scale * format.mean(ofFrameAt: frame * format.bytesPerFrame, in: frames)
        let (place, offset) = (count + frame).quotientAndRemainder(dividingBy: decimation)
        samples[place] += sample * Float(offset + 1)
        if place > 0 { samples[place - 1] += sample * Float(decimation - 1 - offset) }
      }
      count += pieceFrames
    }
    return tap.holds(start)
  }
}

extension WorkerEnd {
  fileprivate mutating func answer<Value, Reply>(
    _ request: Ticketed<Value>, _ reply: Reply
  ) where Answer == Ticketed<Reply> {
    let isTold = answers.push(Ticketed(ticket: request.ticket, value: reply))
    precondition(isTold, "the loop has not taken the reply to the request before the last one")
  }
}

/// Asks for the present pitch, in the microphone's format.
package typealias TunerRequest = AudioFormat

/// A ``TunerWorker``'s answer about a pitch.
package enum TunerReply: BitwiseCopyable, Equatable, Sendable {
  case pitch(hertz: Double)
  /// Silence, noise, or several tones.
  case noPitch
  /// The microphone has not delivered a whole second yet.
  case tooSoon
  /// The microphone has a different rate than the one that was there at boot.
  case otherRate
}

/// Asks whether a chord was just played.
package struct ChordRequest: BitwiseCopyable, Sendable {
  /// The microphone's format.
  package var format: AudioFormat
  /// The notes of the chord.
  package var notes: PitchClassSet
  /// The notes of the chord that are reported if missing.
  package var audible: PitchClassSet
  /// How long ago the chord began, at most ``PitchLimits/chordSeconds``.
  package var seconds: Double

  @export(interface)
  package init(format: AudioFormat, name: ChordName, seconds: Double) {
    self.format = format
    notes = name.pitchClasses
    audible = name.audiblePitchClasses
    self.seconds = seconds
  }
}

/// A ``TunerWorker``'s answer about a chord.
package enum ChordReply: BitwiseCopyable, Equatable, Sendable {
  case heard(HeardChord)
  /// Silence, or noise.
  case nothing
  /// The microphone has not delivered enough yet.
  case tooSoon
  /// The microphone has a different rate than the one that was there at boot.
  case otherRate
}

extension AudioFormat {
  /// The mean of a frame's channels; full scale is 1.
  fileprivate func mean(ofFrameAt offset: Int, in bytes: RawSpan) -> Float {
    var sum: Float = 0
    for channel in 0..<Int(channelCount) {
      sum += sampleFormat.fraction(at: offset + channel * sampleFormat.bytesPerSample, in: bytes)
    }
    return sum / Float(channelCount)
  }
}

/// The note nearest to a pitch, in equal temperament.
package struct TunedNote: BitwiseCopyable, Equatable, Sendable {
  /// A MIDI number: 69 is A4.
  package let note: Int
  /// How far the pitch is above the note, in hundredths of a semitone, -50…50.
  package let cents: Double

  /// - Parameters:
  ///   - hertz: the pitch, as in ``PitchLimits/hertz``.
  ///   - referenceHertz: the frequency of A4.
  package init(hertz: Double, referenceHertz: Double) {
    let semitones = 69 + 12 * log2(hertz / referenceHertz)
    note = Int((semitones + 0.5).rounded(.down))
    cents = 100 * (semitones - Double(note))
  }

  /// `A4`, `C#3`.
  package var name: FixedText<8> {
    let letters: StaticString = "C C#D D#E F F#G G#A A#B "
    var name = FixedText<8>()
    let index = 2 * (note % 12)
    name.append(byte: letters.utf8Bytes[index])
    if letters.utf8Bytes[index + 1] != UInt8(ascii: " ") { name.append(byte: letters.utf8Bytes[index + 1]) }
    name.append(integer: note / 12 - 1)
    return name
  }

  /// A needle from 50 cents below to 50 above, 41 columns: `|` marks the note, `^` the pitch.
  package var needle: FixedText<64> {
    let place = 20 + Int((cents / 2.5).rounded())
    var needle = FixedText<64>()
    for column in 0..<41 {
      needle.append(byte: column == place ? UInt8(ascii: "^") : UInt8(ascii: column == 20 ? "|" : "."))
    }
    return needle
  }
}
