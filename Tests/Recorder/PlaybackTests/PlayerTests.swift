import Base
import Machine
import Playback
import TestSupport
import Testing
import Wire

@Suite struct PlayerTests {
  @Test("A file plays bit for bit, and then the player stops by itself")
  func playsToTheEnd() throws {
    let rig = try PlayerRig()
    try rig.player.prepare(rig.file("a.wav", seconds: 1.37))
    #expect(rig.exchange(until: .prepared))
    #expect(rig.card.heardFrames == 0)
    try rig.player.play()
    #expect(rig.exchange(until: .stopped))
    #expect(rig.heardDifference(from: Array(1...65_760)) == nil)
    #expect(rig.stateNames == ["preparing", "prepared", "playing", "stopped"])
    #expect(rig.player.status.underrunCount == 0)
    try rig.player.play()
    #expect(rig.exchange(until: .playing))
    #expect(rig.exchange(until: .stopped))
    #expect(rig.heardDifference(from: Array(1...65_760) + Array(1...65_760)) == nil)
  }

  @Test("Nothing is requested before play, then up to 500 ms ahead of the playing position, 200 ms at a time")
  func staysAhead() throws {
    let rig = try PlayerRig()
    try rig.player.prepare(rig.file("a.wav", seconds: 5))
    rig.exchange(20)
    #expect(rig.decoder.orders.allSatisfy { if case .fill = $0 { false } else { true } })
    try rig.player.play()
    var leads: [Int] = []
    for _ in 0..<100 {
      rig.exchange()
      guard case .fill(let end)? = rig.decoder.orders.last else { continue }
      leads.append(Int(end) - 1 - rig.card.heardFrames)
    }
    #expect(leads.allSatisfy { $0 <= 24_000 })
    #expect(leads.dropFirst(10).allSatisfy { $0 > 24_000 - 9600 - 960 })
    let requestCount = rig.decoder.orders.count { if case .fill = $0 { true } else { false } }
    #expect(requestCount <= 11)
  }

  @Test("After a pause it resumes at exactly the next frame", arguments: 0..<40 as Range<UInt64>)
  func resumesExactly(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let rig = try PlayerRig(bufferMilliseconds: Int.random(in: 60...400, using: &random))
    rig.card.largestWriteFrames = Bool.random(using: &random) ? .max : Int.random(in: 800...3000, using: &random)
    try rig.player.prepare(rig.file("a.wav", seconds: 3))
    try rig.player.play()
    while rig.player.state != .stopped {
      rig.exchange(Int.random(in: 1...20, using: &random))
      guard rig.player.state == .playing else { continue }
      try rig.player.pause()
      rig.exchange(Int.random(in: 0...5, using: &random))
      let heard = rig.heard.count
      if rig.player.state == .paused {
        rig.exchange(3)
        #expect(rig.heard.count <= heard + 960)
      }
      try rig.player.play()
    }
    #expect(rig.heardDifference(from: Array(1...144_000)) == nil)
  }

  @Test("The position is that of the frame that is heard, at any rate")
  func position() throws {
    let rig = try PlayerRig()
    try rig.player.prepare(rig.file("a.wav", seconds: 5))
    try rig.player.play()
    rig.exchange(50)
    #expect(rig.player.status.positionSeconds == Double(rig.heard.last ?? 0) / 48_000)
    try rig.player.setRate(2)
    rig.exchange(30)
    let before = rig.player.status.positionSeconds
    rig.exchange(10)
    #expect(abs(rig.player.status.positionSeconds - before - 0.4) < 1e-6)
    #expect(throws: PlayerRefusal.rateOutside) { try rig.player.setRate(2.01) }
  }

