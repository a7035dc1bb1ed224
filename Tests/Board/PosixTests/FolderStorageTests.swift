import Foundation
import Port
import TestSupport
import Testing
import Text

@testable import Posix

@Suite struct FolderStorageTests {
  @Test("The data folder is created with its parents if it is missing")
  func makesItself() throws {
    let folder = try TemporaryFolder()
    _ = try FolderStorage(folder: FixedText(folder.path(of: "a/b/c")))
    #expect(try ForeignProgram.text("stat", ["-c", "%F", folder.path(of: "a/b/c")]) == "directory")
  }

  @Test("A data folder that cannot be created is reported in one line with its path and the reason")
  func refusesAFile() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write([], as: "file")
    let failure = #expect(throws: DeviceFailure.self) { _ = try FolderStorage(folder: FixedText(path)) }
    #expect(failure?.device == .storage)
    let line = String(try #require(failure).line)
    #expect(
      line.hasSuffix("/file cannot be opened (errno 20): part of that path is a file: move it away, or set --data"))
    #expect(!line.contains("\n"))
  }

  @Test("A written file holds the same bytes for other programs, gaps as zeros, and its length is known")
  func writes() throws {
    let folder = try TemporaryFolder()
    var storage = try FolderStorage(folder: FixedText(folder.path))
    try storage.makeFolder("video/20260101")
    var file = try storage.create("video/20260101/a.mov")
    try write("hello", to: &file, at: 0)
    try write("end", to: &file, at: 8)
    try file.synchronise()
    #expect(file.byteCount == 11)
    #expect(try folder.read("video/20260101/a.mov") == Array("hello\0\0\0end".utf8))
    try file.truncate(to: 5)
    #expect(file.byteCount == 5)
    #expect(try folder.read("video/20260101/a.mov") == Array("hello".utf8))
  }

  @Test("A read returns the bytes that there are, and fewer only at the end")
  func reads() throws {
    let folder = try TemporaryFolder()
    _ = try folder.write(Array("0123456789".utf8), as: "numbers")
    var storage = try FolderStorage(folder: FixedText(folder.path))
    var file = try storage.open("numbers")
    #expect(file.byteCount == 10)
    #expect(try read(from: &file, at: 2, byteCount: 4) == "2345")
    #expect(try read(from: &file, at: 7, byteCount: 4) == "789")
    #expect(try read(from: &file, at: 10, byteCount: 4) == "")
  }

  @Test("Nothing is overwritten: a name that is taken is refused with its own kind")
  func isExclusive() throws {
    let folder = try TemporaryFolder()
    var storage = try FolderStorage(folder: FixedText(folder.path))
    _ = try storage.create("one")
    let failure = #expect(throws: DeviceFailure.self) { _ = try storage.create("one") }
    #expect(failure?.kind == .exists)
    #expect(failure?.subject == "one")
  }

  @Test("A missing file is absent, for opening as for removing")
  func tellsAbsence() throws {
    let folder = try TemporaryFolder()
    var storage = try FolderStorage(folder: FixedText(folder.path))
    #expect(#expect(throws: DeviceFailure.self) { _ = try storage.open("none") }?.kind == .absent)
    #expect(#expect(throws: DeviceFailure.self) { try storage.remove("none") }?.kind == .absent)
  }

  @Test("A full disk is reported as full, and earlier data stays")
  func tellsFullness() throws {
    let folder = try TemporaryFolder()
    // The kernel's own full device stands for the disk.
    try FileManager.default.createSymbolicLink(atPath: folder.path(of: "full"), withDestinationPath: "/dev/full")
    var storage = try FolderStorage(folder: FixedText(folder.path))
    var file = try storage.open("full")
    let failure = #expect(throws: DeviceFailure.self) { try write("x", to: &file, at: 0) }
    #expect(failure?.kind == .full)
    #expect(failure?.systemErrorNumber == ENOSPC)
  }

  @Test("A replaced file holds the new bytes whole, and no other file is left beside it")
  func replaces() throws {
    let folder = try TemporaryFolder()
    var storage = try FolderStorage(folder: FixedText(folder.path))
    try storage.makeFolder("s")
    for content in ["the first", "2"] {
      let bytes = Array(content.utf8)
      try unsafe storage.replace("s/state", with: bytes.span.bytes)
    }
    #expect(try folder.read("s/state") == Array("2".utf8))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path(of: "s")) == ["state"])
  }

  @Test("Every entry of a large folder is visited once, with its kind")
  func lists() throws {
    let folder = try TemporaryFolder()
    var expected: Set<String> = ["folder/"]
    for number in 0..<300 {
      let name = "file-with-a-fairly-long-name-\(number)"
      _ = try folder.write([], as: name)
      expected.insert(name)
    }
    var storage = try FolderStorage(folder: FixedText(folder.path))
    try storage.makeFolder("folder")
    var seen: [String] = []
    try storage.forEachEntry(of: "") { name, isFolder in
      seen.append(String(name) + (isFolder ? "/" : ""))
      return true
    }
    #expect(seen.count == expected.count)
    #expect(Set(seen) == expected)
    var count = 0
    try storage.forEachEntry(of: "") { _, _ in
      count += 1
      return count < 7
    }
    #expect(count == 7)
  }

  @Test("Free space is that of df, apart from what others write meanwhile")
  func tellsFreeSpace() throws {
    let folder = try TemporaryFolder()
    let storage = try FolderStorage(folder: FixedText(folder.path))
    let printed = try ForeignProgram.text("df", ["--output=avail", "-B1", folder.path])
    let expected = try #require(Int64(printed.split(separator: "\n").last ?? ""))
    #expect(abs(Int64(try storage.freeByteCount()) - expected) < 1 << 30)
  }

  private func write(_ text: String, to file: inout PosixFile, at offset: UInt64) throws {
    let bytes = Array(text.utf8)
    try unsafe file.write(bytes.span.bytes, at: offset)
  }

  private func read(from file: inout PosixFile, at offset: UInt64, byteCount: Int) throws -> String {
    var bytes = [UInt8](repeating: 0, count: byteCount)
    var span = bytes.mutableSpan
    var buffer = unsafe span.mutableBytes
    let count = try file.read(at: offset, into: &buffer)
    return String(decoding: bytes[..<count], as: UTF8.self)
  }
}
