import Base
import Machine
import Playback
import TestSupport
import Testing
import Wire

@Suite struct PlayQueueTests {
  @Test("Items follow each other without a gap, and the item changes when it is heard")
  func gapless() throws {
    let rig = try PlayerRig()
    for index in 0..<4 {
      let number = UInt32(index) << 20 | 1
      try rig.player.append(rig.file("\(index).wav", firstNumber: number, seconds: 0.6 + Double(index) / 10))
    }
    try rig.player.play()
    #expect(rig.exchange(until: .stopped))
    var expected: [UInt32] = []
    for index in 0..<4 as Range<UInt32> {
      expected += (0..<28_800 + 4800 * index).map { index << 20 | 1 + $0 }
    }
    #expect(rig.heardDifference(from: expected) == nil)
    #expect(rig.card.heardNumbers == expected)
    #expect(rig.player.status.underrunCount == 0)
    #expect(rig.player.status.queueIndex == 3)
    #expect(
      rig.eventLines.filter { $0.hasPrefix("player item") }
        == ["player item 0.wav", "player item 1.wav", "player item 2.wav", "player item 3.wav"])
  }

  @Test("Items shorter than the request-ahead are all heard")
  func shortItems() throws {
    let rig = try PlayerRig()
    var expected: [UInt32] = []
    for index in 0..<9 as Range<UInt32> {
      try rig.player.append(rig.file("\(index).wav", firstNumber: index << 20 | 1, seconds: 0.03))
      expected += (0..<1440).map { index << 20 | 1 + $0 }
    }
    try rig.player.play()
    #expect(rig.exchange(until: .stopped))
    #expect(rig.heardDifference(from: expected) == nil)
  }

  @Test("An item that cannot be played is skipped and reported", arguments: [[1], [1, 2], [0], [0, 1], [3], [2, 3]])
  func skips(damaged: [Int]) throws {
    let rig = try PlayerRig()
    var expected: [UInt32] = []
    for index in 0..<4 {
      let isDamaged = damaged.contains(index)
      let number = UInt32(index) << 20 | 1
      try rig.player.append(
        rig.file("\(index).wav", firstNumber: number, seconds: 0.5, refusal: isDamaged ? .damaged : nil))
      if !isDamaged { expected += (0..<24_000).map { number + $0 } }
    }
    try rig.player.play()
    #expect(rig.exchange(until: .stopped))
    #expect(rig.heardDifference(from: expected) == nil)
    for index in damaged {
      #expect(rig.eventLines.contains("\(index).wav is damaged: no sound can be decoded"))
    }
  }

  @Test("Previous passes items that cannot be played", arguments: [true, false])
  func goesBack(isFirstDamaged: Bool) throws {
    let rig = try PlayerRig()
    for index in 0..<4 as Range<UInt32> {
      let isDamaged = index == 1 || index == 2 || (index == 0 && isFirstDamaged)
      try rig.player.append(
        rig.file("\(index).wav", firstNumber: index << 20 | 1, seconds: 2, refusal: isDamaged ? .damaged : nil))
    }
    try rig.player.go(toItem: 3)
    try rig.player.play()
    rig.exchange(10)
    try rig.player.goToPrevious()
    rig.exchange(30)
    // If nothing before it is playable, the position is unchanged.
    #expect(rig.player.status.queueIndex == (isFirstDamaged ? 3 : 0))
    #expect(rig.player.state == .playing)
  }

  @Test("An item appended while the last one plays follows it, however late", arguments: 0..<26)
  func appended(exchanges: Int) throws {
    let rig = try PlayerRig()
    try rig.player.append(rig.file("a.wav", seconds: 0.5))
    try rig.player.play()
    rig.exchange(exchanges)
    try rig.player.append(rig.file("b.wav", firstNumber: 1 << 20, seconds: 0.5))
    #expect(rig.exchange(until: .stopped))
    let both: [UInt32] = Array(1...24_000) + (0..<24_000).map { (1 << 20) + UInt32($0) }
    #expect(rig.heardDifference(from: both) == nil)
  }

  @Test("Next and previous keep playing, and stop at the queue's ends")
  func nextAndPrevious() throws {
    let rig = try PlayerRig()
    for index in 0..<3 as Range<UInt32> {
      try rig.player.append(rig.file("\(index).wav", firstNumber: index << 20 | 1, seconds: 2))
    }
    try rig.player.goToNext()
    #expect(rig.player.status.queueIndex == 1)
    try rig.player.play()
    rig.exchange(20)
    let firstNumber: UInt32 = 1 << 20 | 1
    #expect(rig.heard.first == firstNumber)
    try rig.player.goToNext()
    rig.exchange(20)
    #expect(rig.player.state == .playing)
    #expect(rig.heard.last! > 2 << 20)
    #expect(throws: PlayerRefusal.nothingAfter) { try rig.player.goToNext() }
    try rig.player.pause()
    try rig.player.goToPrevious()
    try rig.player.goToPrevious()
    rig.exchange(5)
    #expect(rig.player.state == .prepared)
    #expect(throws: PlayerRefusal.nothingBefore) { try rig.player.goToPrevious() }
    #expect(rig.player.status.queueIndex == 0)
  }

  @Test("A seek is in the item that is heard, even if the decoder is in the next one already", arguments: 0..<30)
  func seeksBack(exchanges: Int) throws {
    let rig = try PlayerRig()
    try rig.player.append(rig.file("a.wav", seconds: 0.5))
    try rig.player.append(rig.file("b.wav", firstNumber: 1 << 20 | 1, seconds: 1))
    try rig.player.play()
    rig.exchange(exchanges)
    guard rig.player.state == .playing, rig.player.status.queueIndex == 0 else { return }
    try rig.player.seek(seconds: 0.25)
    let before = rig.heard.count
    #expect(rig.exchange(until: .stopped))
    let rest: [UInt32] = Array(12_001...24_000) + Array((1 << 20 | 1)...(1 << 20 | 48_000))
    #expect(Array(rig.heard.suffix(rest.count)) == rest)
    #expect(rig.heard.count - before - rest.count <= 960)
  }

  @Test("A full queue refuses items, and clearing it lets the current item end")
  func fullAndCleared() throws {
    let rig = try PlayerRig(queueCapacity: 2)
    let item = rig.file("a.wav", seconds: 1)
    try rig.player.append(item)
    try rig.player.append(item)
    #expect(throws: PlayerRefusal.queueFull(capacity: 2)) { try rig.player.append(item) }
    try rig.player.play()
    rig.exchange(10)
    try rig.player.clearQueue()
    #expect(rig.player.status.queueCount == 0)
    #expect(rig.exchange(until: .stopped))
    #expect(rig.heardDifference(from: Array(1...48_000)) == nil)
  }

  @Test(
    "A queue that is cleared while the decoder goes on to the next item lets the current one end, and another follow",
    arguments: 0..<30, [false, true])
  func clearedNearTheEnd(exchanges: Int, isWorkerLate: Bool) throws {
    for isFollowed in [false, true] {
      let rig = try PlayerRig()
      try rig.player.append(rig.file("a.wav", seconds: 0.5))
      try rig.player.append(rig.file("b.wav", firstNumber: 1 << 20 | 1, seconds: 1))
      let other = rig.file("c.wav", firstNumber: 2 << 20 | 1, seconds: 0.5)
      try rig.player.play()
      rig.exchange(exchanges)
      guard rig.player.state == .playing, rig.player.status.queueIndex == 0 else { return }
      rig.isWorkerStopped = isWorkerLate
      rig.exchange()
      try rig.player.clearQueue()
      if isFollowed { try rig.player.append(other) }
      rig.exchange()
      rig.isWorkerStopped = false
      #expect(rig.exchange(until: .stopped))
      let last: [UInt32] = isFollowed ? Array((2 << 20 | 1)...(2 << 20 | 24_000)) : []
      let whole: [UInt32] = Array(1...24_000) + last
      // The decoder was already in the next one.
      let goesOn = rig.eventLines.contains("player item b.wav")
      let heard = goesOn ? whole.prefix(24_000) + Array((1 << 20 | 1)...(1 << 20 | 48_000)) + last : whole
      #expect(rig.heardDifference(from: Array(heard)) == nil)
      #expect(rig.eventLines.contains("player item c.wav") == isFollowed)
      #expect(rig.decoder.startCount == 1)
    }
  }
}
