import Base
import Foundation
import Record
import TestSupport
import Testing

private let millisecond: UInt64 = 1_000_000
private let orientations: [Orientation] = [.landscapeLeft, .portrait, .landscapeRight, .portraitUpsideDown]

@Suite("Orientation")
struct OrientationTrackerTests {
  /// The reading of a device rotated clockwise in its plane by `degrees`, and leaning back by `lean`.
  private func acceleration(turned degrees: Double, lean: Double = 0, length: Double = 1000) -> Acceleration {
    let plane = length * cos(lean * .pi / 180)
    return Acceleration(
      xMilliGravity: Int32((plane * sin(degrees * .pi / 180)).rounded()),
      yMilliGravity: Int32((plane * cos(degrees * .pi / 180)).rounded()),
      zMilliGravity: Int32((length * sin(lean * .pi / 180)).rounded()))
  }

  private func settle(_ tracker: inout OrientationTracker, _ acceleration: Acceleration, from start: Instant) {
    for step in UInt64(0)..<10 { _ = tracker.step(acceleration, at: start + step * 50 * millisecond) }
  }

  @Test(
    "the player's rotation puts the world's up at the picture's top, in all four orientations", arguments: orientations)
  func pictureEndsUpright(orientation: Orientation) {
    // The picture's axes are the device's: the world's up has the same direction in the picture as the accelerometer's
    // vector.
    let up = Position(orientation).acceleration
    let angle = -Double(orientation.clockwiseDegrees) * .pi / 180
    let x = Double(up.xMilliGravity)
    let y = Double(up.yMilliGravity)
    let turnedX = x * cos(angle) - y * sin(angle)
    let turnedY = x * sin(angle) + y * cos(angle)
    #expect(abs(turnedX) < 0.001)
    #expect(abs(turnedY - 1000) < 0.001)
  }

  @Test("an orientation at rest is reported once, after 300 ms", arguments: orientations, orientations)
  func settles(from: Orientation, to: Orientation) {
    var tracker = OrientationTracker(orientation: from)
    var told: [(UInt64, Orientation)] = []
    for time in stride(from: UInt64(0), to: 1_000, by: 10) {
      let turned = tracker.step(Position(to).acceleration, at: Instant(milliseconds: time))
      if let turned { told.append((time, turned)) }
    }
    #expect(told.map(\.0) == (from == to ? [] : [300]))
    #expect(told.map(\.1) == (from == to ? [] : [to]))
    #expect(tracker.orientation == to)
  }

  @Test("the orientation changes only beyond 60°, from every orientation", arguments: [0.0, 90, 180, 270])
  func hysteresis(start: Double) {
    var tracker = OrientationTracker()
    settle(&tracker, acceleration(turned: start), from: 0)
    let held = tracker.orientation
    for degrees in [-59.5, -46, -44, 44, 46, 59.5] {
      settle(&tracker, acceleration(turned: start + degrees), from: Instant(milliseconds: 1_000))
      #expect(tracker.orientation == held)
    }
    settle(&tracker, acceleration(turned: start + 60.5), from: Instant(milliseconds: 2_000))
    #expect(tracker.orientation != held)
    let left = tracker.orientation
    settle(&tracker, acceleration(turned: start + 31), from: Instant(milliseconds: 3_000))
    #expect(tracker.orientation == left)
    settle(&tracker, acceleration(turned: start + 29), from: Instant(milliseconds: 4_000))
    #expect(tracker.orientation == held)
  }

  @Test("a device lying flat, in free fall or shaken keeps its last orientation")
  func keepsLast() {
    let turnedDegrees = 90.0
    for (acceleration, keeps) in [
      (acceleration(turned: turnedDegrees, lean: 61), true), (acceleration(turned: turnedDegrees, lean: 59), false),
      (acceleration(turned: turnedDegrees, lean: -61), true), (acceleration(turned: turnedDegrees, lean: -59), false),
      (acceleration(turned: turnedDegrees, length: 690), true),
      (acceleration(turned: turnedDegrees, length: 710), false),
      (acceleration(turned: turnedDegrees, length: 1290), false),
      (acceleration(turned: turnedDegrees, length: 1310), true),
      (Position.faceUp.acceleration, true), (Position.faceDown.acceleration, true),
      (Acceleration(xMilliGravity: 0, yMilliGravity: 0, zMilliGravity: 0), true),
      (Acceleration(xMilliGravity: .min, yMilliGravity: .min, zMilliGravity: .min), true),
    ] {
      var tracker = OrientationTracker(orientation: .landscapeLeft)
      settle(&tracker, acceleration, from: 0)
      #expect((tracker.orientation == .landscapeLeft) == keeps)
    }
  }

  @Test("a jolt within the 300 ms restarts them")
  func jolt() {
    var tracker = OrientationTracker()
    let portrait = Position.portrait.acceleration
    for time in stride(from: UInt64(0), through: 290, by: 10) {
      #expect(tracker.step(portrait, at: Instant(milliseconds: time)) == nil)
    }
    #expect(tracker.step(Position.faceUp.acceleration, at: Instant(milliseconds: 300)) == nil)
    for time in stride(from: UInt64(310), through: 600, by: 10) {
      #expect(tracker.step(portrait, at: Instant(milliseconds: time)) == nil)
    }
    #expect(tracker.step(portrait, at: Instant(milliseconds: 610)) == .portrait)
  }

  private func position(named name: [UInt8]) -> Position? { Position(name: name.span) }

  @Test("every position is found by its name, and nothing else is")
  func names() {
    for rawValue in 0..<UInt8(Position.count) {
      let position = Position(rawValue: rawValue)!
      let name = Array(position.name.description.utf8)
      #expect(self.position(named: name) == position)
      #expect(self.position(named: name.dropLast()) == nil)
      #expect(self.position(named: name + [0]) == nil)
    }
    #expect(position(named: []) == nil)
    #expect(Position(rawValue: UInt8(Position.count)) == nil)
  }

  @Test("random readings never change the orientation without 300 ms of agreement", arguments: UInt64(0)..<50)
  func randomReadings(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var tracker = OrientationTracker()
    for time in stride(from: UInt64(0), to: 60_000, by: 50) {
      // The same sector never occurs three times in a row, so no orientation lasts longer than 100 ms.
      let degrees = Double((time / 100 % 4) * 90) + Double.random(in: -20...20, using: &generator)
      #expect(tracker.step(acceleration(turned: degrees), at: Instant(milliseconds: time)) == nil)
    }
  }
}
