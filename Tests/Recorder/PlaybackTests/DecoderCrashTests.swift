import Base
import Machine
import Playback
import TestSupport
import Testing
import Wire

@Suite struct DecoderCrashTests {
  @Test("A decoder that crashes during playback is restarted, and no frame is lost", arguments: 0..<40)
  func goesOn(exchanges: Int) throws {
    let rig = try PlayerRig()
    try rig.player.append(rig.file("a.wav", seconds: 0.4))
    try rig.player.append(rig.file("b.wav", firstNumber: 1 << 20, seconds: 0.4))
    try rig.player.play()
    rig.exchange(exchanges)
    guard rig.player.state == .playing else { return }
    rig.decoder.crash()
    #expect(rig.exchange(until: .stopped))
    #expect(rig.heardDifference(from: Array(1...19_200) + (0..<19_200).map { (1 << 20) + UInt32($0) }) == nil)
    rig.exchange(5)
    #expect(rig.decoder.startCount == 2)
    #expect(rig.eventLines.contains("decoder is gone: start it"))
  }

  @Test("An item that crashes the decoder twice within 5 s is given up, and the next one plays")
  func givesUp() throws {
    let rig = try PlayerRig()
    try rig.player.append(rig.file("a.wav", seconds: 10))
    try rig.player.append(rig.file("b.wav", firstNumber: 1 << 20, seconds: 0.4))
    try rig.player.play()
    rig.exchange(20)
    rig.decoder.crash()
    rig.exchange(20)
    rig.decoder.crash()
    #expect(rig.exchange(until: .stopped))
    let given = rig.heard.firstIndex(of: 1 << 20)!
    #expect(given > 38_000)
    #expect(Array(rig.heard[..<given]) == Array(1...UInt32(given)))
    #expect(rig.eventLines.contains("a.wav was skipped: it crashed the decoder again"))
  }

  @Test("An item that crashes the decoder occasionally plays to its end")
  func keepsOn() throws {
    let rig = try PlayerRig()
    try rig.player.prepare(rig.file("a.wav", seconds: 20))
    try rig.player.play()
    for _ in 0..<3 {
      rig.exchange(270)
      rig.decoder.crash()
    }
    #expect(rig.exchange(until: .stopped, atMost: 2000))
    #expect(rig.heardDifference(from: Array(1...960_000)) == nil)
  }

  @Test("A file that crashes the decoder while it is opened is refused", arguments: [false, true])
  func deadlyFile(isQueued: Bool) throws {
    let rig = try PlayerRig()
    rig.decoder.deadlyPath = "deadly.wav"
    let deadly = rig.file("deadly.wav", seconds: 1)
    if isQueued {
      try rig.player.append(rig.file("a.wav", seconds: 1))
      try rig.player.append(deadly)
      try rig.player.append(rig.file("b.wav", firstNumber: 1 << 20, seconds: 0.4))
      try rig.player.play()
      #expect(rig.exchange(until: .stopped))
      #expect(rig.heardDifference(from: Array(1...48_000) + (0..<19_200).map { (1 << 20) + UInt32($0) }) == nil)
    } else {
      try rig.player.prepare(deadly)
      rig.exchange(10)
      #expect(rig.player.state == .none)
    }
    #expect(rig.eventLines.contains("deadly.wav crashed the decoder: it is damaged"))
  }

  @Test("A file that takes longer than 2 s is refused, and the decoder is restarted for the next")
  func tooSlow() throws {
    let rig = try PlayerRig()
    rig.decoder.isStuck = true
    try rig.player.prepare(rig.file("slow.wav", seconds: 1))
    rig.exchange(98)
    #expect(rig.player.state == .preparing)
    rig.exchange(6)
    #expect(rig.player.state == .none)
    #expect(rig.eventLines.contains("slow.wav could not be opened within 2 s"))
    rig.decoder.isStuck = false
    try rig.player.prepare(rig.file("a.wav", seconds: 1))
    #expect(rig.exchange(until: .prepared, atMost: 5))
    #expect(rig.decoder.startCount == 2)
  }

  @Test("A fill that takes longer than 2 s counts as a crash")
  func slowFill() throws {
    let rig = try PlayerRig()
    try rig.player.prepare(rig.file("a.wav", seconds: 2))
    try rig.player.play()
    rig.exchange(20)
    rig.decoder.isStuck = true
    rig.exchange(90)
    #expect(rig.decoder.startCount == 1)
    rig.exchange(15)
    #expect(rig.decoder.startCount == 2)
    #expect(rig.exchange(until: .stopped))
    #expect(rig.heardDifference(from: Array(1...96_000)) == nil)
    #expect(rig.player.status.underrunCount == 1)
  }

  @Test("Without the decoder's program the player gives up at once")
  func noProgram() throws {
    let rig = try PlayerRig()
    rig.decoder.startFailure = DecoderModel.gone
    for _ in 0..<5 { try rig.player.append(rig.file("a.wav", seconds: 2)) }
    try rig.player.play()
    rig.exchange(10)
    #expect(rig.player.state == .none)
    #expect(rig.eventLines == ["player preparing", "decoder is gone: start it", "player none"])
  }

  @Test("On a virtual clock every order is answered within the step that sends it")
  func inStep() throws {
    let rig = try PlayerRig()
    rig.decoder.isInStep = true
    try rig.player.prepare(rig.file("a.wav", seconds: 1))
    rig.exchange()
    rig.exchange()
    #expect(rig.player.state == .prepared)
    rig.decoder.isStuck = true
    try rig.player.prepare(rig.file("b.wav", seconds: 1))
    rig.exchange()
    rig.exchange()
    #expect(rig.player.state == .none)
    #expect(rig.eventLines.contains("b.wav could not be opened within 2 s"))
  }
}
