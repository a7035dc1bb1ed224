import Base
import Foundation
import Machine
import TestSupport
import Testing

@testable import Catalog

@Suite struct RealFolderTests {
  @Test(
    "Ten thousand files of a real folder are indexed, listed, found by their tags, and dropped when they go")
  func indexesTenThousandFiles() throws {
    let folder = try TemporaryFolder()
    let manager = FileManager.default
    let card = FakeCard()
    let old = Date(timeIntervalSince1970: 1_600_000_000)
    for number in 0..<10_000 {
      let subfolder = "music/가수 \(number / 1000)/it's \"disc\" \(number / 100 % 10)"
      if number % 100 == 0 {
        try manager.createDirectory(atPath: folder.path(of: subfolder), withIntermediateDirectories: true)
      }
      let path = "\(subfolder)/노래 \(number).mp3"
      #expect(manager.createFile(atPath: folder.path(of: path), contents: nil, attributes: [.modificationDate: old]))
      card.put(path, title: "제목 \(number)", artist: "가수 \(number / 1000)")
    }
    // Names that cannot be written in one line, and one that is not a sound file.
    for name in ["a\nb.mp3", "c\u{7F}.wma", "d\te.txt"] {
      #expect(
        manager.createFile(
          atPath: folder.path(of: "music/\(name)"), contents: nil, attributes: [.modificationDate: old]))
    }
    var rig = try LibraryRig(
      folders: try FolderStorage(folder: FixedText(folder.path), for: .browsing), card: card, capacity: 10_000)
    rig.settle()
    #expect(
      rig.progress.coverage
        == LibraryCoverage(indexedCount: 10_000, leftOutCount: 0, unreadCount: 0, isComplete: true, unnamedCount: 2))
    let note = try #require(rig.progress.coverage.unnamedNote)
    #expect(String(note).hasPrefix("2 files not listed: "))
    #expect(!note.isTruncated)
    let list = rig.list()
    #expect(Set(list) == Set(card.files.keys.map { "\($0), 1.0 s, \(title(of: $0))" }))
    #expect(list.allSatisfy { !$0.contains("\n") })
    #expect(rig.find(.title, "제목 777").count == 11)
    #expect(rig.find(.artist, "가수 7").count == 1000)

    try manager.removeItem(atPath: folder.path(of: "music/가수 3"))
    rig.settleAfterNextPass()
    #expect(rig.progress.coverage.indexedCount == 9000)
    #expect(rig.prober.probedPaths.count == 10_000)
  }

  @Test("A link into another file system fills the library only when that is configured", arguments: [false, true])
  func boundsLinks(crossesDevices: Bool) throws {
    let folder = try TemporaryFolder()
    let manager = FileManager.default
    let elsewhere = "/dev/shm/fieldcorder-\(UInt64.random(in: 0...UInt64.max))"
    defer { try? manager.removeItem(atPath: elsewhere) }
    let old: [FileAttributeKey: Any] = [.modificationDate: Date(timeIntervalSince1970: 1_600_000_000)]
    for path in [elsewhere, folder.path(of: "music/near")] {
      try manager.createDirectory(atPath: path, withIntermediateDirectories: true)
      #expect(manager.createFile(atPath: path + "/a.mp3", contents: nil, attributes: old))
    }
    for (link, target) in [("far", elsewhere), ("near too", "near"), ("all", "/")] {
      try manager.createSymbolicLink(atPath: folder.path(of: "music/\(link)"), withDestinationPath: target)
    }
    let card = FakeCard()
    for path in ["near/a", "near too/a", "far/a"] { card.put("music/\(path).mp3") }
    var rig = try LibraryRig(
      folders: try FolderStorage(folder: FixedText(folder.path), for: .browsing), card: card,
      crossesDevices: crossesDevices)
    rig.settle()
    #expect(rig.list().count == (crossesDevices ? 3 : 2))
    #expect(rig.progress.coverage.elsewhereCount == (crossesDevices ? 0 : 1))
  }
  @Test("A file is played by its name however its marks are stored")
  func findsDecomposed() throws {
    let folder = try TemporaryFolder()
    let manager = FileManager.default
    let card = FakeCard()
    let stored = "music/Cafe\u{301}.mp3"
    card.put(stored)
    try manager.createDirectory(atPath: folder.path(of: "music"), withIntermediateDirectories: true)
    #expect(
      manager.createFile(
        atPath: folder.path(of: stored), contents: nil,
        attributes: [.modificationDate: Date(timeIntervalSince1970: 1_600_000_000)]))
    var rig = try LibraryRig(
      folders: try FolderStorage(folder: FixedText(folder.path), for: .browsing), card: card)
    rig.settle()
    for question in [LibraryRequest.describe(path: "music/Caf\u{E9}.mp3"), .enqueue(words: "\"music/Caf\u{E9}.mp3\"")] {
      let items = rig.items(question)
      #expect(items.count == 1 && items[0].utf8.elementsEqual(stored.utf8), "\(items)")
    }
    for typed in ["music/Caf\u{E9}", "music/Cafe\u{301}"] {
      var search = NameSearch(beginningWith: FixedText(typed))
      let path = FixedText<256>(stored)
      search.consider(path.bytes, takeNumber: 0)
      #expect(String(search.words.commonPrefix).utf8.elementsEqual("\(typed).mp3".utf8), "\(typed)")
    }
    #expect(rig.items(.describe(path: "music/Cafe.mp3")) == ["refused: music/Cafe.mp3 does not exist"])
  }

  private func title(of path: String) -> String {
    let number = Int(path.split(separator: " ").last!.dropLast(4))!
    return "제목 \(number) - 가수 \(number / 1000)"
  }
}
