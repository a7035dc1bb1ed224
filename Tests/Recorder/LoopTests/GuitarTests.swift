import Kit
import TestSupport
import Testing

@testable import App

/// The guitar kit on the whole appliance.
@Suite struct GuitarTests {
  /// The lines of the reply to the last command.
  private func reply(_ rig: ApplianceRig, to line: String, milliseconds: UInt64 = 400) -> [String] {
    let count = rig.host.lines.count
    rig.run(line, milliseconds: milliseconds)
    return rig.host.lines.dropFirst(count).filter { !$0.hasPrefix("* ") }
  }

  @Test("chord draws a shape, with its frets, fingers and notes")
  func draws() throws {
    let rig = try ApplianceRig()
    #expect(
      reply(rig, to: "chord C") == [
        "C, position 1 of 91", "    E  A  D  G  B  E", "    x        o     o", "    ================",
        " 1  |  |  |  |  1  |", " 2  |  |  2  |  |  |", " 3  |  3  |  |  |  |", " 4  |  |  |  |  |  |",
        "frets x32010, fingers x32010", "notes C E G: C3 E3 G3 C4 E4", "ok",
      ])
    #expect(reply(rig, to: "chord C 2").contains("C, position 2 of 91"))
    #expect(reply(rig, to: "chord C 92").last == "error: C has 91 positions")
    #expect(reply(rig, to: "chord find x02010").first?.hasPrefix("Am7 ") == true)
    #expect(reply(rig, to: "chord find xxxxxx").last == "error: no known name fits")
    #expect(reply(rig, to: "chord search F#sus") == ["F#sus2 F#sus4 F#sus2sus4", "ok"])
    #expect(reply(rig, to: "chord search x").last == "error: no chord has this in its name")
    for line in reply(rig, to: "chord search a") { #expect(line.count < 80) }
  }

  @Test("what is saved is on the card when the command is answered, and the next start knows it")
  func keeps() throws {
    let disk = MemoryDisk()
    let rig = try ApplianceRig(host: TestHost(disk: disk))
    #expect(reply(rig, to: "chord saved") == ["ok"])
    #expect(reply(rig, to: "tuning") == ["tuning E A D G B E", "ok"])
    let third = try #require(
      reply(rig, to: "chord C/G 3").first { $0.hasPrefix("frets ") }?.split(whereSeparator: { " ,".contains($0) })[1])
    #expect(reply(rig, to: "chord C/G 332010").first?.hasPrefix("C/G, position ") == true)
    #expect(reply(rig, to: "chord save C/G x02010").last == "error: x02010 is none of the shapes of C/G")
    for line in [
      "chord save Am7", "chord save C/G 3", "chord save C/G 332010", "chord save 올림파m7b5", "chord forget Am7",
      "tuning DADGAD",
    ] {
      #expect(reply(rig, to: line) == ["ok"])
    }
    #expect(reply(rig, to: "chord N.C.") == ["no chord is played", "ok"])
    #expect(reply(rig, to: "chord forget Am7").last == "error: Am7 is not saved")
    #expect(
      disk.image["guitar"].map { String(decoding: $0, as: UTF8.self) }
        == "tuning D A D G A D\nchord C/G \(third)\nchord C/G 332010\nchord F#m7b5 202210\n")
    let next = try ApplianceRig(host: TestHost(disk: disk))
    #expect(reply(next, to: "chord saved") == ["C/G \(third)", "C/G 332010", "F#m7b5 202210", "ok"])
    #expect(reply(next, to: "chord D5").contains("frets 000200, fingers 000100"))
  }

  @Test("a card that refuses is told, and what was saved before stays")
  func isRefused() throws {
    let rig = try ApplianceRig()
    #expect(reply(rig, to: "chord save Am7") == ["ok"])
    rig.host.disk.fails = { $0 == .replace }
    #expect(reply(rig, to: "chord save C").last?.hasPrefix("error: ") == true)
    rig.host.disk.fails = { _ in false }
    #expect(reply(rig, to: "chord saved") == ["Am7 x02010", "ok"])
    #expect(reply(rig, to: "chord save D") == ["ok"])
    #expect(reply(rig, to: "chord saved") == ["Am7 x02010", "D xx0232", "ok"])
  }

  @Test("while the card stalls a take loses nothing, and the command waits for the card")
  func waitsForTheCard() throws {
    let rig = try ApplianceRig()
    rig.run("record start", milliseconds: 1000)
    rig.stallStorage(nanoseconds: 3_000_000_000)
    #expect(reply(rig, to: "chord save Am7", milliseconds: 2000) == [])
    rig.run(milliseconds: 2000)
    #expect(rig.host.lines.last { !$0.hasPrefix("* ") } == "ok")
    rig.run("record stop", milliseconds: 3000)
    let path = try #require(rig.takePaths.first)
    try TakeAudit(rig, faults: [:], "chord save during a stall").expectRight(try #require(rig.movie(path)), path)
  }

  @Test("the button play taps while the metronome runs, stop ends it, and both are events; else they are the player's")
  func buttons() throws {
    let rig = try ApplianceRig { $0.speaker.deviceName = "hw:0" }
    #expect(reply(rig, to: "metronome 100 3") == ["ok"])
    #expect(reply(rig, to: "metronome") == ["metronome 100 a minute, 3 to a bar", "ok"])
    for _ in 0..<3 { rig.run("press play", milliseconds: 500) }
    let tapped = try #require(rig.announcements("metronome").last)
    let tempo = try #require(tapped.split(separator: " ").dropFirst(2).first.flatMap { Double($0) })
    #expect(abs(tempo - 120) < 3 && tapped.hasSuffix("a minute, 3 to a bar"), "\(tapped)")
    #expect(reply(rig, to: "play").last == "error: the metronome runs: end it with metronome off")
    rig.run("press stop", milliseconds: 200)
    #expect(rig.announcements("metronome off").count == 1)
    rig.run("press play", milliseconds: 200)
    #expect(rig.announcements("there is no complete take").count == 1)
  }

  @Test("without a speaker the metronome says so, and chords are only drawn")
  func withoutSpeaker() throws {
    let rig = try ApplianceRig { $0.speaker.deviceName = nil }
    #expect(reply(rig, to: "metronome 100").last == "error: there is no speaker: set [speaker] device")
    #expect(reply(rig, to: "chord Em").last == "ok")
  }
}
