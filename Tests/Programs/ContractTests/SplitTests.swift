import Foundation
import TestSupport
import Testing

/// A take in several files is still one take: nothing is lost at the splits.
@Suite struct SplitTests {
  private static let script = ["press record", "wait 20", "press record", "wait 2", "status json", "quit"]
  private static let smallPictures = "[video]\nwidth = 160\nheight = 120\n"

  @Test("a new file begins every 5 s, with no picture and no sample lost or doubled")
  func seconds() throws {
    let session = try Session(
      Self.script, seed: 3, configuration: "[record]\nsplit_seconds = 5\n" + Self.smallPictures)
    #expect(session.end() == 0)
    let takes = session.takes()
    #expect(takes.count == 4 || takes.count == 5)
    for take in takes.dropLast() { #expect(abs(try ForeignProgram.soundSeconds(take) - 5) <= 1.0 / 30) }
    try expectPicturesGoOn(takes)
    try expectSoundGoesOn(takes, seed: 3)
  }

  @Test("no file grows beyond split_bytes, and nothing is lost or doubled", arguments: ["video", "audio"])
  func bytes(content: String) throws {
    let session = try Session(
      Self.script, seed: 4,
      configuration: "[record]\nwhat = \(content)\nsplit_bytes = 1M\n" + Self.smallPictures)
    #expect(session.end() == 0)
    let takes = session.takes()
    #expect(takes.count >= 4)
    for take in takes {
      let byteCount = try #require(FileManager.default.attributesOfItem(atPath: take)[.size] as? Int)
      #expect(byteCount <= 1 << 20)
    }
    if content == "video" { try expectPicturesGoOn(takes) }
    try expectSoundGoesOn(takes, seed: 4)
  }

  private func expectPicturesGoOn(_ takes: [String]) throws {
    var next: UInt32?
    for take in takes {
      let movie = try RecordedMovie(take)
      #expect(movie.firstGap == nil)
      let first = try #require(movie.numbers.first ?? nil)
      #expect(first == next ?? first, "\(take)")
      next = movie.numbers.last??.advanced(by: 1)
    }
  }

  private func expectSoundGoesOn(_ takes: [String], seed: UInt64) throws {
    let sound = HeardSound(try takes.flatMap { try ForeignProgram.decodeSamples($0) }, seed: seed)
    #expect(sound.frameCount >= 20 * 48_000)
    #expect(sound.mismatch(from: try #require(sound.firstFrame)) == nil)
  }
}
