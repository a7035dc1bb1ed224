import Foundation
import MediaZoo
import TestSupport
import Testing

/// The player's commands: replies and sound.
@Suite struct PlayerTests {
  private static let sixSeconds = Signal(frameCount: 264_600)

  private static func classicCAF() throws -> String {
    try Zoo.shared.path(of: Specimen.families[2].of(sixSeconds, as: "classic.caf"))
  }

  /// A file with the sine in its first channel only.
  private static func sine(seconds: Int = 6) throws -> String {
    let signal = Signal(frameCount: seconds * 44_100, isPureSine: true)
    return try Zoo.shared.path(of: Specimen.families[3].of(signal, as: "sine-\(seconds).flac"))
  }

  @Test("the classic case matches to the byte: three buffers of half a second, and one more read each half second")
  func classicCase() throws {
    let steps = (1...13).flatMap { _ in ["wait 0.5", "player"] }
    let run = try Listening(["prepare music/01.caf", "player", "play"] + steps, files: ["01.caf": Self.classicCAF()])
    #expect(run.exitStatus == 0)
    #expect(run.errors == [])
    let told = run.allReplies(to: "player").map(PlayerReply.init)
    #expect(told[0].frames == 264_600)
    #expect(told[0].durationSeconds == 6)
    #expect(told[0].largestPacketBytes == 4)
    #expect(told[0].bufferBytes == 88_200)
    #expect(told[0].packetsPerRead == 22_050)
    #expect(told[0].packetsVary == false)
    #expect(told[0].nextPacket == 66_150)
    // A buffer is refilled once its content was decoded, less than half a second before that is heard.
    let next = told.dropFirst().map(\.nextPacket)
    #expect(next.prefix(9).elementsEqual((4...12).map { $0 * 22_050 }))
    #expect(next.dropFirst(9).prefix(2).allSatisfy { $0 == 264_600 })
    #expect(told.last?.emptyReads == 3)
    #expect(firstDifference(run.heard.prefix(264_600 * 4), Self.sixSeconds.bytes()) == nil)
    #expect(run.sound.count == 264_600 * 4)
    #expect(run.statuses[0].heapAllocationsSinceBootComplete == 0)
  }

  @Test(
    "the sound equals the file, bit for bit, in every lossless format",
    arguments: Specimen.families.filter(\.isLossless))
  func bitIdentity(family: Specimen) throws {
    let path = try Zoo.shared.path(of: family)
    let run = try Listening(["prepare music/\(family.name)", "play", "wait 3"], files: [family.name: path])
    #expect(run.errors == [])
    let reference = try Reference(path: path, as: .int16)
    #expect(firstDifference(run.sound, Listening.trimmed(reference.samples)) == nil)
    #expect(run.statuses[0].player.state == "stopped" || run.statuses[0].player.state == "prepared")
    #expect(run.statuses[0].heapAllocationsSinceBootComplete == 0)
  }

  @Test("a pause is silence, and after it comes the next frame; stop goes back to the start")
  func pauseAndStop() throws {
    let run = try Listening(
      [
        "prepare music/01.caf", "play", "wait 1", "pause", "status json", "wait 2", "status json", "play", "wait 1",
        "stop", "status json", "wait 1", "play", "wait 7",
      ], files: ["01.caf": Self.classicCAF()])
    #expect(run.errors == [])
    #expect(run.statuses.map(\.player.state).prefix(3) == ["paused", "paused", "stopped"])
    #expect(run.statuses[0].player.positionSeconds == run.statuses[1].player.positionSeconds)
    #expect(abs(run.statuses[0].player.positionSeconds - 1) < 0.25)
    #expect(run.statuses[2].player.positionSeconds == 0)
    let parts = run.sounds(apartBySeconds: 0.5)
    #expect(parts.count == 3)
    let whole = Self.sixSeconds.bytes()
    let both = Array(parts[0] + parts[1])
    #expect(firstDifference(both, whole.prefix(both.count)) == nil)
    #expect(abs(both.count / 4 - 88_200) < 44_100 / 4)
    #expect(firstDifference(parts[2], whole) == nil)
  }

