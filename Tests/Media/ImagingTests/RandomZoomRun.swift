import Base
import Foundation
import TestSupport
import Testing

@testable import Media

/// A user who makes every possible zoom request at random.
struct RandomZoomRun {
  private var generator: SeededGenerator
  private var zoom: Zoom
  private let easing: Easing
  private let maximum: Double
  private var now: Instant = 1_000_000_000

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    easing = EasingTests.all.randomElement(using: &generator)!
    maximum = .random(in: 1...16, using: &generator)
    zoom = Zoom(maximum: maximum, powersOfTwoPerSecond: .random(in: 0.1...20, using: &generator), easing: easing)
  }

  mutating func run(operationCount: Int) {
    for number in 0..<operationCount {
      let before = zoom.factor(at: now)
      let isJump = act()
      let after = zoom.factor(at: now)
      #expect(isJump || abs(log2(after / before)) < 1e-9, "\(easing), order \(number): \(before) to \(after)")
      expectSound(upTo: now + .random(in: 0...500_000_000, using: &generator), number)
    }
  }

  private mutating func act() -> Bool {
    switch Int.random(in: 0..<8, using: &generator) {
    case 0:
      zoom.jump(to: factor(), at: now)
      return true
    case 1: zoom.glide(to: factor(), powersOfTwoPerSecond: rate(), at: now)
    case 2: zoom.glide(to: factor(), powersOfTwoPerSecond: nil, at: now)
    case 3: zoom.hold(at: now)
    case 4: _ = zoom.release(at: now)
    case 5: zoom.reverse()
    case 6: _ = zoom.settle(at: now)
    default: zoom.step(at: now)
    }
    return false
  }

  private mutating func factor() -> Double {
    let odd = [Double.nan, .infinity, -.infinity, 0, -3, 1e300, 1, maximum, .leastNonzeroMagnitude]
    return Bool.random(using: &generator)
      ? .random(in: 1...16, using: &generator) : odd.randomElement(using: &generator)!
  }

  private mutating func rate() -> Double {
    let odd = [Double.nan, .infinity, -1, 0, 1e-300, 1e300]
    return Int.random(in: 0..<4, using: &generator) > 0
      ? .random(in: 0.01...50, using: &generator) : odd.randomElement(using: &generator)!
  }

  /// Checks every millisecond up to `end`, and sets the present to it.
  private mutating func expectSound(upTo end: Instant, _ number: Int) {
    while now < end {
      now += 1_000_000
      let factor = zoom.factor(at: now)
      #expect(factor.isFinite && factor >= 1 && factor <= maximum, "\(easing), after order \(number): \(factor)")
    }
  }
}
