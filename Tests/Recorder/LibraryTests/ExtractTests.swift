import Base
import Catalog
import TestSupport
import Testing
import Wire

/// Lyrics and cover art, which the decoder process extracts from files.
@Suite struct ExtractTests {
  private let card = FakeCard()

  private func write(_ lines: [(UInt32?, String)], isCut: Bool = false, _ log: FakeProber.Log) -> Extracted {
    var offset = 0
    for (milliseconds, text) in lines {
      unsafe log.memory.storeBytes(of: milliseconds ?? .max, toByteOffset: offset, as: UInt32.self)
      unsafe log.memory.storeBytes(of: UInt16(text.utf8.count), toByteOffset: offset + 4, as: UInt16.self)
      for (index, byte) in text.utf8.enumerated() { unsafe log.memory[offset + 6 + index] = byte }
      offset += 6 + text.utf8.count
    }
    return .lyrics(byteCount: UInt32(offset), isCut: isCut)
  }

  private func lines(_ answers: [LibraryReply]) -> [String] {
    answers.compactMap {
      switch $0 {
      case .lyrics(let line, let isNow): (isNow ? "> " : "") + String(line.text)
      case .refused(let refusal): "refused: " + String(refusal.line)
      case .entry, .item, .names, .done: nil
      }
    }
  }

