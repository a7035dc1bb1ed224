import Base
import Machine
import Playback
import TestSupport
import Testing

@Suite struct CueTests {
  @Test("The first frame is heard at the instant, to the frame", arguments: 0..<60 as Range<UInt64>)
  func toTheFrame(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let rig = try PlayerRig(bufferMilliseconds: Int.random(in: 60...300, using: &random))
    if Bool.random(using: &random) { try rig.player.setTone(hertz: 440, levelDecibels: -120) }
    rig.exchange(Int.random(in: 1...20, using: &random))
    let isOpen = Bool.random(using: &random)
    rig.player.choose(rig.file("a.wav", seconds: 1))
    if isOpen {
      try rig.player.prepare()
      #expect(rig.exchange(until: .prepared))
    }
    let instant = rig.card.now + UInt64.random(in: 250_000_000...900_000_000, using: &random)
    try rig.player.play(at: instant)
    rig.exchange()
    #expect(rig.player.status.cue == instant)
    for _ in 0..<100 where rig.player.status.startErrorNanoseconds == nil {
      rig.exchange(frameCount: Int.random(in: 700...1200, using: &random))
    }
    #expect(rig.player.state == .playing)
    rig.exchange(10)
    let first = try #require(rig.card.heardNumbers.firstIndex { $0 != 0 })
    let run = try #require(rig.card.beginnings.last { $0.frame <= first })
    let sounded = run.instant + UInt64(first - run.frame) * 1_000_000_000 / 48_000
    let difference = instant.distance(to: sounded)
    #expect(abs(difference) <= 1_000_000_000 / 48_000)
    let told = try #require(rig.player.status.startErrorNanoseconds)
    #expect(abs(Int(told) - difference) < 2000)
    #expect(rig.player.status.underrunCount == 0)
  }

  @Test("An instant that has passed, or is more than a day ahead, is refused")
  func refused() throws {
    let rig = try PlayerRig()
    rig.player.choose(rig.file("a.wav", seconds: 1))
    rig.exchange(10)
    let now = rig.card.now
    #expect(throws: PlayerRefusal.instantPassed) { try rig.player.play(at: now) }
    #expect(throws: PlayerRefusal.instantTooFar) { try rig.player.play(at: now + 86_400_000_000_001) }
    #expect(rig.player.state == .none)
  }

  @Test("A card that is missing at the instant starts late, and the delay is reported")
  func late() throws {
    let rig = try PlayerRig()
    rig.player.choose(rig.file("a.wav", seconds: 1))
    let instant = rig.card.now + 500_000_000
    try rig.player.play(at: instant)
    rig.exchange(10)
    rig.card.failure = CardModel.unplugged
    rig.exchange(60)
    #expect(rig.player.state == .cued)
    rig.card.failure = nil
    #expect(rig.exchange(until: .stopped))
    #expect(rig.heardDifference(from: Array(1...48_000)) == nil)
    #expect(rig.player.status.startErrorNanoseconds! > 700_000_000)
  }
}