  @Test("seek goes to the exact frame, while playing and while paused; outside the file it is refused")
  func seek() throws {
    let run = try Listening(
      [
        "prepare music/01.caf", "seek 1.5", "play", "wait 1", "pause", "wait 1", "seek 5.5", "play", "wait 2",
        "seek 0:07", "seek 7",
      ], files: ["01.caf": Self.classicCAF()])
    #expect(run.errors.count == 2)
    let whole = Self.sixSeconds.bytes()
    let parts = run.sounds(apartBySeconds: 0.3)
    #expect(parts.count == 2)
    #expect(firstDifference(parts[0], whole[(66_150 * 4)...].prefix(parts[0].count)) == nil)
    #expect(firstDifference(parts[1], whole[(242_550 * 4)...]) == nil)
  }

  @Test("a section repeats without a gap, and ends when it is switched off")
  func section() throws {
    let run = try Listening(
      ["prepare music/01.caf", "loop 0.5 1", "play", "wait 3.2", "loop off", "wait 8", "loop 2 1", "loop 5 7"],
      files: ["01.caf": Self.classicCAF()])
    #expect(run.errors.count == 2)
    let whole = Self.sixSeconds.bytes()
    let section = Array(whole[(22_050 * 4)..<(44_100 * 4)])
    let start = Array(whole[..<(44_100 * 4)])
    let expected = start + section + section + section + section
    #expect(firstDifference(run.heard.prefix(expected.count), expected) == nil)
    #expect(run.heard.count > expected.count)
    let end = Array(whole[(44_100 * 4)...])
    #expect(firstDifference(run.sound.suffix(end.count), end) == nil)
  }

  @Test("one and a half times as fast is two thirds as long, at the same pitch", arguments: [0.5, 1.5, 2.0])
  func rate(_ rate: Double) throws {
    let run = try Listening(
      ["rate \(rate)", "prepare music/sine.flac", "play", "wait 14", "rate 2.1"], files: ["sine.flac": Self.sine()])
    #expect(run.errors.count == 1)
    #expect(abs(Double(run.sound.count / 4) / 44_100 * rate / 6 - 1) < 0.01)
    #expect(abs(frequency(run.sound) / 440 - 1) < 0.01)
  }

