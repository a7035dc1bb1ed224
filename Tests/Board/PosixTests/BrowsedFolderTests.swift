import Base
import Foundation
import TestSupport
import Testing

@testable import Machine

@Suite struct BrowsedFolderTests {
  @Test("Files and folders are listed with stat's length and modification time, without hidden ones")
  func tellsEntries() throws {
    let folder = try TemporaryFolder()
    _ = try folder.write(Array("12345".utf8), as: "한글 \"a\".mp3")
    _ = try folder.write([], as: ".hidden")
    try FileManager.default.createDirectory(atPath: folder.path(of: "sub"), withIntermediateDirectories: false)
    _ = try ForeignProgram.text("touch", ["-d", "2020-02-03 04:05:06.789 UTC", folder.path(of: "한글 \"a\".mp3")])
    _ = try ForeignProgram.text("mkfifo", [folder.path(of: "pipe")])
    var folders = try FolderStorage(folder: FixedText(folder.path), for: .browsing)
    for path in ["", ".", folder.path] {
      var entries: [String: FolderEntry] = [:]
      let place = try folders.forEachEntry(of: FixedText(path), from: 0, isExamined: true) { entry in
        entries[String(entry.name)] = copy entry
        return true
      }
      #expect(place == nil)
      #expect(Set(entries.keys) == ["한글 \"a\".mp3", "sub"])
      let file = try #require(entries["한글 \"a\".mp3"])
      #expect(!file.isFolder)
      #expect(file.byteCount == 5)
      #expect(file.modifiedNanoseconds == 1_580_702_706_789_000_000)
      #expect(entries["sub"]?.isFolder == true)
    }
  }

  @Test("A large folder is listed in pieces of any size, every entry once", arguments: [1, 7, 64, 1000])
  func resumes(pieceCount: Int) throws {
    let folder = try TemporaryFolder()
    let expected = Set((0..<500).map { "a file with a rather long name \($0)" })
    for name in expected { _ = try folder.write([], as: name) }
    var folders = try FolderStorage(folder: FixedText(folder.path), for: .browsing)
    var seen: [String] = []
    var place: UInt64? = 0
    while let next = place {
      var left = pieceCount
      place = try folders.forEachEntry(of: "", from: next, isExamined: true) { entry in
        seen.append(String(entry.name))
        left -= 1
        return left > 0
      }
    }
    #expect(seen.count == 500)
    #expect(Set(seen) == expected)
  }

  @Test("Links to files and folders are followed; a link to a folder around it is left out, and so is a dead one")
  func followsLinks() throws {
    let folder = try TemporaryFolder()
    let manager = FileManager.default
    try manager.createDirectory(atPath: folder.path(of: "music/a/b"), withIntermediateDirectories: true)
    try manager.createDirectory(atPath: folder.path(of: "elsewhere"), withIntermediateDirectories: true)
    _ = try folder.write([1, 2, 3], as: "elsewhere/x.mp3")
    for (link, target) in [
      ("music/file.mp3", "../elsewhere/x.mp3"), ("music/folder", folder.path(of: "elsewhere")), ("music/dead", "none"),
      ("music/a/self", "."), ("music/a/b/up", "../.."), ("music/a/b/top", "../../.."), ("music/a/b/root", "/"),
      ("music/a/b/around", "around"),
    ] { try manager.createSymbolicLink(atPath: folder.path(of: link), withDestinationPath: target) }
    var folders = try FolderStorage(folder: FixedText(folder.path), for: .browsing)
    #expect(try names(in: "music", of: &folders) == ["a/", "file.mp3 3", "folder/"])
    #expect(try names(in: "music/a", of: &folders) == ["b/"])
    #expect(try names(in: "music/a/b", of: &folders) == [])
    #expect(try names(in: folder.path(of: "music/a/b"), of: &folders) == [])
    #expect(try names(in: "music/folder", of: &folders) == ["x.mp3 3"])
  }

  @Test("The entry at a path is returned with its name; a missing one is absent")
  func tellsOneEntry() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write([1, 2], as: "a.mp3")
    var folders = try FolderStorage(folder: FixedText(folder.path), for: .browsing)
    for name in ["a.mp3", path, "./a.mp3"] {
      let entry = try folders.entry(at: FixedText(name))
      #expect(String(entry.name) == "a.mp3")
      #expect(entry.byteCount == 2)
      #expect(!entry.isFolder)
    }
    #expect(try folders.entry(at: FixedText(folder.path)).isFolder)
    for name in ["none", "none/a", "/none"] {
      let failure = #expect(throws: DeviceFailure.self) { _ = try folders.entry(at: FixedText(name)) }
      #expect(failure?.kind == .absent)
    }
    let failure = #expect(throws: DeviceFailure.self) { _ = try folders.entry(at: "/dev/null") }
    #expect(failure?.kind == .absent)
    let missing = #expect(throws: DeviceFailure.self) {
      _ = try folders.forEachEntry(of: "none", from: 0, isExamined: true) { _ in true }
    }
    #expect(missing?.kind == .absent)
  }

  private func names(in folder: String, of folders: inout FolderStorage) throws -> [String] {
    var names: [String] = []
    _ = try folders.forEachEntry(of: FixedText(folder), from: 0, isExamined: true) { entry in
      names.append(String(entry.name) + (entry.isFolder ? "/" : " \(entry.byteCount)"))
      return true
    }
    return names.sorted()
  }
}
