import Foundation
import MediaZoo
import TestSupport
import Testing

/// The player's buttons, its tone, and playback that starts at a given instant.
@Suite struct PlayerButtonTests {
  private static let signal = Signal(frameCount: 264_600)

  private static func file() throws -> String {
    try Zoo.shared.path(of: Specimen.families[3].of(signal, as: "buttons.flac"))
  }

  @Test(
    "prepare opens the newest take, play plays and resumes, stop pauses, a long stop rewinds; prepare again closes")
  func buttons() throws {
    let run = try Listening(
      [
        "record start", "wait 4", "record stop", "wait 1", "press prepare", "wait 1", "status json", "press play",
        "wait 2", "status json", "press stop", "wait 1", "status json", "press play", "wait 1", "press stop 1000",
        "wait 2", "status json", "press prepare", "wait 1", "status json",
      ], configuration: "[record]\nwhat = audio\n[audio]\nsample_rate = 44100\nformat = s16\n", seed: 5)
    #expect(run.exitStatus == 0 && run.errors == [])
    let states = run.statuses.map(\.player)
    #expect(states.map(\.state).prefix(5) == ["prepared", "playing", "paused", "stopped", "none"])
    #expect(states[0].file?.hasPrefix("audio/") == true)
    #expect(states[1].positionSeconds > 1.5 && states[1].positionSeconds < 2.1)
    #expect(states[3].positionSeconds == 0)
    #expect(states[4].file == nil)
    // The take is heard in two parts.
    let take = try Reference(path: try #require(run.session.takes().first), as: .int16)
    let parts = run.sounds(apartBySeconds: 0.3)
    #expect(parts.count == 2)
    let both = Array(parts[0] + parts[1])
    #expect(firstDifference(both, Listening.trimmed(take.samples).prefix(both.count)) == nil)
  }

  @Test("play held long marks a section, again repeats it, a third time ends that")
  func section() throws {
    let run = try Listening(
      [
        "prepare music/a.flac", "play", "wait 1", "press play 1000", "wait 1.2", "player", "press play 1000",
        "wait 1.2",
        "player", "wait 2", "press play 1000", "wait 1.2", "player", "wait 8",
      ], files: ["a.flac": Self.file()])
    #expect(run.errors == [])
    let marks = run.allReplies(to: "player").map { $0.lines.first { $0.hasPrefix("loop") } ?? "" }
    #expect(marks[0].hasPrefix("loop from") && !marks[0].contains(" to "))
    #expect(marks[1].contains(" to "))
    #expect(marks[2] == "loop off")
    // It looped at least once, and still reached the end.
    #expect(run.sound.count > 264_600 * 4)
    let end = Self.signal.bytes().suffix(200_000)
    #expect(firstDifference(run.sound.suffix(200_000), end) == nil)
  }

  @Test("prepare held long goes to the next file of the card")
  func nextFile() throws {
    let run = try Listening(
      ["wait 3", "prepare music/1.flac", "press prepare 1000", "wait 2", "status json"],
      files: ["1.flac": Self.file(), "2.flac": Self.file()])
    #expect(run.errors == [])
    #expect(run.statuses[0].player.file == "music/2.flac")
  }

  @Test("the tone changes its frequency without a step, and standby has its own tone")
  func tone() throws {
    let run = try Listening([
      "tone 880 -20", "wait 2", "tone 1000 -20", "wait 2", "standby on", "wait 2", "standby off", "wait 1", "tone off",
      "wait 1", "tone 19", "tone 880 1",
    ])
    #expect(run.errors.count == 2)
    let samples = shorts(run.heard)
    let left = ContiguousArray(stride(from: 0, to: samples.count, by: 2).map { Int(samples[$0]) })
    let first = try #require(left.firstIndex { $0 != 0 })
    #expect(abs(Self.frequency(left[(first + 20_000)..<(first + 70_000)]) - 880) < 2)
    #expect(abs(Self.frequency(left[(first + 110_000)..<(first + 160_000)]) - 1_000) < 2)
    #expect(abs(Self.frequency(left[(first + 200_000)..<(first + 250_000)]) - 523.25) < 2)
    #expect(left.max() == 3_277 || left.max() == 3_276)
    // The steepest slope of a sine of 1 kHz at this level is 467 per sample.
    #expect(zip(left, left.dropFirst()).allSatisfy { abs($0 - $1) <= 470 })
    let turn = zip(zip(left, left.dropFirst()), left.dropFirst(2)).map { abs($0.0 - 2 * $0.1 + $1) }.max() ?? 0
    // At a change of frequency the slope may change by 223, but never the level.
    #expect(turn <= 67 + 223 + 4)
  }

  @Test("a start at an instant of the monotonic clock is accurate to the period, and is reported")
  func instant() throws {
    let run = try Listening(
      ["prepare music/a.flac", "play at \(Self.instant)", "status json", "wait 12", "player", "play at 1"],
      files: ["a.flac": Self.file()])
    #expect(run.errors.count == 1)
    #expect(run.statuses[0].player.state == "cued")
    let told = try #require(run.events.first { $0.hasPrefix("player started at ") })
    let numbers = told.split { !$0.isNumber && $0 != "-" }.compactMap { Int($0) }
    #expect(abs(numbers[0] - Self.instant) < 1_000_000)
    #expect(firstDifference(run.sound, Self.signal.bytes()) == nil)
  }

  /// The virtual clock starts at 100 s.
  private static let instant = 105_000_000_000

  private static func frequency(_ samples: ArraySlice<Int>) -> Double {
    let rises = zip(samples, samples.dropFirst()).enumerated().filter { $0.element.0 < 0 && $0.element.1 >= 0 }
    guard let first = rises.first?.offset, let last = rises.last?.offset else { return 0 }
    return Double(rises.count - 1) * 44_100 / Double(last - first)
  }
}
