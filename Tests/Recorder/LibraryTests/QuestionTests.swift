import Base
import TestSupport
import Testing
import Wire

@testable import Catalog

@Suite struct QuestionTests {
  private let card = FakeCard()

  @Test("Takes are listed by number, music by path, files in a folder before those beside it")
  func listsInOrder() throws {
    let ordered = [
      "audio/20260102/000000-0001.wav", "audio/20260101/120000-0003.wav", "audio/20260101/110000-10000.wav",
      "audio/20260101/a.wav", "music/a/z.mp3", "music/a b/c.mp3", "music/a.mp3", "music/b.mp3",
      "video/20260101/000000-0002.mov",
    ]
    for path in ordered { card.put(path) }
    var rig = try LibraryRig(card)
    rig.settle()
    #expect(rig.list().map { $0.replacing(", 1.0 s", with: "") } == ordered)
  }

  @Test(
    "A search finds parts of a tag, and ignores case, accents, width and how Hangul is composed",
    arguments: [
      ("Café", "CAFE", true), ("CAFÉ", "café", true), ("Cafe\u{301}", "fé", true), ("Straße", "STRASS", true),
      ("STRASSE", "ße", true), ("ＡＢＣ", "abc", true), ("abc", "ＢＣ", true), ("조용필", "용필", true),
      ("\u{110C}\u{1169}\u{110B}\u{116D}\u{11BC}\u{1111}\u{1175}\u{11AF}", "조용필", true),
      ("조용필", "\u{110C}\u{1169}\u{110B}\u{116D}\u{11BC}", true), ("방탄소년단", "소녀", false),
      ("Ελλάς", "ΕΛΛΑΣ", true), ("Björk", "bjork", true), ("Björk", "björn", false), ("ab", "abc", false),
      ("Москва", "МОСКВА", true), ("x", "", true), ("ﬁne", "FINE", true), ("soft\u{AD}ly", "softly", true),
    ])
  func finds(tag: String, text: String, isFound: Bool) throws {
    card.put("music/a.mp3", title: tag, artist: "somebody")
    card.put("music/b.mp3", title: "else", artist: tag)
    var rig = try LibraryRig(card)
    rig.settle()
    #expect(rig.find(.title, text).contains { $0.hasPrefix("music/a.mp3") } == isFound)
    #expect(rig.find(.artist, text).contains { $0.hasPrefix("music/b.mp3") } == isFound)
  }

  @Test("Playable files of an artist are queued in order")
  func enqueuesArtist() throws {
    card.put("music/2.mp3", artist: "The Band")
    card.put("music/1.mp3", artist: "the bandits")
    card.put("music/3.mp3", artist: "Others")
    var rig = try LibraryRig(card)
    rig.settle()
    #expect(rig.items(.enqueueArtist("BAND")) == ["music/1.mp3", "music/2.mp3"])
    #expect(rig.items(.enqueueArtist("nobody")) == ["refused: no artist is called \"nobody\""])
  }

  @Test("Files are queued as they are named, relative or absolute; a folder stands for its files in order")
  func enqueues() throws {
    for path in [
      "music/b.mp3", "music/a b.mp3", "music/disc/2.flac", "music/disc/10.flac", "music/disc/x/1.ogg",
      "music/disc/cover.jpg", "/usb/b.mp3", "/usb/a/c.mp3", "/usb/readme.txt", "music/disc/bad.wav",
    ] { card.put(path, title: "T") }
    card.files["music/disc/bad.wav"]?.content = .noSound
    var rig = try LibraryRig(card)
    for isIndexed in [false, true] {
      if isIndexed { rig.settle() }
      let bad = isIndexed ? [] : ["music/disc/bad.wav"]
      let disc = ["music/disc/2.flac", "music/disc/10.flac"] + bad + ["music/disc/x/1.ogg"]
      #expect(rig.items(.enqueue(words: "music/b.mp3 'music/a b.mp3'")) == ["music/b.mp3", "music/a b.mp3"])
      #expect(rig.items(.enqueue(words: "./music//disc/ music/b.mp3")) == disc + ["music/b.mp3"])
      #expect(rig.items(.enqueue(words: "/usb")) == ["/usb/a/c.mp3", "/usb/b.mp3"])
    }
    // An indexed file comes with its tags.
    let known = rig.ask(.enqueue(words: "music/b.mp3"))
    guard case .item(let item) = known.first else { throw NothingThere() }
    #expect(item == MediaItem(path: "music/b.mp3", title: "T", artist: "", durationSeconds: 1))
  }

