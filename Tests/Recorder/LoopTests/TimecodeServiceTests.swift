import Base
import Configuration
import Foundation
import Kit
import Machine
import TestSupport
import Testing

@testable import App

/// Timecode that a cable brings to the microphone's input.
@Suite struct TimecodeServiceTests {
  /// 10:00:00:00 at 25 at the world's start, from a generator that is 50 ppm fast, connected for so many seconds.
  private func rig(
    seconds: UInt64, rate: TimecodeRate = .video25, input: UInt16? = 1, host: TestHost = TestHost(),
    wallClock: SimWallClock = SimWallClock(.off(seconds: 86_400)), adjust: (inout Settings) -> Void = { _ in }
  ) throws -> ApplianceRig {
    try ApplianceRig(
      host: host, absent: [.camera], wallClock: wallClock,
      adjust: {
        $0.record.content = .audio
        $0.record.audioContainer = .wav
        $0.record.prerollSeconds = 1
        $0.timecode.channel = input
        adjust(&$0)
      },
      onBoard: {
        $0.hasClicks = false
        $0.audioFormat.sampleRateHz = 48_000
        $0.calls.timecode = SimTimecode(
          rate: rate, number: Timecode(hours: 10, minutes: 0, seconds: 0, frames: 0).number(rate),
          partsPerMillion: 50, nanoseconds: 0..<seconds * 1_000_000_000)
      })
  }

  private func line(_ rig: ApplianceRig) throws -> TimecodeLine {
    try #require(rig.appliance.loop.services.timecode.state.line)
  }

  /// How far the line is from the generator, in samples, at a time of the world; the microphone's clock is right.
  private func error(_ line: TimecodeLine, _ rig: ApplianceRig, seconds: Double) -> Double {
    let instant = rig.worldStart + UInt64(seconds * 1e9)
    let position = Double(rig.appliance.loop.services.recording.capture.position(at: instant).rawValue)
    let heard = Double(line.number) + (position - line.start) / line.length
    let first = Timecode(hours: 10, minutes: 0, seconds: 0, frames: 0).number(line.rate)
    return (heard - Double(first) - seconds * line.rate.hertz * 1.00005) * line.length
  }

  @Test("timecode is found, and lost with its signal")
  func readsAndLoses() throws {
    let rig = try rig(seconds: 6)
    rig.run(milliseconds: 4_000)
    #expect(rig.announcements("timecode found: 10:00:0").count == 1, "\(rig.host.lines)")
    #expect(try line(rig).rate == .video25)
    rig.run("timecode json", milliseconds: 200)
    let json = "{\"state\":\"reading\",\"timecode\":\"10:00:0"
    #expect(rig.host.lines.contains { $0.hasPrefix(json) }, "\(rig.host.lines)")
    rig.run(milliseconds: 3_500)
    #expect(rig.announcements("timecode lost").count == 1)
    #expect(rig.appliance.loop.services.timecode.state == .none)
  }

  @Test("while a file plays, sending is refused and told as off, and afterwards it goes on")
  func sendsBesideFiles() throws {
    let host = TestHost()
    host.player.files["music/a.wav"] = ScriptedFile(firstNumber: 1, frameCount: 960_000)
    let rig = try rig(seconds: 1, input: nil, host: host)
    func isSent() -> Bool? {
      rig.run("timecode json", milliseconds: 100)
      return host.lines.last { $0.hasPrefix("{\"state\":\"off\"") }?.hasSuffix("\"sent\":true}")
    }
    rig.run("timecode send", milliseconds: 500)
    #expect(isSent() == true, "\(host.lines)")
    rig.run("prepare music/a.wav", milliseconds: 500)
    rig.run("play", milliseconds: 500)
    #expect(isSent() == false, "\(host.lines)")
    rig.run("timecode send", milliseconds: 100)
    #expect(host.lines.contains("error: a file plays: pause it first"), "\(host.lines)")
    rig.run("pause", milliseconds: 500)
    #expect(isSent() == true, "\(host.lines)")
  }

