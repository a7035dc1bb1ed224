import Base
import Configuration
import Foundation
import Kit
import Machine
import Record
import TestSupport
import Testing

@testable import App

/// `selftest`
@Suite struct SelfTestTests {
  static let quickDevices = ["buttons", "leds", "accelerometer", "camera", "clock", "microphone", "memory"]
  static let echo = SimEcho(milliseconds: 12, decibels: -12)

  static func armedRig(
    seed: UInt64 = 1, host: TestHost = TestHost(), pixelFormat: PixelFormat = .mjpeg, scene: FrameSize? = nil,
    wallClock: SimWallClock = SimWallClock(), echo: SimEcho? = echo, adjust: (inout Settings) -> Void = { _ in },
    onBoard: (inout SimSettings) -> Void = { _ in }
  ) throws -> ApplianceRig {
    let rig = try ApplianceRig(
      seed: seed, host: host, pixelFormat: pixelFormat, scene: scene, wallClock: wallClock, adjust: adjust
    ) { board in
      board.echo = echo
      onBoard(&board)
    }
    rig.run(milliseconds: 3_000)
    return rig
  }

  /// Types a test and waits for its end, for at most a minute.
  static func reply(_ rig: ApplianceRig, _ command: String) -> [String] {
    let count = rig.host.lines.count
    let end = rig.now + 60_000_000_000
    rig.host.type(command + "\n")
    var lines: [String] = []
    while rig.now < end, lines.last != "ok", lines.last?.hasPrefix("error: ") != true {
      rig.run(milliseconds: 20)
      lines = rig.host.lines.dropFirst(count).filter { !$0.hasPrefix("* ") }
    }
    return lines
  }

  /// The verdict of each device's test, from its line; the last line is about all of them.
  static func verdicts(_ lines: [String]) -> [String: String] {
    lines.filter { !$0.hasPrefix("verdict ") }.reduce(into: [:]) { verdicts, line in
      let words = line.split(separator: " ")
      if line.first != " ", line.dropFirst(14).first == " ", words.count >= 2 {
        verdicts[String(words[0])] = String(words[1])
      }
    }
  }

  /// The tests of `selftest json`, by device.
  static func tests(_ lines: [String]) throws -> [String: [String: Any]] {
    #expect(lines.count == 2 && lines.last == "ok", "\(lines)")
    let object = try JSONSerialization.jsonObject(with: Data((lines.first ?? "").utf8)) as? [String: Any]
    let tests = try #require(object?["tests"] as? [[String: Any]])
    let worst = ["absent", "skipped", "pass", "look", "tight", "fail"].last { verdict in
      tests.contains { $0["verdict"] as? String == verdict }
    }
    #expect(object?["verdict"] as? String == worst)
    #expect(object?["left_out"] == nil)
    return Dictionary(uniqueKeysWithValues: tests.map { ($0["device"] as? String ?? "", $0) })
  }

