import Base
import Machine
import TestSupport
import Testing
import Wire

@testable import App

/// Which application uses the display.
@Suite struct DisplayApplicationTests {
  private func rig() throws -> (ApplianceRig, ViewReader) {
    let host = TestHost()
    host.view.isWanted = true
    let rig = try ApplianceRig(
      host: host, localTime: .offset(seconds: 0), wallClock: SimWallClock(.off(seconds: 45_000)))
    rig.run(milliseconds: 1_000)
    return (rig, try #require(host.view.look()))
  }

  private func application(_ reader: ViewReader) throws -> ViewApplication {
    try #require(reader.status.read()).application
  }

  /// The lit syllables of the grid.
  private func lit(_ application: ViewApplication) throws -> String {
    guard case .hangulClock(let board) = application else { throw NothingThere() }
    let syllables = Array("오전후자정오열한두세네·다여섯덟일곱아홉시이삼사오십일이삼사오육칠팔구분")
    return String((0..<36).filter { $0 != 11 && board.levels[$0] > 128 }.map { syllables[$0] })
  }

  @Test("clock hangul on gives the board the display, which keeps a take's time; off gives it back")
  func hangul() throws {
    let (rig, reader) = try rig()
    rig.run("clock hangul on\nrecord start", milliseconds: 2_000)
    #expect(try lit(application(reader)) == "오후열두시삼십분")
    #expect(try #require(reader.status.read()).isRecording)
    rig.run("wait 60", milliseconds: 61_000)
    #expect(try lit(application(reader)) == "오후열두시삼십일분")
    rig.run("record stop\nclock hangul off", milliseconds: 1_000)
    #expect(try application(reader) == .viewfinder)
    #expect(rig.announcements("is complete").count == 1)
  }

  @Test("each item that is heard has its artwork on the display, though nobody asks for it")
  func artwork() throws {
    let host = TestHost()
    host.view.isWanted = true
    for (name, width) in [("a", 2), ("b", 4), ("c", 0)] {
      host.player.files["music/\(name).wav"] = ScriptedFile(firstNumber: 1, frameCount: 48_000)
      var probed = ScriptedFile(firstNumber: 1, frameCount: 48_000)
      if width > 0 { probed.extracts = .picture(width: UInt16(width), height: 1) }
      host.prober.files["music/\(name).wav"] = probed
    }
    let rig = try ApplianceRig(host: host)
    let reader = try #require(host.view.look())
    func width() throws -> Int { try #require(reader.artwork.copy()).size.width }
    rig.run("queue music/a.wav music/b.wav music/c.wav\nplay", milliseconds: 700)
    #expect(try width() == 2)
    rig.run(milliseconds: 1_000)
    #expect(try width() == 4)
    rig.run(milliseconds: 1_000)
    #expect(try width() == 0)
    rig.run("previous", milliseconds: 400)
    #expect(try width() == 4)
  }

  @Test("without a display the board is refused, and told how to get one")
  func hangulWithoutDisplay() throws {
    let rig = try ApplianceRig()
    rig.run("clock hangul on", milliseconds: 500)
    #expect(rig.host.lines.last == "error: there is no display: set [view] device")
  }

  @Test("a chord that was told has the display for 30 s, with its fingers")
  func chord() throws {
    let (rig, reader) = try rig()
    rig.run("chord C", milliseconds: 3_000)
    guard case .chord(let chord) = try application(reader) else { throw NothingThere() }
    #expect(String(chord.name) == "C")
    #expect((0..<6).map { chord.frets[$0] } == [-1, 3, 2, 0, 1, 0])
    #expect((0..<6).map { chord.fingers[$0] } == [0, 3, 2, 0, 1, 0])
    rig.run(milliseconds: 30_000)
    #expect(try application(reader) == .viewfinder)
  }

  @Test("the metronome has the display while it runs, and shows each beat when it is heard")
  func metronome() throws {
    let (rig, reader) = try rig()
    rig.run("metronome 60 3", milliseconds: 500)
    var beats: [UInt8] = []
    for _ in 0..<600 {
      rig.run(milliseconds: 10)
      guard case .metronome(let reading) = try application(reader) else { throw NothingThere() }
      #expect(reading.tempo == 60 && reading.beatCount == 3)
      beats.append(reading.beat)
    }
    let changes = (1..<beats.count).filter { beats[$0] != beats[$0 - 1] }
    #expect(changes.map { beats[$0] } == [1, 2, 0, 1, 2, 0])
    #expect(zip(changes, changes.dropFirst()).allSatisfy { (98...102).contains($1 - $0) })
    rig.run("metronome off", milliseconds: 500)
    #expect(try application(reader) == .viewfinder)
  }
}
