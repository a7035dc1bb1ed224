import Kit
import TestSupport
import Testing

@Suite struct ClickTrackTests {
  /// Renders a click track in pieces, and finds the clicks in the sound.
  private struct Listener {
    private(set) var track: ClickTrack
    private var samples: [Float]
    private(set) var frame = 0
    private let quietFrames: Int
    private var lastHeard: Int
    /// Where clicks began, and their level.
    private(set) var onsets: [(frame: Int, level: Float)] = []

    init(_ rhythm: Rhythm, rateHz: UInt32, pieceFrames: Int = 65_536) {
      track = ClickTrack(rhythm, sampleRateHz: rateHz)
      samples = Array(repeating: 0, count: pieceFrames)
      // A click's own samples cross zero, but are never silent for 2 ms.
      quietFrames = Int(rateHz) / 500
      lastHeard = -quietFrames - 1
    }

    mutating func listen(frames: Int) {
      let end = frame + frames
      while frame < end {
        let count = min(samples.count, end - frame)
        render(count)
        for index in 0..<count where samples[index] != 0 {
          if frame + index - lastHeard > quietFrames { onsets.append((frame + index, samples[index])) }
          lastHeard = frame + index
        }
        frame += count
      }
    }

    private mutating func render(_ count: Int) {
      for index in 0..<count { samples[index] = 0 }
      var track = track
      var span = samples.mutableSpan
      track.render(frameCount: count, into: &span)
      self.track = track
    }

    mutating func forget() { onsets = [] }
    mutating func change(to rhythm: Rhythm) { track.change(to: rhythm) }
    mutating func align(_ frames: Int) { track.align(nextBeatAfter: frames) }
  }

  @Test("The beat that is heard is the last that began before the frames that are still to be heard")
  func tellsBeat() {
    let rateHz = 48_000
    for (beatsPerMinute, beats, subdivisions) in [(120, 4, 1), (400, 3, 4), (20, 1, 2)] {
      let interval = 60 * rateHz / (beatsPerMinute * subdivisions)
      var track = ClickTrack(
        Rhythm(beatsPerMinute: Double(beatsPerMinute), beats: beats, subdivisions: subdivisions),
        sampleRateHz: UInt32(rateHz))
      var samples = [Float](repeating: 0, count: 977)
      var frame = 0
      while frame < 20 * interval {
        var span = samples.mutableSpan
        track.render(frameCount: 977, into: &span)
        frame += 977
        for later in [0, 1, 960, 3840, 9600] where frame - later > 0 {
          let clicks = (frame - later - 1) / interval + 1
          let beat = (clicks - 1) / subdivisions % beats
          #expect(track.beat(heardLaterBy: later) == beat, "\(beatsPerMinute): \(later) of \(frame)")
        }
      }
    }
  }

  @Test("In 24 hours every click begins with its exact sample", arguments: Cases.some(1, of: [20, 120, 400]))
  func keepsTimeForADay(beatsPerMinute: Int) {
    let dayFrames = 24 * 3600 * 48_000
    var listener = Listener(Rhythm(beatsPerMinute: Double(beatsPerMinute)), rateHz: 48_000)
    let interval = 60 * 48_000 / beatsPerMinute
    var clickCount = 0
    var wrongCount = 0
    while listener.frame < dayFrames {
      listener.listen(frames: min(100_000_000, dayFrames - listener.frame))
      for onset in listener.onsets {
        if onset.frame != clickCount * interval || onset.level != (clickCount % 4 == 0 ? 0.7 : 0.5) { wrongCount += 1 }
        clickCount += 1
      }
      listener.forget()
    }
    #expect(wrongCount == 0)
    #expect(clickCount == 24 * 60 * beatsPerMinute)
  }

