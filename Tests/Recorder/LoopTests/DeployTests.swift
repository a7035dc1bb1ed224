import Base
import Configuration
import Foundation
import Machine
import Record
import TestSupport
import Testing

@testable import App

/// Deployments, the summary of each day, and what is told before somebody leaves.
@Suite struct DeployTests {
  /// A recorder whose clock shows a time of 2026-01-02 when it starts, in seconds after midnight.
  private func rig(
    at seconds: Int64, host: TestHost = TestHost(), _ rule: ScheduleLine?, adjust: (inout Settings) -> Void = { _ in }
  ) throws -> ApplianceRig {
    try ApplianceRig(
      host: host, absent: [.camera], wallClock: SimWallClock(SimWallClock.Reading.off(seconds: 86_400 + seconds))
    ) {
      $0.record.content = .audio
      $0.record.prerollSeconds = 1
      $0.schedule.rule1 = rule
      adjust(&$0)
    }
  }

  private func text(_ rig: ApplianceRig, _ path: String) -> String? {
    rig.host.disk.image[path].map { String(decoding: $0, as: UTF8.self) }
  }

  /// The cells of the rows of `summary.csv`, with its head.
  private func rows(_ rig: ApplianceRig) throws -> [[String]] {
    let file = try #require(text(rig, "summary.csv"))
    let bytes = [UInt8](file.utf8)
    let lineFeeds = bytes.indices.filter { bytes[$0] == 10 }
    #expect(lineFeeds.last == bytes.count - 1 && lineFeeds.allSatisfy { $0 > 0 && bytes[$0 - 1] == 13 }, "\(file)")
    return file.components(separatedBy: "\r\n").dropLast().map { $0.components(separatedBy: ",") }
  }

  private func seconds(_ cell: String) -> Double { (Double(cell) ?? .nan) * 3600 }

  private func reply(_ rig: ApplianceRig, _ command: String) -> [String] {
    let count = rig.host.lines.count
    rig.run(command, milliseconds: 2_000)
    return rig.host.lines.dropFirst(count).filter { !$0.hasPrefix("* ") }
  }

