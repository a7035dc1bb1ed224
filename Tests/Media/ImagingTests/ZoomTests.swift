import Base
import Foundation
import TestSupport
import Testing

@testable import Media

@Suite struct ZoomTests {
  private static let second: UInt64 = 1_000_000_000

  private func zoom(maximum: Double = 16, rate: Double = 3, easing: Easing = .linear) -> Zoom {
    Zoom(maximum: maximum, powersOfTwoPerSecond: rate, easing: easing)
  }

  /// When the current glide ends, in seconds after `start`.
  private func seconds(_ zoom: Zoom, from start: Instant, to factor: Double) -> Double {
    var instant = start
    while abs(zoom.factor(at: instant) - factor) > 1e-12, instant < start + 100 * Self.second {
      instant += 100_000
    }
    return Double(instant - start) / 1e9
  }

  @Test(
    "from 1 to 8 at three powers of two a second takes a second, and other distances in proportion",
    arguments: [
      (1, 8, nil, 1.0), (1, 16, nil, 4.0 / 3), (8, 1, nil, 1.0), (2, 4, 0.5, 2.0), (16, 1, 10, 0.4), (1, 1, nil, 0),
      (5, 5, 0.001, 0), (3, 7, nil, 0.4075),
    ] as [(Double, Double, Double?, Double)])
  func duration(from: Double, to: Double, rate: Double?, expected: Double) {
    var zoom = zoom()
    zoom.jump(to: from, at: 5)
    let start = Instant(9 * Self.second)
    let reached = zoom.factor(at: start)
    zoom.glide(to: to, powersOfTwoPerSecond: rate, at: start)
    #expect(zoom.factor(at: start) == reached)
    #expect(abs(seconds(zoom, from: start, to: to) - expected) < 0.0002)
  }

  @Test("half the time covers half the visible distance, with every symmetrical easing")
  func curve() {
    for easing in EasingTests.all {
      var zoom = zoom(easing: easing)
      zoom.glide(to: 16, powersOfTwoPerSecond: 2, at: Instant(Self.second))
      for step in 0...200 {
        let factor = zoom.factor(at: Instant(Self.second + UInt64(step) * 10_000_000))
        let exponent = 4 * easing.value(at: Double(step) / 200)
        #expect(abs(factor - pow(2, min(max(exponent, 0), 4))) < 1e-9)
      }
    }
  }

  @Test("a request in the middle of a glide starts at the current factor")
  func interrupted() {
    var zoom = zoom()
    zoom.glide(to: 16, powersOfTwoPerSecond: nil, at: 0)
    zoom.glide(to: 1, powersOfTwoPerSecond: nil, at: Instant(Self.second / 3))
    #expect(zoom.factor(at: Instant(Self.second / 3)) - 2 < 1e-6)
    #expect(abs(seconds(zoom, from: Instant(Self.second / 3), to: 1) - 1.0 / 3) < 0.0002)
  }

  @Test("a picture that arrives after a change has the factor of its own instant")
  func earlier() {
    var zoom = zoom()
    zoom.glide(to: 8, powersOfTwoPerSecond: nil, at: Instant(Self.second))
    zoom.jump(to: 2, at: Instant(Self.second * 3 / 2))
    #expect(zoom.factor(at: Instant(Self.second * 3 / 2)) == 2)
    let exponent = log2(zoom.factor(at: Instant(Self.second * 3 / 2 - 20_000_000)))
    #expect(abs(exponent - 3 * 0.48) < 1e-9)
  }

  @Test(
    "the button steps through 1, 2, 4, 8 and the maximum, and back to 1; a double press reverses the direction",
    arguments: [(16, [2, 4, 8, 16, 1, 2]), (10, [2, 4, 8, 10, 1, 2]), (3, [2, 3, 1, 2]), (1, [1, 1])]
      as [(Double, [Double])])
  func steps(maximum: Double, expected: [Double]) {
    var zoom = zoom(maximum: maximum)
    var now = Self.second
    func press() -> Double? {
      zoom.step(at: Instant(now))
      now += 2 * Self.second
      return zoom.settle(at: Instant(now))
    }
    for factor in expected { #expect(press() == factor) }
    zoom.jump(to: 1, at: Instant(now))
    zoom.reverse()
    let turned = expected.prefix { $0 != 1 }.reversed() + [1]
    for factor in turned { #expect(press() == factor) }
  }

  @Test("steps count from the requested factor, not the current one, and from any factor to the next step")
  func stepsFromGoal() {
    var zoom = zoom()
    zoom.step(at: 0)
    zoom.step(at: 1_000)
    #expect(zoom.settle(at: Instant(Self.second)) == 4)
    zoom.jump(to: 5.3, at: Instant(Self.second))
    zoom.step(at: Instant(Self.second))
    #expect(zoom.settle(at: Instant(2 * Self.second)) == 8)
    zoom.jump(to: 5.3, at: Instant(2 * Self.second))
    zoom.reverse()
    zoom.step(at: Instant(2 * Self.second))
    #expect(zoom.settle(at: Instant(3 * Self.second)) == 4)
  }

  @Test("while held it glides, and it stops at the release")
  func held() throws {
    var zoom = zoom()
    zoom.hold(at: Instant(Self.second))
    #expect(zoom.settle(at: Instant(2 * Self.second)) == nil)
    let released = zoom.release(at: Instant(2 * Self.second))
    let factor = try #require(released)
    #expect(abs(factor - 8) < 1e-9)
    #expect(zoom.factor(at: Instant(9 * Self.second)) == factor)
    #expect(zoom.release(at: Instant(9 * Self.second)) == nil)
  }

  @Test("the end of the range is reported once, a release there is not, and the next hold reverses")
  func heldToTheEnd() {
    var zoom = zoom()
    zoom.hold(at: Instant(Self.second))
    #expect(zoom.settle(at: Instant(3 * Self.second)) == 16)
    #expect(zoom.settle(at: Instant(3 * Self.second)) == nil)
    #expect(zoom.release(at: Instant(4 * Self.second)) == nil)
    zoom.hold(at: Instant(5 * Self.second))
    #expect(zoom.direction == .wider)
    #expect(abs(zoom.factor(at: Instant(6 * Self.second)) - 2) < 1e-9)
    #expect(zoom.settle(at: Instant(7 * Self.second)) == 1)
    zoom.hold(at: Instant(8 * Self.second))
    #expect(zoom.direction == .closer)
  }

  @Test("a camera with a smaller maximum limits the factor while it is connected")
  func limited() {
    var zoom = zoom()
    zoom.jump(to: 10, at: 1)
    zoom.limit(to: 4)
    #expect(zoom.factor(at: 2) == 4)
    zoom.step(at: 2)
    #expect(zoom.settle(at: Instant(9 * Self.second)) == 1)
  }

  @Test("an invalid factor becomes the nearest valid one", arguments: [Double.nan, -1, 0, 1e9, .infinity, -.infinity])
  func absurd(factor: Double) {
    var zoom = zoom()
    let nearest = factor > 1 ? 16.0 : 1
    zoom.jump(to: factor, at: 1)
    #expect(zoom.factor(at: 2) == nearest)
    zoom.glide(to: factor, powersOfTwoPerSecond: factor, at: 3)
    #expect(zoom.factor(at: Instant(100 * Self.second)) == nearest)
  }

  @Test("10,000 random requests: the factor is finite and in range, and jumps only on request")
  func random() {
    for seed in UInt64(0)..<10 {
      var run = RandomZoomRun(seed: seed)
      run.run(operationCount: 1_000)
    }
  }
}
