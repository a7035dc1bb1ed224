import Base
import Machine
import TestSupport
import Testing
import Wire

@testable import Playback

@Suite struct RandomListenerTests {
  private func command(_ rig: PlayerRig, _ random: inout SeededGenerator) {
    let path = ["a.wav", "b.wav", "c.wav", "bad.wav", "gone.wav"].randomElement(using: &random)!
    let item = MediaItem(path: FixedText(path))
    do throws(PlayerRefusal) {
      switch Int.random(in: 0..<29, using: &random) {
      case 0, 1, 2, 3: try rig.player.play()
      case 4:
        try rig.player.play(at: rig.card.now + UInt64.random(in: 1...900_000_000, using: &random))
      case 5, 6: try rig.player.pause()
      case 7: try rig.player.stop()
      case 8: try rig.player.seek(seconds: Double.random(in: -0.2...2, using: &random))
      case 9: try rig.player.markSection()
      case 10: try rig.player.setSection(nil)
      case 11:
        let start = Double.random(in: 0...1, using: &random)
        let end = Double.random(in: 0...1.5, using: &random)
        try rig.player.setSection(PlaybackSection(startSeconds: start, endSeconds: end))
      case 12: try rig.player.setRate(Double.random(in: 0.4...2.1, using: &random))
      case 13: try rig.player.setVolume([0, 0.3, 1, 1, 1.1].randomElement(using: &random)!)
      case 14, 15: try rig.player.goToNext()
      case 16: try rig.player.goToPrevious()
      case 17, 18: try rig.player.append(item)
      case 19: try rig.player.clearQueue()
      case 20: try rig.player.prepare(item)
      case 21: try rig.player.dispose()
      case 22 where Int.random(in: 0..<4, using: &random) == 0:
        try rig.player.setTone(hertz: Double.random(in: 15...21_000, using: &random), levelDecibels: -20)
      case 23: try rig.player.setRepetition([.off, .one, .all].randomElement(using: &random)!)
      case 24, 25: try rig.player.setShuffled(Bool.random(using: &random))
      case 26: try rig.player.go(toItem: Int.random(in: 0...5, using: &random))
      case 27: try rig.player.beginQueue()
      default: rig.player.toneOff()
      }
    } catch {
      #expect(error.line.byteCount > 10)
    }
  }

  private func fault(_ rig: PlayerRig, _ random: inout SeededGenerator) {
    switch Int.random(in: 0..<9, using: &random) {
    case 0: rig.card.failure = CardModel.unplugged
    case 1, 2: rig.card.failure = nil
    case 3: rig.decoder.crash()
    case 4: rig.decoder.isStuck.toggle()
    case 5: rig.decoder.isStuck = false
    case 6: rig.isWorkerStopped.toggle()
    case 7: rig.isDeviceWorkerStopped.toggle()
    default:
      rig.isWorkerStopped = false
      rig.isDeviceWorkerStopped = false
    }
  }

  @Test(
    "Random commands and faults leave the player consistent, and able to play again",
    arguments: 0..<200 as Range<UInt64>)
  func anything(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let rig = try PlayerRig(bufferMilliseconds: Int.random(in: 40...300, using: &random), queueCapacity: 5)
    rig.file("a.wav", firstNumber: 1, seconds: 0.7)
    rig.file("b.wav", firstNumber: 1 << 20, seconds: 1.4)
    rig.file("c.wav", firstNumber: 1 << 21, seconds: 0.05)
    rig.file("bad.wav", seconds: 0, refusal: .damaged)
    for _ in 0..<60 {
      if Bool.random(using: &random) { command(rig, &random) }
      if Int.random(in: 0..<20, using: &random) == 0 { fault(rig, &random) }
      rig.exchange(Int.random(in: 1...6, using: &random), frameCount: Int.random(in: 600...1500, using: &random))
      let (cursor, filledEnd) = (rig.player.session.feed.cursor, rig.player.session.feed.filledEnd)
      let requestedEnd = rig.player.session.feed.requestedEnd
      #expect(cursor <= filledEnd && filledEnd <= requestedEnd)
      #expect(rig.player.heardFrame <= cursor && rig.player.heardFrame + 24_000 >= rig.player.session.feed.firstFrame)
      #expect(requestedEnd - rig.player.heardFrame <= 24_001)
      let status = rig.player.status
      #expect(status.positionSeconds >= 0 && status.positionSeconds < 10)
      #expect((status.item == nil) == (status.state == .none))
      #expect(status.queueIndex < max(1, status.queueCount))
      let places = rig.player.queue.roundStart..<rig.player.queue.endPlace
      #expect(Set(places.map { rig.player.queue.index(at: $0) }) == Set(0..<status.queueCount))
    }
    rig.card.failure = nil
    rig.decoder.isStuck = false
    rig.isWorkerStopped = false
    rig.isDeviceWorkerStopped = false
    rig.exchange(120)
    if rig.player.state != .none { try rig.player.dispose() }
    rig.player.toneOff()
    try rig.player.setRepetition(.off)
    try rig.player.setRate(1)
    try rig.player.setVolume(1)
    rig.exchange(60)
    #expect(rig.player.state == .none)
    try rig.player.prepare(MediaItem(path: "b.wav"))
    try rig.player.clearQueue()
    rig.exchange(10)
    #expect(rig.player.state == .prepared)
    let heard = rig.heard.count
    try rig.player.play()
    #expect(rig.exchange(until: .stopped))
    let isWhole = Array(rig.heard[heard...]) == Array((1 << 20)..<(1 << 20) + 67_200)
    #expect(isWhole)
  }
}
