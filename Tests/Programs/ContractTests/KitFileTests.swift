import Foundation
import TestSupport
import Testing

/// Stored files of the small applications that cannot be read.
@Suite struct KitFileTests {
  @Test(
    "a file of the kit that cannot be read costs its own command, and no take", arguments: ["guitar", "calculations"])
  func unreadable(name: String) throws {
    let folder = try TemporaryFolder()
    let data = folder.path(of: "data")
    // Nobody, root included, can read a folder of that name as a file.
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

  @Test(
    "a folder or a link in the place of a file keeps nobody from recording, is told, and is kept under another name",
    arguments: ["state", "key", "identity"], [true, false])
  func replaced(name: String, isFolder: Bool) throws {
    let folder = try TemporaryFolder()
    let data = folder.path(of: "data")
    let take = "\(data)/audio/20251201/000000-0041.wav"
    for path in ["\(data)/audio/20251201", isFolder ? "\(data)/\(name)" : data] {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    try Data("x".utf8).write(to: URL(fileURLWithPath: take))
    if !isFolder {
      try FileManager.default.createSymbolicLink(
        atPath: "\(data)/\(name)", withDestinationPath: folder.path(of: "away"))
    }
    let session = try Session(
      ["wait 1", "record start", "wait 2", "record stop", "wait 1", "quit"], dataFolder: data, keeping: folder)
    #expect(session.end() == 0)
    let lines = try session.lines()
    #expect(lines.contains { $0.hasPrefix("* take ") && $0.contains("-0042.mov is complete: ") }, "\(lines)")
    #expect(lines.contains { $0.hasPrefix("* ") && $0.contains("could not be read") })
    #expect(try FileManager.default.contentsOfDirectory(atPath: data).contains("\(name).damaged-1"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: take)) == Data("x".utf8))
  }
}
