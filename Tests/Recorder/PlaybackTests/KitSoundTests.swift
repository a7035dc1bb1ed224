import Base
import Kit
import Machine
import TestSupport
import Testing
import Wire

@testable import Playback

/// The metronome and the strings, as passed to the card.
@Suite struct KitSoundTests {
  /// The frames at which clicks begin in the output.
  private func onsets(_ rig: PlayerRig) -> [Int] {
    var lastHeard = -100
    return rig.card.heardNumbers.enumerated().compactMap { frame, sample in
      guard sample != 0 else { return nil }
      defer { lastHeard = frame }
      return frame - lastHeard > 96 ? frame : nil
    }
  }

  @Test(
    "Every click is heard with its exact sample, however little the card takes at a time",
    arguments: 0..<12 as Range<UInt64>)
  func clicksExactly(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let rig = try PlayerRig(bufferMilliseconds: Int.random(in: 100...400, using: &random))
    let beatsPerMinute = [20, 120, 400, 133].randomElement(using: &random)!
    try rig.player.count(Rhythm(beatsPerMinute: Double(beatsPerMinute)))
    for _ in 0..<1000 {
      rig.card.largestWriteFrames = Bool.random(using: &random) ? .max : Int.random(in: 300...1500, using: &random)
      rig.exchange()
    }
    let found = onsets(rig)
    let expected = (0..<found.count).map { found[0] + $0 * 60 * 48_000 / beatsPerMinute }
    #expect(found == expected)
    #expect(abs(found.count - 20 * beatsPerMinute / 60) <= 1)
    #expect(rig.card.openCount == 1)
  }

  @Test("What the metronome counts changes at once, and it ends within the 100 ms that the card holds")
  func changesAndEnds() throws {
    let rig = try PlayerRig()
    try rig.player.count(Rhythm(beatsPerMinute: 60))
    rig.exchange(75)
    try rig.player.count(Rhythm(beatsPerMinute: 240))
    rig.exchange(100)
    let changed = rig.card.heardFrames
    rig.player.stopCounting()
    rig.exchange(50)
    let found = onsets(rig)
    let intervals = zip(found, found.dropFirst()).map { $1 - $0 }
    #expect(intervals.first == 48_000)
    #expect(intervals.dropFirst(2).allSatisfy { $0 == 12_000 } && intervals.count > 6)
    #expect(found.last! < changed + 4_800)
    #expect(rig.player.rhythm == nil)
  }

  @Test("Taps set the tempo, and the beats fall on the taps that would follow")
  func followsTaps() throws {
    let rig = try PlayerRig()
    rig.exchange(10)
    var taps: [Instant] = []
    for _ in 0..<4 {
      taps.append(rig.card.now)
      _ = try rig.player.tap(at: rig.card.now)
      rig.exchange(20)
    }
    #expect(rig.player.rhythm?.beatsPerMinute == 150)
    rig.exchange(100)
    let start = try #require(rig.card.beginnings.first)
    let lastTap = try #require(taps.last)
    let heard = onsets(rig).map { start.instant + UInt64($0 - start.frame) * 1_000_000_000 / 48_000 }.filter {
      $0 > lastTap
    }
    #expect(heard.count >= 4)
    for (index, instant) in heard.enumerated() {
      let due = lastTap + UInt64(index + 1) * 400_000_000
      #expect(due.distance(to: instant).magnitude < 1_000_000, "beat \(index)")
    }
  }