  @Test("the line that is sung at the position is marked, and a file of lyrics beside the music comes first")
  func marks() throws {
    card.put("music/a.b.mp3")
    var rig = try LibraryRig(card, answerCapacity: 2)
    rig.settle()
    let timed = write([(0, "one"), (2000, "two"), (2000, "zwei"), (5000, "\u{1B}[2Jthree")], rig.prober)
    rig.prober.extracts["music/a.b.mp3"] = timed
    for (seconds, marked) in [(-1.0, -1), (0, 0), (1.999, 0), (2, 2), (4.9, 2), (5, 3), (900, 3), (.nan, -1)] {
      var expected = ["one", "two", "zwei", " [2Jthree"]
      if marked >= 0 { expected[marked] = "> " + expected[marked] }
      #expect(lines(rig.ask(.lyrics(path: "music/a.b.mp3", positionSeconds: seconds))) == expected)
    }
    card.put("music/a.b.lrc")
    rig.prober.extracts["music/a.b.lrc"] = write([(nil, "beside")], rig.prober)
    rig.prober.extractedPaths = []
    #expect(lines(rig.ask(.lyrics(path: "./music//a.b.mp3", positionSeconds: 1))) == ["beside"])
    #expect(rig.prober.extractedPaths == ["music/a.b.lrc"])
    _ = rig.list()
    #expect(lines(rig.ask(.lyrics(path: "1", positionSeconds: 1))) == ["beside"])
    #expect(
      lines(rig.ask(.lyrics(path: "2", positionSeconds: 1))) == ["refused: the last list has no number 2: it has 1"])
    card.put("music/c.mp3")
    card.put("music/c.LRC")
    rig.prober.extracts["music/c.LRC"] = write([(nil, "loud")], rig.prober)
    #expect(lines(rig.ask(.lyrics(path: "music/c.mp3", positionSeconds: 1))) == ["loud"])
  }

  @Test("lyrics that are cut end with a line that says so")
  func saysThatTheyAreCut() throws {
    card.put("music/a.mp3")
    var rig = try LibraryRig(card, answerCapacity: 2)
    rig.settle()
    rig.prober.extracts["music/a.mp3"] = write([(nil, "one"), (nil, "two")], isCut: true, rig.prober)
    #expect(
      lines(rig.ask(.lyrics(path: "music/a.mp3", positionSeconds: 0)))
        == ["one", "two", "(there is more: only the first 120,000 bytes are shown)"])
  }

  @Test(
    "a file without lyrics, and one that harms the process, are named, and the library goes on",
    arguments: [true, false])
  func refuses(isInStep: Bool) throws {
    card.put("music/a.mp3")
    card.put("music/fatal.mp3")
    card.put("music/endless.mp3")
    var rig = try LibraryRig(card, isInStep: isInStep)
    rig.settle()
    card.files["music/fatal.mp3"]?.content = .fatal
    card.files["music/endless.mp3"]?.content = .endless
    #expect(lines(rig.ask(.lyrics(path: "music/a.mp3", positionSeconds: 0))) == ["refused: music/a.mp3 has no lyrics"])
    #expect(
      lines(rig.ask(.lyrics(path: "http://me:secret@a/x", positionSeconds: 0))) == [
        "refused: http://***@a/x has no lyrics"
      ])
    #expect(lines(rig.ask(.artwork(path: "music/none.mp3"))) == ["refused: music/none.mp3 does not exist"])
    #expect(
      lines(rig.ask(.artwork(path: "music/fatal.mp3"))) == [
        "refused: music/fatal.mp3 crashed the decoder: it is damaged"
      ])
    rig.tell(.artwork(path: "music/endless.mp3"))
    for _ in 0..<20 { _ = rig.worker.step() }
    // The process that crashed is started anew, for which it has more time.
    rig.pass(seconds: 11)
    for _ in 0..<20 { _ = rig.worker.step() }
    guard case .refused(.refused("music/endless.mp3", .tooSlow))? = rig.loop.answers.pop()?.value else {
      throw NothingThere()
    }
    // An answer about lyrics is not a picture, and a picture cannot be larger than the memory.
    rig.prober.extracts["music/a.mp3"] = .lyrics(byteCount: 100, isCut: false)
    #expect(
      lines(rig.ask(.artwork(path: "music/a.mp3"))) == ["refused: music/a.mp3 has no JPEG or PNG picture"]
    )
    rig.prober.extracts["music/a.mp3"] = .picture(width: 200, height: 200)
    #expect(lines(rig.ask(.lyrics(path: "music/a.mp3", positionSeconds: 0))) == ["refused: music/a.mp3 has no lyrics"])
    #expect(rig.list().count == 3)
  }

  private func cell() throws -> ArtworkCell {
    var memory = leakedBootMemory(byteCount: ArtworkCell.byteCount)
    return try unwrapped(ArtworkCell(in: &memory))
  }

  /// The first byte of the picture; 0 if there is none.
  private func shade(_ cell: ArtworkCell) throws -> UInt8 {
    let picture = try #require(cell.copy())
    return picture.size.width == 0 ? 0 : picture.bytes[0]
  }

  @Test(
    "the picture of what is heard goes to the display, unasked, and that of what was is taken away",
    arguments: [true, false])
  func showsWhatIsHeard(isInStep: Bool) throws {
    for name in ["red", "plain", "fatal", "other"] { card.put("music/\(name).flac") }
    let (asked, heard) = (try cell(), try cell())
    var rig = try LibraryRig(card, isInStep: isInStep, artwork: LibraryArtwork(asked: asked, heard: heard))
    rig.settle()
    card.files["music/fatal.flac"]?.content = .fatal
    for name in ["red", "other"] { rig.prober.extracts["music/\(name).flac"] = .picture(width: 2, height: 2) }
    var shades: [UInt8] = []
    let names: [StaticString] = ["red", "plain", "red", "fatal", "red", "gone"]
    for (name, shade) in zip(names, [9, 8, 7, 6, 5, 4] as [UInt8]) {
      unsafe rig.prober.memory[0] = shade
      rig.tell(.heard(path: "music/\(name).flac"))
      rig.settle()
      shades.append(try self.shade(heard))
      #expect(rig.loop.answers.pop()?.value == nil, "\(name)")
    }
    #expect(shades == [9, 0, 7, 0, 5, 0])
    unsafe rig.prober.memory[0] = 3
    rig.tell(.heard(path: "music/red.flac"))
    rig.settle()
    // The console's request does not affect the artwork of the current item.
    unsafe rig.prober.memory[0] = 2
    #expect(lines(rig.ask(.artwork(path: "music/other.flac"))) == [])
    #expect(try shade(asked) == 2 && shade(heard) == 3)
  }

  @Test("without a display the file that is heard is not opened for its picture")
  func leavesOutWithoutDisplay() throws {
    card.put("music/a.flac")
    var rig = try LibraryRig(card)
    rig.settle()
    rig.tell(.heard(path: "music/a.flac"))
    rig.settle()
    #expect(rig.prober.extractedPaths == [])
    #expect(rig.list().count == 1)
  }
}