  @Test(
    "A file that cannot be queued is refused by name, and nothing is queued",
    arguments: [
      ("music/a.mp3 music/none.mp3", "music/none.mp3 does not exist"), ("'music/a.mp3", "a quote is not closed"),
      ("", "name a file"), ("  ", "name a file"), ("\"\"", "name a file"),
      ("music/a.mp3 music/\u{7}", "the path is not plain text"), ("docs", "docs has no playable file"),
      ("music/broken.mp3", "music/broken.mp3 cannot be read: check the card and its file system"),
      ("music/pictures", "music/pictures has no playable file"),
      ("music/a.mp3 music/all.M3U8", "music/all.M3U8 is a playlist: name the files, or their folder"),
    ])
  func refuses(words: String, line: String) throws {
    card.put("music/a.mp3")
    card.put("docs/a.txt")
    card.put("music/all.M3U8")
    card.put("music/pictures/a.jpg")
    card.put("music/broken.mp3")
    card.brokenFiles = ["music/broken.mp3"]
    var rig = try LibraryRig(card)
    #expect(rig.items(.enqueue(words: FixedText(words))) == ["refused: " + line])
    rig.settle()
    #expect(rig.items(.enqueue(words: FixedText(words))) == ["refused: " + line])
  }

  @Test("While nothing is listed, a number is a take's, in any folder; 0 is none")
  func namesTakesByNumber() throws {
    card.put("audio/20260101/101010-0003.wav")
    card.put("video/20251231/101010-0002.mov")
    card.put("music/3.mp3")
    var rig = try LibraryRig(card)
    rig.settle()
    #expect(rig.items(.listed(number: 3)) == ["audio/20260101/101010-0003.wav"])
    #expect(
      rig.items(.enqueue(words: "2-3")) == ["video/20251231/101010-0002.mov", "audio/20260101/101010-0003.wav"])
    #expect(
      rig.items(.listed(number: 0)) == ["refused: there is no take 0: takes lists them, and list all files"])
    _ = rig.list()
    #expect(rig.items(.listed(number: 2)) == ["music/3.mp3"])
  }

  @Test("The numbers of the last list name its files, until another is shown, whatever comes and goes meanwhile")
  func namesByNumber() throws {
    for name in "abcdef" { card.put("music/\(name).mp3", artist: name < "d" ? "us" : "them") }
    card.put("notes/3")
    var rig = try LibraryRig(card)
    rig.settle()
    #expect(
      rig.items(.enqueue(words: "3")) == ["refused: there is no take 3: takes lists them, and list all files"])
    #expect(
      rig.items(.listed(number: 1)) == ["refused: there is no take 1: takes lists them, and list all files"])
    _ = rig.list()
    #expect(
      rig.items(.enqueue(words: "3 'music/a.mp3' 5-6 2-1"))
        == ["c", "a", "e", "f", "b", "a"].map { "music/\($0).mp3" })
    #expect(rig.items(.enqueue(words: "notes/3 ./music/a.mp3")) == ["notes/3", "music/a.mp3"])
    #expect(rig.items(.enqueue(words: "./3")) == ["refused: 3 does not exist"])
    #expect(rig.items(.listed(number: 4)) == ["music/d.mp3"])
    for (words, number) in [("7", 7), ("1 0", 0), ("5-7", 7), ("4294967295", 4_294_967_295)] {
      #expect(
        rig.items(.enqueue(words: FixedText(words))) == ["refused: the last list has no number \(number): it has 6"])
    }
    card.files["music/c.mp3"] = nil
    card.put("music/aa.mp3")
    rig.settleAfterNextPass()
    #expect(rig.items(.enqueue(words: "2 4")) == ["music/b.mp3", "music/d.mp3"])
    #expect(
      rig.items(.enqueue(words: "2-4")) == ["refused: number 3 of the last list is not there any more: list again"])
    _ = rig.find(.artist, "them")
    #expect(rig.items(.enqueue(words: "1-3")) == ["music/d.mp3", "music/e.mp3", "music/f.mp3"])
    rig.tell(.unlist)
    #expect(rig.items(.enqueue(words: "1")) == ["refused: there is no take 1: takes lists them, and list all files"])
  }

  @Test("The newest take is the one with the highest number that still exists, audio or video")
  func findsNewestTake() throws {
    var rig = try LibraryRig(card)
    #expect(rig.items(.newestTake) == ["refused: there is no complete take"])
    card.put("audio/20260102/000000-0007.wav")
    card.put("audio/20260101/000000-0012.wav")
    card.put("video/20260101/000000-0011.mov")
    card.put("photo/20260101/000000-0013.jpg")
    card.put("music/000000-0014.wav")
    card.put("audio/20260101/holiday-0015.wav")
    rig.settleAfterNextPass()
    #expect(rig.items(.newestTake) == ["audio/20260101/000000-0012.wav"])
    card.files["audio/20260101/000000-0012.wav"] = nil
    #expect(rig.items(.newestTake) == ["video/20260101/000000-0011.mov"])
  }

  @Test("The newest take is not returned before all takes have been found")
  func waitsForTakes() throws {
    for number in 1...500 { card.put("audio/20260101/000000-\(String(1000 + number)).wav") }
    var rig = try LibraryRig(card)
    #expect(rig.items(.newestTake) == ["audio/20260101/000000-1500.wav"])
  }

  @Test("The following file is the next playable one; nothing follows the last")
  func findsFollowing() throws {
    for name in ["a.mp3", "b.mp3", "c.mp3"] { card.put("music/" + name) }
    card.put("photo/20260101/000000-0001.jpg")
    card.files["music/b.mp3"]?.content = .noSound
    var rig = try LibraryRig(card)
    #expect(rig.items(.following(path: "")) == ["refused: there is no playable file"])
    rig.settle()
    #expect(rig.items(.following(path: "")) == ["music/a.mp3"])
    #expect(rig.items(.following(path: "music/a.mp3")) == ["music/c.mp3"])
    #expect(rig.items(.following(path: "music/bb.mp3")) == ["music/c.mp3"])
    #expect(rig.items(.following(path: "/usb/x.mp3")) == ["music/a.mp3"])
    #expect(
      rig.items(.following(path: "music/c.mp3")) == ["refused: nothing playable follows music/c.mp3"])
  }

  @Test("An album is listed, queued and followed by disc and track, and what has no number comes behind it")
  func playsAlbums() throws {
    let places: [(String, UInt32)] = [
      ("a.mp3", 20_001), ("b.mp3", 10_002), ("c.mp3", 0), ("d.mp3", 10_010), ("e.mp3", 10_001), ("f.mp3", 0),
    ]
    for (name, place) in places { card.put("music/album/" + name, albumPlace: place) }
    card.put("music/album/bonus/1.mp3", albumPlace: 5)
    card.put("music/z.mp3", albumPlace: 1)
    var rig = try LibraryRig(card)
    rig.settle()
    // The subfolder stays between the second and the third entry.
    let names = ["e.mp3", "b.mp3", "bonus/1.mp3", "d.mp3", "a.mp3", "c.mp3", "f.mp3"].map { "music/album/" + $0 }
    #expect(rig.items(.enqueue(words: "music/album")) == names)
    #expect(rig.list(.music).map { $0.replacing(", 1.0 s", with: "") } == names + ["music/z.mp3"])
    for (path, following) in zip(names, names.dropFirst() + ["music/z.mp3"]) {
      #expect(rig.items(.following(path: FixedText(path))) == [following])
    }
  }

  @Test("Songs of several albums in one folder stay in the order of their names, and so do more than an album has")
  func keepsNamesOfMixtures() throws {
    for (index, place) in [3, 1, 2, 1].enumerated() { card.put("music/mix/\(index).mp3", albumPlace: UInt32(place)) }
    for index in 0..<257 { card.put("music/many/\(index).mp3", albumPlace: UInt32(257 - index)) }
    var rig = try LibraryRig(card)
    rig.settle()
    #expect(rig.items(.enqueue(words: "music/mix")) == (0..<4).map { "music/mix/\($0).mp3" })
    #expect(rig.items(.enqueue(words: "music/many")) == (0..<257).map { "music/many/\($0).mp3" })
    card.files["music/mix/3.mp3"] = nil
    rig.settleAfterNextPass()
    #expect(rig.items(.enqueue(words: "music/mix")) == [1, 2, 0].map { "music/mix/\($0).mp3" })
  }

  @Test("A file is described with its tags, or without them when it is not indexed")
  func describes() throws {
    card.put("music/a.mp3", title: "A", artist: "B", seconds: 3)
    card.put("/usb/b.mp3", title: "unknown here")
    var rig = try LibraryRig(card)
    rig.settle()
    for (path, expected) in [
      ("music/a.mp3", MediaItem(path: "music/a.mp3", title: "A", artist: "B", durationSeconds: 3)),
      ("./music//a.mp3", MediaItem(path: "music/a.mp3", title: "A", artist: "B", durationSeconds: 3)),
      ("/usb/b.mp3", MediaItem(path: "/usb/b.mp3")),
    ] {
      guard case .item(let item) = rig.ask(.describe(path: FixedText(path))).first else { throw NothingThere() }
      #expect(item == expected)
    }
    #expect(rig.items(.describe(path: "music")) == ["refused: music is a folder: name a file"])
    #expect(rig.items(.describe(path: "music/none")) == ["refused: music/none does not exist"])
  }

  @Test(
    "An answer continues when its queue has space again, and nothing is lost while files come and go",
    arguments: 0..<8 as Range<UInt64>)
  func keepsUpWithSlowReaders(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for number in 100..<400 { card.put("music/\(number).mp3") }
    var rig = try LibraryRig(card, rescanSeconds: 1, answerCapacity: Int.random(in: 1...3, using: &generator))
    rig.settle()
    rig.tell(.list(nil))
    var listed: [String] = []
    var isDone = false
    for _ in 0..<100_000 where !isDone {
      for _ in 0..<Int.random(in: 1...4, using: &generator) { _ = rig.worker.step() }
      switch rig.loop.answers.pop()?.value {
      case .entry(let entry): listed.append(String(entry.item.path))
      case .done(let count, _):
        isDone = true
        #expect(Int(count) == listed.count)
      case .item, .lyrics, .names, .refused, nil: break
      }
      // Files with other numbers appear and disappear around the position of the answer.
      let passing = "music/\(Int.random(in: 100..<400, using: &generator))-x.mp3"
      if Bool.random(using: &generator) { card.put(passing) } else { card.files[passing] = nil }
      rig.pass(seconds: 0.4)
    }
    #expect(isDone)
    #expect(listed.filter { !$0.contains("x") } == (100..<400).map { "music/\($0).mp3" })
    #expect(Set(listed).count == listed.count)
  }

  @Test("Answers report how much they cover while the first pass is under way")
  func saysWhatIsCovered() throws {
    for number in 0..<200 { card.put("music/\(number).mp3") }
    var rig = try LibraryRig(card)
    for _ in 0..<8 { _ = rig.worker.step() }
    guard case .done(_, let early) = rig.ask(.list(nil)).last else { throw NothingThere() }
    #expect(!early.isComplete)
    #expect((1...200).contains(early.indexedCount))
    #expect(early.note.map { String($0) } == "still indexing: \(early.indexedCount) files so far")
    rig.settle()
    guard case .done(_, let late) = rig.ask(.list(nil)).last else { throw NothingThere() }
    #expect(late == LibraryCoverage(indexedCount: 200, leftOutCount: 0, unreadCount: 0, isComplete: true))
    #expect(late.note == nil)
  }
}