  @Test("each second of a window is in a take, or in the row of its day with the reason")
  func accounts() throws {
    let rig = try rig(at: 86_335, "23:59-00:01")
    rig.run(milliseconds: 25_000)
    #expect(rig.isRecordLit)
    rig.run("record stop", milliseconds: 43_000)
    let rows = try rows(rig)
    #expect(rows.count == 2 && rows.allSatisfy { $0.count == 16 })
    #expect(
      rows[0][0] == "day" && rows[0][13] == "clock" && rows[0][14] == "levels_dbfs"
        && rows[0][15] == "clock_error_seconds")
    let row = rows[1]
    #expect(
      row[0] == "2026-01-02" && row[5] == "1" && row[7] == "1" && row[10].isEmpty && row[11].isEmpty && row[15].isEmpty,
      "\(row)")
    #expect(abs(seconds(row[1]) - 60) < 2 && abs(seconds(row[2]) - 20) < 3, "\(row)")
    #expect(abs(seconds(row[1]) - seconds(row[2]) - seconds(row[3])) < 1.5, "\(row)")
    #expect(row[4].contains("ended by a person "), "\(row)")
    #expect(Int(row[12]) ?? 0 > 0)
    // The hour before midnight; the level is of whole numbers, the quietest second first.
    let words = row[14].split(separator: " ")
    #expect(words.count == 24 && words.dropLast().allSatisfy { $0 == "-" }, "\(row[14])")
    let level = words.last?.split(separator: "/").compactMap { Int($0) } ?? []
    #expect(level.count == 2 && (-90...0).contains(level[0]) && (level[0]...0).contains(level[1]), "\(row[14])")
  }

  @Test("a day says how far the clock may have been off, and a restart keeps it")
  func tellsClockError() throws {
    let rig = try ApplianceRig(absent: [.camera]) {
      $0.record.content = .audio
      $0.schedule.rule1 = "00:00-24:00"
    }
    rig.run(milliseconds: 3_000)
    #expect(rig.quit())
    // The simulated time server is right to 12.3 ms.
    let line = try #require(text(rig, "summary-today")?.split(separator: "\n").first)
    let row = String(SummaryDay(Array(line.dropFirst("day = ".count).utf8).span).row)
    #expect(row.hasSuffix(",synchronised,,0.012\r\n"), "\(line)")
    let older = String(SummaryDay(Array("20455 none none 9 2 none none".utf8).span).row)
    #expect(older.hasSuffix(",9,synchronised,,\r\n"), "\(older)")
  }

  @Test("windows of some seconds are counted as such, also when the loop has slept before each")
  func accountsForShortWindows() throws {
    // The loop is at rest between them: the devices are closed.
    let rig = try rig(at: 35_995, "10:00-12:00 10/60") { $0.record.arming = .atPress }
    rig.run(milliseconds: 600_000)
    #expect(rig.quit())
    let line = try #require(text(rig, "summary-today")?.split(separator: "\n").first { $0.hasPrefix("counts = ") })
    let counts = line.dropFirst("counts = ".count).split(separator: " ").compactMap { Int($0) }
    // In milliseconds: ten windows of ten seconds, and of each the microphone takes less than one to open.
    #expect(counts.count == 15 && abs(counts[0] - 100_000) < 1_000, "\(counts)")
    #expect(counts[1] > 89_000 && counts[0] - counts[1] < 10_000 && counts[2] == 10, "\(counts)")
  }

  @Test("the levels of a day are kept over a restart, hour by hour, and damaged ones are not believed")
  func keepsLevels() {
    var levels = DayLevels()
    for (hour, decibels) in [(0, -20.4), (5, -90.7), (5, -31.5), (5, -60), (23, 0.3)] {
      levels.hear(decibels, hour: hour)
    }
    let text = levels.text
    #expect(String(text).hasPrefix("-20/-20 - - - - -90/-32 - ") && String(text).hasSuffix(" 0/0"))
    let again = DayLevels(text.bytes)
    #expect(again.text == text && again.extremes?.0 == -90 && again.extremes?.1 == 0)
    for damaged in ["", "-", "x/y", "-20", "-20/-30", "-300/-20", "5/9", "nan/nan", "-1/", "/"] {
      #expect(DayLevels(Array(damaged.utf8).span).extremes == nil, "\(damaged)")
    }
  }

  @Test("the time without the recorder is compared with the schedule, day by day")
  func tellsWhenOff() throws {
    let first = try rig(at: 0, "00:00-00:10")
    first.run(milliseconds: 5_000)
    #expect(try #require(text(first, "summary-today")).hasPrefix("day = 20455 "))
    let host = TestHost(disk: MemoryDisk(first.host.disk.image))
    let second = try rig(at: 2 * 86_400 + 3_600, host: host, "00:00-00:10")
    second.run(milliseconds: 3_000)
    let rows = try rows(second)
    #expect(rows.map { $0[0] } == ["day", "2026-01-02", "2026-01-03"])
    #expect(abs(seconds(rows[1][1]) - 600) < 3 && abs(seconds(rows[1][3]) - 598) < 3, "\(rows)")
    #expect(rows[2][4] == "recorder off 600" && rows[2][7] == "0", "\(rows)")
    let report = reply(second, "deploy report")
    #expect(report.count == 8 && report[0] == "day        recorded  missed", "\(report)")
    #expect(report[1].hasPrefix("2026-01-02      0.0     0.2  .") && report[2].hasPrefix("           recorder off "))
    #expect(report[5].hasPrefix("2026-01-04") && report.allSatisfy { $0.count < 80 }, "\(report)")
  }

  @Test("a power cut after the row of a day, and before the next day is kept, leaves one row of it")
  func cutAtMidnight() throws {
    let first = try rig(at: 86_390, "23:50-00:10")
    first.run(milliseconds: 4_000)
    first.run("record stop", milliseconds: 3_000)
    let before = try #require(text(first, "summary-today"))
    first.run(milliseconds: 8_000)
    let written = try self.rows(first).map { $0[0] }
    #expect(before.hasPrefix("day = 20455 ") && written == ["day", "2026-01-02"], "\(before)")
    let disk = MemoryDisk(first.host.disk.image)
    var storage = Storage(MemoryStorage(disk))
    try unsafe storage.replace("summary-today", with: Array(before.utf8).span.bytes)
    let second = try rig(at: 2 * 86_400 + 60, host: TestHost(disk: disk), "23:50-00:10")
    second.run(milliseconds: 5_000)
    let rows = try self.rows(second)
    #expect(rows.map { $0[0] } == ["day", "2026-01-02", "2026-01-03"] && rows[2][4].contains("recorder off 1200"))
  }

  @Test("a power cut, or an end, while days without the recorder are accounted for leaves each day its one row")
  func cutInGap() throws {
    let rule: ScheduleLine = "00:00-00:10"
    for isCut in [true, false] {
      let first = try rig(at: 0, rule)
      first.run("deploy North", milliseconds: 5_000)
      let second = try rig(at: 20 * 86_400 + 3_600, host: TestHost(disk: MemoryDisk(first.host.disk.image)), rule)
      for _ in 0..<400 where try text(second, "summary.csv") == nil || rows(second).count < 6 {
        second.run(milliseconds: 10)
      }
      #expect(try 6..<20 ~= rows(second).count)
      if !isCut { #expect(second.quit()) }
      let third = try rig(at: 20 * 86_400 + 7_200, host: TestHost(disk: MemoryDisk(second.host.disk.image)), rule)
      third.run(milliseconds: 5_000)
      let rows = try rows(third)
      #expect(rows.map { $0[0] } == ["day"] + (2...21).map { $0 < 10 ? "2026-01-0\($0)" : "2026-01-\($0)" })
      #expect(rows.dropFirst(2).allSatisfy { $0[4] == "recorder off 600" }, "\(rows)")
      let told = Data(reply(third, "deploy json")[0].utf8)
      let deployment = try #require(try JSONSerialization.jsonObject(with: told) as? [String: Any])
      // 21 windows of ten minutes, but for what the first recorder recorded.
      #expect(3.49...3.5 ~= deployment["missed_hours"] as? Double ?? 0, "\(deployment)")
    }
  }

  @Test("whatever stands in a damaged day, the recorder starts, and the day goes on")
  func damagedDay() throws {
    let largest = "\(Int64.max)"
    let counts = Array(repeating: largest, count: 15).joined(separator: " ")
    for day in ["20455", largest, "-1"] {
      let disk = MemoryDisk()
      var storage = Storage(MemoryStorage(disk))
      let text = """
        day = \(day) \(largest) -\(largest) \(largest) 9
        counts = \(counts)
        deployment = \(counts)
        until = 1

        """
      try unsafe storage.replace("summary-today", with: Array(text.utf8).span.bytes)
      let rig = try rig(at: 3_600, host: TestHost(disk: disk), "00:00-02:00")
      rig.run(milliseconds: 4_000)
      let line = try #require(self.text(rig, "summary-today")).prefix { $0 != "\n" }
      #expect(line.hasPrefix("day = 20455 ") && !line.contains(largest), "\(line)")
      #expect(reply(rig, "deploy json").first?.contains("\"recorded_hours\":0.000") == true)
    }
  }

  @Test("what the clock jumps over is accounted for, and is in the rows of its days")
  func clockJumps() throws {
    let rig = try rig(at: 3_600, "00:00-00:10")
    rig.run(milliseconds: 3_000)
    rig.setClock(SimWallClock.Reading.off(seconds: 2 * 86_400 + 3_600))
    rig.run(milliseconds: 3_000)
    let rows = try rows(rig)
    #expect(rows.map { $0[0] } == ["day", "2026-01-02"])
    rig.setClock(SimWallClock.Reading.off(seconds: 4 * 86_400 + 3_600))
    rig.run(milliseconds: 3_000)
    #expect(try self.rows(rig).last?[4] == "asleep or clock set 600")
  }

  @Test("a clock that is set late puts what was counted before into its day")
  func clockSetLate() throws {
    let rig = try ApplianceRig(absent: [.camera], wallClock: SimWallClock(.epoch)) {
      $0.record.content = .audio
      $0.schedule.rule1 = "12:00-13:00"
      $0.schedule.unsetClock = .always
    }
    rig.run(milliseconds: 4_000)
    #expect(try #require(text(rig, "summary-today")).hasPrefix("day = 0 "))
    rig.setClock(SimWallClock.Reading.off(seconds: 86_400))
    rig.run(milliseconds: 4_000)
    #expect(try #require(text(rig, "summary-today")).hasPrefix("day = 20455 "))
    #expect(text(rig, "summary.csv") == nil)
  }

  @Test("deploy begins a deployment that a restart keeps, tells what it recorded, and ends it")
  func deploys() throws {
    let first = try rig(at: 3_600, nil) {
      $0.schedule.latitude = 37.5
      $0.schedule.longitude = 127
    }
    first.run(milliseconds: 1_000)
    #expect(reply(first, "deploy") == ["there is no deployment: deploy NAME begins one", "ok"])
    #expect(reply(first, "deploy NorthRidge under the oak").last == "ok")
    #expect(try first.status()["deployment"] as? String == "NorthRidge")
    first.run("record start", milliseconds: 5_000)
    first.run("record stop", milliseconds: 3_000)
    let file = try #require(text(first, "deployment"))
    for line in ["name = NorthRidge\n", "note = under the oak\n", "begun = 2026-01-02T01:", "position = 37.5"] {
      #expect(file.contains(line), "\(file)")
    }
    #expect(file.contains("what = audio\n"))
    let host = TestHost(disk: MemoryDisk(first.host.disk.image))
    let second = try rig(at: 3_700, host: host, nil)
    second.run(milliseconds: 2_000)
    let line = try #require(reply(second, "deploy json").first)
    let told = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    #expect(told["name"] as? String == "NorthRidge" && told["note"] as? String == "under the oak")
    #expect(told["takes"] as? Int == 1 && told["starts"] as? Int == 2, "\(line)")
    let hours = try #require(told["recorded_hours"] as? Double)
    #expect(abs(hours * 3600 - 5) < 2, "\(line)")
    #expect(reply(second, "deploy again")[0].hasPrefix("error: NorthRidge is deployed"))
    #expect(reply(second, "deploy end") == ["deployment NorthRidge ends", "ok"])
    #expect(try second.status()["deployment"] is NSNull)
    #expect(try #require(text(second, "deployment")).contains("\nended = 2026-01-02T01:"))
  }

  @Test("deployments that are begun and ended at once are all answered, and the card has the last")
  func atOnce() throws {
    let rig = try rig(at: 3_600, nil)
    rig.run(milliseconds: 1_000)
    let said = reply(rig, "deploy one\ndeploy two\ndeploy end\ndeploy three")
    #expect(
      said.filter { $0 != "ok" } == [
        "deployment one begins: deploy check tells what would spoil it",
        "error: one is deployed: deploy end ends that first", "deployment one ends",
        "deployment three begins: deploy check tells what would spoil it",
      ])
    let file = try #require(text(rig, "deployment"))
    #expect(file.hasPrefix("name = three\n") && !file.contains("ended = "), "\(file)")
  }

  @Test("a take has the name of its deployment, and one after its end has none")
  func isNamedInTakes() throws {
    let rig = try rig(at: 3_600, nil)
    rig.run(milliseconds: 1_000)
    rig.run("deploy 'North Ridge'", milliseconds: 2_000)
    rig.run("record start", milliseconds: 3_000)
    rig.run("record stop", milliseconds: 3_000)
    rig.run("deploy end", milliseconds: 2_000)
    rig.run("record start", milliseconds: 3_000)
    rig.run("record stop", milliseconds: 3_000)
    try #require(rig.takePaths.count == 2)
    let named = ledgerLines(try #require(rig.host.disk.image[rig.takePaths[0]]))
    #expect(named.filter { $0.hasSuffix("Z deployment: North Ridge") }.count == 1, "\(named)")
    let after = ledgerLines(try #require(rig.host.disk.image[rig.takePaths[1]]))
    #expect(!after.contains { $0.contains("deployment: ") }, "\(after)")
  }

  @Test("deploy check names what would spoil it, the worst first, and ends in a verdict")
  func checks() throws {
    let idle = try rig(at: 3_600, nil) { $0.retention.days = 10 }
    idle.run(milliseconds: 2_000)
    let lines = reply(idle, "deploy check")
    let found = try #require(
      lines.firstIndex(of: "deployment      neither a schedule nor a trigger begins a take"), "\(lines)")
    #expect(
      lines[found + 1] == "                set [schedule] rule1 or [trigger] on; or press record before you leave")
    #expect(lines.contains("deployment      retention removes takes that nobody has copied"))
    #expect(lines.suffix(2) == ["verdict         do not leave it like this", "ok"])
    let ready = try rig(at: 3_600, "04:30-06:00")
    ready.run(milliseconds: 2_000)
    ready.run("deploy NorthRidge", milliseconds: 1_000)
    let line = try #require(reply(ready, "deploy check 7 json").first)
    let told = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    let texts = (told["findings"] as? [[String: Any]])?.compactMap { $0["text"] as? String }
    #expect(texts?.contains("neither a schedule nor a trigger begins a take") == false, "\(line)")
    #expect(told["days"] as? Int == 7 && told["verdict"] is String, "\(line)")
    ready.host.disk.toldFreeByteCount = 64_000_000 + 16_000 * 5_400 * 3
    ready.run("record start", milliseconds: 3_000)
    ready.run("record stop", milliseconds: 2_000)
    #expect(reply(ready, "deploy check 7").contains("deployment      the card will be full before these days are over"))
    #expect(
      !reply(ready, "deploy check 1").contains("deployment      the card will be full before these days are over"))
  }

  @Test("deploy check tells of a folder that refuses the recorder")
  func refusedFolder() throws {
    let host = TestHost()
    host.disk.refusedFolders = ["audio"]
    let rig = try rig(at: 3_600, host: host, "04:30-06:00")
    rig.run(milliseconds: 2_000)
    #expect(reply(rig, "deploy check").contains("deployment      a folder on the card refuses the recorder"))
  }

  @Test(
    "deploy check tells of a longitude that is far from utc_offset, as one without its sign is",
    arguments: [(127.0, 9, false), (-127.0, 9, true), (-127.0, 0, false), (-157.0, 14, false), (76.0, 8, false)])
  func doubtsLongitude(longitude: Double, hours: Int32, isDoubted: Bool) throws {
    let rig = try ApplianceRig(absent: [.camera], localTime: .offset(seconds: hours * 3600)) {
      $0.record.content = .audio
      $0.schedule.latitude = 37.567
      $0.schedule.longitude = longitude
    }
    rig.run(milliseconds: 2_000)
    let lines = reply(rig, "deploy check 1")
    #expect(
      lines.contains("deployment      the longitude is far from where utc_offset is the time") == isDoubted, "\(lines)")
  }

  @Test("the head of a log stays when its oldest lines are dropped, and so do whole lines")
  func keepsHead() throws {
    var memory = leakedBootMemory()
    let log = try unwrapped(KeptLog(path: "summary.csv", keepsHead: true, in: &memory))
    _ = log.append(Array("head\r\n".utf8).span)
    for number in 1...1_000 {
      let line = String(repeating: "\(number % 10)", count: 98) + "\r\n"
      _ = log.append(Array(line.utf8).span)
    }
    let bytes = log.text.indices.map { log.text[$0] }
    let lines = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\r\n")
    #expect(bytes.count <= KeptLog.capacity && lines[0] == "head")
    #expect(lines.dropFirst().dropLast().allSatisfy { $0.count == 98 } && lines.count > 600)
    #expect(lines.dropLast().last?.first == "0")
  }

  @Test("without rules, a trigger or a deployment nothing is summed up")
  func keepsOut() throws {
    let rig = try rig(at: 3_600, nil)
    rig.run("record start", milliseconds: 4_000)
    rig.run("record stop", milliseconds: 3_000)
    #expect(text(rig, "summary-today") == nil && text(rig, "summary.csv") == nil)
    #expect(reply(rig, "deploy report") == ["error: there is no day yet: deploy NAME begins"])
  }
}