  @Test("jammed, it runs on without its signal, and errs by less than a sample a second")
  func jams() throws {
    let rig = try rig(seconds: 12)
    rig.run(milliseconds: 11_000)
    let before = try error(line(rig), rig, seconds: 10)
    rig.run("timecode jam", milliseconds: 60_000)
    #expect(rig.announcements("timecode: its signal is gone").count == 1, "\(rig.host.lines)")
    let jam = rig.appliance.loop.services.timecode.state.jam
    guard let jam, let line = jam.line, !jam.hasSignal else {
      Issue.record("not jammed")
      return
    }
    let after = error(line, rig, seconds: 70)
    #expect(abs(after - before) < 60, "\(before) samples became \(after) in a minute")
    rig.run("timecode off", milliseconds: 500)
    #expect(rig.appliance.loop.services.timecode.state == .none)
  }

  @Test("dropped, it is not found again while its signal is there")
  func drops() throws {
    let rig = try rig(seconds: 8)
    rig.run(milliseconds: 4_000)
    rig.run("timecode off", milliseconds: 3_000)
    #expect(rig.announcements("timecode found").count == 1 && rig.announcements("timecode lost").isEmpty)
    #expect(rig.appliance.loop.services.timecode.state == .dropped)
    rig.run(milliseconds: 3_000)
    #expect(rig.appliance.loop.services.timecode.state == .none)
  }

  /// The true time so many seconds after the first start.
  private func wallClock(_ seconds: Int64, _ reading: SimWallClock.Reading = .synchronised) -> SimWallClock {
    var clock = SimWallClock(reading)
    clock.startUnixSeconds += seconds
    return clock
  }

  @Test("a jam goes on over a restart, by a clock that is right, and tells its age", arguments: [3_600, 90_000, -60])
  func outlivesRestart(seconds: Int64) throws {
    let first = try rig(seconds: 12, wallClock: wallClock(0))
    first.run(milliseconds: 11_000)
    first.run("timecode jam", milliseconds: 6_000)
    let disk = first.host.disk.image
    let text = try #require(disk["timecode"].map { String(decoding: $0, as: UTF8.self) })
    #expect(text.hasPrefix("25 "), "\(text)")
    let next = try rig(seconds: 0, host: TestHost(disk: MemoryDisk(disk)), wallClock: wallClock(seconds))
    next.run(milliseconds: 12_000)
    guard seconds == 3_600 else {
      #expect(next.appliance.loop.services.timecode.state == .none)
      return
    }
    #expect(next.announcements("timecode: jammed before this start, its signal was heard 59 min").count == 1)
    let line = try line(next)
    let position = Double(next.appliance.loop.services.recording.capture.position(at: next.now).rawValue)
    let heard = Double(line.number) + (position - line.start) / line.length
    let since = Double(next.now - next.worldStart) / 1e9 + Double(seconds)
    let ahead = heard / 25 - 36_000 - since * 1.00005
    // The world of each begins at its start; a restart goes by the time of day, to the millisecond.
    #expect(abs(ahead - (ahead / 86_400).rounded() * 86_400) < 0.05, "\(ahead) s")
    next.run("timecode json", milliseconds: 200)
    let told = try #require(next.host.lines.last { $0.contains("\"state\":\"jammed\"") })
    let report = try #require(try JSONSerialization.jsonObject(with: Data(told.utf8)) as? [String: Any])
    // The signal went 12 s after the first start, and this is 12 s after the second.
    #expect(abs(try #require(report["age_seconds"] as? Double) - 3_600) < 10, "\(told)")
    next.run("timecode off", milliseconds: 1_000)
    #expect(next.host.disk.image["timecode"]?.isEmpty == true)
  }

