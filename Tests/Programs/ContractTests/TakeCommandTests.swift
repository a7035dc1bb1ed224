import Foundation
import TestSupport
import Testing

/// The take commands of the real program, checked with third-party programs.
@Suite struct TakeCommandTests {
  private struct Row: Decodable {
    let number: Int, path: String, bytes: Int, milliseconds: Int, clockwise_degrees: Int, marks: Int
    let protected: Bool, name: String
  }

  private func said(_ script: [String], in folder: borrowing TemporaryFolder) throws -> [String] {
    let session = try Session(script + ["quit"], seed: 5, dataFolder: folder.path(of: "data"))
    #expect(session.end() == 0)
    return try session.lines().filter { !$0.hasPrefix("* ") }
  }

  private func hash(_ path: String) throws -> Substring {
    try ForeignProgram.text("b2sum", [path]).prefix { $0 != " " }
  }

  private func listing(_ path: String) throws -> [Substring] {
    try ForeignProgram.text("ls", ["-A", path]).split(separator: "\n")
  }

  @Test("a take is listed, named, deleted and undeleted over restarts, copied, and compared")
  func oneRound() throws {
    let folder = try TemporaryFolder()
    let data = folder.path(of: "data")
    let usb = folder.path(of: "usb")
    try FileManager.default.createDirectory(atPath: usb, withIntermediateDirectories: true)
    _ = try said(
      ["tilt portrait", "wait 3", "press record", "wait 4", "mark", "press record", "wait 2", "press record", "wait 2"]
        + ["press record", "wait 2", "name 1 부엉이, the owl"], in: folder)
    let rows = try said(["takes json"], in: folder).dropLast(2)
      .map { try JSONDecoder().decode(Row.self, from: Data($0.utf8)) }
    try #require(rows.count == 2)
    let paths = rows.map { "\(data)/\($0.path)" }
    #expect(rows.map(\.number) == [1, 2] && rows.map(\.name) == ["부엉이, the owl", ""] && rows.map(\.marks) == [1, 0])
    for (row, path) in zip(rows, paths) {
      let seconds = try ForeignProgram.text(
        "ffprobe", ["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", path])
      #expect(abs(Double(row.milliseconds) / 1000 - (Double(seconds) ?? 0)) < 0.05)
      let rotation = try ForeignProgram.text(
        "ffprobe",
        ["-v", "error", "-select_streams", "v:0", "-show_entries", "side_data=rotation", "-of", "csv=p=0", path])
      #expect(row.clockwise_degrees == (360 - (Int(rotation) ?? 0)) % 360, "\(rotation)")
      #expect(String(row.bytes) == (try ForeignProgram.text("stat", ["-c", "%s", path])))
    }
    let hashes = try paths.map { try hash($0) }

    let deleted = try said(["protect 2", "delete 2", "delete 1", "delete 1", "list video", "takes bin"], in: folder)
    #expect(deleted.contains { $0.hasPrefix("\(rows[0].path) is in the bin, which frees ") })
    #expect(
      deleted.filter { $0.hasPrefix(rows[1].path) }.count == 2
        && deleted.filter { $0.hasPrefix(rows[0].path) }.count == 1)
    let bin = try listing("\(data)/bin")
    try #require(bin.count == 1)
    #expect(bin[0].hasSuffix("-\(rows[0].path.split(separator: "/")[2])"))
    #expect(try hash("\(data)/bin/\(bin[0])") == hashes[0])
    #expect(try listing((paths[0] as NSString).deletingLastPathComponent).count == 1)

    try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: paths[1])
    let back = try said(["undelete 1", "export 1 \(usb)", "export 2 \(usb)", "verify last", "verify all"], in: folder)
    #expect(back.first == "\(rows[0].path) is back")
    #expect(back.contains("2 of 2 takes are whole"))
    #expect(try listing("\(data)/bin").isEmpty)
    let copies = rows.map { "\(usb)/\($0.path.split(separator: "/")[2])" }
    #expect(try (paths + copies).map { try hash($0) } == hashes + hashes)
    #expect(try listing(usb).count == 3)
    // Programs show and sort takes by it.
    #expect(try ForeignProgram.text("stat", ["-c", "%Y", copies[1]]) == "1000000000")
    let text = copies[0].replacing(".mov", with: ".txt")
    #expect(try ForeignProgram.text("cat", [text]) == "부엉이, the owl")
    #expect(try ForeignProgram.text("cat", ["\(data)/names/0001"]) == "부엉이, the owl")
  }
}
