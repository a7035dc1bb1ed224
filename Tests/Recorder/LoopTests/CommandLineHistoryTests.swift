import Machine
import TestSupport
import Testing

@testable import App

@Suite struct CommandLineHistoryTests {
  private func terminal(_ disk: MemoryDisk = MemoryDisk()) throws -> ApplianceRig {
    let host = TestHost(disk: disk)
    host.isTerminal = true
    return try ApplianceRig(host: host)
  }

  private func kept(_ rig: ApplianceRig) -> String? {
    rig.host.disk.image["console-history"].map { String(decoding: $0, as: UTF8.self) }
  }

  @Test("What was typed is there after a restart, before what is typed then, but no address that may have a password")
  func isKept() throws {
    let first = try terminal()
    for line in ["status", "stream http://me:secret@radio.example/a", "mark 마이크", "mark 마이크"] {
      first.host.type(line + "\r")
      first.run(milliseconds: 1_500)
    }
    #expect(kept(first) == "status\nmark 마이크\n")
    let second = try terminal(first.host.disk)
    second.host.type("version\r")
    second.run(milliseconds: 1_500)
    second.host.type("\u{1B}[A\u{1B}[A\u{1B}[A\r")
    second.run(milliseconds: 1_500)
    #expect(kept(second) == "status\nmark 마이크\nversion\nstatus\n")
    #expect(second.host.lines.contains { $0.hasPrefix("state ") })
  }

  @Test("While a take is recorded the history is not written")
  func leavesCardToTake() throws {
    let rig = try terminal()
    rig.host.type("record start\r")
    rig.run(milliseconds: 100)
    let before = kept(rig)
    rig.host.type("status\r")
    rig.run(milliseconds: 5_000)
    #expect(kept(rig) == before)
    rig.host.type("record stop\r")
    rig.run(milliseconds: 5_000)
    #expect(kept(rig) == "record start\nstatus\nrecord stop\n")
  }

  @Test("Of many long lines the newest are kept, whole")
  func keepsNewest() throws {
    let rig = try terminal()
    let lines = (0..<40).map { "mark \($0) " + String(repeating: "가", count: 15) }
    for line in lines {
      rig.host.type(line + "\r")
      rig.run(milliseconds: 100)
    }
    rig.run(milliseconds: 2_000)
    let text = try #require(kept(rig))
    #expect(text.utf8.count <= 2_048)
    let told = text.split(separator: "\n").map(String.init)
    #expect(told == lines.suffix(told.count) && told.count > 20)
  }

  @Test("A history that cannot be read, or is noise, harms nothing")
  func survivesNoise() throws {
    let disk = MemoryDisk()
    var storage = Storage(MemoryStorage(disk))
    let noise = [0xFF, 0x1B, 0x5B, 0x41, 10, 0, 10, 10] + [UInt8](repeating: 0x61, count: 3_000)
    try unsafe storage.replace("console-history", with: noise.span.bytes)
    let rig = try terminal(disk)
    rig.host.type("\u{1B}[A\u{1B}[A\u{1B}[A\u{1B}[A\u{15}version\r")
    rig.run(milliseconds: 2_000)
    #expect(rig.host.lines.contains { $0.contains("fieldcorder test") })
  }
}
