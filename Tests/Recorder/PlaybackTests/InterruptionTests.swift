import Base
import Machine
import Playback
import TestSupport
import Testing
import Wire

@Suite struct InterruptionTests {
  private func interruptedRig(seed: UInt64, soundsUntilLoss: Bool) throws -> PlayerRig {
    var random = SeededGenerator(seed: seed)
    let rig = try PlayerRig(bufferMilliseconds: Int.random(in: 40...300, using: &random))
    rig.card.soundsUntilLoss = soundsUntilLoss
    try rig.player.prepare(rig.file("a.wav", seconds: 1.5))
    if Bool.random(using: &random) { rig.card.largestWriteFrames = Int.random(in: 961...2000, using: &random) }
    try rig.player.play()
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let count = Int.random(in: 0...60, using: &random)
      if Bool.random(using: &random) { rig.card.writesUntilLoss = count } else { rig.card.looksUntilLoss = count }
      while rig.card.failure == nil, rig.player.state != .stopped { rig.exchange() }
      guard rig.player.state == .interrupted else { break }
      rig.exchange(Int.random(in: 0...120, using: &random))
      #expect(rig.player.state == .interrupted)
      rig.card.failure = nil
      #expect(rig.exchange(until: .playing, atMost: 52))
    }
    rig.card.looksUntilLoss = nil
    rig.card.writesUntilLoss = nil
    rig.card.failure = nil
    #expect(rig.exchange(until: .stopped))
    return rig
  }

  @Test("A card that is lost at any moment loses and repeats no frame", arguments: 0..<200 as Range<UInt64>)
  func losesNothing(seed: UInt64) throws {
    let rig = try interruptedRig(seed: seed, soundsUntilLoss: false)
    #expect(rig.heardDifference(from: Array(1...72_000)) == nil)
  }

  @Test("Frames that a card played after its last reading are repeated, no others", arguments: 0..<40 as Range<UInt64>)
  func repeatsAnExchange(seed: UInt64) throws {
    let rig = try interruptedRig(seed: seed, soundsUntilLoss: true)
    var next: UInt32 = 1
    for number in rig.heard {
      guard number <= next, number + 960 >= next else {
        Issue.record("\(number) is heard where \(next) should be")
        return
      }
      next = number + 1
    }
    #expect(next == 72_001)
  }

  @Test("A card that takes a second to start plays all of it, from the first frame")
  func startsLate() throws {
    let rig = try PlayerRig()
    try rig.player.prepare(rig.file("a.wav", seconds: 1.5))
    rig.exchange(5)
    try rig.player.play()
    while !rig.card.isOpen { rig.exchange() }
    rig.isDeviceWorkerStopped = true
    rig.exchange(50)
    #expect(rig.heard.isEmpty && rig.player.state == .playing)
    rig.isDeviceWorkerStopped = false
    #expect(rig.exchange(until: .stopped))
    #expect(rig.heardDifference(from: Array(1...72_000)) == nil)
    #expect(rig.player.status.underrunCount == 0)
  }

  @Test("Of what is given up while the card starts no more is heard than until the next look at it")
  func isGivenUpWhileItStarts() throws {
    let rig = try PlayerRig()
    rig.file("b.wav", firstNumber: 1 << 20, seconds: 0.5)
    try rig.player.prepare(rig.file("a.wav", seconds: 1.5))
    rig.exchange(5)
    try rig.player.play()
    while !rig.card.isOpen { rig.exchange() }
    rig.isDeviceWorkerStopped = true
    rig.exchange(10)
    try rig.player.prepare(MediaItem(path: "b.wav"))
    rig.exchange(10)
    rig.isDeviceWorkerStopped = false
    rig.exchange(20)
    try rig.player.play()
    #expect(rig.exchange(until: .stopped))
    let givenUp = rig.heard.prefix { $0 < 1 << 20 }
    #expect(givenUp.count <= 960)
    #expect(Array(rig.heard.dropFirst(givenUp.count)) == Array((1 << 20)..<(1 << 20) + 24_000))
  }

  @Test("The reason is reported, and the card's return")
  func isReported() throws {
    let rig = try PlayerRig()
    try rig.player.prepare(rig.file("a.wav", seconds: 5))
    try rig.player.play()
    rig.exchange(20)
    rig.card.failure = CardModel.unplugged
    rig.exchange(200)
    rig.card.failure = nil
    rig.exchange(60)
    #expect(
      rig.eventLines.suffix(4) == [
        "speaker hw:0 is gone: plug it in", "player interrupted", "speaker is back", "player playing",
      ])
  }

  @Test("A busy card is waited for, and a pause meanwhile is kept")
  func busy() throws {
    let rig = try PlayerRig()
    rig.card.failure = CardModel.unplugged
    try rig.player.prepare(rig.file("a.wav", seconds: 2))
    try rig.player.play()
    rig.exchange(20)
    rig.card.failure = DeviceFailure(
      device: .speaker, kind: .busy, subject: "hw:0", problem: "is held", remedy: "end the other program")
    rig.exchange(100)
    #expect(rig.player.state == .interrupted)
    #expect(rig.eventLines.contains("speaker hw:0 is held: end the other program"))
    try rig.player.pause()
    rig.card.failure = nil
    rig.exchange(100)
    #expect(rig.player.state == .paused)
    #expect(rig.heard.isEmpty)
    try rig.player.play()
    #expect(rig.exchange(until: .stopped))
    #expect(rig.heardDifference(from: Array(1...96_000)) == nil)
  }

  @Test("A card that agrees to another format than before is not used")
  func otherFormat() throws {
    let rig = try PlayerRig()
    try rig.player.prepare(rig.file("a.wav", seconds: 2))
    try rig.player.play()
    rig.exchange(20)
    rig.card.failure = CardModel.unplugged
    rig.exchange(2)
    rig.card.failure = nil
    rig.card.agreedFormat.sampleRateHz = 44_100
    rig.exchange(200)
    #expect(rig.player.state == .interrupted)
    #expect(!rig.card.isOpen)
    #expect(rig.eventLines.last?.contains("has another format than before") == true)
    rig.card.agreedFormat = rig.format
    #expect(rig.exchange(until: .stopped))
    #expect(rig.heardDifference(from: Array(1...96_000)) == nil)
  }
}
