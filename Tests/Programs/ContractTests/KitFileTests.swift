import Foundation
import TestSupport
import Testing

/// What the small applications keep, where it cannot be read.
@Suite struct KitFileTests {
  @Test(
    "a file of the kit that cannot be read costs its own command, and no take", arguments: ["guitar", "calculations"])
  func unreadable(name: String) throws {
    let folder = try TemporaryFolder()
    let data = folder.path(of: "data")
    // A folder of that name: nobody, root included, can read it as a file.
    try FileManager.default.createDirectory(atPath: "\(data)/\(name)", withIntermediateDirectories: true)
    let session = try Session(
      ["record start", "wait 2", "tuning DADGAD", "chord saved", "calc history", "record stop", "wait 1", "quit"],
      dataFolder: data, keeping: folder)
    #expect(session.end() == 0)
    let lines = try session.lines()
    #expect(lines.contains { $0.hasPrefix("* take ") && $0.contains(" is complete: ") })
    let refusal = "error: storage \(name) cannot be opened (errno 21): a folder has that name: move it away"
    #expect(lines.count { $0 == refusal } == (name == "guitar" ? 2 : 1))
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(data)/\(name)").isEmpty)
  }
}