  @Test("Any tempo, bar and subdivision is exact, at any sample rate and in pieces of any size")
  func isExactInGeneral() {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<60 {
      let hundredths = Int.random(in: 2000...40_000, using: &generator)
      let rhythm = Rhythm(
        beatsPerMinute: Double(hundredths) / 100, beats: Int.random(in: 1...16, using: &generator),
        subdivisions: Int.random(in: 1...4, using: &generator))
      let rateHz = [8000, 44_100, 48_000, 192_000].randomElement(using: &generator)!
      var listener = Listener(
        rhythm, rateHz: UInt32(rateHz), pieceFrames: Int.random(in: 1...5000, using: &generator))
      listener.listen(frames: 20 * rateHz)
      let clicksPerMinute = hundredths * rhythm.subdivisions
      let count = (20 * rateHz * clicksPerMinute - 1) / (60 * 100 * rateHz) + 1
      let expected = (0..<count).map { $0 * 60 * 100 * rateHz / clicksPerMinute }
      #expect(listener.onsets.map(\.frame) == expected, "\(rhythm) at \(rateHz) Hz")
      let levels: [Float] = (0..<count).map {
        $0 % (rhythm.beats * rhythm.subdivisions) == 0 ? 0.7 : $0 % rhythm.subdivisions == 0 ? 0.5 : 0.2
      }
      #expect(listener.onsets.map(\.level) == levels, "\(rhythm)")
    }
  }

  @Test("A new tempo is taken from the next click on, in the middle of an interval as far along as it was")
  func changesWhileRunning() {
    var listener = Listener(Rhythm(beatsPerMinute: 60), rateHz: 8000)
    listener.listen(frames: 8000 + 2000)
    listener.change(to: Rhythm(beatsPerMinute: 240))
    listener.listen(frames: 6000)
    #expect(listener.onsets.map(\.frame) == [0, 8000, 11_500, 13_500, 15_500])
    #expect(listener.onsets.map(\.level) == [0.7, 0.5, 0.5, 0.5, 0.7])
    listener.change(to: Rhythm(beatsPerMinute: 240, beats: 3))
    listener.listen(frames: 8000)
    #expect(listener.onsets.dropFirst(5).map(\.level) == [0.7, 0.5, 0.5, 0.7])
  }

  @Test("A beat can be laid on an instant, and the others follow it")
  func aligns() {
    var listener = Listener(Rhythm(beatsPerMinute: 120, beats: 3, subdivisions: 2), rateHz: 8000)
    listener.listen(frames: 2500)
    listener.align(1234)
    listener.listen(frames: 8000)
    #expect(listener.onsets.map(\.frame) == [0, 2000, 3734, 5734, 7734, 9734])
    #expect(listener.onsets.map(\.level) == [0.7, 0.2, 0.5, 0.2, 0.5, 0.2])
  }

  @Test("The tempo of taps is that of their average, and a pause begins anew")
  func followsTaps() {
    var taps = TapTempo()
    #expect(taps.tap(at: 7) == nil)
    #expect(taps.tap(at: 500_000_007) == 120)
    #expect(taps.tap(at: 1_100_000_007).map { abs($0 - 120 / 1.1) < 1e-9 } == true)
    for tap in 1...4 { _ = taps.tap(at: 1_100_000_007 + UInt64(tap) * 250_000_000) }
    #expect(taps.tap(at: 1_100_000_007 + 5 * 250_000_000) == 240)
    #expect(taps.tap(at: 20_000_000_000) == nil)
    #expect(taps.tap(at: 20_010_000_000) == 400)
    #expect(taps.tap(at: 23_210_000_000).map { abs($0 - 60 / 1.605) < 1e-9 } == true)
    #expect(taps.tap(at: 26_410_000_000).map { $0 > 20 && $0 < 29 } == true)
  }

  @Test("No click is louder than full scale, or lasts into the next")
  func staysWithinBounds() {
    var track = ClickTrack(Rhythm(beatsPerMinute: 400, subdivisions: 4), sampleRateHz: 192_000)
    var samples = [Float](repeating: 0, count: 192_000)
    var span = samples.mutableSpan
    track.render(frameCount: 192_000, into: &span)
    #expect(samples.allSatisfy { abs($0) <= 0.7 })
    #expect(samples[7100] == 0)
    let accent = samples[..<4800].map { Double($0 * $0) }.reduce(0, +)
    let between = samples[7200..<12_000].map { Double($0 * $0) }.reduce(0, +)
    #expect(accent > 5 * between && between > 0)
  }
}
