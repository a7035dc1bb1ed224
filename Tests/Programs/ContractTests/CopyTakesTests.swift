import Foundation
import TestSupport
import Testing

/// The script that moves finished takes to another machine, with rsync, while the recorder records.
@Suite struct CopyTakesTests {
  private static let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "rootfs-overlay/usr/lib/fieldcorder/copy-takes").path

  private func copy(_ step: String, of data: String, _ folder: borrowing TemporaryFolder, to destination: String) throws
  {
    let settings = ["DATA=\(data)", "LISTS=\(folder.path(of: "lists"))", "DESTINATION=\(destination)"]
    try ForeignProgram.run("env", settings + [Self.script, step])
  }

  private func folderWithLists() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path(of: "lists"), withIntermediateDirectories: true)
    return folder
  }

  /// A session with a complete take, and another one that is being recorded.
  private func recordingSession() throws -> Session {
    let script = [
      "press record", "wait 2", "press record", "wait 2", "name 1 owl", "press record", "wait 2", "status json",
      "wait 86400",
    ]
    let session = try Session(script, clock: .real, configuration: "[video]\nframe_rate = 10\n")
    try session.waitForLines(1, beginningWith: "{")
    return session
  }

  private func contents(_ path: String) -> Data? { FileManager.default.contents(atPath: path) }

  @Test("what is finished is copied whole and marked with its size, and the take that grows is left for the next time")
  func copiesFinishedTakes() throws {
    let folder = try folderWithLists()
    let session = try recordingSession()
    let destination = folder.path(of: "copies")
    try FileManager.default.createDirectory(atPath: destination, withIntermediateDirectories: true)
    for step in ["list", "send", "mark"] { try copy(step, of: session.dataFolder, folder, to: destination) }
    let takes = session.takes()
    try #require(takes.count == 2)
    let copies = takes.map { destination + $0.dropFirst(session.dataFolder.count) }
    #expect(contents(copies[0]) == contents(takes[0]))
    #expect(contents(copies[1]) == nil)
    #expect(contents("\(destination)/names/0001") == Data("owl\n".utf8))
    let mark = URL(filePath: takes[0]).deletingLastPathComponent().appending(path: ".copied").path
    let line = "\(contents(takes[0])?.count ?? 0) \(URL(filePath: takes[0]).lastPathComponent)\n"
    #expect(contents(mark) == Data(line.utf8))
    session.send(SIGTERM)
    #expect(session.end() == 0)
    for step in ["list", "send", "mark"] { try copy(step, of: session.dataFolder, folder, to: destination) }
    #expect(contents(copies[1]) == contents(takes[1]))
    #expect(contents(mark)?.filter { $0 == UInt8(ascii: "\n") }.count == 2)
    // Nothing is left to copy.
    try copy("list", of: session.dataFolder, folder, to: destination)
    #expect(contents(folder.path(of: "lists/takes")) == Data())
  }

  @Test("a copy that fails says so, and marks nothing")
  func marksNothingThatWasNotCopied() throws {
    let folder = try folderWithLists()
    let session = try recordingSession()
    try copy("list", of: session.dataFolder, folder, to: "")
    // A file blocks the path of the folder.
    let destination = try folder.write([], as: "file") + "/copies"
    #expect(throws: ForeignProgram.Failure.self) { try copy("send", of: session.dataFolder, folder, to: destination) }
    #expect(throws: ForeignProgram.Failure.self) { try copy("send", of: session.dataFolder, folder, to: "") }
    let day = URL(filePath: session.takes()[0]).deletingLastPathComponent()
    #expect(contents(day.appending(path: ".copying").path) != nil)
    #expect(contents(day.appending(path: ".copied").path) == nil)
    session.send(SIGTERM)
    #expect(session.end() == 0)
  }
}
