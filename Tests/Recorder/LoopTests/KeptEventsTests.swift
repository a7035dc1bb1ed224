import Base
import Machine
import TestSupport
import Testing

@testable import App

@Suite struct KeptEventsTests {
  private func before(_ disk: MemoryDisk) throws -> [String] {
    let rig = try ApplianceRig(host: TestHost(disk: disk))
    rig.run(milliseconds: 500)
    let start = rig.host.lines.count
    rig.run("events before", milliseconds: 500)
    return Array(rig.host.lines[start...])
  }

  @Test("The morning tells what happened at night, with its date, though nobody has ended the recorder")
  func tellsNight() throws {
    let night = try ApplianceRig()
    night.run("record start", milliseconds: 20_000)
    night.begin(.absent, of: .microphone)
    night.run(milliseconds: 15_000)
    let told = try before(night.host.disk)
    #expect(told.last == "ok")
    #expect(told.dropLast().allSatisfy { $0.wholeMatch(of: /at \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\S*: .+/) != nil })
    #expect(told.contains { $0.contains("microphone") })
    // Each has its own date, not that of the start.
    let dates = told.dropLast().map { String($0.split(separator: " ")[1]) }
    #expect(dates == dates.sorted() && Set(dates).count > 1, "\(dates)")
    let live = night.host.lines.filter { $0.hasPrefix("* ") }.map { String($0.dropFirst(2)) }
    #expect(told.dropLast().map { String($0.split(separator: ": ", maxSplits: 1)[1]) } == live)
  }

  @Test("Events of several runs follow each other, and those of the runs before give way first")
  func followsRuns() throws {
    let disk = MemoryDisk()
    for _ in 0..<30 {
      let rig = try ApplianceRig(host: TestHost(disk: disk))
      rig.run("record start", milliseconds: 2_000)
      rig.run("record stop", milliseconds: 12_000)
      #expect(rig.quit())
    }
    let told = try before(disk)
    #expect(told.count > 10)
    let takes = told.compactMap { $0.firstMatch(of: /_(\d{4})\.mov/).flatMap { Int($0.1) } }
    #expect(takes.last == 30 && takes == takes.sorted() && Set(takes).count > 1)
    // Events are dropped as whole lines.
    #expect(told.dropLast().allSatisfy { $0.wholeMatch(of: /at \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\S*: .+/) != nil })
    let file = try #require(disk.image["events"])
    #expect(file.count <= 65_536 && takes.first == 1)
  }

  @Test("Starts that bring nothing new are counted, over any number of them, and what happened between stays")
  func foldsRestarts() throws {
    let disk = MemoryDisk()
    func start(taking isTaking: Bool = false) throws {
      let rig = try ApplianceRig(host: TestHost(disk: disk))
      if isTaking { rig.run("record start\nwait 1\nrecord stop", milliseconds: 12_000) }
      rig.run(milliseconds: 12_000)
      #expect(rig.quit())
    }
    for index in 0..<14 { try start(taking: index == 6) }
    let told = try before(disk).dropLast().map { String($0.split(separator: ": ", maxSplits: 1)[1]) }
    #expect(told.count { $0.hasPrefix("fieldcorder test, device ") } == 3, "\(told)")
    // Six before the take, five of which are equal, and seven after it, the first of which is no repetition.
    #expect(
      told.filter { $0.hasPrefix("the same after ") } == [
        "the same after 5 more restarts", "the same after 6 more restarts",
      ])
    #expect(told.contains { $0.contains("0001.mov is complete") })
    let count = try #require(disk.image["events"]).count
    for _ in 0..<3 { try start() }
    #expect(try #require(disk.image["events"]).count < count + 1_000)
  }

  @Test("Of more than is kept the newest 64 kB are there, and of a run too, line by line")
  func keepsMuch() throws {
    let disk = MemoryDisk()
    let rig = try ApplianceRig(host: TestHost(disk: disk))
    for number in 0..<1_500 {
      rig.appliance.loop.services.console.announce("event \(number) of a long night with much to tell" as FixedText<64>)
      if number % 20 == 0 { rig.run(milliseconds: 100) }
    }
    rig.run(milliseconds: 12_000)
    let told = try before(disk)
    let numbers = told.compactMap { $0.firstMatch(of: /event (\d+) of/).flatMap { Int($0.1) } }
    #expect(numbers.last == 1_499 && numbers.count > 700, "\(numbers.count)")
    #expect(numbers == Array((numbers.first ?? 0)...1_499))
  }

  @Test("Nothing before the first start, and noise in the file, harm nothing")
  func survivesNoise() throws {
    let disk = MemoryDisk()
    #expect(try before(disk).contains("no events are kept from before the start"))
    var storage = Storage(MemoryStorage(disk))
    for noise in [
      [0xFF, 10, 32, 10, 10], [UInt8](repeating: 10, count: 2_048), [UInt8](repeating: 0x41, count: 5_000),
    ] {
      try unsafe storage.replace("events", with: noise.span.bytes)
      #expect(try before(disk).last == "ok")
    }
  }
}
