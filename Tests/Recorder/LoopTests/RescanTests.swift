import Machine
import TestSupport
import Testing

@testable import App

@Suite struct RescanTests {
  @Test("with [library] rescan_seconds = 0 a file that was added is listed after rescan, and not before")
  func scansWhenAsked() throws {
    let rig = try ApplianceRig { $0.library.rescanSeconds = 0 }
    rig.run(milliseconds: 2_000)
    rig.host.prober.files["music/birds.wav"] = ScriptedFile(firstNumber: 1, frameCount: 48_000)
    var storage = Storage(MemoryStorage(rig.host.disk))
    try storage.makeFolder("music")
    _ = try storage.create("music/birds.wav")
    rig.run(milliseconds: 60_000)
    rig.run("list", milliseconds: 1_000)
    #expect(rig.host.lines.last == "ok" && !rig.host.lines.contains { $0.contains("birds") })
    rig.run("rescan", milliseconds: 5_000)
    #expect(rig.host.lines.suffix(2) == ["1 file found, 1 more than before", "ok"])
    rig.run("rescan", milliseconds: 5_000)
    #expect(rig.host.lines.suffix(2) == ["1 file found, as many as before", "ok"])
    rig.run("list", milliseconds: 1_000)
    #expect(rig.host.lines.contains { $0.contains("music/birds.wav") })
  }
}
