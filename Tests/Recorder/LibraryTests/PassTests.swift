import Base
import TestSupport
import Testing
import Wire

@testable import Catalog

@Suite struct PassTests {
  private let card = FakeCard()

  @Test("A first pass finds the playable and viewable files in the four folders, and nothing else")
  func findsFiles() throws {
    for path in [
      "audio/20260101/120000-0002.wav", "audio/20260101/115900-0001.caf", "audio/20260101/note.txt",
      "audio/other/120000-0009.wav", "audio/20260101/deeper/120000-0009.wav", "video/20260101/120000-0003.mov",
      "photo/20260101/120000-0004.jpg", "music/a.mp3", "music/cover.jpg", "music/b/c/d/E.FLAC", "music/.mp3x",
      "music/1/2/3/4/5/6/7/8/deep.ogg", "music/1/2/3/4/5/6/7/8/9/deeper.ogg", "identity", "state", "elsewhere/a.mp3",
    ] { card.put(path, seconds: 2) }
    var rig = try LibraryRig(card)
    rig.settle()
    #expect(
      rig.list().map { $0.replacing(", 2.0 s", with: "") } == [
        "audio/20260101/115900-0001.caf", "audio/20260101/120000-0002.wav", "music/1/2/3/4/5/6/7/8/deep.ogg",
        "music/a.mp3", "music/b/c/d/E.FLAC", "photo/20260101/120000-0004.jpg", "video/20260101/120000-0003.mov",
      ])
    #expect(rig.list(.photo) == ["photo/20260101/120000-0004.jpg"])
    #expect(rig.list(.audio).count == 2)
    #expect(!rig.prober.probedPaths.contains { $0.hasSuffix(".jpg") })
  }

  @Test("A take that was moved is looked at again before the next answer, however long the next pass takes")
  func takesUpMoves() throws {
    let path = "video/20260101/120000-0003.mov"
    card.put(path)
    card.put("music/a.mp3")
    var rig = try LibraryRig(card)
    rig.settle()
    card.files[path] = nil
    _ = rig.moves.push(FixedText(path))
    #expect(rig.list() == ["music/a.mp3, 1.0 s"])
    card.put(path)
    _ = rig.moves.push(FixedText(path))
    #expect(rig.list(.video).map { $0.hasPrefix(path) } == [true])
  }

  @Test("What is on another device is counted and left out, unless that is configured; by its path it is queued")
  func leavesOutOtherDevices() throws {
    let paths = ["music/a.mp3", "music/stick/b.mp3", "music/stick/deep/c.mp3", "music/d.mp3", "audio/20260101/1-1.wav"]
    for path in paths { card.put(path) }
    card.elsewhere = ["music/stick", "music/d.mp3", "audio"]
    var rig = try LibraryRig(card)
    rig.settle()
    #expect(rig.list() == ["music/a.mp3, 1.0 s"])
    #expect(rig.progress.coverage.elsewhereCount == 3)
    #expect(
      rig.progress.coverage.elsewhereNote
        == "not listed: 3 files on other devices; set [library] other_devices = yes")
    rig.settleAfterNextPass()
    #expect(rig.progress.coverage.elsewhereCount == 3)
    #expect(rig.ask(.enqueue(words: "music/stick/deep/c.mp3")).count == 2)
    var crossing = try LibraryRig(card, crossesDevices: true)
    crossing.settle()
    #expect(crossing.list().map { $0.replacing(", 1.0 s", with: "") } == paths.sorted())
    #expect(crossing.progress.coverage.elsewhereNote == nil)
  }

  @Test("A file is probed once, and again only when its length or modification time changes")
  func probesOnce() throws {
    card.put("music/a.mp3", title: "A", artist: "X")
    card.put("music/b.mp3", title: "B")
    var rig = try LibraryRig(card)
    rig.settleAfterNextPass()
    rig.settleAfterNextPass()
    #expect(rig.progress.passCount == 3)
    #expect(rig.prober.probedPaths.sorted() == ["music/a.mp3", "music/b.mp3"])
    #expect(rig.list() == ["music/a.mp3, 1.0 s, A - X", "music/b.mp3, 1.0 s, B"])

    card.put("music/a.mp3", title: "Another", seconds: 7, modifiedNanoseconds: 5)
    rig.settleAfterNextPass()
    #expect(rig.prober.probedPaths.count == 3)
    #expect(rig.list() == ["music/a.mp3, 7.0 s, Another", "music/b.mp3, 1.0 s, B"])

    card.files["music/b.mp3"]?.byteCount += 1
    rig.settleAfterNextPass()
    #expect(rig.prober.probedPaths.count == 4)
  }

  @Test("The next pass begins after the configured time, or when asked; with 0 only when asked")
  func passesWhenDue() throws {
    for rescanSeconds in [0, 20] as [UInt32] {
      let card = FakeCard()
      card.put("music/a.mp3")
      var rig = try LibraryRig(card, rescanSeconds: rescanSeconds)
      rig.settle()
      rig.pass(seconds: 19.9)
      rig.settle()
      #expect(rig.progress.passCount == 1)
      rig.pass(seconds: 0.2)
      rig.settle()
      #expect(rig.progress.passCount == (rescanSeconds == 0 ? 1 : 2))
      card.put("music/b.mp3")
      _ = rig.ask(.rescan)
      rig.settle()
      #expect(rig.list().count == 2)
    }
  }

  @Test("Files that have vanished are dropped, but a card that cannot be read has not lost its files")
  func dropsWhatVanished() throws {
    for number in 0..<100 { card.put("music/\(number % 10)/\(number).mp3") }
    var rig = try LibraryRig(card)
    rig.settle()
    #expect(rig.list().count == 100)
    card.brokenFolders = ["music": 3, "music/4": 2]
    rig.settleAfterNextPass()
    #expect(rig.list().count == 100)
    card.files["music/3/3.mp3"] = nil
    card.brokenFiles = ["music/5/5.mp3"]
    rig.settleAfterNextPass()
    #expect(rig.list().count == 99)
    card.files = [:]
    card.brokenFiles = []
    rig.settleAfterNextPass()
    #expect(rig.list() == [])
    #expect(rig.progress.coverage.indexedCount == 0)
    #expect(rig.prober.probedPaths.count == 100)
  }

  @Test("A file that changed within the last three seconds is left for a later pass")
  func leavesYoungFiles() throws {
    let now = LibraryRig.unixSeconds * 1_000_000_000
    card.put("music/young.mp3", modifiedNanoseconds: now - 2_900_000_000)
    card.put("music/old.mp3", modifiedNanoseconds: now - 3_000_000_000)
    // Dates from a clock that was wrong.
    card.put("music/future.mp3", modifiedNanoseconds: now + 86_400_000_000_000)
    card.put("music/never.mp3", modifiedNanoseconds: .min)
    var rig = try LibraryRig(card)
    rig.settle()
    #expect(rig.list().count == 3)
    #expect(!rig.prober.probedPaths.contains("music/young.mp3"))
    card.put("music/young.mp3", modifiedNanoseconds: now - 10_000_000_000)
    rig.settleAfterNextPass()
    #expect(rig.list().count == 4)
  }

  @Test("A take is not in the library while it is written, and is as soon as it is complete")
  func leavesGrowingTakes() throws {
    let now = LibraryRig.unixSeconds * 1_000_000_000
    card.put("audio/20260101/000000-0001.wav", title: "first")
    var rig = try LibraryRig(card)
    rig.settle()
    rig.tell(.growing(path: "audio/20260101/000100-0002.wav"))
    // Files of a recorder without a clock look old at once.
    card.put("audio/20260101/000100-0002.wav", title: "second")
    rig.settleAfterNextPass()
    #expect(rig.items(.newestTake) == ["audio/20260101/000000-0001.wav"])
    for request in [LibraryRequest.listed(number: 2), .enqueue(words: "2")] {
      #expect(
        rig.items(request)
          == ["refused: audio/20260101/000100-0002.wav is still being written: wait until it is complete"])
    }
    #expect(rig.list().count == 1)
    card.put("audio/20260101/000100-0002.wav", title: "second", modifiedNanoseconds: now)
    rig.tell(.complete(path: "audio/20260101/000100-0002.wav"))
    #expect(rig.items(.newestTake) == ["audio/20260101/000100-0002.wav"])
    rig.settle()
    #expect(
      rig.list() == ["audio/20260101/000000-0001.wav, 1.0 s, first", "audio/20260101/000100-0002.wav, 1.0 s, second"])
    rig.settleAfterNextPass()
    #expect(rig.list().count == 2)
  }

  @Test("A full index leaves the rest out, counts it and reports it; files that vanish free space")
  func leavesOutWhatDoesNotFit() throws {
    for number in 0..<130 { card.put("music/\(number).mp3", title: "T\(number)") }
    var rig = try LibraryRig(card, capacity: 100)
    rig.settle()
    #expect(rig.list().count == 100)
    let coverage = rig.progress.coverage
    #expect(coverage == LibraryCoverage(indexedCount: 100, leftOutCount: 30, unreadCount: 0, isComplete: true))
    #expect(
      coverage.note.map { String($0) }
        == "the library is full: 30 files left out; raise [library] capacity")
    for number in 0..<40 { card.files["music/\(number).mp3"] = nil }
    rig.settleAfterNextPass()
    rig.settleAfterNextPass()
    #expect(rig.list().count == 90)
    #expect(rig.progress.coverage.leftOutCount == 0)
    #expect(rig.progress.coverage.note == nil)
  }

  @Test("Long paths and tags share the space of all, and none is lost or mixed up when it is used up")
  func keepsTextsApart() throws {
    let long = String(repeating: "x", count: 200)
    for number in 0..<100 {
      card.put("music/\(long)\(number).mp3", title: "\(number)", artist: String(repeating: "é", count: 64))
    }
    var rig = try LibraryRig(card, capacity: 100)
    rig.settle()
    let list = rig.list()
    #expect(list.count == Int(rig.progress.coverage.indexedCount))
    #expect(list.count + Int(rig.progress.coverage.leftOutCount) == 100)
    #expect(list.count > 60)
    for line in list { #expect(line.contains(#/^music/x{200}(\d+)\.mp3, 1\.0 s(, \1 - é{64})?$/#), "\(line)") }
    // Tags change repeatedly: the space they free is reused.
    for round in 1...5 as ClosedRange<Int64> {
      for path in card.files.keys { card.put(path, title: "round \(round)", modifiedNanoseconds: round) }
      rig.settleAfterNextPass()
      let renewed = rig.list()
      #expect(renewed.count == list.count)
      #expect(renewed.filter { $0.hasSuffix(", 1.0 s, round \(round)") }.count > 10)
      for line in renewed { #expect(line.contains(#/^music/x{200}\d+\.mp3, 1\.0 s(, round \d)?$/#), "\(line)") }
    }
  }

  @Test("Names with control characters or line separators, and paths that are too long, are left out")
  func leavesOutNamesForNoLine() throws {
    let long = String(repeating: "x", count: 200)
    for name in ["a\nb.mp3", "\u{1B}[2J.mp3", "a\u{2028}.mp3", "\(long)/\(long)/a.mp3", "\u{7}/a.mp3"] {
      card.put("music/" + name)
    }
    card.put("music/it's \"here\", 한글.mp3")
    var rig = try LibraryRig(card)
    rig.settle()
    #expect(rig.list() == ["music/it's \"here\", 한글.mp3, 1.0 s"])
  }

  @Test("A tag cannot break a line")
  func cleansTags() throws {
    card.put("music/a.mp3", title: "one\nok\r\u{1B}[2Jtwo", artist: "\n")
    var rig = try LibraryRig(card)
    rig.settle()
    #expect(rig.list() == ["music/a.mp3, 1.0 s, one ok  [2Jtwo"])
  }

  @Test("A step lists a bounded number of folder entries")
  func stepsAreSmall() throws {
    for number in 0..<3000 { card.put("music/\(number).mp3") }
    var rig = try LibraryRig(card, capacity: 5000)
    var largest = 0
    for _ in 0..<20_000 {
      let before = card.entryCount
      if !rig.worker.step() { break }
      largest = max(largest, card.entryCount - before)
    }
    #expect(rig.progress.coverage.indexedCount == 3000)
    #expect((1...64).contains(largest))
  }
}
