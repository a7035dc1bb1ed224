import Base
import Configuration
import Foundation
import Machine
import Synchronization
import TestSupport
import Testing

@testable import App

/// A work clock on which 250 µs pass from one reading to the next.
private let readings = Atomic<UInt64>(0)
private let workClock: WorkTimes.Clock = { readings.wrappingAdd(250_000, ordering: .relaxed).newValue }

/// `timing` on the whole appliance; the histogram is tested by itself.
@Suite(.serialized) struct TimingTests {
  private func recordingRig(adjust: (inout Settings) -> Void = { _ in }) throws -> ApplianceRig {
    let rig = try ApplianceRig(adjust: adjust, workClock: workClock)
    rig.run(milliseconds: 1_000)
    rig.run("press record", milliseconds: 5_000)
    return rig
  }

  private func reply(_ rig: ApplianceRig, _ command: String) -> [String] {
    let count = rig.host.lines.count
    rig.run(command, milliseconds: 300)
    return rig.host.lines[count...].prefix { $0 != "ok" }.filter { !$0.hasPrefix("* ") }
  }

  private func times(_ rig: ApplianceRig) throws -> [String: [String: Int]] {
    let line = try #require(reply(rig, "timing json").first)
    return try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: [String: Int]])
  }

  @Test("Workers' times come from their own work: a JPEG, a flush, and a fragment with its two flushes")
  func timesWork() throws {
    let rig = try recordingRig()
    let status = try rig.status()
    let told = try times(rig)
    #expect(Set(told.keys) == ["wake", "work", "button", "encode", "write", "flush"])
    let pictures = try #require(status["video_frames"] as? Int)
    #expect(told["encode"]?["p50_us"] == 250 && told["encode"]?["max_us"] == 250)
    #expect(try #require(told["encode"]?["count"]) >= pictures && pictures > 100)
    #expect(told["flush"]?["max_us"] == 250)
    // Its own two readings, and two of each flush.
    #expect(told["write"]?["p50_us"] == 1_250 && told["write"]?["max_us"] == 1_250)
    #expect(try #require(told["write"]?["count"]) * 2 == told["flush"]?["count"])
    #expect(told["work"]?["count"] ?? 0 > 200 && told["wake"]?["p999_us"] == 0)
  }

  @Test("A fragment of sound alone takes one flush")
  func flushesSoundOnce() throws {
    let told = try times(try recordingRig { $0.record.content = .audio })
    #expect(try #require(told["write"]?["count"]) > 5)
    #expect(told["write"]?["count"] == told["flush"]?["count"])
  }

  @Test("A loop that oversleeps by 40 ms has a wake latency of 40 ms, once")
  func timesWakes() throws {
    let rig = try recordingRig()
    rig.oversleep(milliseconds: 40)
    rig.run(milliseconds: 200)
    let told = try times(rig)
    #expect((40_000...42_500).contains(told["wake"]?["max_us"] ?? 0), "\(told)")
    #expect(told["wake"]?["p99_us"] == 0)
  }

  @Test("From the contact of record to the first sample it takes an exchange while armed, else as long as the devices")
  func timesButton() throws {
    let armed = try recordingRig()
    let least = try #require(try times(armed)["button"])
    #expect(least["count"] == 1 && (1...60_000).contains(least["max_us"] ?? 0), "\(least)")
    let closed = try ApplianceRig { $0.record.arming = .atPress }
    closed.run(milliseconds: 1_000)
    for device in [Device.microphone, .camera] { closed.begin(.slow, of: device, nanoseconds: 700_000_000) }
    closed.run("press record", milliseconds: 3_000)
    let slow = try #require(try times(closed)["button"])
    #expect(slow["count"] == 1 && (690_000...900_000).contains(slow["max_us"] ?? 0), "\(slow)")
  }

  @Test("timing reset forgets the times, and not the ticks; csv tells every bucket")
  func resets() throws {
    let rig = try recordingRig()
    let lines = reply(rig, "timing csv")
    #expect(lines.first == "timing,from_us,to_us,count")
    let told = try times(rig)
    for (name, numbers) in told where name != "wake" && name != "work" {
      let rows = lines.filter { $0.hasPrefix(name + ",") }.map { $0.split(separator: ",").compactMap { Int($0) } }
      #expect(rows.reduce(0) { $0 + $1[2] } <= numbers["count"] ?? 0 && !rows.isEmpty, "\(name)")
      #expect(rows.allSatisfy { $0[0] <= $0[1] } && rows.last.map { $0[1] >= numbers["max_us"] ?? 0 } == true)
    }
    rig.run("press record", milliseconds: 2_000)
    let ticks = rig.metrics.wakeCount
    rig.run("timing reset", milliseconds: 100)
    #expect(rig.metrics.wakeCount > ticks)
    let after = try times(rig)
    #expect(after["write"]?["count"] == 0 && after["flush"]?["max_us"] == 0 && after["button"]?["count"] == 0)
    #expect(try #require(after["work"]?["count"]) < 100)
  }

  @Test(
    "Percentiles and bars fit 80 columns and a watched screen, in both languages",
    arguments: [Language.english, .korean])
  func fits(language: Language) throws {
    let host = TestHost()
    host.isTerminal = true
    let rig = try ApplianceRig(host: host, adjust: { $0.console.language = language }, workClock: workClock)
    rig.run(milliseconds: 3_000)
    host.type("watch timing 1\r")
    rig.run(milliseconds: 8_000)
    var screen = DrawnScreen()
    screen.show(host.said[0...])
    #expect(screen.complaints.isEmpty, "\(screen.complaints)")
    let rows = (0..<15).map { screen.text(ofRow: $0) }
    #expect(rows[0].hasSuffix(language == .korean ? "최장" : "longest") && rows[0].count < 80, "\(rows)")
    #expect(rows[1].hasPrefix(language == .korean ? "깨어남" : "wake        "), "\(rows)")
    // 250 µs are in the octave from 128 on, the eighth.
    let bar = rows[11]
    // A terminal without block characters has no µ either.
    #expect(bar.last == "@" && rows[7].contains("1 us"), "\(rows)")
    #expect(rows[14].isEmpty)
  }
}
