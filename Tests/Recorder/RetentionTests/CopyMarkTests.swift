import Foundation
import TestSupport
import Testing

@testable import Catalog

/// Passes that remove only files marked as copied.
@Suite struct CopyMarkTests {
  private static let day = "video/20260102"

  /// A day with takes of 10, 11 and 12 bytes, and a list.
  private func folder(_ list: String?, listed: TimeInterval = 2_000) throws -> TemporaryFolder {
    let folder = try TemporaryFolder.withRoots()
    for number in 0..<3 { try folder.put("\(Self.day)/010203-000\(number).mov", byteCount: 10 + number) }
    guard let list else { return folder }
    _ = try folder.write(Array(list.utf8), as: "\(Self.day)/.copied")
    try folder.touch("\(Self.day)/.copied", modified: listed)
    return folder
  }

  private static let whole = "10 010203-0000.mov\n11 010203-0001.mov\n12 010203-0002.mov\n"

  @Test(
    "A day goes whole when all is listed, in any order, with any line ends",
    arguments: [
      whole, "12 010203-0002.mov\r\n10 010203-0000.mov\r\n11 010203-0001.mov", String(whole.dropLast()),
      String(repeating: "5 " + String(repeating: "x", count: 200) + "\n", count: 40) + whole,
    ])
  func takesCopied(list: String) throws {
    var rig = try RetentionRig(try folder(list), onlyCopied: true)
    #expect(rig.purge() == ["\(Self.day) gone, 3 files", "end: 1 folders, 3 files, 33 bytes"])
    #expect(try rig.folder.contents() == ["audio", "photo", "video"])
  }

  @Test("Without a list the day stays whole")
  func keepsUnmarked() throws {
    var rig = try RetentionRig(try folder(nil), onlyCopied: true)
    #expect(rig.purge() == ["end: 0 folders, 0 files, 0 bytes"])
    #expect(rig.purge(isDryRun: true).first == "\(Self.day) notCopied")
    try rig.folder.put("\(Self.day)/.copying")
    try rig.folder.link("\(Self.day)/.copied", to: ".copying")
    #expect(rig.purge().last == "end: 0 folders, 0 files, 0 bytes")
  }

  @Test(
    "A take that is not in the list, was made or changed after it, or has another size now stays",
    arguments: [
      "10 010203-0000.mov\n12 010203-0002.mov\n", "10 010203-0000.mov\n110 010203-0001.mov\n12 010203-0002.mov\n",
      "10 010203-0000.mov\n1 010203-0001.mov\n12 010203-0002.mov\n",
      "10 010203-0000.mov\n 11 010203-0001.mov\n12 010203-0002.mov\n",
      "10 010203-0000.mov\n11 010203-0001.mov.part\n12 010203-0002.mov\n",
      "10 010203-0000.mov\n11 010203-0001.mov" + String(repeating: "v", count: 60) + "\n12 010203-0002.mov\n",
    ])
  func keepsUncopied(list: String) throws {
    var rig = try RetentionRig(try folder(list), onlyCopied: true)
    #expect(rig.purge() == ["\(Self.day) partly, 2 files", "end: 0 folders, 2 files, 22 bytes"])
    #expect(try rig.folder.contents().contains("\(Self.day)/010203-0001.mov"))
    // The list stays if it does not cover all files.
    #expect(try rig.folder.contents().contains("\(Self.day)/.copied"))
  }

  @Test("A take that changed after the list was written stays although its size is the same")
  func keepsChanged() throws {
    var rig = try RetentionRig(try folder(Self.whole), onlyCopied: true)
    try rig.folder.touch("\(Self.day)/010203-0001.mov", modified: 2_001)
    #expect(rig.purge().first == "\(Self.day) partly, 2 files")
  }

  @Test("The script of the manual marks what it copied, and nothing that came meanwhile")
  func manual() throws {
    let manual = try String(
      contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "docs/using.md"), encoding: .utf8)
    let script = try #require(manual.firstMatch(of: #/```sh\n(cd \/var\/lib\/fieldcorder[^`]*)```/#)).output.1
    let folder = try folder(nil)
    let target = try TemporaryFolder()
    let tools = try TemporaryFolder()
    // Stands in for rsync: while it copies, another take is completed.
    let copier = try tools.write(
      Array("#!/bin/sh\ncp *.mov \"$4\" && touch 010203-0009.mov\n".utf8), as: "rsync")
    _ = try ForeignProgram.run("chmod", ["+x", copier])
    let here = script.replacing(#/video\/\d{8}/#, with: Self.day).replacing("/var/lib/fieldcorder", with: folder.path)
      .replacing("backup:takes/\(Self.day)", with: target.path)
    _ = try ForeignProgram.run("env", ["PATH=\(tools.path):/usr/bin:/bin", "sh", "-c", String(here)])
    #expect(try target.contents().filter { $0.hasSuffix(".mov") }.count == 3)
    var rig = try RetentionRig(folder, onlyCopied: true)
    #expect(rig.purge().first == "\(Self.day) partly, 3 files")
    #expect(try rig.folder.contents().contains("\(Self.day)/010203-0009.mov"))
  }
}