  @Test("Who keeps a stream in sync is told when it is heard, after an underrun too; and its rate is its server's")
  func tellsWhenItIsHeard() throws {
    let rig = try PlayerRig()
    try rig.player.setRate(1.5)
    try rig.player.prepare(rig.file("snapcast://a:1704", seconds: 20))
    try rig.player.play()
    rig.exchange(100)
    #expect(rig.decoder.orders.contains { if case .open(_, _, isSynced: true) = $0 { true } else { false } })
    #expect(throws: PlayerRefusal.inSync) { try rig.player.setRate(2) }
    let toldCount = rig.decoder.heard.count
    #expect((18...20).contains(toldCount))
    // The card underruns.
    rig.exchange(1, frameCount: 48_000)
    rig.exchange(100)
    #expect(rig.player.status.underrunCount == 1)
    let begun = try #require(rig.card.beginnings.last)
    let framesBefore = rig.card.heardNumbers[..<begun.frame].count { $0 > 0 }
    #expect(rig.decoder.heard.count > toldCount + 15)
    for (index, heard) in rig.decoder.heard.enumerated() {
      let isBefore = index < toldCount
      let start = isBefore ? rig.card.beginnings[0].instant : begun.instant
      let frames = isBefore ? 0 : framesBefore
      let played = Int(heard.positionNanoseconds) - frames * 1_000_000_000 / 48_000
      #expect(abs(start.advanced(by: played).distance(to: heard.instant)) < 2)
    }
    #expect(rig.heardDifference(from: Array(1...UInt32(rig.heard.count))) == nil)
  }

  @Test("A seek is heard at once, and nothing from before it")
  func seeks() throws {
    let rig = try PlayerRig()
    try rig.player.prepare(rig.file("a.wav", seconds: 5))
    try rig.player.play()
    rig.exchange(50)
    try rig.player.seek(seconds: 3)
    #expect(rig.player.status.positionSeconds == 3)
    let heard = rig.heard.count
    rig.exchange(20)
    let after = rig.heard[heard...]
    #expect(Array(after.suffix(from: after.firstIndex { $0 > 144_000 }!)).first == 144_001)
    #expect(after.prefix { $0 <= 144_000 }.count <= 960)
    #expect(rig.exchange(until: .stopped))
    #expect(rig.heard.last == 240_000)
    #expect(throws: PlayerRefusal.seekOutside(durationSeconds: 5)) { try rig.player.seek(seconds: 5.1) }
    #expect(throws: PlayerRefusal.seekOutside(durationSeconds: 5)) { try rig.player.seek(seconds: .nan) }
  }

  @Test("A skip goes on from what is heard, or back, at most to the end or the beginning")
  func skips() throws {
    let rig = try PlayerRig()
    #expect(throws: PlayerRefusal.nothingOpen) { try rig.player.skip(seconds: 1) }
    try rig.player.prepare(rig.file("a.wav", seconds: 5))
    rig.exchange(50)
    try rig.player.seek(seconds: 3)
    for (seconds, position) in [(1, 4), (-2.5, 1.5), (-10, 0), (2, 2), (10, 5)] {
      try rig.player.skip(seconds: seconds)
      rig.exchange(20)
      #expect(rig.player.status.positionSeconds == position)
    }
  }

  @Test("Stop goes back to the beginning, and dispose closes the file")
  func stops() throws {
    let rig = try PlayerRig()
    try rig.player.prepare(rig.file("a.wav", seconds: 5))
    try rig.player.play()
    rig.exchange(50)
    try rig.player.stop()
    rig.exchange(5)
    #expect(rig.player.state == .stopped)
    #expect(rig.player.status.positionSeconds == 0)
    let heard = rig.heard.count
    try rig.player.play()
    rig.exchange(10)
    #expect(rig.heard[heard] == 1)
    try rig.player.dispose()
    rig.exchange(5)
    #expect(rig.player.state == .none)
    #expect(rig.decoder.orders.last == .close)
    #expect(rig.player.status.item == nil)
    #expect(throws: PlayerRefusal.nothingOpen) { try rig.player.pause() }
  }

  @Test("A section loops until it is removed")
  func section() throws {
    let rig = try PlayerRig()
    try rig.player.prepare(rig.file("a.wav", seconds: 2))
    #expect(rig.exchange(until: .prepared))
    try rig.player.setSection(PlaybackSection(startSeconds: 0.5, endSeconds: 0.7))
    try rig.player.play()
    rig.exchange(150)
    let once: [UInt32] = Array(1...33_600)
    let loop: [UInt32] = Array(24_001...33_600)
    let expected = once + Array(repeating: loop, count: 20).joined()
    #expect(rig.heard.count > 130_000)
    #expect(rig.heardDifference(from: Array(expected.prefix(rig.heard.count))) == nil)
    #expect((0.5...0.7).contains(rig.player.status.positionSeconds))
    try rig.player.setSection(nil)
    #expect(rig.exchange(until: .stopped))
    #expect(rig.heard.last == 96_000)
  }

