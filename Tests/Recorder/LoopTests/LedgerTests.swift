import Base
import Machine
import TestSupport
import Testing

@testable import App

/// What the whole appliance writes into the ledger of a take, and how marks are set.
@Suite struct LedgerTests {
  private func recordingRig(_ adjust: (ApplianceRig) -> Void = { _ in }) throws -> ApplianceRig {
    let rig = try ApplianceRig(microphonePartsPerMillion: 150)
    rig.run(milliseconds: 6_000)
    rig.run("press record", milliseconds: 2_000)
    return rig
  }

  /// Ends the only take, and returns its ledger.
  private func lines(_ rig: ApplianceRig) throws -> [String] {
    rig.run("record stop", milliseconds: 1_000)
    return ledgerLines(try #require(rig.host.disk.image[rig.takePaths[0]]))
  }

  /// The time in the take, in seconds, of the only line that ends with `text`.
  private func seconds(_ lines: [String], _ text: String) throws -> Double {
    let found = lines.filter { $0.hasSuffix(text) }
    try #require(found.count == 1, "\(text): \(lines)")
    let words = found[0].split(separator: " ")
    let frame = try #require(Double(words[2]))
    let clock = words[0].split(separator: ":").reduce(0.0) { $0 * 60 + Double($1)! }
    #expect(abs(clock - frame / 8_000) < 0.002)
    return frame / 8_000
  }

  @Test("mark and the button stop set marks, the command with a text; the player's button pauses while it plays")
  func marks() throws {
    let rig = try recordingRig()
    rig.run("mark", milliseconds: 500)
    rig.run("mark \"an owl\"", milliseconds: 500)
    rig.run("press stop", milliseconds: 500)
    let lines = try lines(rig)
    let places = lines.filter { $0.contains(" mark") }.map {
      $0.split(separator: "Z ", maxSplits: 1).last.map(String.init)
    }
    #expect(places == ["mark", "mark: an owl", "mark"])
    // The take began five seconds before the press.
    #expect(abs(try seconds(lines, "mark: an owl") - 7.5) < 0.1)
    #expect(rig.host.lines.contains { $0.hasPrefix("mark 7.5 s into the take: an owl") })
    #expect(rig.announcements("mark 8.0 s into the take").count == 1)
    rig.run("mark", milliseconds: 100)
    #expect(rig.host.lines.last == "error: no take is being recorded")
  }

  @Test("a mark at the instant at which its take ends is kept")
  func marksTheEnd() throws {
    let rig = try recordingRig()
    rig.host.type("mark the end\nrecord stop\n")
    rig.run(milliseconds: 3_000)
    let lines = ledgerLines(try #require(rig.host.disk.image[rig.takePaths[0]]))
    #expect(lines.contains { $0.hasSuffix(" mark: the end") }, "\(lines)")
  }

  @Test("slate beeps, and marks the beep; without a take, a speaker or its answer there is neither")
  func slate() throws {
    let rig = try recordingRig()
    rig.run("slate scene 3", milliseconds: 500)
    #expect(rig.host.lines.last == "ok")
    rig.begin(.absent, of: .speaker)
    rig.run("slate", milliseconds: 2_500)
    #expect(rig.host.lines.last == "error: the speaker does not answer: no beep, and no mark")
    let lines = try lines(rig)
    #expect(lines.filter { $0.contains("slate") }.count == 1)
    // The take began five seconds before the press; the simulated speaker holds 20 ms when it begins.
    #expect(abs(try seconds(lines, "mark: slate scene 3") - 7.02) < 0.05)
    rig.run("slate", milliseconds: 100)
    #expect(rig.host.lines.last == "error: no take is being recorded")
    let mute = try ApplianceRig { $0.speaker.deviceName = nil }
    mute.run("press record", milliseconds: 1_000)
    mute.run("slate", milliseconds: 100)
    #expect(mute.host.lines.last == "error: there is no speaker: set [speaker] device")
  }

  @Test("while the player plays, stop pauses it in a take as well, and sets no mark")
  func playing() throws {
    let host = TestHost()
    host.player.files["music/a.wav"] = ScriptedFile(firstNumber: 1, frameCount: 480_000)
    let rig = try ApplianceRig(host: host)
    rig.run("play music/a.wav", milliseconds: 10)
    rig.run("prepare music/a.wav", milliseconds: 200)
    rig.run("play", milliseconds: 300)
    rig.run("press record", milliseconds: 1_000)
    rig.run("press stop", milliseconds: 500)
    let player = try #require(try rig.status()["player"] as? [String: Any])
    #expect(player["state"] as? String == "paused")
    rig.run("press stop", milliseconds: 500)
    #expect(try lines(rig).filter { $0.contains(" mark") }.count == 1)
  }

  @Test("losses, lost devices, turns, the measured rate and the reason for the end stand in the take")
  func entries() throws {
    let rig = try recordingRig()
    rig.begin(.losing, of: .microphone, nanoseconds: 300_000_000)
    rig.run(milliseconds: 2_000)
    rig.begin(.absent, of: .camera, nanoseconds: 1_500_000_000)
    rig.run(milliseconds: 4_000)
    rig.begin(.absent, of: .microphone, nanoseconds: 1_500_000_000)
    rig.run(milliseconds: 4_000)
    rig.run("rotate portrait", milliseconds: 500)
    let lines = try lines(rig)
    #expect(
      lines.contains { $0.contains(" overrun: ") && $0.hasSuffix(" frames of sound are lost, silence stands for them") }
    )
    let lost = try seconds(lines, " camera lost")
    let back = try seconds(lines, " camera works again")
    #expect(lost < back && back < lost + 4)
    #expect(try seconds(lines, " microphone lost: silence from here on") > back)
    #expect(try seconds(lines, " microphone works again") < 20)
    #expect(try seconds(lines, " turned to portrait") > 15)
    // The microphone's crystal is 150 parts per million fast.
    let numbers = lines[1].split(separator: " ").compactMap { Double($0) }
    #expect(lines[1].hasPrefix("sample rate ") && numbers.count == 2, "\(lines[1])")
    #expect(abs(numbers[1] - 150) < 40 && abs(numbers[0] - 8_000 * (1 + numbers[1] / 1e6)) < 0.001, "\(lines[1])")
    #expect(lines.last == "ended: stopped")
  }

  @Test("where the recorder is stands in a take, if that is configured")
  func place() throws {
    let rig = try ApplianceRig {
      $0.schedule.latitude = -47.377
      $0.schedule.longitude = 8.542
    }
    rig.run(milliseconds: 1_000)
    rig.run("press record", milliseconds: 1_000)
    #expect(try lines(rig).contains { $0.hasSuffix("Z position: -47.37700 8.54200") })
  }

  @Test("a stall of the card stands in the ledger once it is over, and so does the end of the recorder")
  func stall() throws {
    let rig = try recordingRig()
    rig.stallStorage(nanoseconds: 3_000_000_000)
    rig.run(milliseconds: 5_000)
    #expect(rig.quit())
    let lines = ledgerLines(try #require(rig.host.disk.image[rig.takePaths[0]]))
    #expect(lines.contains { $0.contains(" stall: the card has not answered for ") })
    #expect(try seconds(lines, " stall over: the card answers again") < 12)
    #expect(lines.last == "ended: stopped because the recorder was told to end")
  }

  @Test("a loss just before a split is in the ledger of its own file, and an event tells it")
  func lossesBeforeASplit() throws {
    let rig = try ApplianceRig { settings in
      settings.record.prerollSeconds = 1
      settings.record.split.seconds = 5
    }
    rig.run(milliseconds: 3_000)
    rig.run("press record", milliseconds: 3_200)
    rig.begin(.losing, of: .microphone, nanoseconds: 200_000_000)
    rig.run(milliseconds: 4_000)
    rig.run("press record", milliseconds: 2_000)
    let ledgers = rig.takePaths.map { ledgerLines(rig.host.disk.image[$0] ?? []) }
    #expect(ledgers.count == 2)
    #expect(ledgers.map { $0.count { $0.contains(" overrun: ") } } == [1, 0], "\(ledgers)")
    #expect(!ledgers[0].contains { $0.hasSuffix("in the file before") })
    let told = rig.announcements(" s of sound are lost, from 4.")
    #expect(told.count == 1, "\(rig.announcements("lost"))")
  }

  @Test("losses of the last second before a split are in the ledger of their own file")
  func lossesUntilASplit() throws {
    let rig = try ApplianceRig { settings in
      settings.record.prerollSeconds = 1
      settings.record.split.seconds = 5
    }
    rig.run(milliseconds: 3_000)
    // The first loss is told at once, and the next would wait for a second.
    for milliseconds in [2_800, 700] as [UInt64] {
      rig.run(milliseconds == 2_800 ? "press record" : "", milliseconds: milliseconds)
      rig.begin(.losing, of: .microphone, nanoseconds: 100_000_000)
    }
    rig.run(milliseconds: 4_000)
    rig.run("press record", milliseconds: 2_000)
    let ledgers = rig.takePaths.map { ledgerLines(rig.host.disk.image[$0] ?? []) }
    #expect(ledgers.count == 2)
    #expect(ledgers[0].count { $0.contains(" overrun: ") } == 2, "\(ledgers[0])")
    #expect(!ledgers[1].contains { $0.contains(" overrun: ") }, "\(ledgers[1])")
  }
}
