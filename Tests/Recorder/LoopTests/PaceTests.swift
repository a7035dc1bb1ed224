import Base
import Machine
import TestSupport
import Testing
import Wire

@testable import App

@Suite struct PaceTests {
  /// The loop's wake-ups per second, measured over ten seconds or more.
  private func wakesPerSecond(_ rig: ApplianceRig, seconds: UInt64 = 10) -> Double {
    let before = rig.metrics.wakeCount
    rig.run(milliseconds: seconds * 1_000)
    return Double(rig.metrics.wakeCount - before) / Double(seconds)
  }

  private func soundRig(seed: UInt64 = 1) throws -> ApplianceRig {
    try ApplianceRig(seed: seed, absent: [.camera], adjust: { $0.record.content = .audio })
  }

  @Test("with sound alone the loop wakes ten times a second, and for the workers' answers, armed and during a take")
  func rests() throws {
    let rig = try soundRig()
    rig.run(milliseconds: 2_000)
    let armed = wakesPerSecond(rig, seconds: 60)
    // The thermometer answers once a second.
    #expect(armed <= 11.1, "\(armed)")
    rig.run("press record", milliseconds: 1_000)
    let recording = wakesPerSecond(rig, seconds: 60)
    // And the card's free space is told once a second.
    #expect(recording <= 12.1, "\(recording)")
    #expect(rig.isRecordLit && rig.metrics.missedCount == 0)
  }

  @Test("while microphone and camera are closed the loop wakes less than once a second, and a press is still exact")
  func idles() throws {
    let rig = try ApplianceRig(absent: [.camera]) {
      $0.record.content = .audio
      $0.record.arming = .atPress
    }
    rig.run(milliseconds: 5_000)
    let idle = wakesPerSecond(rig)
    #expect(idle < 1, "\(idle)")
    rig.run("press record", milliseconds: 3_000)
    #expect(rig.isRecordLit && rig.metrics.missedCount == 0)
    rig.run("press record", milliseconds: 10_000)
    #expect(wakesPerSecond(rig) < 1)
  }

  /// A recorder of sound that has played a file for two seconds.
  private func playingRig() throws -> ApplianceRig {
    let host = TestHost()
    host.player.files["music/a.wav"] = ScriptedFile(firstNumber: 1, frameCount: 20 * 48_000)
    let rig = try ApplianceRig(host: host, absent: [.camera], adjust: { $0.record.content = .audio })
    rig.run("prepare music/a.wav", milliseconds: 500)
    rig.run("play", milliseconds: 2_000)
    return rig
  }

  @Test("while a file plays the loop feeds the speaker by quarters of its buffer, and each of its samples is played")
  func feeds() throws {
    let rig = try playingRig()
    let playing = wakesPerSecond(rig)
    // Two wake-ups for each request to the decoder are added.
    #expect((20...45).contains(playing), "\(playing)")
    let player = try #require(try rig.status()["player"] as? [String: Any])
    #expect(player["state"] as? String == "playing" && player["underruns"] as? Int == 0)
  }

  @Test("between two exchanges only the speaker is fed while a file plays")
  func feedsAlone() throws {
    let rig = try playingRig()
    let cell = rig.appliance.loop.services.liveView.cell
    var (shown, changeCount) = (cell.read()?.player.positionMilliseconds, 0)
    for _ in 0..<1_000 {
      rig.run(milliseconds: 5)
      let now = cell.read()?.player.positionMilliseconds
      if now != shown { changeCount += 1 }
      shown = now
    }
    // Every 100 ms, although the speaker is fed every 50.
    #expect((45...55).contains(changeCount), "\(changeCount)")
  }

  @Test("a script that waits lets the loop rest")
  func waits() throws {
    let rig = try soundRig()
    rig.run("wait 20", milliseconds: 2_000)
    let waiting = wakesPerSecond(rig)
    #expect(waiting <= 11, "\(waiting)")
  }

  @Test("with a small buffer of the card the loop looks in time")
  func smallBuffer() throws {
    let rig = try ApplianceRig(absent: [.camera]) {
      $0.record.content = .audio
      $0.audio.bufferMilliseconds = 80
    }
    rig.run("press record", milliseconds: 5_000)
    let wakes = wakesPerSecond(rig)
    #expect(wakes >= 50)
    #expect(try rig.status()["audio_overruns"] as? Int == 0)
  }

  @Test(
    "a press of 35 ms at any moment of the rest begins a take from its contact on",
    arguments: 0...20 as ClosedRange<UInt64>)
  func hearsEveryPress(seed: UInt64) throws {
    let rig = try soundRig(seed: seed)
    rig.run(milliseconds: 2_000 + seed * 5)
    let contact = rig.now + 3_000_000
    rig.appliance.loop.machine.buttons.device.inject(.record, from: contact, to: contact + 35_000_000)
    rig.run(milliseconds: 100)
    #expect(rig.isRecordLit)
    let pressed = rig.appliance.loop.services.panel.recognizers[Int(Button.record.rawValue)].pressedAt
    #expect(try #require(pressed).distance(since: contact) <= 15_000_000)
  }

  @Test("what is typed while the loop rests is answered at once")
  func hearsWhatIsTyped() throws {
    let rig = try soundRig()
    rig.run(milliseconds: 3_030)
    rig.run("version", milliseconds: 15)
    #expect(rig.host.lines.suffix(2) == ["fieldcorder test", "ok"])
  }
}
