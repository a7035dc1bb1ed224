import Base
import Configuration
import Foundation
import Kit
import Machine
import TestSupport
import Testing

@testable import App

/// Takes that begin and end by sound.
@Suite struct TriggerServiceTests {
  /// A call of so many Hz, from one time of the world to another, in milliseconds.
  private struct Call {
    var hertz: UInt32
    var peak: Double
    var milliseconds: Range<UInt64>

    init(_ hertz: UInt32, _ milliseconds: Range<UInt64>, peak: Double = 0.1) {
      self.hertz = hertz
      self.peak = peak
      self.milliseconds = milliseconds
    }
  }

  /// A recorder in noise of -65 dBFS, whose trigger is on, with a pre-roll of 1 s.
  private func rig(
    seed: UInt64 = 1, host: TestHost = TestHost(), at clockSeconds: Int64 = 0, _ calls: [Call],
    adjust: (inout Settings) -> Void = { _ in }
  ) throws -> ApplianceRig {
    try ApplianceRig(
      seed: seed, host: host, absent: [.camera], wallClock: SimWallClock(.off(seconds: 86_400 + clockSeconds)),
      adjust: {
        $0.record.content = .audio
        $0.record.prerollSeconds = 1
        $0.trigger.source = .level
        $0.trigger.startDecibels = -40
        $0.trigger.stopDecibels = -50
        $0.trigger.holdSeconds = 1
        adjust(&$0)
      },
      onBoard: {
        $0.hasClicks = false
        for call in calls {
          let range = call.milliseconds.lowerBound * 1_000_000..<call.milliseconds.upperBound * 1_000_000
          $0.calls.add(SimCall(hertz: call.hertz, peak: call.peak, nanoseconds: range))
        }
      })
  }

