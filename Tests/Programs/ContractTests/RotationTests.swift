import Foundation
import TestSupport
import Testing

/// A chosen rotation, and takes during which the device is rotated.
@Suite struct RotationTests {
  private static let smallPictures = "[video]\nwidth = 160\nheight = 120\n"

  private func rotation(_ path: String) throws -> String {
    try ForeignProgram.text(
      "ffprobe",
      ["-v", "error", "-select_streams", "v:0", "-show_entries", "stream_side_data=rotation", "-of", "csv=p=0", path])
  }

  private func take(_ commands: [String]) throws -> (take: String, rotation: String, session: Session) {
    let session = try Session(
      commands + ["press record", "wait 1", "press record", "wait 1", "status json", "quit"],
      configuration: Self.smallPictures)
    #expect(session.end() == 0)
    let path = try #require(session.takes().first)
    return (path, try rotation(path), session)
  }

  @Test(
    "a chosen rotation stays, however the device is held, until it is automatic again",
    arguments: [
      (["rotate portrait", "tilt landscape-right"], "portrait", "-90"),
      (["rotate portrait-upside-down"], "portrait-upside-down", "90"),
      (["rotate landscape-right", "tilt portrait"], "landscape-right", "-180"),
      (["rotate landscape-left", "tilt portrait"], "landscape-left", ""),
      (["rotate landscape-left", "tilt portrait", "rotate auto"], "portrait", "-90"),
      (["press rotate"], "portrait", "-90"), (["press rotate", "press rotate"], "landscape-left", ""),
      (["tilt portrait-upside-down", "wait 1", "press rotate"], "landscape-left", ""),
      (["tilt landscape-right", "wait 1", "press rotate", "press rotate"], "landscape-right", "-180"),
      (["tilt portrait-upside-down", "wait 1", "press rotate", "press rotate"], "portrait-upside-down", "90"),
      (["press rotate", "tilt landscape-right", "wait 1", "press rotate 1000"], "landscape-right", "-180"),
    ] as [([String], String, String)])
  func byHand(commands: [String], orientation: String, rotation: String) throws {
    let (_, told, session) = try take(commands + ["wait 2"])
    #expect(told == rotation)
    #expect(try session.statuses().first?.orientation == orientation)
  }

  @Test("a choice survives a restart, and is printed at boot")
  func survivesRestart() throws {
    let folder = try TemporaryFolder()
    let data = folder.path(of: "data")
    func run(_ script: [String]) throws -> [String] {
      let session = try Session(script + ["rotate", "quit"], dataFolder: data)
      #expect(session.end() == 0)
      return try session.lines()
    }
    #expect(try run([]).contains("rotation auto, landscape-left"))
    _ = try run(["rotate portrait", "wait 1"])
    let fixed = try run(["tilt landscape-right", "wait 1"])
    #expect(fixed.contains("* rotation portrait, as it was left") && fixed.contains("rotation portrait, portrait"))
    _ = try run(["press rotate 1000", "wait 2"])
    #expect(try run([]).contains("rotation auto, landscape-left"))
  }

  @Test("a rotation during a take is reported with its time, and the take keeps the orientation that it began with")
  func keepsOrientation() throws {
    let session = try Session(
      [
        "press record", "wait 3", "tilt portrait", "wait 2", "rotate landscape-right", "wait 1", "press record",
        "wait 1",
        "tilt landscape-left", "quit",
      ], configuration: "[record]\npreroll_seconds = 0\n" + Self.smallPictures)
    #expect(session.end() == 0)
    #expect(session.takes().count == 1)
    #expect(try rotation(try #require(session.takes().first)) == "")
    let turns = try session.lines().filter { $0.hasPrefix("* turned") }
    #expect(turns.count == 2)
    // The accelerometer's rotation takes effect after 300 ms.
    let told = turns.map { $0.split(separator: " ") }
    #expect(told.map { $0[3] } == ["portrait", "landscape-right"])
    let seconds = told.compactMap { Double($0[4]) }
    #expect(abs(seconds[0] - 3.4) <= 0.2 && abs(seconds[1] - 5.0) <= 0.2, "\(seconds)")
    #expect(turns.allSatisfy { $0.hasSuffix(" s into the take") })
  }

  @Test("with split_on_rotate each orientation has its own file, and no picture and no sample is lost or doubled")
  func splits() throws {
    let session = try Session(
      [
        "press record", "wait 3", "tilt portrait", "wait 2", "rotate landscape-left", "wait 0.03",
        "rotate landscape-right",
        "wait 3.3", "rotate auto", "wait 1", "press record", "wait 2", "status json", "quit",
      ], seed: 6, configuration: "[record]\nsplit_on_rotate = yes\n" + Self.smallPictures)
    #expect(session.end() == 0)
    let takes = session.takes()
    #expect(try takes.map { try rotation($0) } == ["", "-90", "", "-180", "-90"])
    let movies = try takes.map { try RecordedMovie($0) }
    #expect(movies.allSatisfy { $0.firstGap == nil })
    for (before, after) in zip(movies, movies.dropFirst()) {
      #expect(after.numbers.first == before.numbers.last.map { $0.map { $0 + 1 } }, "\(after.path)")
    }
    let sound = HeardSound(try takes.flatMap { try ForeignProgram.decodeSamples($0) }, seed: 6)
    #expect(sound.mismatch(from: try #require(sound.firstFrame)) == nil)
    #expect(
      try session.statuses().allSatisfy { $0.droppedVideoFrames == 0 && $0.heapAllocationsSinceBootComplete == 0 })
    #expect(try session.lines().count { $0.hasPrefix("* turned") } == 4)
  }

  @Test(
    "split_on_rotate also splits at a rotation in the pre-roll: each file is upright, and nothing is lost between them",
    arguments: [("yes", ["-90", ""]), ("no", [""])])
  func splitsPreroll(splits: String, rotations: [String]) throws {
    let session = try Session(
      [
        "tilt portrait", "wait 8", "tilt landscape-left", "wait 2", "press record", "wait 2", "press record", "wait 2",
        "status json", "quit",
      ], seed: 8, configuration: "[record]\nsplit_on_rotate = \(splits)\n" + Self.smallPictures)
    #expect(session.end() == 0)
    let takes = session.takes()
    #expect(try takes.map { try rotation($0) } == rotations)
    let movies = try takes.map { try RecordedMovie($0) }
    let numbers = movies.flatMap(\.numbers).compactMap { $0 }
    #expect(numbers.count > 200 && zip(numbers, numbers.dropFirst()).allSatisfy { $0 + 1 == $1 })
    // The accelerometer's rotation takes effect after 300 ms.
    if splits == "yes" { #expect((90...110).contains(movies[0].numbers.count), "\(movies[0].numbers.count) before") }
    let sound = HeardSound(try takes.flatMap { try ForeignProgram.decodeSamples($0) }, seed: 8)
    #expect(sound.mismatch(from: try #require(sound.firstFrame)) == nil)
    #expect(try session.statuses().allSatisfy { $0.prerollSeconds > 4.9 || splits == "yes" })
  }
}
