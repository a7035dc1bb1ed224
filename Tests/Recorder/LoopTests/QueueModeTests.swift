import Machine
import TestSupport
import Testing

@testable import App

/// How the queue is played, on the whole appliance.
@Suite struct QueueModeTests {
  private func reply(_ rig: ApplianceRig, to line: String, milliseconds: UInt64 = 400) -> [String] {
    let count = rig.host.lines.count
    rig.run(line, milliseconds: milliseconds)
    return rig.host.lines.dropFirst(count).filter { !$0.hasPrefix("* ") }
  }

  @Test("what is repeated and whether the queue is shuffled is on the card, and the next start knows it")
  func keeps() throws {
    let disk = MemoryDisk()
    let rig = try ApplianceRig(host: TestHost(disk: disk)) { $0.speaker.deviceName = "sim" }
    #expect(reply(rig, to: "queue repeat") == ["repeat off", "ok"])
    #expect(reply(rig, to: "queue shuffle") == ["shuffle off", "ok"])
    #expect(reply(rig, to: "queue repeat all") == ["ok"])
    #expect(reply(rig, to: "queue shuffle on") == ["ok"])
    #expect(disk.image["queue"].map { String(decoding: $0, as: UTF8.self) } == "repeat all\nshuffle on\n")
    let next = try ApplianceRig(host: TestHost(disk: disk)) { $0.speaker.deviceName = "sim" }
    #expect(reply(next, to: "queue repeat") == ["repeat all", "ok"])
    #expect(reply(next, to: "queue shuffle") == ["shuffle on", "ok"])
    #expect(reply(next, to: "queue shuffle off") == ["ok"])
    #expect(disk.image["queue"].map { String(decoding: $0, as: UTF8.self) } == "repeat all\nshuffle off\n")
  }

  @Test("a card that refuses is told, and a file that is damaged costs what is in it")
  func isRefused() throws {
    let rig = try ApplianceRig { $0.speaker.deviceName = "sim" }
    rig.host.disk.fails = { $0 == .replace }
    #expect(reply(rig, to: "queue repeat one").last?.hasPrefix("error: ") == true)
    let disk = MemoryDisk()
    var storage = Storage(MemoryStorage(disk))
    try unsafe storage.replace("queue", with: Array("repeat ever\n\u{0}\nshuffle on\nrepeat".utf8).span.bytes)
    let next = try ApplianceRig(host: TestHost(disk: disk)) { $0.speaker.deviceName = "sim" }
    #expect(reply(next, to: "queue repeat") == ["repeat off", "ok"])
    #expect(reply(next, to: "queue shuffle") == ["shuffle on", "ok"])
  }
}