  @Test("a jam is not believed by a clock that nobody vouches for, and nonsense is set aside")
  func doubtsClock() throws {
    let disk = MemoryDisk()
    var storage = Storage(MemoryStorage(disk))
    let kept = "25 900000.000000 0.000 1767225600000000000 10\n"
    try unsafe storage.replace("timecode", with: Array(kept.utf8).span.bytes)
    let rig = try rig(seconds: 0, host: TestHost(disk: disk), wallClock: wallClock(60, .off(seconds: 60)))
    rig.run(milliseconds: 4_000)
    #expect(rig.appliance.loop.services.timecode.state == .none)
    for text in ["25\n", "26 1 0 1 1\n", "25 nan 0 1767225600000000000 10\n", "25 1 1e9 1767225600000000000 10\n"] {
      let disk = MemoryDisk()
      var storage = Storage(MemoryStorage(disk))
      try unsafe storage.replace("timecode", with: Array(text.utf8).span.bytes)
      let rig = try self.rig(seconds: 0, host: TestHost(disk: disk), wallClock: wallClock(60))
      rig.run(milliseconds: 3_000)
      #expect(rig.appliance.loop.services.timecode.state == .none)
      #expect(disk.image.names.keys.contains("timecode.damaged-1"), "\(text)")
    }
  }

  @Test("another timecode does not take a jam's place unasked; jam = always jams each", arguments: [false, true])
  func keepsItsOwn(isAlways: Bool) throws {
    let disk = MemoryDisk()
    var storage = Storage(MemoryStorage(disk))
    let kept = "25 900000.000000 0.000 1767225600000000000 10\n"
    try unsafe storage.replace("timecode", with: Array(kept.utf8).span.bytes)
    // The jam is 10:00:00:00 a minute before; the generator has it now.
    let rig = try rig(seconds: 30, host: TestHost(disk: disk), wallClock: wallClock(60)) {
      if isAlways { $0.timecode.jam = .always }
    }
    rig.run(milliseconds: 6_000)
    let asked = rig.announcements("timecode: another one comes in, 10:00:0").count
    #expect(asked == (isAlways ? 0 : 1), "\(rig.host.lines)")
    #expect(rig.announcements("timecode: another one is taken over: 10:00:0").count == (isAlways ? 1 : 0))
    let before = try line(rig)
    #expect((before.number - 900_000 > 1_400) != isAlways)
    rig.run("timecode jam", milliseconds: 500)
    #expect(abs(try error(line(rig), rig, seconds: 6)) < 3)
  }

  @Test("takes begin and end with timecode, and the ledger says why")
  func recordsWhileRunning() throws {
    let rig = try rig(seconds: 6) { $0.timecode.takes = .running }
    rig.run(milliseconds: 4_000)
    #expect(rig.isRecordLit && rig.announcements("timecode: a take begins: 10:00:0").count == 1, "\(rig.host.lines)")
    rig.run(milliseconds: 6_000)
    #expect(!rig.isRecordLit && rig.announcements("timecode: the take ends").count == 1)
    #expect(rig.takePaths.count == 1)
    let file = try #require(rig.takePaths.first.flatMap { rig.host.disk.image[$0] })
    let ledger = ledgerLines(file)
    #expect(ledger.contains { $0.contains(" by timecode 10:00:0") }, "\(ledger)")
    #expect(ledger.contains { $0.hasSuffix(" ended by timecode: it stopped") }, "\(ledger)")
  }

  @Test("a person's press wins: what a person ends does not begin again while the same timecode runs")
  func personWins() throws {
    let rig = try rig(seconds: 20) { $0.timecode.takes = .running }
    rig.run(milliseconds: 4_000)
    #expect(rig.isRecordLit)
    rig.run("record stop", milliseconds: 6_000)
    #expect(!rig.isRecordLit && rig.takePaths.count == 1)
    rig.run("record start", milliseconds: 14_000)
    #expect(rig.isRecordLit && rig.announcements("timecode: the take ends").isEmpty)
  }

  @Test("a take by timecode that fails is tried again after a minute, as long as the timecode runs")
  func triesAgain() throws {
    let rig = try rig(seconds: 140) { $0.timecode.takes = .running }
    rig.host.disk.toldFreeByteCount = 1_000
    rig.run(milliseconds: 30_000)
    #expect(!rig.isRecordLit && rig.announcements("timecode: a take begins").count == 1, "\(rig.host.lines)")
    rig.host.disk.toldFreeByteCount = nil
    rig.run(milliseconds: 62_000)
    #expect(rig.isRecordLit && rig.announcements("timecode: a take begins").count == 2, "\(rig.host.lines)")
  }

