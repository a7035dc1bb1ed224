import Base
import Configuration
import Machine
import TestSupport
import Testing

@testable import App

/// `config KEY VALUE` on the whole appliance, and its effect.
@Suite struct ConfigChangeTests {
  /// The lines printed while a command runs, without events.
  private func said(_ rig: ApplianceRig, _ command: String, milliseconds: UInt64 = 300) -> [String] {
    let start = rig.host.lines.count
    rig.run(command, milliseconds: milliseconds)
    return rig.host.lines[start...].filter { !$0.hasPrefix("* ") }
  }

  private func rig(_ disk: MemoryDisk = MemoryDisk(), adjust: (inout Settings) -> Void = { _ in }) throws
    -> ApplianceRig
  {
    let rig = try ApplianceRig(host: TestHost(disk: disk), adjust: adjust)
    rig.run(milliseconds: 500)
    return rig
  }

  private func saved(_ rig: ApplianceRig) -> String? {
    rig.host.disk.image["settings"].map { String(decoding: $0, as: UTF8.self) }
  }

  private static let question = "config confirm, or config save, within 60 s: or the old value returns"

  @Test(
    "A change says what was before, and when it is in force",
    arguments: [
      ("player.volume 0.25", "[player] volume = 0.25, 1 before: in force now"),
      ("volume 0.25", "[player] volume = 0.25, 1 before: in force now"),
      ("heat.hot_celsius 90", "[heat] hot_celsius = 90, 82 before: in force now"),
      ("record.split_seconds 300", "[record] split_seconds = 300, 0 before: in force from the next take on"),
      ("record.what audio", "[record] what = audio, video before: in force from the next take on"),
      ("tone.level_dbfs -30", "[tone] level_dbfs = -30, -18 before: in force now"),
      ("power.wifi off", "[power] wifi = off, unchanged before: in force now"),
      ("retention.days 7", "[retention] days = 7, 0 before: in force once it is confirmed"),
      ("video.quality 50", "[video] quality = 50, 85 before: in force after a restart, once it is saved"),
      (
        "clock.utc_offset Asia/Seoul",
        "[clock] utc_offset = Asia/Seoul, +00:00 before: in force after a restart, once it is saved"
      ),
    ])
  func tells(words: String, line: String) throws {
    #expect(said(try rig(), "config " + words) == [line, Self.question, "ok"])
  }