  @Test("Long presses mark a section's ends at the playing position, and then end the loop")
  func marksSection() throws {
    let rig = try PlayerRig()
    try rig.player.prepare(rig.file("a.wav", seconds: 4))
    try rig.player.play()
    rig.exchange(40)
    let start = rig.player.status.positionSeconds
    try rig.player.markSection()
    #expect(rig.player.status.section == .begun(seconds: start))
    #expect(throws: PlayerRefusal.sectionOutside(durationSeconds: 4)) { try rig.player.markSection() }
    rig.exchange(20)
    let end = rig.player.status.positionSeconds
    try rig.player.markSection()
    #expect(
      rig.player.status.section == .looping(PlaybackSection(startSeconds: start, endSeconds: end)))
    rig.exchange(100)
    #expect(rig.player.status.positionSeconds < end + 0.3)
    try rig.player.markSection()
    #expect(rig.player.status.section == .off)
    #expect(rig.exchange(until: .stopped))
  }

  @Test("A late decoder causes an underrun, and no frame is lost")
  func underrun() throws {
    let rig = try PlayerRig()
    try rig.player.prepare(rig.file("a.wav", seconds: 3))
    try rig.player.play()
    rig.exchange(30)
    #expect(rig.player.status.underrunCount == 0)
    rig.isWorkerStopped = true
    rig.exchange(25)
    rig.isWorkerStopped = false
    #expect(rig.player.status.underrunCount == 1)
    #expect(rig.exchange(until: .stopped))
    #expect(rig.player.status.underrunCount == 1)
    #expect(rig.heardDifference(from: Array(1...144_000)) == nil)
  }

  @Test("Commands without a file to play are refused with the reason")
  func nothing() throws {
    let rig = try PlayerRig()
    #expect(throws: PlayerRefusal.nothingChosen) { try rig.player.play() }
    #expect(throws: PlayerRefusal.nothingOpen) { try rig.player.seek(seconds: 0) }
    #expect(throws: PlayerRefusal.nothingOpen) { try rig.player.setSection(nil) }
    #expect(throws: PlayerRefusal.nothingOpen) { try rig.player.dispose() }
    #expect(throws: PlayerRefusal.nothingAfter) { try rig.player.goToNext() }
    #expect(throws: PlayerRefusal.nothingBefore) { try rig.player.goToPrevious() }
  }

  @Test("A file that cannot be played is reported, and nothing is open")
  func refused() throws {
    let rig = try PlayerRig()
    try rig.player.prepare(rig.file("empty.wav", seconds: 0, refusal: .empty))
    #expect(rig.exchange(until: .none, atMost: 10))
    rig.exchange(2)
    #expect(rig.eventLines.contains("empty.wav is empty"))
    rig.player.choose(MediaItem(path: "missing.wav"))
    try rig.player.play()
    rig.exchange(5)
    #expect(rig.player.state == .none)
    #expect(rig.eventLines.contains("storage cannot be opened: look for it"))
  }

  @Test("What played goes on where it was if another file in its place cannot be opened, and holds if it was paused")
  func goesOn() throws {
    let rig = try PlayerRig()
    try rig.player.prepare(rig.file("song.wav", seconds: 3))
    try rig.player.play()
    #expect(rig.exchange(until: .playing))
    rig.exchange(20)
    let before = rig.player.status.positionSeconds
    #expect(before > 0.1)
    for item in [rig.file("empty.wav", seconds: 0, refusal: .empty), MediaItem(path: "missing.wav")] {
      try rig.player.prepare(item)
      try rig.player.play()
      #expect(rig.player.state == .preparingToPlay)
      #expect(rig.exchange(until: .playing, atMost: 10))
      #expect(rig.player.status.item?.path == "song.wav")
    }
    rig.exchange(20)
    let after = rig.player.status.positionSeconds
    #expect(after > before && after < before + 1)
    try rig.player.pause()
    try rig.player.prepare(MediaItem(path: "missing.wav"))
    try rig.player.play()
    #expect(rig.exchange(until: .paused, atMost: 10))
    try rig.player.play()
    #expect(rig.exchange(until: .stopped))
    try rig.player.prepare(rig.file("empty.wav", seconds: 0, refusal: .empty))
    try rig.player.play()
    #expect(rig.exchange(until: .none, atMost: 10), "what had ended does not begin again")
  }
}
