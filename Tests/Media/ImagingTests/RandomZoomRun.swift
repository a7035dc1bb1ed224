import Foundation
import Values
import TestSupport
import Testing

@testable import Imaging

/// A person who asks of a zoom whatever can be asked, at random.
struct RandomZoomRun {
  private var generator: SeededGenerator
  private var zoom: Zoom
  private let easing: Easing
  private let maximum: Double
  private var now: UInt64 = 1_000_000_000

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    easing = EasingTests.all.randomElement(using: &generator)!
    maximum = .random(in: 1...16, using: &generator)
    zoom = Zoom(maximum: maximum, powersOfTwoPerSecond: .random(in: 0.1...20, using: &generator), easing: easing)
  }

  mutating func run(operationCount: Int) {
    for number in 0..<operationCount {
      let before = zoom.factor(atNanoseconds: now)
      let isJump = act()
      let after = zoom.factor(atNanoseconds: now)
      #expect(isJump || abs(log2(after / before)) < 1e-9, "\(easing), order \(number): \(before) to \(after)")
      expectSound(upTo: now + .random(in: 0...500_000_000, using: &generator), number)
    }
  }

  private mutating func act() -> Bool {
    switch Int.random(in: 0..<8, using: &generator) {
    case 0:
      zoom.jump(to: factor(), atNanoseconds: now)
      return true
    case 1: zoom.glide(to: factor(), powersOfTwoPerSecond: rate(), atNanoseconds: now)
    case 2: zoom.glide(to: factor(), powersOfTwoPerSecond: nil, atNanoseconds: now)
    case 3: zoom.hold(atNanoseconds: now)
    case 4: _ = zoom.release(atNanoseconds: now)
    case 5: zoom.reverse()
    case 6: _ = zoom.settle(atNanoseconds: now)
    default: zoom.step(atNanoseconds: now)
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

  /// Looks at every millisecond up to `end`, and makes that the present.
  private mutating func expectSound(upTo end: UInt64, _ number: Int) {
    while now < end {
      now += 1_000_000
      let factor = zoom.factor(atNanoseconds: now)
      #expect(factor.isFinite && factor >= 1 && factor <= maximum, "\(easing), after order \(number): \(factor)")
    }
  }
}