  private func ledger(_ rig: ApplianceRig, _ index: Int = 0) throws -> [String] {
    let paths = rig.takePaths
    try #require(paths.count > index)
    return ledgerLines(try #require(rig.host.disk.image[paths[index]]))
  }

  /// Seconds of 16-bit sound of one channel at 8,000 Hz in a file.
  private func seconds(_ rig: ApplianceRig, _ index: Int = 0) throws -> Double {
    let paths = rig.takePaths
    try #require(paths.count > index)
    return Double(try #require(rig.host.disk.image[paths[index]]).count) / 16_000
  }

  @Test(
    "a loud sound begins a take from the pre-roll on, which ends when it was quiet for long enough", arguments: 1...3)
  func firesAndEnds(seed: UInt64) throws {
    let rig = try rig(seed: seed, [Call(1000, 4_000..<4_300)])
    rig.run(milliseconds: 3_900)
    #expect(!rig.isRecordLit && rig.takePaths.isEmpty)
    rig.run(milliseconds: 700)
    #expect(rig.isRecordLit)
    rig.run(milliseconds: 2_500)
    #expect(!rig.isRecordLit && rig.takePaths.count == 1)
    let began = rig.announcements("trigger: a take begins: level: -")
    #expect(began.count == 1, "\(rig.host.lines)")
    #expect(rig.announcements("trigger: the take ends").count == 1)
    let lines = try ledger(rig)
    #expect(lines.contains { $0.contains("by trigger level: -") && $0.hasSuffix("dBFS, start_db -40.0") }, "\(lines)")
    #expect(lines.contains { $0.hasSuffix("ended by trigger: quiet") }, "\(lines)")
    // A second of pre-roll, the call, and a second of quiet.
    let length = try seconds(rig)
    #expect((2.1...3.2).contains(length), "\(length)")
  }

  @Test("between the two thresholds nothing begins, and what has begun goes on")
  func hasHysteresis() throws {
    // -26, then -45 dBFS, and the same alone.
    let rig = try rig([
      Call(1000, 3_000..<3_300), Call(1000, 3_300..<8_000, peak: 0.008), Call(1000, 11_000..<14_000, peak: 0.008),
    ])
    rig.run(milliseconds: 7_900)
    #expect(rig.isRecordLit)
    rig.run(milliseconds: 2_500)
    #expect(!rig.isRecordLit)
    rig.run(milliseconds: 4_000)
    #expect(!rig.isRecordLit && rig.takePaths.count == 1)
  }

  @Test("a call within the hold time keeps the take open, and is in its ledger")
  func holds() throws {
    let rig = try rig([Call(1000, 3_000..<3_200), Call(1000, 4_500..<4_700)]) { $0.trigger.holdSeconds = 2 }
    rig.run(milliseconds: 6_300)
    #expect(rig.isRecordLit)
    rig.run(milliseconds: 1_500)
    #expect(!rig.isRecordLit && rig.takePaths.count == 1)
    let lines = try ledger(rig)
    #expect(lines.count { $0.contains(" trigger level: -") } == 2, "\(lines)")
  }

  @Test("a take is not longer than the longest, and the next begins after the time to rearm")
  func limitsLength() throws {
    let rig = try rig([Call(1000, 3_000..<20_000)]) {
      $0.trigger.longestSeconds = 2
      $0.trigger.rearmSeconds = 3
    }
    rig.run(milliseconds: 6_000)
    #expect(!rig.isRecordLit && rig.takePaths.count == 1)
    rig.run(milliseconds: 1_500)
    #expect(!rig.isRecordLit && rig.takePaths.count == 1)
    rig.run(milliseconds: 1_800)
    #expect(rig.isRecordLit && rig.takePaths.count == 2)
    #expect(try ledger(rig).contains { $0.hasSuffix("ended by trigger: longest_seconds") })
  }

  @Test("only what is loud in one of the bands begins a take, which names the band")
  func hearsBands() throws {
    let rig = try rig([Call(200, 3_000..<3_500, peak: 0.02), Call(1500, 5_000..<5_300), Call(3000, 9_000..<9_300)]) {
      $0.trigger.source = .band
      $0.trigger.bandsLine = "1200-1800, 2800-3200"
    }
    rig.run(milliseconds: 4_800)
    #expect(rig.takePaths.isEmpty)
    rig.run(milliseconds: 3_000)
    #expect(rig.announcements("trigger: a take begins: 1200-1800 Hz: -").count == 1, "\(rig.host.lines)")
    rig.run(milliseconds: 3_500)
    #expect(rig.announcements("trigger: a take begins: 2800-3200 Hz: -").count == 1, "\(rig.host.lines)")
    #expect(rig.takePaths.count == 2)
  }

  @Test("a take that a person began is never ended, and a person ends a trigger's take for the time to rearm")
  func personWins() throws {
    let rig = try rig([Call(1000, 4_000..<4_300), Call(1000, 9_000..<20_000)]) { $0.trigger.rearmSeconds = 4 }
    rig.run("record start", milliseconds: 7_500)
    #expect(rig.isRecordLit && rig.takePaths.count == 1)
    rig.run("record stop", milliseconds: 1_000)
    #expect(!rig.isRecordLit)
    #expect(try ledger(rig).contains { $0.contains(" trigger level: -") })
    rig.run(milliseconds: 1_500)
    #expect(rig.isRecordLit && rig.takePaths.count == 2)
    rig.run("record stop", milliseconds: 3_000)
    #expect(!rig.isRecordLit && rig.takePaths.count == 2)
    rig.run(milliseconds: 2_500)
    #expect(rig.isRecordLit && rig.takePaths.count == 3)
  }

  @Test("when = scheduled listens in the windows of the schedule, and records nothing else of them")
  func listensInWindows() throws {
    // The window closes 10 s after the start.
    let rig = try rig(at: 50, [Call(1000, 5_000..<5_300), Call(1000, 14_000..<14_500)]) {
      $0.schedule.rule1 = "00:00-00:01"
      $0.trigger.time = .scheduled
    }
    rig.run(milliseconds: 4_000)
    #expect(!rig.isRecordLit && rig.takePaths.isEmpty)
    rig.run(milliseconds: 4_500)
    #expect(!rig.isRecordLit && rig.takePaths.count == 1)
    rig.run(milliseconds: 8_000)
    #expect(!rig.isRecordLit && rig.takePaths.count == 1)
    let state = try rig.status()["trigger"] as? String
    #expect(state == "waiting")
  }

  @Test("when = always records windows as a whole, and a trigger's take goes on as the schedule's")
  func schedulesTakeOver() throws {
    let rig = try rig(at: -6, [Call(1000, 3_000..<3_300)]) {
      $0.schedule.rule1 = "00:00-00:01"
      $0.trigger.holdSeconds = 5
    }
    rig.run(milliseconds: 4_500)
    #expect(rig.isRecordLit && rig.takePaths.count == 1)
    rig.run(milliseconds: 8_000)
    #expect(rig.isRecordLit && rig.takePaths.count == 1)
    #expect(rig.announcements("schedule: the trigger's take goes on").count == 1)
  }

  @Test("a window whose take a person has ended does not take over what a trigger begins in it")
  func windowStaysEnded() throws {
    let rig = try rig(at: -2, [Call(1000, 9_000..<9_300)]) {
      $0.schedule.rule1 = "00:00-00:01"
      $0.trigger.holdSeconds = 2
    }
    rig.run(milliseconds: 5_000)
    #expect(rig.isRecordLit && rig.takePaths.count == 1)
    rig.run("record stop", milliseconds: 5_500)
    #expect(rig.isRecordLit && rig.takePaths.count == 2)
    rig.run(milliseconds: 4_000)
    #expect(!rig.isRecordLit && rig.announcements("schedule: the trigger's take goes on").isEmpty)
  }

  @Test("a take that a power cut interrupted goes on, and ends when it was quiet")
  func goesOn() throws {
    let first = try rig([Call(1000, 3_000..<9_000)])
    first.run(milliseconds: 6_000)
    #expect(first.isRecordLit)
    let second = try rig(host: TestHost(disk: MemoryDisk(first.host.disk.image)), []) { $0.trigger.holdSeconds = 3 }
    second.run(milliseconds: 2_500)
    #expect(second.isRecordLit && second.announcements("continues").count == 1)
    second.run(milliseconds: 5_000)
    #expect(!second.isRecordLit && second.announcements("trigger: the take ends").count == 1)
  }

  @Test("a person's take that a power cut interrupted goes on, and no trigger ends it")
  func goesOnByPerson() throws {
    let first = try rig([])
    first.run("record start", milliseconds: 4_000)
    #expect(first.isRecordLit)
    let second = try rig(host: TestHost(disk: MemoryDisk(first.host.disk.image)), []) { $0.trigger.holdSeconds = 1 }
    second.run(milliseconds: 8_000)
    #expect(second.isRecordLit && second.announcements("trigger: the take ends").isEmpty)
  }

  @Test("a card that is full is tried again after a minute, and not at each sound")
  func triesAgain() throws {
    let rig = try rig([Call(1000, 3_000..<200_000)])
    rig.host.disk.toldFreeByteCount = 1_000
    rig.run(milliseconds: 30_000)
    #expect(rig.announcements("trigger: a take begins").count <= 2, "\(rig.host.lines)")
  }

  @Test("learned thresholds do not fire on the noise, and do on a call 12 dB above it", arguments: 1...3)
  func learns(seed: UInt64) throws {
    // Noise of at most -63 dBFS in a hundredth of a second, and a call of -51.
    let rig = try rig(seed: seed, [Call(1000, 30_000..<30_400, peak: 0.004)]) { $0.trigger.source = .off }
    rig.run(milliseconds: 1_000)
    rig.run("trigger learn 10", milliseconds: 12_000)
    let line = try #require(rig.host.lines.last { $0.hasPrefix("config trigger.start_db -") })
    rig.run(line + "\nconfig trigger.on level\nconfig confirm", milliseconds: 14_000)
    #expect(rig.takePaths.isEmpty && rig.announcements("trigger: a take begins").isEmpty, "\(line)")
    rig.run(milliseconds: 4_000)
    #expect(rig.announcements("trigger: a take begins").count == 1, "\(line)")
  }

  @Test("trigger watch tells what would happen and records nothing, and trigger json has the levels")
  func watches() throws {
    let rig = try rig([Call(1000, 3_000..<3_300)]) { $0.trigger.source = .off }
    rig.run(milliseconds: 1_000)
    rig.run("trigger watch", milliseconds: 11_000)
    #expect(rig.host.lines.contains { $0.hasPrefix("a take would begin: level: -") }, "\(rig.host.lines)")
    #expect(rig.host.lines.contains("the take would end"))
    #expect(rig.takePaths.isEmpty && rig.host.lines.last == "ok")
    rig.run("trigger json", milliseconds: 1_500)
    let text = try #require(rig.host.lines.last { $0.hasPrefix("{") })
    let told = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let levels = try #require(told["levels"] as? [[String: Any]])
    let level = try #require(levels.first?["dbfs"] as? Double)
    #expect((-66 ... -60).contains(level), "\(text)")
    #expect(told["on"] as? String == "off" && told["fired"] as? Int == 0)
  }
}