  @Test("a device that is well passes in each of its parts, within a minute of its own time")
  func well() throws {
    let rig = try Self.armedRig()
    let start = rig.now
    let lines = Self.reply(rig, "selftest")
    #expect(lines.last == "ok")
    #expect(rig.now - start < 60_000_000_000)
    var verdicts = Self.verdicts(lines)
    // Not every machine lets a test lock its memory.
    #expect(verdicts.removeValue(forKey: "memory") != nil)
    #expect(
      verdicts == [
        "buttons": "pass", "leds": "look", "accelerometer": "pass", "camera": "pass", "clock": "pass",
        "microphone": "pass", "speaker": "pass", "card": "pass",
      ], "\(lines)")
    // Only a person can tell whether the LEDs shine.
    let worst = Self.verdicts(lines)["memory"] == "tight" ? "tight    memory" : "look     leds"
    #expect(lines.suffix(2).first == "verdict        \(worst)")
    #expect(rig.host.disk.image["selftest.new"] == nil)
    #expect(!rig.isRecordLit && !rig.isFaultLit)
  }

  @Test("quick takes 3 s, without a sound and without writing")
  func quick() throws {
    let rig = try Self.armedRig()
    let (start, writes) = (rig.now, rig.host.disk.operations.count)
    let lines = Self.reply(rig, "selftest quick")
    #expect(rig.now - start < 3_000_000_000)
    #expect(lines.last == "ok")
    #expect(Self.verdicts(lines).keys.sorted() == Self.quickDevices.sorted())
    #expect(rig.host.disk.operations.count == writes)
    #expect(try !rig.appliance.loop.machine.speaker.device.look().isRunning)
  }

  @Test("as JSON it has the figures of each device", arguments: ["selftest json", "selftest quick json"])
  func json(command: String) throws {
    let rig = try Self.armedRig()
    let tests = try Self.tests(Self.reply(rig, command))
    #expect(
      tests.keys.sorted() == (Self.quickDevices + (command.contains("quick") ? [] : ["speaker", "card"])).sorted())
    #expect(tests["camera"]?["agreed_frames_per_second"] as? Double == 25)
    let gravity = try #require(tests["accelerometer"]?["length_g"] as? Double)
    #expect((gravity - 1).magnitude < 0.03)
    let noise = try #require(tests["microphone"]?["noise_dbfs"] as? Double)
    // Uniform noise of ±1/1024.
    #expect((noise + 64.98).magnitude < 0.5)
    #expect(tests["memory"]?["heap_calls"] as? Int == 0)
    #expect(tests["clock"]?["source"] as? String == "synchronised")
    guard !command.contains("quick") else { return }
    #expect(tests["card"]?["fragments"] as? Int == 60)
    #expect(tests["card"]?["bridged_seconds"] as? Int == 5)
  }

  @Test("the card alone as JSON")
  func cardAsJSON() throws {
    let rig = try Self.armedRig()
    let tests = try Self.tests(Self.reply(rig, "selftest card json"))
    #expect(tests.keys.sorted() == ["card"])
    #expect(tests["card"]?["verdict"] as? String == "pass")
  }

  @Test(
    "the speaker's delay and level are those of the air between it and the microphone",
    arguments: [(0, -6.0), (12, -12.0), (150, -20.0), (400, 0.0)] as [(UInt32, Double)])
  func way(milliseconds: UInt32, decibels: Double) throws {
    let rig = try Self.armedRig(echo: SimEcho(milliseconds: milliseconds, decibels: decibels))
    let speaker = try #require(try Self.tests(Self.reply(rig, "selftest json"))["speaker"])
    #expect(speaker["verdict"] as? String == "pass", "\(speaker)")
    let delay = try #require(speaker["delay_ms"] as? Double)
    #expect((delay - Double(milliseconds)).magnitude <= 0.5)
    // A chirp has a peak of -6 dBFS.
    let level = try #require(speaker["level_dbfs"] as? Double)
    #expect((level - decibels + 6.02).magnitude < 0.7)
  }

  @Test(
    "the quieter the speaker, the worse: tight, and then not heard at all",
    arguments: [(-12.0, "pass"), (-66.0, "tight"), (-76.0, "fail"), (nil, "fail")] as [(Double?, String)])
  func quietSpeaker(decibels: Double?, verdict: String) throws {
    let rig = try Self.armedRig(echo: decibels.map { SimEcho(milliseconds: 12, decibels: $0) })
    let lines = Self.reply(rig, "selftest json")
    let speaker = try #require(try Self.tests(lines)["speaker"])
    #expect(speaker["verdict"] as? String == verdict, "\(speaker)")
    #expect((speaker["remedy"] as? String)?.contains("raise volume") == (verdict == "pass" ? nil : true))
  }

  @Test("a speaker that is not there, that is off, or that plays a file is told as such")
  func noSpeaker() throws {
    let rig = try Self.armedRig()
    rig.begin(.absent, of: .speaker)
    #expect(Self.verdicts(Self.reply(rig, "selftest"))["speaker"] == "fail")
    rig.endFaults(of: .speaker)
    rig.run("volume 0\nwait 1", milliseconds: 1_100)
    #expect(Self.verdicts(Self.reply(rig, "selftest"))["speaker"] == "fail")
    let other = try Self.armedRig(adjust: { $0.speaker.deviceName = nil })
    #expect(Self.verdicts(Self.reply(other, "selftest"))["speaker"] == "absent")
  }

  @Test(
    "a microphone that is dead, all noise, or gone fails; one of which every sample clips, too",
    arguments: [(.dead, "fail"), (.corrupt, "fail"), (.absent, "fail"), (.clipping, "fail")]
      as [(Fault.Kind, String)])
  func microphone(kind: Fault.Kind, verdict: String) throws {
    let rig = try Self.armedRig()
    rig.begin(kind, of: .microphone)
    rig.run(milliseconds: 1_500)
    let lines = Self.reply(rig, "selftest quick")
    #expect(Self.verdicts(lines)["microphone"] == verdict, "\(lines)")
  }

  @Test("a microphone whose gain is far too high is tight")
  func loud() throws {
    let rig = try Self.armedRig()
    rig.appliance.loop.machine.simulatedWorld!.gainDoublings = 6
    rig.run(milliseconds: 1_000)
    let microphone = try #require(try Self.tests(Self.reply(rig, "selftest quick json"))["microphone"])
    #expect(microphone["verdict"] as? String == "tight")
    #expect((microphone["reason"] as? String)?.contains("loud") == true)
  }

  @Test("what a survey tells is judged, and the worst channel named")
  func survey() {
    func verdict(_ change: (inout SoundSurvey) -> Void) -> TestVerdict {
      var survey = SoundSurvey(channelCount: 2, seconds: 1)
      for channel in 0..<2 {
        survey[channel].noise = 0.001
        survey[channel].peak = 0.1
      }
      survey[0].isLikeFirst = true
      change(&survey)
      return MicrophoneTest(survey: survey).result.verdict
    }
    #expect(verdict { _ in } == .pass)
    #expect(verdict { $0[1].isLikeFirst = true } == .tight)
    #expect(verdict { $0[1].isConstant = true } == .fail)
    #expect(verdict { $0[0].offset = 0.009 } == .pass)
    #expect(verdict { $0[0].offset = -0.011 } == .tight)
    #expect(verdict { $0[1].offset = -0.11 } == .fail)
    #expect(verdict { $0[1].noise = 0.05 } == .tight)
    #expect(verdict { $0[1].noise = 0.6 } == .fail)
    #expect(verdict { $0[1].peak = 1 } == .tight)
    #expect(verdict { ($0[0].peak, $0[1].isConstant) = (1, true) } == .fail)
  }

  @Test(
    "a camera that is black, that repeats itself or that is gone fails, as soon as it is so for a look",
    arguments: [.black, .frozen, .absent, .stalled] as [Fault.Kind])
  func camera(kind: Fault.Kind) throws {
    let rig = try Self.armedRig(pixelFormat: .yuv420, scene: FrameSize(widthPixels: 160, heightPixels: 120))
    #expect(Self.verdicts(Self.reply(rig, "selftest quick"))["camera"] == "pass")
    rig.begin(kind, of: .camera)
    #expect(Self.verdicts(Self.reply(rig, "selftest quick"))["camera"] == "fail")
    rig.endFaults(of: .camera)
    rig.run(milliseconds: 4_000)
    #expect(Self.verdicts(Self.reply(rig, "selftest quick"))["camera"] == "pass")
  }

  @Test("a camera's rate is judged by what was agreed, and by half of it in the heat")
  func rate() {
    func verdict(_ count: Double, leavesOut: Bool = false) -> TestVerdict {
      CameraTest.judge(count: count, expected: 60, nil, leavesOut: leavesOut).0
    }
    #expect([60, 56, 66].map { verdict($0) } == [.pass, .pass, .pass])
    #expect([55, 47, 68].map { verdict($0) } == [.tight, .tight, .tight])
    #expect([46, 0].map { verdict($0) } == [.fail, .fail])
    #expect(verdict(30, leavesOut: true) == .tight && verdict(22, leavesOut: true) == .fail)
  }

  @Test("an accelerometer must feel 1 g, at rest, and not always the same")
  func accelerometer() throws {
    func verdict(_ act: (ApplianceRig) -> Void) throws -> String? {
      let rig = try Self.armedRig()
      act(rig)
      return Self.verdicts(Self.reply(rig, "selftest quick"))["accelerometer"]
    }
    func tilt(_ milliGravity: Int32) -> (ApplianceRig) -> Void {
      {
        $0.appliance.loop.machine.accelerometer.device.inject(
          Acceleration(xMilliGravity: 0, yMilliGravity: milliGravity, zMilliGravity: 0))
      }
    }
    #expect(try verdict(tilt(1_080)) == "pass")
    #expect(try verdict(tilt(860)) == "tight")
    #expect(try verdict(tilt(1_200)) == "tight")
    #expect(try verdict(tilt(0)) == "fail")
    #expect(try verdict(tilt(1_400)) == "fail")
    #expect(try verdict { $0.begin(.stalled, of: .accelerometer) } == "fail")
    #expect(try verdict { $0.begin(.nonsense, of: .accelerometer) } == "fail")
    #expect(try verdict { $0.begin(.absent, of: .accelerometer) } == "fail")
    // The device is turned over during the test.
    let moved = try Self.armedRig()
    moved.host.type("selftest quick\n")
    moved.run(milliseconds: 1_000)
    tilt(1_300)(moved)
    moved.run(milliseconds: 2_000)
    #expect(Self.verdicts(moved.host.lines)["accelerometer"] == "tight")
    let none = try Self.armedRig(adjust: { $0.accelerometer.busName = nil })
    #expect(Self.verdicts(Self.reply(none, "selftest quick"))["accelerometer"] == "absent")
  }

  @Test("a button that is down all the time fails, one that is pressed meanwhile is tight, and both are named")
  func buttons() throws {
    let rig = try Self.armedRig()
    rig.appliance.loop.machine.buttons.device.inject(.stop, from: rig.now, to: rig.now + 4_000_000_000)
    rig.run(milliseconds: 200)
    let held = Self.reply(rig, "selftest quick")
    #expect(held.contains("buttons        fail     down stop"))
    #expect(held.contains { $0.hasPrefix("               it was down all the time: release it") })
    rig.run(milliseconds: 4_000)
    rig.host.type("selftest quick\n")
    rig.run(milliseconds: 500)
    rig.appliance.loop.machine.buttons.device.inject(.rotate, from: rig.now, to: rig.now + 100_000_000)
    rig.run(milliseconds: 3_000)
    #expect(rig.host.lines.contains("buttons        tight    down rotate"))
    rig.begin(.absent, of: .buttons)
    rig.run(milliseconds: 500)
    #expect(Self.verdicts(Self.reply(rig, "selftest quick"))["buttons"] == "fail")
  }

  @Test("each LED is lit in turn, and its line must follow")
  func leds() throws {
    let rig = try Self.armedRig()
    rig.host.type("selftest quick\n")
    rig.run(milliseconds: 250)
    #expect(rig.isRecordLit && !rig.isFaultLit)
    rig.run(milliseconds: 500)
    #expect(!rig.isRecordLit && rig.isFaultLit)
    rig.run(milliseconds: 500)
    #expect(!rig.isRecordLit && !rig.isFaultLit)
    rig.run(milliseconds: 3_000)
    rig.begin(.stuck, of: .leds)
    #expect(Self.verdicts(Self.reply(rig, "selftest quick"))["leds"] == "fail")
    rig.begin(.absent, of: .leds)
    #expect(Self.verdicts(Self.reply(rig, "selftest quick"))["leds"] == "fail")
    let none = try Self.armedRig(adjust: { $0.leds.offsets = PerLED(repeating: nil) })
    #expect(Self.verdicts(Self.reply(none, "selftest quick"))["leds"] == "absent")
  }

  @Test(
    "a clock that nothing has set fails, one without a server is tight",
    arguments: [(.epoch, "fail"), (.off(seconds: 3_600), "tight"), (.synchronised, "pass")]
      as [(SimWallClock.Reading, String)])
  func clock(reading: SimWallClock.Reading, verdict: String) throws {
    let rig = try Self.armedRig(wallClock: SimWallClock(reading))
    #expect(Self.verdicts(Self.reply(rig, "selftest quick"))["clock"] == verdict)
  }

  @Test("memory must be locked, and the heap untouched")
  func memory() {
    func verdict(locked: UInt64?, heap: UInt64 = 0) -> TestVerdict {
      MemoryTest(cutByteCount: 100, lockedByteCount: locked, heapCallCount: heap).result.verdict
    }
    #expect(verdict(locked: 100) == .pass && verdict(locked: 99) == .tight && verdict(locked: nil) == .skipped)
    #expect(verdict(locked: 100, heap: 1) == .fail && verdict(locked: nil, heap: 1) == .fail)
  }

  @Test("a card that is too slow, that stalls, and that fails is told as such")
  func card() throws {
    let rig = try Self.armedRig()
    rig.host.disk.fails = { $0 == .synchronise }
    #expect(Self.verdicts(Self.reply(rig, "selftest"))["card"] == "fail")
    rig.host.disk.fails = { _ in false }
    #expect(Self.verdicts(Self.reply(rig, "selftest"))["card"] == "pass")
    var disk = SimDisk()
    disk.stallByteCount = 600_000
    disk.stallNanoseconds = 3_500_000_000
    rig.appliance.loop.machine.simulatedWorld!.disk = disk
    #expect(Self.verdicts(Self.reply(rig, "selftest"))["card"] == "tight")
    disk.stallNanoseconds = 6_000_000_000
    rig.appliance.loop.machine.simulatedWorld!.disk = disk
    #expect(Self.verdicts(Self.reply(rig, "selftest"))["card"] == "fail")
  }

  @Test(
    "a press of record ends it at once wherever it is, and the take is whole",
    arguments: [100, 700, 1_990, 2_050, 2_200, 2_600, 3_050, 3_300])
  func press(milliseconds: UInt64) throws {
    let rig = try Self.armedRig(echo: nil)
    // The card is slow, so that its test is still running.
    var disk = SimDisk()
    disk.bytesPerSecond = 400_000
    rig.appliance.loop.machine.simulatedWorld!.disk = disk
    rig.host.type("selftest\n")
    rig.run(milliseconds: milliseconds)
    rig.appliance.loop.machine.buttons.device.inject(.record, from: rig.now, to: rig.now + 80_000_000)
    rig.run(milliseconds: 150)
    #expect(rig.isRecordLit && !rig.isFaultLit)
    #expect(rig.host.lines.last { $0.hasPrefix("error: ") } == "error: a take began: the test was cancelled")
    rig.run(milliseconds: 200)
    #expect(try !rig.appliance.loop.machine.speaker.device.look().isRunning)
    rig.run("wait 5\nrecord stop\nwait 2", milliseconds: 8_000)
    try rig.expectWhole(try #require(rig.movie(rig.takePaths[0])), "after \(milliseconds) ms of a test")
    #expect(rig.host.disk.image["selftest.new"] == nil)
    rig.appliance.loop.machine.simulatedWorld!.disk = SimDisk()
    rig.run(milliseconds: 2_000)
    #expect(Self.reply(rig, "selftest").last == "ok", "it can be tested again")
  }

  @Test("during a take it is refused")
  func refused() throws {
    let rig = try Self.armedRig()
    rig.run("record start\nwait 1", milliseconds: 1_200)
    for command in ["selftest", "selftest quick", "selftest json"] {
      #expect(Self.reply(rig, command) == ["error: a take is being recorded: no test runs meanwhile"])
    }
  }

  @Test("ctrl-C breaks it off wherever it is", arguments: [200, 2_080, 2_300, 3_400])
  func interrupted(milliseconds: UInt64) throws {
    let host = TestHost()
    host.isTerminal = true
    let rig = try Self.armedRig(host: host)
    var disk = SimDisk()
    disk.bytesPerSecond = 400_000
    rig.appliance.loop.machine.simulatedWorld!.disk = disk
    rig.run("selftest", milliseconds: milliseconds)
    host.type("\u{3}")
    // The speaker has been given 80 ms, and a chirp is longer.
    rig.run(milliseconds: 150)
    #expect(String(decoding: host.said, as: UTF8.self).contains("error: cancelled"))
    #expect(!rig.isRecordLit && !rig.isFaultLit)
    #expect(try !rig.appliance.loop.machine.speaker.device.look().isRunning)
  }

  @Test("devices that are opened at the press are skipped, and an audio recorder has no camera")
  func closed() throws {
    let rig = try Self.armedRig(adjust: { $0.record.arming = .atPress })
    let verdicts = Self.verdicts(Self.reply(rig, "selftest"))
    #expect(verdicts["camera"] == "skipped" && verdicts["microphone"] == "skipped" && verdicts["speaker"] == "skipped")
    #expect(verdicts["card"] == "pass")
    let sound = try Self.armedRig(adjust: { $0.record.content = .audio })
    #expect(Self.verdicts(Self.reply(sound, "selftest quick"))["camera"] == "absent")
  }

  @Test("whatever fails, it ends within a minute", arguments: 1...8 as ClosedRange<UInt64>)
  func ends(seed: UInt64) throws {
    let rig = try Self.armedRig(seed: seed, onBoard: { $0.faults = FaultPlan(seed: seed, periodSeconds: 20) })
    for _ in 0..<3 {
      let last = Self.reply(rig, "selftest").last
      #expect(last == "ok" || last?.hasPrefix("error: ") == true)
    }
  }
}
