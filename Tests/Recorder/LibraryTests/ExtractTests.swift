import Decoding
import Library
import Rings
import TestSupport
import Testing
import Text
import Values

/// Lyrics and artwork, which the decoder's process takes out of files.
@Suite struct ExtractTests {
  private let card = FakeCard()

  private func write(_ lines: [(UInt32?, String)], _ log: FakeProber.Log) -> Extracted {
    var offset = 0
    for (milliseconds, text) in lines {
      unsafe log.memory.storeBytes(of: milliseconds ?? .max, toByteOffset: offset, as: UInt32.self)
      unsafe log.memory.storeBytes(of: UInt16(text.utf8.count), toByteOffset: offset + 4, as: UInt16.self)
      for (index, byte) in text.utf8.enumerated() { unsafe log.memory[offset + 6 + index] = byte }
      offset += 6 + text.utf8.count
    }
    return .lyrics(byteCount: UInt32(offset), isCut: false)
  }

  private func lines(_ answers: [LibraryAnswer]) -> [String] {
    answers.compactMap {
      switch $0 {
      case .lyrics(let line, let isNow): (isNow ? "> " : "") + String(line.text)
      case .refused(let refusal): "refused: " + String(refusal.line)
      case .entry, .item, .done: nil
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
    #expect(lines(rig.ask(.artwork(path: "music/none.mp3"))) == ["refused: music/none.mp3 is not there"])
    #expect(
      lines(rig.ask(.artwork(path: "music/fatal.mp3"))) == [
        "refused: music/fatal.mp3 crashed the decoder: it is damaged"
      ])
    rig.tell(.artwork(path: "music/endless.mp3"))
    for _ in 0..<20 { _ = rig.worker.step() }
    rig.pass(seconds: 6)
    for _ in 0..<20 { _ = rig.worker.step() }
    guard case .refused(.refused("music/endless.mp3", .tooSlow))? = rig.answers.pop() else { throw NothingThere() }
    // What it says of lyrics is no picture, and a picture is larger than no memory.
    rig.prober.extracts["music/a.mp3"] = .lyrics(byteCount: 100, isCut: false)
    #expect(
      lines(rig.ask(.artwork(path: "music/a.mp3"))) == ["refused: music/a.mp3 has no picture of the kinds JPEG and PNG"]
    )
    rig.prober.extracts["music/a.mp3"] = .picture(width: 200, height: 200)
    #expect(lines(rig.ask(.lyrics(path: "music/a.mp3", positionSeconds: 0))) == ["refused: music/a.mp3 has no lyrics"])
    #expect(rig.list().count == 3)
  }
}
