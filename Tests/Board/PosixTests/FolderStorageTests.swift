import Base
import Foundation
import TestSupport
import Testing

@testable import Machine

/// Of this thread alone; its header is in no module.
@_silgen_name("setfsuid") private func setfsuid(_ user: uid_t) -> Int32

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

  @Test("Only the recorder's user may read a small file that is replaced: the device's key is one")
  func isPrivate() throws {
    let folder = try TemporaryFolder()
    var storage = try FolderStorage(folder: FixedText(folder.path))
    let key = InlineArray<4, UInt8>(repeating: 7)
    for _ in 0..<2 { try unsafe storage.replace("key", with: key.span.bytes) }
    #expect(try ForeignProgram.text("stat", ["-c", "%a", folder.path(of: "key")]) == "600")
  }

  /// As after `sudo fieldcorder`: whoever may do everything is another user for this thread.
  @Test(
    "What another user's recorder has left is replaced, or told",
    .enabled(if: geteuid() == 0, "only root can be two users"))
  func otherUser() throws {
    let folder = try TemporaryFolder()
    unsafe chmod(folder.path, 0o777)
    try FileManager.default.createDirectory(atPath: folder.path(of: "audio"), withIntermediateDirectories: false)
    unsafe chmod(try folder.write([1], as: "state.new"), 0o600)
    _ = setfsuid(65_534)
    defer { _ = setfsuid(0) }
    var storage = try FolderStorage(folder: FixedText(folder.path))
    try unsafe storage.replace("state", with: InlineArray<1, UInt8>(repeating: 7).span.bytes)
    let failure = #expect(throws: DeviceFailure.self) { try storage.requireAccess(to: "audio") }
    #expect(failure?.kind == .noPermission && failure?.subject == "audio")
    try storage.requireAccess(to: "video")
    try storage.requireAccess(to: "")
  }

  @Test(
    "Another folder under the same name is used if it has an identity or is a disk, and not if it is an empty place")
  func replaced() throws {
    let folder = try TemporaryFolder()
    for name in ["first", "second"] {
      try FileManager.default.createDirectory(atPath: folder.path(of: name), withIntermediateDirectories: false)
    }
    let place = folder.path(of: "place")
    func lead(to target: String) throws {
      try? FileManager.default.removeItem(atPath: place)
      try FileManager.default.createSymbolicLink(atPath: place, withDestinationPath: target)
    }
    try lead(to: folder.path(of: "first"))
    var storage = try FolderStorage(folder: FixedText(place))
    var isReplaced = storage.isReplaced
    #expect(!isReplaced)
    try lead(to: folder.path(of: "second"))
    isReplaced = storage.isReplaced
    #expect(!isReplaced)
    #expect(throws: DeviceFailure.self) { try storage.reopen() }
    _ = try folder.write([1], as: "second/identity")
    isReplaced = storage.isReplaced
    #expect(isReplaced)
    try storage.reopen()
    isReplaced = storage.isReplaced
    #expect(!isReplaced)
    // A file system of its own on every machine.
    try lead(to: "/proc")
    isReplaced = storage.isReplaced
    #expect(isReplaced)
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

  @Test("A file that somebody has removed is not brought onto the disk, and a renamed one is")
  func tellsRemoval() throws {
    let folder = try TemporaryFolder()
    var storage = try FolderStorage(folder: FixedText(folder.path))
    var file = try storage.create("take.mov")
    try write("sound", to: &file, at: 0)
    try file.synchronise()
    try FileManager.default.moveItem(atPath: folder.path(of: "take.mov"), toPath: folder.path(of: "other.mov"))
    try file.synchronise()
    try FileManager.default.removeItem(atPath: folder.path(of: "other.mov"))
    let failure = #expect(throws: DeviceFailure.self) { try file.synchronise() }
    #expect(
      failure.map { String($0.line) } == "storage take.mov was removed while it was being written (errno 2): "
        + "its contents are lost; record again")
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
    // The kernel's own full device stands in for the disk.
    let device = try unwrapped(FileDescriptor(path: "/dev/full" as FixedText<16>, flags: O_RDWR))
    var file: HostFile = try PosixFile(device, path: "full")
    let failure = #expect(throws: DeviceFailure.self) { try write("x", to: &file, at: 0) }
    #expect(failure?.kind == .full)
    #expect(failure?.systemErrorNumber == ENOSPC)
  }

  @Test("No call follows a link or a path out of the data folder")
  func staysInside() throws {
    let outside = try TemporaryFolder()
    _ = try outside.write(Array("theirs".utf8), as: "other.mov")
    let folder = try TemporaryFolder()
    let manager = FileManager.default
    try manager.createSymbolicLink(atPath: folder.path(of: "video"), withDestinationPath: outside.path)
    try manager.createSymbolicLink(
      atPath: folder.path(of: "file.mov"), withDestinationPath: outside.path(of: "other.mov"))
    _ = try folder.write(Array("ours".utf8), as: "own.mov")
    var storage = try FolderStorage(folder: FixedText(folder.path))
    let name = URL(fileURLWithPath: outside.path).lastPathComponent
    for way in ["video", "../\(name)", outside.path] {
      let path = FixedText<128>(way + "/other.mov")
      let new = FixedText<128>(way + "/new.mov")
      #expect(throws: DeviceFailure.self) { _ = try storage.open(path) }
      #expect(throws: DeviceFailure.self) { _ = try storage.create(new) }
      #expect(throws: DeviceFailure.self) { try storage.remove(path) }
      #expect(throws: DeviceFailure.self) { try storage.rename("own.mov", to: new) }
      #expect(throws: DeviceFailure.self) { try storage.rename(path, to: "mine.mov") }
      #expect(throws: DeviceFailure.self) { try unsafe storage.replace(path, with: [UInt8(1)].span.bytes) }
      #expect(throws: DeviceFailure.self) { try storage.makeFolder(FixedText(way + "/made")) }
      #expect(throws: DeviceFailure.self) { try storage.synchroniseFolder(FixedText(way)) }
      #expect(throws: DeviceFailure.self) {
        _ = try storage.forEachEntry(of: FixedText(way), from: 0, isExamined: false) { _ in true }
      }
    }
    #expect(throws: DeviceFailure.self) { _ = try storage.open("file.mov") }
    #expect(try manager.contentsOfDirectory(atPath: outside.path) == ["other.mov"])
    #expect(try outside.read("other.mov") == Array("theirs".utf8))
    #expect(try folder.read("own.mov") == Array("ours".utf8))
  }

  @Test("Where the kernel cannot keep a path inside the folder, a walk does, and refuses links")
  func walks() throws {
    let folder = try TemporaryFolder()
    let manager = FileManager.default
    try manager.createDirectory(atPath: folder.path(of: "in/a"), withIntermediateDirectories: true)
    try manager.createSymbolicLink(atPath: folder.path(of: "in/up"), withDestinationPath: "..")
    _ = try folder.write([1], as: "other")
    _ = try folder.write([2], as: "in/a/own")
    let root = try unwrapped(FileDescriptor(path: FixedText<256>(folder.path(of: "in")), flags: O_RDONLY | O_DIRECTORY))
    for (path, isInside) in [
      ("a/own", true), ("a", true), (".", true), ("up", false), ("up/other", false), ("../other", false),
      ("a/../../other", false), (folder.path(of: "other"), false), ("", false), ("a//own", false),
    ] {
      let file = FileDescriptor(walking: FixedText<256>(path), flags: O_RDONLY, from: root)
      let isOpened = file != nil
      #expect(isOpened == isInside, "\(path)")
    }
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
    _ = try storage.forEachEntry(of: "", from: 0, isExamined: false) { entry in
      seen.append(String(entry.name) + (entry.isFolder ? "/" : ""))
      return true
    }
    #expect(seen.count == expected.count)
    #expect(Set(seen) == expected)
    var count = 0
    _ = try storage.forEachEntry(of: "", from: 0, isExamined: false) { _ in
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

  private func write(_ text: String, to file: inout HostFile, at offset: UInt64) throws {
    let bytes = Array(text.utf8)
    try unsafe file.write(bytes.span.bytes, at: offset)
  }

  @Test("A data folder that was replaced by another is taken up with its lock, but not one without an identity")
  func reopens() throws {
    let place = try TemporaryFolder()
    let path = FixedText<128>(place.path(of: "data"))
    var storage = try FolderStorage(folder: path)
    try storage.lock(path)
    try FileManager.default.moveItem(atPath: place.path(of: "data"), toPath: place.path(of: "gone"))
    #expect(throws: DeviceFailure.self) { try storage.reopen() }
    // The empty folder below a mount point whose card is gone.
    try FileManager.default.createDirectory(atPath: place.path(of: "data"), withIntermediateDirectories: false)
    #expect(throws: DeviceFailure.self) { try storage.reopen() }
    var file = try storage.create("before")
    try write("x", to: &file, at: 0)
    #expect(FileManager.default.fileExists(atPath: place.path(of: "gone/before")))
    _ = try place.write(Array("01234567".utf8), as: "data/identity")
    for _ in 0..<2 {
      try storage.reopen()
      var other = try FolderStorage(folder: path)
      #expect(throws: DeviceFailure.self) { try other.lock(path) }
    }
    _ = try storage.create("after")
    #expect(FileManager.default.fileExists(atPath: place.path(of: "data/after")))
    // The folder that has moved away can be locked again.
    var gone = try FolderStorage(folder: FixedText(place.path(of: "gone")))
    try gone.lock(FixedText(place.path(of: "gone")))
  }

  @Test("Beside the recorder that has locked it, the data folder is taken up again without a lock")
  func reopensUnlocked() throws {
    let place = try TemporaryFolder()
    let path = FixedText<128>(place.path(of: "data"))
    var owner = try FolderStorage(folder: path)
    try owner.lock(path)
    _ = try place.write(Array("01234567".utf8), as: "data/identity")
    var beside = try FolderStorage(folder: path)
    try beside.reopen()
    _ = try beside.create("note")
    var other = try FolderStorage(folder: path)
    #expect(throws: DeviceFailure.self) { try other.lock(path) }
  }

  @Test("The fallback folder is made, locked and used until the data folder is taken up again")
  func fallsBack() throws {
    let place = try TemporaryFolder()
    let path = FixedText<128>(place.path(of: "data"))
    let fallback = FixedText<64>(place.path(of: "f"))
    guard !fallback.isTruncated else { throw CocoaError(.fileNoSuchFile) }
    var alone = try FolderStorage(folder: path)
    #expect(throws: DeviceFailure.self) { try alone.fallBack() }
    var storage = try FolderStorage(folder: path, fallbackFolder: fallback)
    _ = try place.write(Array("01234567".utf8), as: "data/identity")
    try storage.fallBack()
    var other = try FolderStorage(folder: FixedText(fallback.bytes))
    #expect(throws: DeviceFailure.self) { try other.lock(FixedText(fallback.bytes)) }
    _ = try storage.create("there")
    try storage.reopen()
    _ = try storage.create("here")
    #expect(FileManager.default.fileExists(atPath: place.path(of: "f/there")))
    #expect(FileManager.default.fileExists(atPath: place.path(of: "data/here")))
    try other.lock(FixedText(fallback.bytes))
    #expect(throws: DeviceFailure.self) { try storage.fallBack() }
  }

  @Test("A start makes the fallback folder, and says if it cannot")
  func checksFallback() throws {
    let place = try TemporaryFolder()
    var settings = HostSettings()
    try SystemHost(settings).checkFallback()
    let fallback = FixedText<64>(place.path(of: "f"))
    guard !fallback.isTruncated else { throw CocoaError(.fileNoSuchFile) }
    settings.fallbackFolder = fallback
    try SystemHost(settings).checkFallback()
    #expect(FileManager.default.fileExists(atPath: place.path(of: "f")))
    settings.fallbackFolder = "/proc/f"
    let host = SystemHost(settings)
    #expect(throws: DeviceFailure.self) { try host.checkFallback() }
  }

  @Test("Another folder that is none is refused with what helps, not with the data folder's remedy")
  func refusesElsewhere() throws {
    let place = try TemporaryFolder()
    let storage = try FolderStorage(folder: FixedText(place.path(of: "data")))
    let file = try place.write([], as: "file")
    for (path, remedy) in [("/dev/null", "mount it, and name the folder on it"), (file, "name a folder")] {
      let failure = #expect(throws: DeviceFailure.self) { _ = try storage.elsewhere(FixedText(path)) }
      let line = String(try #require(failure).line)
      #expect(line.hasSuffix(remedy) && !line.contains("--data"), "\(line)")
    }
  }

  private func read(from file: inout HostFile, at offset: UInt64, byteCount: Int) throws -> String {
    var bytes = [UInt8](repeating: 0, count: byteCount)
    var span = bytes.mutableSpan
    var buffer = unsafe span.mutableBytes
    let count = try file.read(at: offset, into: &buffer)
    return String(decoding: bytes[..<count], as: UTF8.self)
  }
}