  @Test(
    "A slate's beep begins at the instant that is told, on a silent card, beside the metronome and in pieces",
    arguments: 0..<12 as Range<UInt64>)
  func slateBegins(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let rig = try PlayerRig(bufferMilliseconds: Int.random(in: 100...400, using: &random))
    let countsBefore = Bool.random(using: &random)
    if countsBefore { try rig.player.count(Rhythm(beatsPerMinute: 20, beats: 1)) }
    // No fewer than are played between two exchanges, because a card that underruns cannot keep to an instant.
    rig.card.largestWriteFrames = Bool.random(using: &random) ? .max : Int.random(in: 970...1500, using: &random)
    rig.exchange(Int.random(in: 10...40, using: &random))
    let asked = rig.card.now
    try rig.player.beginSlate()
    var told: Instant?
    for _ in 0..<20 {
      rig.exchange()
      if let instant = rig.player.takeSlateInstant() {
        #expect(told == nil)
        told = instant
      }
    }
    let instant = try #require(told)
    #expect(asked.distance(to: instant) >= 0 && asked.distance(to: instant) < 200_000_000)
    let start = try #require(rig.card.beginnings.first)
    let heard = try #require(onsets(rig).last)
    let heardInstant = start.instant + UInt64(heard - start.frame) * 1_000_000_000 / 48_000
    #expect(heardInstant.distance(to: instant).magnitude < 1_000_000, "\(heardInstant.distance(to: instant)) ns")
    let isCounting = rig.player.rhythm != nil
    #expect(isCounting == countsBefore)
  }

  @Test("A slate that is given up is not heard later, and none begins while a file plays")
  func slateIsCancelled() throws {
    let rig = try PlayerRig()
    try rig.player.beginSlate()
    rig.player.cancelSlate()
    rig.exchange(30)
    #expect(onsets(rig).isEmpty)
    #expect(rig.player.takeSlateInstant() == nil)
    try rig.player.prepare(rig.file("a.wav", seconds: 1.5))
    try rig.player.play()
    rig.exchange(10)
    #expect(throws: PlayerRefusal.filePlays) { try rig.player.beginSlate() }
  }

  @Test("While a file plays nothing else sounds, and while the metronome runs no file plays")
  func keepsApart() throws {
    let rig = try PlayerRig()
    let item = rig.file("a.wav", seconds: 1.5)
    try rig.player.prepare(item)
    try rig.player.play()
    rig.exchange(20)
    #expect(throws: PlayerRefusal.filePlays) { try rig.player.count(Rhythm(beatsPerMinute: 100)) }
    #expect(throws: PlayerRefusal.filePlays) { try rig.player.tap(at: rig.card.now) }
    rig.player.strum(ChordShape(frets: [0, 2, 2, 1, 0, 0]), .standard)
    #expect(rig.exchange(until: .stopped))
    #expect(rig.heardDifference(from: Array(1...72_000)) == nil)
    try rig.player.count(Rhythm(beatsPerMinute: 100))
    #expect(throws: PlayerRefusal.metronomeRuns) { try rig.player.play() }
    rig.player.stopCounting()
    try rig.player.play()
    #expect(rig.exchange(until: .stopped))
  }

  @Test("A chord is heard, at the player's volume, until it has died away, and a file that plays ends it")
  func strums() throws {
    let chord = ChordShape(frets: [0, 2, 2, 1, 0, 0])
    var loudest: [Int] = []
    for volume in [1.0, 0.25] {
      let rig = try PlayerRig()
      try rig.player.setVolume(volume)
      rig.player.strum(chord, .standard)
      rig.exchange(300)
      let samples = rig.card.heardNumbers.map { Int(Int16(truncatingIfNeeded: $0)) }
      #expect(samples.count > 190_000 && samples.count < 240_000)
      loudest.append(samples.map(abs).max() ?? 0)
    }
    #expect(loudest[0] > 8_000 && loudest[0] < 32_767)
    #expect(abs(loudest[1] - loudest[0] / 4) <= 1)
    let rig = try PlayerRig()
    rig.player.strum(chord, .standard)
    rig.exchange(10)
    try rig.player.prepare(rig.file("a.wav", seconds: 1))
    try rig.player.play()
    #expect(rig.exchange(until: .stopped))
    #expect(Array(rig.card.heardNumbers.suffix(48_000)) == Array(1...48_000))
  }

  @Test("When the card is unplugged and comes back, the metronome goes on in time")
  func survivesTheCard() throws {
    let rig = try PlayerRig()
    try rig.player.count(Rhythm(beatsPerMinute: 120))
    rig.exchange(100)
    rig.card.failure = CardModel.unplugged
    rig.exchange(100)
    rig.card.failure = nil
    rig.exchange(200)
    let found = onsets(rig)
    #expect(found.count > 8)
    #expect(zip(found, found.dropFirst()).map { $1 - $0 }.suffix(4).allSatisfy { $0 == 24_000 })
  }
}
