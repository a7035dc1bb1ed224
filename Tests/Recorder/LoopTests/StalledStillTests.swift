import Base
import Machine
import TestSupport
import Testing

@testable import App

/// Stills during a take, taken while the card stalls.
@Suite struct StalledStillTests {
  private static let noAnswer = "the card does not answer: an event follows when the still is saved"

  /// A take of three seconds, and a card that stalls from now on.
  private static func rig(stalledForSeconds seconds: UInt64) throws -> ApplianceRig {
    let rig = try ApplianceRig { $0.record.stallSeconds = 25 }
    rig.run(milliseconds: 2_000)
    rig.run("press record", milliseconds: 3_000)
    rig.stallStorage(nanoseconds: seconds * 1_000_000_000)
    return rig
  }

  /// Ends the take, and expects that nothing is missing.
  private static func expectWholeTake(_ rig: ApplianceRig) throws -> FinishedMovie {
    rig.run("press record", milliseconds: 2_000)
    let movie = try #require(rig.movie(rig.takePaths[0]))
    try rig.expectWhole(movie, "the take")
    let status = try rig.status()
    #expect(status["dropped_video_frames"] as? Int == 0 && status["audio_overruns"] as? Int == 0)
    return movie
  }

  /// A long press, possibly while the console waits.
  private static func pressLong(_ rig: ApplianceRig) {
    let now = rig.now
    rig.appliance.loop.machine.buttons.device.inject(.record, from: now, to: now + 900_000_000)
    rig.run(milliseconds: 980)
  }

  @Test("each still of a 10 s stall shows its moment, is safe only after all of the take, and is then reported")
  func finger() throws {
    let rig = try Self.rig(stalledForSeconds: 10)
    let operationCount = rig.host.disk.operations.count
    for _ in 0..<10 { Self.pressLong(rig) }
    #expect(rig.host.disk.operations.count == operationCount)
    #expect(rig.announcements("still").isEmpty)
    rig.run(milliseconds: 1_000)
    let fragments = rig.host.disk.operations.dropFirst(operationCount).prefix {
      if case .create(path: "still.new", file: _) = $0 { false } else { true }
    }
    // Two for each fragment.
    let flushCount = fragments.count { if case .synchronise = $0 { true } else { false } }
    #expect((36...42).contains(flushCount), "\(flushCount) flushes")
    let paths = rig.announcements("still photo/").map { $0.dropFirst("* still ".count).prefix { $0 != "," } }
    try #require(paths.count == 10)
    let numbers = try paths.map { path in
      NumberedPicture.stillNumber(of: try #require(rig.host.disk.image[String(path)]))
    }
    #expect(zip(numbers, numbers.dropFirst()).allSatisfy { (24...25).contains($1 - $0) }, "\(numbers)")
    let movie = try Self.expectWholeTake(rig)
    let areInTheTake = Set(numbers).isSubset(of: movie.pictures.map(NumberedPicture.number))
    #expect(areInTheTake)
  }

  @Test(
    "snapshot returns the path if the stall ends within 11 s; otherwise it is refused, and a line reports it later",
    arguments: [9, 10, 12, 20] as [UInt64])
  func console(stallSeconds: UInt64) throws {
    let rig = try Self.rig(stalledForSeconds: stallSeconds)
    let lineCount = rig.host.lines.count
    rig.run("snapshot", milliseconds: stallSeconds * 1_000 + 500)
    let lines = Self.linesOfStills(rig, from: lineCount)
    #expect(lines == (stallSeconds <= 10 ? ["still photo", "ok"] : ["error: \(Self.noAnswer)", "* still photo"]))
    _ = try Self.expectWholeTake(rig)
  }

  /// The lines about stills, without paths, and without those of the take, which stalls too.
  private static func linesOfStills(_ rig: ApplianceRig, from index: Int) -> [Substring] {
    rig.host.lines.dropFirst(index).filter { !$0.contains("the take") }.map { $0.prefix { $0 != "/" } }
  }

  @Test("a button and the console each wait for their own still, and each gets its report")
  func both() throws {
    let rig = try Self.rig(stalledForSeconds: 15)
    let lineCount = rig.host.lines.count
    rig.run("snapshot", milliseconds: 500)
    Self.pressLong(rig)
    rig.run(milliseconds: 15_000)
    let lines = Self.linesOfStills(rig, from: lineCount)
    #expect(lines == ["error: \(Self.noAnswer)", "* \(Self.noAnswer)", "* still photo", "* still photo"])
    _ = try Self.expectWholeTake(rig)
  }

  @Test("the sixteen stills that fit are written, each further one is reported as lost, and the take is complete")
  func tooMany() throws {
    let rig = try Self.rig(stalledForSeconds: 20)
    for _ in 0..<19 { Self.pressLong(rig) }
    #expect(rig.announcements("the card has not saved the previous stills: this one is lost").count == 3)
    rig.run(milliseconds: 3_000)
    #expect(rig.announcements("still photo/").count == Limits.stills)
    _ = try Self.expectWholeTake(rig)
  }
}
