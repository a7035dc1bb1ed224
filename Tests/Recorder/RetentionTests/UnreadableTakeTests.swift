import TestSupport
import Testing

@testable import Catalog

/// A take that cannot be read, of another user or on a bad sector, beside others.
@Suite struct UnreadableTakeTests {
  @Test("a take that cannot be read is told as that, and hides no other from takes, verify all and report")
  func others() throws {
    let folder = try TemporaryFolder.withRoots()
    for number in 1...3 { try folder.put("audio/20260303/20260303_00000\(number)_000\(number).wav", byteCount: 100) }
    var rig = try RetentionRig(folder)
    rig.breakage.paths = ["audio/20260303/20260303_000002_0002.wav"]
    #expect(rig.list() == ["1", "2 cannot be read", "3", "3 of 3"])
    let verdicts = rig.verifyAll()
    #expect(verdicts.filter { $0 == "cannot be read" }.count == 1 && verdicts.last == "0 of 3")
    #expect(verdicts.filter { $0.hasSuffix("notSealed") }.count == 2)
    #expect(rig.report("20260303") == ["1 ", "2 cannot be read", "3 ", "0 of 0"])
  }

  @Test("a day's folder that cannot be listed is told, and hides no take of other days")
  func folders() throws {
    let folder = try TemporaryFolder.withRoots()
    for day in 2...4 { try folder.put("audio/2026030\(day)/2026030\(day)_000001_000\(day).wav", byteCount: 100) }
    var rig = try RetentionRig(folder)
    rig.breakage.paths = ["audio/20260303"]
    #expect(rig.list() == ["cannot be read", "2", "4", "2 of 2"])
    let verdicts = rig.verifyAll()
    #expect(verdicts.first == "cannot be read" && verdicts.last == "0 of 3")
    #expect(rig.mark("audio/20260304/20260304_000001_0004.wav").last?.hasSuffix("protected") == true)
    #expect(rig.carryOut(.protect(true), on: .number(2)) == ["audio/20260302/20260302_000001_0002.wav protected"])
    #expect(rig.carryOut(.protect(true), on: .number(3)).first?.hasPrefix("refused:") == true)
    #expect(rig.report("20260303") == ["cannot be read", "0 of 0"])
  }
}
