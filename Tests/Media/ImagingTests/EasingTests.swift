import Base
import TestSupport
import Testing

@testable import Media

@Suite struct EasingTests {
  static let all = (0...UInt8.max).compactMap { Easing(rawValue: $0) }
  static let times = [0.1, 0.25, 0.4, 0.6, 0.75, 0.9]
  /// Values at ``times`` as calculated by tweeny 3.2, a C++ library with Penner's equations in single precision.
  static let byTweeny: [(String, [Double])] = [
    ("sine-in", [0.012312, 0.076120, 0.190983, 0.412215, 0.617317, 0.843566]),
    ("sine-out", [0.156434, 0.382683, 0.587785, 0.809017, 0.923880, 0.987688]),
    ("sine-in-out", [0.024472, 0.146447, 0.345492, 0.654509, 0.853553, 0.975528]),
    ("quad-in", [0.010000, 0.062500, 0.160000, 0.360000, 0.562500, 0.810000]),
    ("quad-out", [0.190000, 0.437500, 0.640000, 0.840000, 0.937500, 0.990000]),
    ("quad-in-out", [0.020000, 0.125000, 0.320000, 0.680000, 0.875000, 0.980000]),
    ("cubic-in", [0.001000, 0.015625, 0.064000, 0.216000, 0.421875, 0.729000]),
    ("cubic-out", [0.271000, 0.578125, 0.784000, 0.936000, 0.984375, 0.999000]),
    ("cubic-in-out", [0.004000, 0.062500, 0.256000, 0.744000, 0.937500, 0.996000]),
    ("quart-in", [0.000100, 0.003906, 0.025600, 0.129600, 0.316406, 0.656100]),
    ("quart-out", [0.343900, 0.683594, 0.870400, 0.974400, 0.996094, 0.999900]),
    ("quart-in-out", [0.000800, 0.031250, 0.204800, 0.795200, 0.968750, 0.999200]),
    ("quint-in", [0.000010, 0.000977, 0.010240, 0.077760, 0.237305, 0.590490]),
    ("quint-out", [0.409510, 0.762695, 0.922240, 0.989760, 0.999023, 0.999990]),
    ("quint-in-out", [0.000160, 0.015625, 0.163840, 0.836160, 0.984375, 0.999840]),
    ("expo-in", [0.001953, 0.005524, 0.015625, 0.062500, 0.176777, 0.500000]),
    ("expo-out", [0.500000, 0.823223, 0.937500, 0.984375, 0.994476, 0.998047]),
    ("expo-in-out", [0.001953, 0.015625, 0.125000, 0.875000, 0.984375, 0.998047]),
    ("circ-in", [0.005013, 0.031754, 0.083485, 0.200000, 0.338562, 0.564110]),
    ("circ-out", [0.435890, 0.661438, 0.800000, 0.916515, 0.968246, 0.994987]),
    ("circ-in-out", [0.010102, 0.066987, 0.200000, 0.800000, 0.933013, 0.989898]),
    ("back-in", [-0.014314, -0.064137, -0.099352, -0.029028, 0.182590, 0.591172]),
    ("back-out", [0.408828, 0.817410, 1.029027, 1.099352, 1.064137, 1.014314]),
    ("back-in-out", [-0.037519, -0.099682, 0.089926, 0.910074, 1.099682, 1.037519]),
    ("elastic-in", [0.001953, -0.005524, 0.015625, -0.031250, 0.088388, -0.250000]),
    ("elastic-out", [1.250000, 0.911612, 1.031250, 0.984375, 1.005524, 0.998047]),
    ("elastic-in-out", [0.000339, 0.011969, -0.117462, 1.117462, 0.988031, 0.999661]),
    ("bounce-in", [0.011875, 0.027344, 0.227500, 0.090000, 0.527344, 0.924375]),
    ("bounce-out", [0.075625, 0.472656, 0.910000, 0.772500, 0.972656, 0.988125]),
    ("bounce-in-out", [0.030000, 0.117188, 0.348750, 0.651250, 0.882812, 0.970000]),
    ("linear", times),
  ]

  @Test("31 functions equal those of another library", arguments: byTweeny)
  func values(name: String, values: [Double]) throws {
    let easing = try #require(Self.all.first { "\($0.name)" == name })
    for (time, value) in zip(Self.times, values) { #expect(abs(easing.value(at: time) - value) < 2e-6, "\(time)") }
  }

  @Test("there are 31, each with its own name, and the table above has them all")
  func names() {
    #expect(Self.all.count == 31)
    #expect(Set(Self.all.map { "\($0.name)" }) == Set(Self.byTweeny.map(\.0)))
    #expect(Self.all.enumerated().allSatisfy { $0.offset == Int($0.element.rawValue) })
  }

  @Test("each starts at exactly 0 and ends at exactly 1, even outside 0…1 and for NaN")
  func ends() {
    for easing in Self.all {
      #expect(easing.value(at: 0) == 0 && easing.value(at: 1) == 1, "\(easing)")
      #expect(easing.value(at: -3) == 0 && easing.value(at: 7) == 1)
      #expect(easing.value(at: -.infinity) == 0 && easing.value(at: .infinity) == 1 && easing.value(at: .nan) == 0)
    }
  }

  @Test("out is in reversed, and easing at both ends is symmetrical")
  func symmetry() throws {
    for curve in (0..<10).compactMap({ EasingCurve(rawValue: $0) }) {
      for step in 0...1000 {
        let time = Double(step) / 1000
        let into = Easing.curved(curve, .into).value(at: 1 - time)
        #expect(abs(Easing.curved(curve, .outOf).value(at: time) - (1 - into)) < 1e-12)
        let both = Easing.curved(curve, .both)
        #expect(abs(both.value(at: time) - (1 - both.value(at: 1 - time))) < 1e-12)
      }
    }
  }

  @Test("except those that overshoot or bounce, none ever moves backwards")
  func monotone() {
    for easing in Self.all {
      if case .curved(let curve, _) = easing, [.back, .elastic, .bounce].contains(curve) { continue }
      let values = (0...10_000).map { easing.value(at: Double($0) / 10_000) }
      #expect(zip(values, values.dropFirst()).allSatisfy { $0 <= $1 }, "\(easing)")
    }
  }

  @Test("back and elastic leave 0…1 by at most three eighths, bounce does not")
  func overshoot() {
    for easing in Self.all {
      let values = (0...10_000).map { easing.value(at: Double($0) / 10_000) }
      let isBeyond = values.contains { $0 < 0 || $0 > 1 }
      if case .curved(let curve, _) = easing { #expect(isBeyond == (curve == .back || curve == .elastic), "\(easing)") }
      #expect(values.allSatisfy { $0 > -0.375 && $0 < 1.375 }, "\(easing)")
    }
  }

  @Test("none jumps, except by a thousandth at the ends of Penner's expo and elastic")
  func continuous() {
    for easing in Self.all {
      let values = (0...100_000).map { easing.value(at: Double($0) / 100_000) }
      let longest = zip(values, values.dropFirst()).map { abs($0 - $1) }.max() ?? 0
      // The steepest is the quarter circle, at its end.
      #expect(longest < 5e-3, "\(easing)")
    }
  }
}
