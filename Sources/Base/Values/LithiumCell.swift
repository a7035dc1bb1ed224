/// A lithium-ion cell (LiCoO2 or NMC, 4.2 V when full) at a light load, whose voltage says how full it is.
package enum LithiumCell {
  /// The voltages at 0, 5, 10, 20, 30 … 100 %. The middle is so flat that a reading there is good for 10 % at best.
  private static var points: InlineArray<12, (volts: Double, percent: Double)> {
    [
      (3.00, 0), (3.45, 5), (3.68, 10), (3.74, 20), (3.77, 30), (3.79, 40), (3.82, 50), (3.87, 60), (3.92, 70),
      (3.98, 80), (4.06, 90), (4.20, 100),
    ]
  }

  /// - Returns: 0…100.
  package static func percent(atVolts volts: Double) -> Double {
    let points = points
    guard volts > points[0].volts else { return 0 }
    for index in 1..<points.count where volts < points[index].volts {
      let (low, high) = (points[index - 1], points[index])
      return low.percent + (volts - low.volts) / (high.volts - low.volts) * (high.percent - low.percent)
    }
    return 100
  }
}
