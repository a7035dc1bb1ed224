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
    seconds: UInt64, rate: TimecodeRate = .video25, input: UInt16? = 1
  ) throws -> ApplianceRig {
    try ApplianceRig(
      absent: [.camera], wallClock: SimWallClock(.off(seconds: 86_400)),
      adjust: {
        $0.record.content = .audio
        $0.record.audioContainer = .wav
        $0.record.prerollSeconds = 1
        $0.timecode.channel = input
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

  @Test("jammed, it runs on without its signal, and errs by less than a sample a second")
  func jams() throws {
    let rig = try rig(seconds: 12)
    rig.run(milliseconds: 11_000)
    let before = try error(line(rig), rig, seconds: 10)
    rig.run("timecode jam", milliseconds: 60_000)
    #expect(rig.announcements("timecode: its signal is gone").count == 1, "\(rig.host.lines)")
    guard case .jammed(let line, hasSignal: false) = rig.appliance.loop.services.timecode.state else {
      Issue.record("not jammed")
      return
    }
    let after = error(line, rig, seconds: 70)
    #expect(abs(after - before) < 60, "\(before) samples became \(after) in a minute")
    rig.run("timecode off", milliseconds: 500)
    #expect(rig.appliance.loop.services.timecode.state == .none)
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