  @Test("the volume is a factor, it changes without a click, and at 1 every bit is unchanged")
  func volume() throws {
    let run = try Listening(
      ["volume 0.5", "prepare music/sine.flac", "play", "wait 2", "volume 1.0", "wait 6", "volume 1.1"],
      files: ["sine.flac": Self.sine()])
    #expect(run.errors.count == 1)
    let whole = shorts(Signal(frameCount: 264_600, isPureSine: true).bytes())
    let heard = shorts(run.heard)
    try #require(heard.count >= whole.count)
    #expect((0..<80_000).allSatisfy { abs(Int(heard[$0]) - Int((Double(whole[$0]) / 2).rounded())) <= 1 })
    #expect(
      firstDifference(
        run.heard[(120_000 * 4)..<(264_600 * 4)],
        Signal(frameCount: 264_600, isPureSine: true).bytes()[(120_000 * 4)...]) == nil)
    // A step of half the volume at the crest would leave a remainder of 4,000.
    #expect(worstRemainder(heard, channel: 0, of: 264_000) < 30)
    #expect(run.events.contains { $0.hasPrefix("player volume 0.5") })
    #expect(run.statuses[0].player.volume == 1)
  }

  @Test("each of several items in a row that cannot be played is reported")
  func severalFailures() throws {
    let folder = try TemporaryFolder()
    let bad = try folder.write(Array("no sound".utf8), as: "bad")
    let run = try Listening(
      ["queue music/1.mp3 music/2.mp3 music/3.mp3 music/4.flac", "play", "wait 1"],
      files: ["1.mp3": bad, "2.mp3": bad, "3.mp3": bad, "4.flac": Self.sine()])
    #expect(run.errors == [])
    for number in 1...3 { #expect(run.events.contains { $0.hasPrefix("music/\(number).mp3 ") }, "\(number)") }
  }

  @Test("one item follows the other without a gap, and a wrong step in the queue is refused")
  func queue() throws {
    // A sine that is split into three files between any packets plays back without a seam.
    let whole = Signal(frameCount: 264_600, isPureSine: true).bytes()
    let cuts = [0, 100_001, 145_678, 264_600]
    let files = try (0..<3).map { part in
      let path = try Zoo.shared.made("part-\(part).flac") { path in
        let raw = try TemporaryFolder()
        let piece = Array(whole[(cuts[part] * 4)..<(cuts[part + 1] * 4)])
        let input = try raw.write(piece, as: "raw")
        try ForeignProgram.run(
          "flac",
          [
            "--silent", "--force-raw-format", "--endian=little", "--sign=signed", "--channels=2", "--bps=16",
            "--sample-rate=44100", "-o", path, input,
          ])
      }
      return ("\(part + 1).flac", path)
    }
    let run = try Listening(
      [
        "previous", "queue music/1.flac music/2.flac music/3.flac", "queue", "play", "wait 8", "next", "previous",
        "previous", "previous", "next",
      ], files: Dictionary(uniqueKeysWithValues: files))
    #expect(firstDifference(run.sound, Listening.trimmed(whole[...])) == nil)
    let queue = try #require(run.replies.first { $0.command == "queue" })
    #expect((1...3).allSatisfy { part in queue.lines.contains { $0.contains("\(part).flac") } })
    #expect(run.replies[0].end.hasPrefix("error: "))
    #expect(run.replies[5].end.hasPrefix("error: "))
    #expect(run.replies[6].end == "ok" && run.replies[7].end == "ok")
    #expect(run.replies[8].end.hasPrefix("error: "))
    #expect(run.events.filter { $0.hasPrefix("player item") }.count >= 3)
  }

  @Test("a file that cannot be opened blocks nothing: without a name, the newest take is prepared")
  func badChoice() throws {
    let run = try Listening(
      [
        "record start", "wait 3", "record stop", "wait 2", "prepare music/none.wav", "prepare", "status json",
        "dispose", "prepare", "status json",
      ])
    #expect(run.errors.count == 1)
    #expect(run.statuses[0].player.file == run.statuses[0].take)
    // The last opened file is still selected.
    #expect(run.statuses[1].player.file == run.statuses[0].player.file)
  }

  private func frequency(_ bytes: ArraySlice<UInt8>) -> Double {
    let samples = shorts(bytes)
    let left = stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
    let middle = left[(left.count / 10)..<(left.count * 9 / 10)]
    let rises = zip(middle, middle.dropFirst()).count { $0 < 0 && $1 >= 0 }
    return Double(rises) * 44_100 / Double(middle.count)
  }

  private func worstRemainder(_ samples: ContiguousArray<Int16>, channel: Int, of frames: Int) -> Double {
    let factor = 2 * cos(2 * Double.pi * 440 / 44_100)
    return (2..<frames).reduce(0) { worst, frame in
      let (a, b, c) = (
        Double(samples[2 * frame - 4 + channel]), Double(samples[2 * frame - 2 + channel]),
        Double(samples[2 * frame + channel])
      )
      return max(worst, abs(c - factor * b + a))
    }
  }

  @Test("the title changes when the next stream of a file is heard, and a seek goes to the stream at that time")
  func chained() throws {
    let path = try Zoo.shared.made("chained.opus") { path in
      var chain = Data()
      for (title, seconds) in [("하나", 2), ("둘", 2)] {
        let source = try Zoo.shared.path(of: Signal(sampleRateHz: 48_000, frameCount: seconds * 48_000))
        let part = path + ".part"
        try ForeignProgram.run("opusenc", ["--quiet", "--title", title, source, part])
        chain += try Data(contentsOf: URL(fileURLWithPath: part))
      }
      try chain.write(to: URL(fileURLWithPath: path))
    }
    let run = try Listening(
      ["queue music/a.opus", "play", "wait 1.9", "player", "wait 1", "player", "seek 1", "wait 0.2", "player"],
      files: ["a.opus": path])
    let players = run.replies.filter { $0.command == "player" }.map { $0.lines }
    #expect(players.map { $0.contains("item 하나") } == [true, false, true])
    #expect(players[1].contains("item 둘"))
    #expect(players.allSatisfy { $0.contains("duration 4.000 s") })
  }
}
