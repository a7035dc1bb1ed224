import Foundation
import TestSupport
import Testing

@testable import App

/// Takes of hours, with a sound card and a camera that have their own clocks.
@Suite struct DriftTests {
  /// `FIELDCORDER_DRIFT_HOURS=24` for a day.
  private static var hours: Double {
    ProcessInfo.processInfo.environment["FIELDCORDER_DRIFT_HOURS"].flatMap { Double($0) } ?? 0.25
  }

  @Test(
    "at the end of a long take pictures and sound are within a frame of each other, and the drift is known",
    arguments: Cases.some(1, of: [37, -200, 200] as [Int32]))
  func longTake(partsPerMillion: Int32) throws {
    let rig = try ApplianceRig(microphonePartsPerMillion: partsPerMillion)
    rig.run(milliseconds: 2_000)
    rig.run("press record", milliseconds: 1_000)
    for _ in 0..<Int(Self.hours * 60) {
      rig.run(milliseconds: 60_000)
      rig.host.disk.forgetOperations()
    }
    let drift = try #require(try rig.status()["drift_ppm"] as? Double)
    #expect(abs(drift - Double(partsPerMillion)) < 2)
    rig.run("press record", milliseconds: 30_000)
    #expect(rig.takePaths.count == 1)
    let movie = try #require(rig.movie(rig.takePaths[0]))
    #expect(abs(Double(movie.pictures.count) - Self.hours * 90_000) < 200)
    try rig.expectWhole(movie, "\(partsPerMillion) ppm")
  }
}