  @Test("default is what a key is without a configuration file, and what needs a restart is confirmed by config save")
  func defaultsAndRestarts() throws {
    let rig = try rig { $0.record.prerollSeconds = 9 }
    #expect(
      said(rig, "config record.preroll_seconds default").first
        == "[record] preroll_seconds = 5, 9 before: in force after a restart, once it is saved")
    #expect(
      said(rig, "config confirm") == [
        "it is in force after a restart, and a restart forgets it: type config save", "ok",
      ])
    #expect(
      said(rig, "config player.volume 0.5 speaker.device default").first?.hasPrefix("[player] volume = 0.5") == true)
    #expect(said(rig, "config confirm") == ["it stays until the next start; config save keeps it longer", "ok"])
    #expect(said(rig, "config player.volume default").first == "[player] volume = 1, 0.5 before: in force now")
  }

  @Test(
    "What a configuration file would not have is refused in its words, and nothing is changed",
    arguments: [
      ("record.preroll_seconds 99", "config: [record] preroll_seconds = 99: expected 0…60 (seconds)"),
      ("record.preroll_seconds 0.3", "config: [record] preroll_seconds = 0.3: expected 0…60 (seconds), a whole number"),
      (
        "player.volume loud",
        "config: [player] volume = loud: expected 0…1, with at most 7 decimals (of the file's own volume)"
      ),
      ("recrod.arm boot", "config: [recrod]: there is no such section: did you mean record? expected one of record"),
      (
        "record.prerol_seconds 3",
        "config: [record] prerol_seconds: there is no such key: did you mean preroll_seconds?"
      ),
      ("buttons.play 5", "config: [buttons] prepare and [buttons] play are both line 5 of /dev/gpiochip0"),
      (
        "heat.warm_celsius 90", "config: [heat] hot_celsius and warm_celsius: expected hot_celsius to be the higher one"
      ),
      ("view.x 3 player.volume 2", "config: [player] volume = 2: expected 0…1"),
      ("view.x 3 view.y", "config also needs a value for view.y"),
      ("nothing 3", "there is no setting nothing: config lists all"),
      ("channels 1", "there are several channels: name one, such as audio.channels"),
      ("monitor.port 80", "config: [monitor] port is for another program: set it in the configuration file"),
    ])
  func refuses(words: String, error: String) throws {
    let rig = try rig()
    let before = said(rig, "config", milliseconds: 2_000)
    let replies = said(rig, "config " + words)
    #expect(replies.count == 1 && replies[0].hasPrefix("error: " + error), "\(replies)")
    #expect(said(rig, "config", milliseconds: 2_000) == before)
    #expect(said(rig, "config confirm") == ["error: there is nothing to confirm"])
  }

  @Test("Two settings that go only together are set together")
  func setsTogether() throws {
    let rig = try rig { $0.heat.hotCelsius = 80 }
    #expect(said(rig, "config heat.warm_celsius 90")[0].hasPrefix("error: config: [heat]"))
    #expect(said(rig, "config heat.warm_celsius 90 heat.hot_celsius 95").last == "ok")
    #expect(
      said(rig, "config heat") == [
        "[heat]", "warm_celsius = 90 ; not confirmed", "hot_celsius = 95 ; not confirmed", "ok",
      ])
  }

  @Test("What is not confirmed within a minute comes back, and what was applied with it; a confirmed change stays")
  func comesBack() throws {
    let rig = try rig()
    _ = said(rig, "config player.volume 0.25 video.quality 50")
    #expect(said(rig, "volume") == ["volume 0.250", "ok"])
    rig.run(milliseconds: 59_000)
    #expect(said(rig, "volume") == ["volume 0.250", "ok"])
    rig.run(milliseconds: 1_000)
    #expect(
      rig.announcements("again") == [
        "* [video] quality = 85 again: it was not confirmed", "* [player] volume = 1 again: it was not confirmed",
      ])
    #expect(said(rig, "volume").first == "volume 1.000")
    _ = said(rig, "config player.volume 0.25\nconfig confirm")
    rig.run(milliseconds: 120_000)
    #expect(said(rig, "volume") == ["volume 0.250", "ok"])
    #expect(said(rig, "config volume") == ["[player]", "volume = 0.25 ; not saved", "ok"])
  }

  @Test("Another change gives all a minute again, and config revert takes back only what is not confirmed")
  func reverts() throws {
    let rig = try rig()
    _ = said(rig, "config view.x 1\nconfig confirm\nconfig view.y 2")
    rig.run(milliseconds: 50_000)
    _ = said(rig, "config view.width 300")
    rig.run(milliseconds: 50_000)
    #expect(rig.announcements("again").isEmpty)
    #expect(said(rig, "config revert") == ["reverted: [view] y = 0", "reverted: [view] width = 0", "ok"])
    #expect(said(rig, "config x") == ["[view]", "x = 1 ; not saved", "ok"])
    #expect(said(rig, "config revert") == ["error: there is nothing to revert: confirmed values stay"])
  }

  @Test("What is not confirmed comes back at once when the console's line is lost")
  func comesBackWithoutLine() throws {
    let rig = try rig()
    _ = said(rig, "config player.volume 0.5\nconfig confirm\nconfig player.volume 0.25")
    rig.begin(.absent, of: .console, nanoseconds: 100_000_000)
    rig.run(milliseconds: 200)
    #expect(
      said(rig, "events 5").contains { $0.hasSuffix("[player] volume = 0.5 again: the console was disconnected") })
    #expect(said(rig, "volume").first == "volume 0.500")
  }

  @Test("What was saved is what differs from the configuration file, is marked so, and is gone when it is set back")
  func saves() throws {
    let rig = try rig()
    _ = said(rig, "config view.x 3 view.y 4 video.quality 50")
    #expect(said(rig, "config save", milliseconds: 1_000) == ["saved: the next start begins with it", "ok"])
    #expect(saved(rig) == "[video]\nquality = 50\n[view]\nx = 3\ny = 4\n")
    #expect(said(rig, "config confirm") == ["error: there is nothing to confirm"])
    #expect(said(rig, "config view.x") == ["[view]", "x = 3 ; saved", "ok"])
    #expect(said(rig, "config photo.quality") == ["[photo]", "quality = 95", "ok"])
    #expect(said(rig, "config video.quality") == ["[video]", "quality = 50 ; saved, after a restart", "ok"])
    rig.run(milliseconds: 100_000)
    #expect(rig.announcements("again").isEmpty)
    _ = said(rig, "config view.x 0 view.y 0 video.quality 85\nconfig save", milliseconds: 1_000)
    #expect(saved(rig) == "")
  }

  @Test("A card that does not take it is told, and what was set stays until the next start")
  func tellsFailure() throws {
    let rig = try rig()
    rig.begin(.failing, of: .storage, nanoseconds: 2_000_000_000)
    _ = said(rig, "config view.x 3")
    let replies = said(rig, "config save", milliseconds: 1_000)
    #expect(replies.last?.hasPrefix("error: ") == true)
    #expect(said(rig, "config view.x", milliseconds: 70_000) == ["[view]", "x = 3 ; not saved", "ok"])
    #expect(said(rig, "config save", milliseconds: 1_000).last == "ok")
    #expect(saved(rig) == "[view]\nx = 3\n")
  }

  @Test("A take keeps how it was begun: a change of when files are split waits for the next")
  func leavesTakeAlone() throws {
    let rig = try rig()
    rig.run("record start", milliseconds: 3_000)
    #expect(said(rig, "config record.split_seconds 5\nconfig confirm").last == "ok")
    rig.run(milliseconds: 20_000)
    #expect(rig.takePaths.count == 1)
    rig.run("record stop", milliseconds: 5_000)
    rig.run("record start", milliseconds: 20_000)
    rig.run("config record.split_seconds 0\nconfig confirm", milliseconds: 10_000)
    rig.run("record stop", milliseconds: 5_000)
    #expect(rig.takePaths.count >= 6)
    let before = rig.takePaths.count
    rig.run("record start", milliseconds: 20_000)
    rig.run("record stop", milliseconds: 5_000)
    #expect(rig.takePaths.count == before + 1)
  }

  @Test("A change of what a rotation does waits for the next take, too", arguments: [false, true])
  func leavesRotationAlone(splits: Bool) throws {
    let rig = try rig { $0.record.split.isOnRotate = splits }
    rig.run("record start", milliseconds: 8_000)
    _ = said(rig, "config record.split_on_rotate \(splits ? "no" : "yes")\nconfig confirm")
    rig.run("rotate portrait", milliseconds: 5_000)
    rig.run("record stop", milliseconds: 5_000)
    #expect(rig.takePaths.count == (splits ? 2 : 1))
    rig.run("rotate landscape-left", milliseconds: 8_000)
    rig.run("record start", milliseconds: 8_000)
    rig.run("rotate portrait", milliseconds: 5_000)
    rig.run("record stop", milliseconds: 5_000)
    #expect(rig.takePaths.count == 3)
  }

  @Test("The next take is of sound alone, in the file that was asked for; the one after it has pictures again")
  func changesWhatTakesHold() throws {
    let rig = try rig()
    rig.run("record start", milliseconds: 2_000)
    _ = said(rig, "config record.what audio record.audio_format caf\nconfig confirm")
    rig.run(milliseconds: 2_000)
    rig.run("record stop", milliseconds: 2_000)
    // Longer than the picture ring, which nobody retains meanwhile.
    rig.run("record start", milliseconds: 30_000)
    rig.run("record stop", milliseconds: 2_000)
    _ = said(rig, "config record.what video\nconfig confirm")
    rig.run("record start", milliseconds: 2_000)
    rig.run("record stop", milliseconds: 2_000)
    #expect(rig.takePaths.map { String($0.prefix(6) + $0.suffix(4)) } == ["video/.mov", "audio/.caf", "video/.mov"])
    #expect(try rig.status()["dropped_video_frames"] as? Int == 0)
    let last = try #require(rig.takePaths.last.flatMap { rig.movie($0) })
    #expect(last.pictures.count > 60)
  }

  @Test("The next take is measured, or no longer, and its seal holds; the timecode's channel does not count")
  func changesWhetherLoudnessIsMeasured() throws {
    let rig = try rig { $0.record.content = .audio }
    for change in ["record.loudness yes", "timecode.input 1", "record.loudness no timecode.input off"] {
      rig.run("record start", milliseconds: 2_000)
      _ = said(rig, "config \(change)\nconfig confirm")
      rig.run("record stop", milliseconds: 2_000)
    }
    rig.run("record start", milliseconds: 2_000)
    rig.run("record stop", milliseconds: 2_000)
    let counts = rig.takePaths.map { path in
      ledgerLines(rig.host.disk.image[path] ?? []).count { $0.contains("Z loudness: ") }
    }
    #expect(counts == [0, 1, 0, 0])
    let verdicts = rig.takePaths.map { said(rig, "verify \($0)", milliseconds: 3_000).joined() }
    #expect(verdicts.allSatisfy { $0.contains(" is whole: ") }, "\(verdicts)")
  }

  @Test("Without memory for pictures they need a restart, and takes stay sound alone until then")
  func waitsForPictures() throws {
    let rig = try rig { $0.record.content = .audio }
    #expect(
      said(rig, "config record.what video").first
        == "[record] what = video, audio before: in force after a restart, once it is saved")
    #expect(said(rig, "config what") == ["[record]", "what = video ; not confirmed, after a restart", "ok"])
    rig.run("record start", milliseconds: 2_000)
    rig.run("record stop", milliseconds: 2_000)
    #expect(rig.takePaths.map { $0.suffix(4) } == [".wav"])
  }

  @Test("Tones that sound change with the configuration, but not one that was asked for with numbers")
  func changesTones() throws {
    let rig = try rig()
    _ = said(rig, "tone on\nconfig tone.level_dbfs -30")
    #expect(said(rig, "tone") == ["tone 880.00 Hz, -30.0 dBFS", "ok"])
    _ = said(rig, "tone off\nstandby on\nconfig tone.standby_hz 440")
    #expect(said(rig, "tone") == ["tone 440.00 Hz, -50.0 dBFS", "ok"])
    _ = said(rig, "standby off\ntone 1000 -20\nconfig tone.level_dbfs -40")
    #expect(said(rig, "tone") == ["tone 1000.00 Hz, -20.0 dBFS", "ok"])
  }

  @Test("Nothing is removed for a rule that nobody has confirmed")
  func removesNothingOnTrial() throws {
    let disk = MemoryDisk()
    let old = try rig(disk)
    old.run("record start", milliseconds: 3_000)
    #expect(old.quit())
    let path = try #require(old.takePaths.first)
    let rig = try ApplianceRig(
      host: TestHost(disk: disk), wallClock: SimWallClock(.off(seconds: 30 * 86_400)))
    rig.run(milliseconds: 5_000)
    _ = said(rig, "config retention.days 7")
    rig.run(milliseconds: 200_000)
    #expect(rig.announcements("[retention] days = 0 again").count == 1)
    #expect(disk.image[path] != nil)
    _ = said(rig, "config retention.days 7\nconfig confirm")
    rig.run(milliseconds: 200_000)
    #expect(disk.image[path] == nil)
  }

  @Test("What is too old by a rule that was just confirmed goes on the same day")
  func removesOnTheSameDay() throws {
    let disk = MemoryDisk()
    let old = try rig(disk)
    old.run("record start", milliseconds: 3_000)
    #expect(old.quit())
    let path = try #require(old.takePaths.first)
    let rig = try ApplianceRig(
      host: TestHost(disk: disk), wallClock: SimWallClock(.off(seconds: 30 * 86_400))
    ) { $0.retention.days = 60 }
    rig.run(milliseconds: 200_000)
    #expect(disk.image[path] != nil)
    _ = said(rig, "config retention.days 7\nconfig confirm")
    rig.run(milliseconds: 200_000)
    #expect(disk.image[path] == nil)
  }

  @Test("What is in force now is seen: the tone, the coordinates, the clock and the heat")
  func appliesNow() throws {
    let rig = try ApplianceRig(localTime: .offset(seconds: 9 * 3600))
    rig.run(milliseconds: 500)
    #expect(said(rig, "viewfinder").first?.hasSuffix("of 64 x 48") == true)
    _ = said(rig, "config view.width 1000 view.height 500")
    #expect(said(rig, "viewfinder").first?.hasSuffix("of 1000 x 500") == true)
    _ = said(rig, "config tone.frequency_hz 440\ntone on")
    #expect(said(rig, "tone").first?.contains("440") == true)
    #expect(said(rig, "clock hangul line").first?.hasPrefix("오전 아홉 시") == true)
    _ = said(rig, "config clock.meridiem no")
    #expect(said(rig, "clock hangul line").first?.hasPrefix("아홉 시") == true)
    rig.heat(70)
    rig.run(milliseconds: 30_000)
    #expect(rig.announcements("the live view is off").isEmpty)
    _ = said(rig, "config heat.warm_celsius 60\nconfig confirm")
    rig.run(milliseconds: 30_000)
    #expect(rig.announcements("the live view is off").count == 1)
  }
}
