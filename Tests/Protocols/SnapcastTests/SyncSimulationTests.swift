import TestSupport
import Testing
import Values

@testable import Snapcast

@Suite struct SyncSimulationTests {
  @Test(
    "Two listeners with clocks 100 ppm apart play within 100 µs from 10 s on, at 5 ms of jitter and 1 % loss",
    arguments: 0..<20 as Range<UInt64>)
  func playsTogether(seed: UInt64) {
    var first = Listener(seed: seed * 2 + 1, partsPerMillion: 50, joining: 0)
    var second = Listener(seed: seed * 2 + 2, partsPerMillion: -50, joining: 0)
    #expect(Listener.worstDifference(&first, &second, from: 10, to: 90) < 100_000)
  }

  @Test("Who joins later plays with the others 10 s later", arguments: 0..<5 as Range<UInt64>)
  func joinsLate(seed: UInt64) {
    var first = Listener(seed: 100 + seed * 2, partsPerMillion: 50, joining: 0)
    var second = Listener(seed: 101 + seed * 2, partsPerMillion: -50, joining: 17.5)
    #expect(Listener.worstDifference(&first, &second, from: 27.5, to: 60) < 100_000)
  }

  @Test("Who leaves and comes back plays with the others again", arguments: 0..<5 as Range<UInt64>)
  func comesBack(seed: UInt64) {
    var first = Listener(seed: 200 + seed * 2, partsPerMillion: 50, joining: 0)
    var second = Listener(seed: 201 + seed * 2, partsPerMillion: -50, joining: 0)
    #expect(Listener.worstDifference(&first, &second, from: 10, to: 20) < 100_000)
    first = Listener(seed: 200 + seed * 2, partsPerMillion: 50, joining: 0)
    second = Listener(seed: 300 + seed, partsPerMillion: -50, joining: 25)
    #expect(Listener.worstDifference(&first, &second, from: 35, to: 60) < 100_000)
  }
}

/// A fieldcorder that listens, at true times: its session with a server whose clock is true, and its speaker, which runs
/// by the same crystal as its clock and is fed 200 ms ahead.
private struct Listener: ~Copyable {
  private static let blockFrames = 960
  private static let frameNanoseconds = 1e9 / 48_000

  private let clock: SimulatedClock
  private let joining: Double
  private var rig = ClientRig()
  private var server = ServerRig()
  private var there: SimulatedWay
  private var back: SimulatedWay
  private var playout = Playout(sampleRateHz: 48_000)
  private var nextAsk: Double
  /// Answers on their way: when they arrive.
  private var answers: [(Double, [UInt8])] = []
  /// The next frame of the server, counted from its clock's zero, and when the speaker plays it, in true nanoseconds.
  private var nextFrame: Double?
  private var nextPlaying = 0.0
  /// When each block's first frame was heard: frame and true time.
  var heard: [(frame: Double, time: Double)] = []

  init(seed: UInt64, partsPerMillion: Double, joining: Double) {
    clock = SimulatedClock(startNanoseconds: 7e9 + Double(seed) * 1e8, partsPerMillion: partsPerMillion)
    there = SimulatedWay(seed: seed * 2)
    back = SimulatedWay(seed: seed * 2 + 1)
    self.joining = joining * 1e9
    nextAsk = self.joining
    rig.introduce()
    server.say(message(5, id: 1, payload: text(debianHello)))
    _ = server.hear()
  }

  /// Runs up to a true time in seconds.
  mutating func run(to end: Double) {
    let end = end * 1e9
    var time = joining
    while time < end {
      exchange(to: time)
      // A second passes until the buffer is filled.
      if time > joining + 1e9 { play(to: time) }
      time += 5e6
    }
  }

  private mutating func exchange(to time: Double) {
    while nextAsk <= time {
      let question = rig.hear(at: clock.shown(at: nextAsk))
      if !question.isEmpty {
        let arrival = there.arrival(ofSent: nextAsk)
        server.say(question, at: Instant(UInt64(arrival)))
        let answer = server.hear(at: Instant(UInt64(arrival)))[0]
        answers.append((back.arrival(ofSent: arrival), answer))
      }
      nextAsk += 1e6
    }
    while let (arrival, answer) = answers.first, arrival <= time {
      rig.say(answer, at: clock.shown(at: arrival))
      answers.removeFirst()
    }
  }

  /// The speaker is given all that it plays in the next 200 ms.
  private mutating func play(to time: Double) {
    guard rig.session.clock.estimate != nil else { return }
    if nextFrame == nil {
      // At one instant, by `play at`: the chunk that is to be heard in 300 ms.
      let first = ((time + 0.3e9 - 1e9) / 20e6).rounded(.up) * 960
      nextFrame = first
      nextPlaying = clock.time(of: playing(of: first))
    }
    while let frame = nextFrame, nextPlaying < time + 0.2e9 {
      // The speaker's own clock says when the block will be heard.
      let late = playing(of: frame).distance(to: clock.shown(at: nextPlaying))
      heard.append((frame, nextPlaying))
      guard case .play(let extraFrames) = playout.step(lateNanoseconds: Int64(late)) else {
        nextFrame = nil
        return
      }
      nextFrame = frame + Double(Self.blockFrames)
      let frames = Double(Self.blockFrames + extraFrames)
      nextPlaying += frames * Self.frameNanoseconds / (1 + clock.partsPerMillion / 1e6)
    }
  }

  private func playing(of frame: Double) -> Instant {
    let recorded = WireTime(nanoseconds: Int64(frame * Self.frameNanoseconds))
    guard let instant = rig.session.playing(of: Chunk(recorded: recorded, byteCount: 0)) else { return .max }
    return instant
  }

  /// The largest difference between when the two play a frame, in nanoseconds; between two true times in seconds.
  static func worstDifference(
    _ first: inout Listener, _ second: inout Listener, from start: Double, to end: Double
  ) -> Double {
    first.run(to: end)
    second.run(to: end)
    var worst = 0.0
    var compared = 0
    var index = 1
    for (frame, time) in first.heard where time >= start * 1e9 {
      while index < second.heard.count, second.heard[index].frame <= frame { index += 1 }
      guard index < second.heard.count else { break }
      let (before, after) = (second.heard[index - 1], second.heard[index])
      let other = before.time + (after.time - before.time) * (frame - before.frame) / (after.frame - before.frame)
      worst = max(worst, (time - other).magnitude)
      compared += 1
    }
    return compared > Int(end - start) * 40 ? worst : .infinity
  }
}
