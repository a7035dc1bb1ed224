import Base
import Machine
import Playback
import TestSupport
import Testing

/// The queue, shuffled and repeated.
@Suite struct QueueOrderTests {
  /// A player with files of distinct numbers: those of `3.wav` begin with 3 << 20.
  private func rig(_ count: Int, seed: UInt64 = 1, seconds: Double = 0.6) throws -> PlayerRig {
    let rig = try PlayerRig(seed: seed)
    for index in 0..<count {
      try rig.player.append(rig.file("\(index).wav", firstNumber: UInt32(index) << 20 | 1, seconds: seconds))
    }
    return rig
  }

  /// The items in the order in which they were played.
  private func heard(_ rig: PlayerRig) -> [Int] {
    rig.events.compactMap { event in
      if case .itemChanged(let item) = event { Int(String(item.path).prefix { $0 != "." }) } else { nil }
    }
  }

  private func play(_ rig: PlayerRig, untilHeard count: Int) {
    for _ in 0..<2000 where heard(rig).count < count { rig.exchange(2) }
  }

  @Test("A shuffled queue plays each item once before any again, and replays from its seed", arguments: 0..<8)
  func shuffles(seed: Int) throws {
    var orders: [[Int]] = []
    for seed in [seed, seed, seed + 100] {
      let rig = try rig(7, seed: UInt64(seed))
      try rig.player.setRepetition(.all)
      try rig.player.setShuffled(true)
      try rig.player.play()
      play(rig, untilHeard: 21)
      orders.append(heard(rig))
    }
    #expect(orders[0] == orders[1] && orders[0] != orders[2])
    let order = orders[0]
    for round in 0..<3 { #expect(Set(order[(7 * round)..<(7 * round + 7)]).count == 7) }
    for index in 1..<21 { #expect(order[index] != order[index - 1]) }
  }

  @Test("Previous goes back the way it came, from round to round, and next the same way forward", arguments: 0..<10)
  func goesBack(seed: Int) throws {
    let rig = try rig(5, seed: UInt64(seed), seconds: 30)
    try rig.player.setShuffled(true)
    try rig.player.setRepetition(.all)
    try rig.player.play()
    rig.exchange(3)
    var way = [rig.player.status.queueIndex]
    for _ in 0..<8 {
      try rig.player.goToNext()
      rig.exchange(3)
      way.append(rig.player.status.queueIndex)
    }
    var back = [way.last!]
    for _ in 0..<5 {
      try rig.player.goToPrevious()
      rig.exchange(3)
      back.append(rig.player.status.queueIndex)
    }
    #expect(back == way.reversed().prefix(6).map { $0 })
    for expected in way.suffix(5) {
      try rig.player.goToNext()
      rig.exchange(3)
      #expect(rig.player.status.queueIndex == expected)
    }
  }

  @Test("Shuffled from an item on, all others follow it once; in order again, those after it", arguments: 0..<10)
  func changesWhilePlaying(seed: Int) throws {
    let rig = try rig(8, seed: UInt64(seed))
    try rig.player.go(toItem: 3)
    try rig.player.play()
    rig.exchange(8)
    try rig.player.setShuffled(true)
    #expect(rig.player.markedIndex == 3)
    #expect(rig.exchange(until: .stopped))
    // The first event is that of `go`.
    let order = Array(heard(rig).dropFirst())
    #expect(order.first == 3 && order.count == 8 && Set(order).count == 8)
    #expect(rig.player.status.underrunCount == 0)
    try rig.player.go(toItem: 5)
    try rig.player.play()
    rig.exchange(8)
    try rig.player.setShuffled(false)
    #expect(rig.exchange(until: .stopped))
    #expect(heard(rig).suffix(3) == [5, 6, 7])
  }

  @Test("What is appended to a shuffled queue has its turn among what was not heard", arguments: 0..<8)
  func appends(seed: Int) throws {
    let rig = try rig(0, seed: UInt64(seed))
    try rig.player.setShuffled(true)
    var firsts: Set<Int> = []
    for index in 0..<10 {
      try rig.player.append(rig.file("\(index).wav", firstNumber: UInt32(index) << 20 | 1, seconds: 0.6))
      if index == 5 {
        try rig.player.play()
        rig.exchange(70)
        firsts = Set(heard(rig))
      }
    }
    #expect(rig.exchange(until: .stopped))
    #expect(heard(rig).count == 10 && Set(heard(rig)) == Set(0..<10))
    #expect(firsts.isSubset(of: Set(heard(rig).prefix(firsts.count))))
  }

  @Test("A number that is gone to when shuffled is heard, and every other item once")
  func goesToNumbers() throws {
    let rig = try rig(6, seed: 5)
    try rig.player.setShuffled(true)
    try rig.player.go(toItem: 4)
    try rig.player.play()
    rig.exchange(10)
    try rig.player.go(toItem: 2)
    #expect(rig.exchange(until: .stopped))
    let order = Array(heard(rig).dropFirst())
    #expect(order.prefix(2) == [4, 2] && order.count == 6 && Set(order).count == 6)
  }

  @Test("An item that is repeated follows itself without a gap, until another word")
  func repeatsOne() throws {
    let rig = try rig(3, seconds: 2)
    try rig.player.play()
    rig.exchange(10)
    try rig.player.setRepetition(.one)
    play(rig, untilHeard: 4)
    rig.exchange(5)
    #expect(heard(rig) == [0, 0, 0, 0])
    let once = (0..<96_000).map { UInt32($0) + 1 }
    #expect(Array(rig.card.heardNumbers.drop { $0 == 0 }.prefix(3 * 96_000)) == once + once + once)
    #expect(rig.player.status.underrunCount == 0)
    try rig.player.goToNext()
    rig.exchange(5)
    #expect(rig.player.status.queueIndex == 1)
    try rig.player.setRepetition(.off)
    #expect(rig.exchange(until: .stopped))
    #expect(heard(rig).suffix(2) == [1, 2])
  }

  @Test("A queue that is repeated begins anew without a gap, until that is called off", arguments: [5, 90])
  func repeatsAll(exchanges: Int) throws {
    let rig = try rig(2, seconds: 2)
    try rig.player.setRepetition(.all)
    try rig.player.play()
    play(rig, untilHeard: 4)
    rig.exchange(exchanges)
    let numbers = rig.card.heardNumbers.drop { $0 == 0 }.prefix(3 * 96_000)
    #expect(Array(numbers.suffix(96_000)) == (0..<96_000).map { UInt32($0) + 1 })
    // The next round was announced already, unless the end is so near that the decoder may have reached it.
    try rig.player.setRepetition(.off)
    #expect(rig.exchange(until: .stopped))
    #expect(heard(rig) == (exchanges < 50 ? [0, 1, 0, 1] : [0, 1, 0, 1, 0, 1]))
  }

  @Test("A queue of which nothing can be played ends, however it is repeated", arguments: [QueueRepeat.one, .all])
  func endsUnheard(repetition: QueueRepeat) throws {
    let rig = try PlayerRig()
    for index in 0..<4 { try rig.player.append(rig.file("\(index).wav", seconds: 1, refusal: .damaged)) }
    try rig.player.setRepetition(repetition)
    try rig.player.play()
    rig.exchange(500)
    #expect(rig.player.state == .none)
    #expect(rig.eventLines.count { $0.contains("is damaged") } <= 8)
    // Items of zero length.
    for index in 0..<4 { rig.file("\(index).wav", seconds: 0) }
    try rig.player.play()
    rig.exchange(500)
    #expect(rig.player.state != .playing)
    #expect(heard(rig).count <= 8)
  }

  @Test("With a file open the queue's first item is not marked: the queue follows the file")
  func marksWhatPlays() throws {
    let rig = try PlayerRig()
    try rig.player.prepare(rig.file("open.wav", firstNumber: 1 << 24, seconds: 0.6))
    rig.exchange(5)
    for index in 0..<2 {
      try rig.player.append(rig.file("\(index).wav", firstNumber: UInt32(index) << 20 | 1, seconds: 0.6))
    }
    #expect(rig.player.markedIndex == nil)
    #expect(rig.player.itemBeforeQueue.map { String($0.path) } == "open.wav")
    try rig.player.play()
    rig.exchange(10)
    #expect(rig.heard.first == 1 << 24)
    #expect(rig.exchange(until: .stopped))
    #expect(heard(rig) == [0, 1] && rig.player.markedIndex == 1 && rig.player.itemBeforeQueue == nil)
  }

  @Test("Another queue follows what is heard, and replaces what is not", arguments: [true, false])
  func replaces(isHeard: Bool) throws {
    let rig = try rig(3)
    try rig.player.play()
    rig.exchange(10)
    if !isHeard { try rig.player.pause() }
    try rig.player.beginQueue()
    try rig.player.append(rig.file("9.wav", firstNumber: 9 << 20 | 1, seconds: 0.6))
    #expect(rig.player.markedIndex == (isHeard ? nil : 0))
    try rig.player.play()
    #expect(rig.exchange(until: .stopped))
    #expect(heard(rig) == [0, 9])
    #expect((rig.heard.firstIndex(of: 28_800) != nil) == isHeard)
  }
}