  @Test("another timecode ends the take that one has begun, and gets the next; silence ends it, and gets none")
  func jumps() {
    var run = TimecodeRun()
    func hear(_ number: Int, _ now: Instant) {
      run.hear(
        TimecodeLine(rate: .video25, sampleRateHz: 48_000, number: number, start: 0, length: 1_920), at: 0, now)
    }
    func ends(at now: Instant) -> Bool { run.ends(at: now) }
    hear(0, 1_000_000_000)
    #expect(run.begins(at: 1_000_000_000) && run.begun == nil)
    run.begin(at: 1_000_000_000)
    hear(0, 1_100_000_000)
    #expect(!ends(at: 1_100_000_000) && !run.begins(at: 1_100_000_000))
    hear(90_000, 1_200_000_000)
    #expect(ends(at: 1_200_000_000) && run.hasJumped && run.begun == 1_000_000_000)
    run.end()
    #expect(run.begins(at: 1_200_000_000) && run.begun == nil)
    run.begin(at: 1_200_000_000)
    #expect(!ends(at: 2_600_000_000) && ends(at: 2_700_000_000) && !run.hasJumped && run.line == nil)
    run.end()
    #expect(!run.begins(at: 9_000_000_000))
    hear(0, 10_000_000_000)
    run.begin(at: 10_000_000_000)
    run.end(failed: 11_000_000_000)
    #expect(!run.begins(at: 70_900_000_000) && run.begins(at: 71_000_000_000))
  }

  @Test("there is nothing to jam without timecode, and nothing is read while no input is set")
  func refuses() throws {
    let rig = try rig(seconds: 10, input: nil)
    rig.run(milliseconds: 4_000)
    rig.run("timecode jam", milliseconds: 200)
    #expect(rig.host.lines.contains { $0.hasPrefix("error: there is no timecode") }, "\(rig.host.lines)")
    #expect(rig.announcements("timecode").isEmpty)
  }

  @Test(
    "a take's ledger, time reference and iXML have the timecode of its first sample",
    arguments: [
      TimecodeRate.film23, .video25, .video29Drop,
    ])
  func isWritten(rate: TimecodeRate) throws {
    let rig = try rig(seconds: 30, rate: rate)
    rig.run(milliseconds: 5_000)
    rig.run("record start", milliseconds: 3_000)
    let line = try line(rig)
    rig.run("record stop", milliseconds: 2_000)
    let path = try #require(rig.takePaths.first)
    let file = try #require(rig.host.disk.image[path])
    let text = String(decoding: file, as: UTF8.self)
    let ledger = ledgerLines(file)
    let entry = try #require(ledger.first { $0.contains(" timecode: ") }, "\(ledger)")
    #expect(entry.contains(" at \(rate.name), "), "\(entry)")
    #expect(text.contains("<TIMECODE_FLAG>\(rate.isDrop ? "DF" : "NDF")</TIMECODE_FLAG>"))
    let fraction = rate == .video25 ? "25/1" : rate == .film23 ? "24000/1001" : "30000/1001"
    #expect(text.contains("<TIMECODE_RATE>\(fraction)</TIMECODE_RATE>"))
    // The header has the same as iXML: about 10 hours of samples, to half a second of the world.
    let bext = try #require(file.firstRange(of: Array("bext".utf8)))
    let reference = file[(bext.lowerBound + 8 + 338)...].prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    #expect(text.contains("<TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_LO>\(reference & 0xFFFF_FFFF)<"))
    let start = Timecode(hours: 10, minutes: 0, seconds: 0, frames: 0).number(rate)
    let seconds = Double(reference) / 48_000 - Double(start) / rate.hertz
    #expect((3.5...5).contains(seconds), "\(seconds) s; \(line)")
  }
}

extension Array<UInt8> {
  fileprivate func firstRange(of bytes: [UInt8]) -> Range<Int>? {
    indices.dropLast(bytes.count).first { self[$0...].starts(with: bytes) }.map { $0..<$0 + bytes.count }
  }
}
