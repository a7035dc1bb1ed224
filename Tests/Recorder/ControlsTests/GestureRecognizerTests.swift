import Base
import Record
import TestSupport
import Testing

private let millisecond: UInt64 = 1_000_000

@Suite("Gestures")
struct GestureRecognizerTests {
  /// Polls every millisecond; the button is down during `presses`, in milliseconds.
  private func gestures(
    during presses: [Range<UInt64>], recognisesDouble: Bool
  ) -> [(toldAtMilliseconds: UInt64, gesture: Gesture)] {
    var recognizer = GestureRecognizer(recognisesDouble: recognisesDouble)
    var told: [(UInt64, Gesture)] = []
    for time in UInt64(0)..<5_000 {
      let isDown = presses.contains { $0.contains(time) }
      if let gesture = recognizer.step(isDown: isDown, at: Instant(milliseconds: time)) {
        told.append((time, gesture))
      }
    }
    return told
  }

  @Test("a press of 799 ms is short, returned at its release")
  func short() {
    let told = gestures(during: [100..<899], recognisesDouble: false)
    #expect(
      told.map(\.gesture) == [
        .pressed(at: Instant(milliseconds: 100)), .short(pressedAt: Instant(milliseconds: 100)),
      ])
    #expect(told.map(\.toldAtMilliseconds) == [120, 919])
  }

  @Test("a press of 800 ms is long, returned at 800 ms, and its release is returned too")
  func long() {
    let told = gestures(during: [100..<900], recognisesDouble: false)
    #expect(
      told.map(\.gesture) == [
        .pressed(at: Instant(milliseconds: 100)), .long(pressedAt: Instant(milliseconds: 100)),
        .released(at: Instant(milliseconds: 900)),
      ])
    #expect(told.map(\.toldAtMilliseconds) == [120, 900, 920])
  }

  @Test("a pause of 349 ms makes a double, returned at the second press")
  func double() {
    let told = gestures(during: [100..<200, 549..<600], recognisesDouble: true)
    #expect(
      told.map(\.gesture) == [
        .pressed(at: Instant(milliseconds: 100)), .pressed(at: Instant(milliseconds: 549)),
        .double(pressedAt: Instant(milliseconds: 100)),
      ])
    #expect(told.map(\.toldAtMilliseconds) == [120, 569, 570])
  }

  @Test("a pause of 350 ms makes two short presses, the first returned when no second can follow")
  func notDouble() {
    let told = gestures(during: [100..<200, 550..<600], recognisesDouble: true)
    #expect(
      told.map(\.gesture) == [
        .pressed(at: Instant(milliseconds: 100)), .short(pressedAt: Instant(milliseconds: 100)),
        .pressed(at: Instant(milliseconds: 550)), .short(pressedAt: Instant(milliseconds: 550)),
      ])
    #expect(told.map(\.toldAtMilliseconds) == [120, 550, 570, 950])
  }

  @Test("a recognizer that does not wait for doubles returns two quick presses as two")
  func twoQuick() {
    let told = gestures(during: [100..<200, 300..<400], recognisesDouble: false)
    #expect(
      told.map(\.gesture) == [
        .pressed(at: Instant(milliseconds: 100)), .short(pressedAt: Instant(milliseconds: 100)),
        .pressed(at: Instant(milliseconds: 300)), .short(pressedAt: Instant(milliseconds: 300)),
      ])
  }

  @Test("the button is held from the long press until its release")
  func held() {
    var recognizer = GestureRecognizer(recognisesDouble: true)
    for time in UInt64(0)..<3_000 {
      _ = recognizer.step(isDown: (100..<2_000).contains(time), at: Instant(milliseconds: time))
      #expect(recognizer.isHeld == (900..<2_020).contains(time))
    }
  }

  @Test("a poll that comes seconds late still returns press, long press and release, one per call")
  func timeJump() {
    var recognizer = GestureRecognizer()
    let looks: [(UInt64, Bool)] = [(0, true), (5_000, true), (5_001, false), (9_000, false), (9_001, false)]
    let told = looks.map { recognizer.step(isDown: $0.1, at: Instant(milliseconds: $0.0)) }
    #expect(
      told == [
        nil, .pressed(at: 0), .long(pressedAt: 0),
        .released(at: Instant(milliseconds: 5_001)), nil,
      ])
  }

  @Test(
    "Random sequences give the reference model's gestures, for any rhythm of the polls",
    arguments: [false, true])
  func againstModel(recognisesDouble: Bool) {
    let steps: [UInt64] = [
      1, 5, 5, 10, 19, 20, 21, 60, 150, 329, 330, 349, 350, 351, 600, 779, 780, 799, 800, 801, 4_000,
    ]
    let model = GestureModel(recognisesDouble: recognisesDouble)
    for seed in 0..<UInt64(Cases.count(10_000, of: 100_000)) {
      var generator = SeededGenerator(seed: seed)
      var looks: [GestureModel.Look] = []
      var time: UInt64 = 1_000 * millisecond
      var isDown = false
      for index in 0..<40 {
        if index >= 36 { isDown = false } else if Int.random(in: 0..<3, using: &generator) == 0 { isDown.toggle() }
        looks.append(GestureModel.Look(timeNanoseconds: time, isDown: isDown))
        time += (index >= 36 ? 2_000 : steps.randomElement(using: &generator)!) * millisecond
      }
      var recognizer = GestureRecognizer(recognisesDouble: recognisesDouble)
      let told = looks.compactMap { recognizer.step(isDown: $0.isDown, at: Instant($0.timeNanoseconds)) }
      guard told != model.gestures(of: looks) else { continue }
      Issue.record("seed \(seed): \(told) instead of \(model.gestures(of: looks))")
      return
    }
  }

  @Test("bounce of up to 15 ms at both edges leaves one short press", arguments: UInt64(0)..<200)
  func bounce(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var recognizer = GestureRecognizer()
    var told: [Gesture] = []
    for time in UInt64(0)..<600 {
      let isBouncing = (100..<115).contains(time) || (300..<315).contains(time)
      let isDown = isBouncing ? Bool.random(using: &generator) : (100..<300).contains(time)
      if let gesture = recognizer.step(isDown: isDown, at: Instant(milliseconds: time)) { told.append(gesture) }
    }
    #expect(told.count == 2)
    guard case .pressed(let pressedAt) = told.first, case .short(pressedAt) = told.last else {
      Issue.record("\(told) instead of one short press")
      return
    }
    #expect((100...115).contains(pressedAt.rawValue / millisecond))
  }
}
