import Configuration
import TestSupport
import Testing

@testable import App

/// `identity`
@Suite struct IdentityTests {
  private static let question = [
    "give the device a new UUID, so that later takes count as another device's? type y, or the line again, within 10 s",
    "ok",
  ]

  private func kept(_ disk: MemoryDisk?) -> String { String(decoding: disk?.image["identity"] ?? [], as: UTF8.self) }

  private func rig(_ host: TestHost = TestHost()) throws -> ApplianceRig {
    let rig = try ApplianceRig(host: host) { settings in
      if host.identityDisk != nil { settings.identity.copy = .folder("/boot") }
    }
    rig.run(milliseconds: 2_000)
    return rig
  }

  @Test("identity tells the UUID that stands in the data folder, and where its copy is")
  func shows() throws {
    let host = TestHost()
    host.identityDisk = MemoryDisk()
    let rig = try rig(host)
    rig.run("identity", milliseconds: 100)
    let identity = kept(host.disk).prefix(36)
    #expect(host.lines.suffix(4).first == "identity \(identity)" && host.lines.last == "ok")
    #expect(host.lines.contains("copy in /boot") && kept(host.identityDisk) == kept(host.disk))
    rig.run("identity json", milliseconds: 100)
    let made = try #require(host.lines.first { $0.hasPrefix("made ") }).dropFirst(5)
    let told = #"{"uuid":"\#(identity)","made":"\#(made)","copy_folder":"/boot","serial_number":"","next_uuid":null}"#
    #expect(host.lines.suffix(2) == [told, "ok"])
  }

  @Test("a reset is asked twice, and gives both copies an identity that the next start has")
  func resets() throws {
    let host = TestHost()
    host.identityDisk = MemoryDisk()
    let rig = try rig(host)
    let old = kept(host.disk).prefix(36)
    rig.run("identity reset", milliseconds: 10_500)
    #expect(host.lines.suffix(2) == Self.question)
    rig.run("identity reset", milliseconds: 100)
    #expect(host.lines.suffix(2) == Self.question, "the first one is too long ago")
    rig.run("identity reset", milliseconds: 1_000)
    let new = kept(host.disk).prefix(36)
    #expect(host.lines.suffix(2) == ["from the next start the device is \(new)", "ok"] && new != old)
    rig.run("identity json", milliseconds: 100)
    let told = try #require(host.lines.suffix(2).first)
    #expect(told.hasPrefix(#"{"uuid":"\#(old)","#) && told.hasSuffix(#","next_uuid":"\#(new)"}"#), "\(told)")
    #expect(kept(host.disk).contains("replaces \(old)") && kept(host.identityDisk) == kept(host.disk))
    rig.run("identity reset", milliseconds: 100)
    #expect(host.lines.last == "error: the identity has already been reset: restart the recorder before another reset")
    let next = try self.rig(host)
    next.run("identity", milliseconds: 100)
    #expect(host.lines.contains("identity \(new)"))
  }

  @Test("while a take is recorded the identity stays, and a card that refuses is told")
  func refuses() throws {
    let rig = try rig()
    let old = kept(rig.host.disk)
    rig.run("record start\nidentity reset", milliseconds: 500)
    #expect(rig.host.lines.last == "error: a take is being recorded: stop it first")
    rig.run("record stop", milliseconds: 3_000)
    rig.host.disk.fails = { $0 == .replace }
    rig.run("identity reset\nidentity reset", milliseconds: 1_000)
    #expect(rig.host.lines.last?.hasPrefix("error: storage identity is what a test breaks") == true)
    rig.host.disk.fails = { _ in false }
    #expect(kept(rig.host.disk) == old)
    rig.run("identity reset\nidentity reset", milliseconds: 1_000)
    #expect(rig.host.lines.last == "ok" && kept(rig.host.disk) != old)
  }

  @Test("a copy that cannot be replaced is told, and the new identity knows that it counts")
  func copyFails() throws {
    let host = TestHost()
    let copy = MemoryDisk()
    host.identityDisk = copy
    let rig = try rig(host)
    copy.fails = { _ in true }
    rig.run("identity reset\nidentity reset", milliseconds: 1_000)
    #expect(host.lines.last == "ok" && host.lines.contains { $0.hasPrefix("* storage identity is what a test breaks") })
    copy.fails = { _ in false }
    #expect(kept(copy) != kept(host.disk))
    let next = try self.rig(host)
    let new = kept(host.disk).prefix(36)
    #expect(kept(copy) == kept(host.disk))
    #expect(next.host.lines.contains { $0.hasSuffix("the one that replaced the other is used, \(new)") })
  }
}
