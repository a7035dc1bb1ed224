import Base
import CMath

/// What the sun does once a day, in the order of the day.
package enum SunEvent: UInt8, Choice {
  case astronomicalDawn
  case nauticalDawn
  /// Civil dawn.
  case dawn
  case sunrise
  case sunset
  /// Civil dusk.
  case dusk
  case nauticalDusk
  case astronomicalDusk

  package var name: StaticString {
    switch self {
    case .astronomicalDawn: "astro-dawn"
    case .nauticalDawn: "nautical-dawn"
    case .dawn: "dawn"
    case .sunrise: "sunrise"
    case .sunset: "sunset"
    case .dusk: "dusk"
    case .nauticalDusk: "nautical-dusk"
    case .astronomicalDusk: "astro-dusk"
    }
  }

  /// Whether the sun comes up.
  var isRising: Bool { self < .sunset }

  /// The altitude of the sun's centre above the horizon, in degrees. At sunrise its upper edge, 16′ above the centre,
  /// is seen on the horizon, by 34′ of refraction.
  fileprivate var altitudeDegrees: Double {
    switch self {
    case .astronomicalDawn, .astronomicalDusk: -18
    case .nauticalDawn, .nauticalDusk: -12
    case .dawn, .dusk: -6
    case .sunrise, .sunset: -50 / 60
    }
  }

  static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// When the sun does something on a day.
package enum SunTime: Equatable, Sendable {
  /// It does, in Unix seconds.
  case at(Int64)
  /// It stays higher all day, and is lowest at this instant.
  case staysAbove(lowestAt: Int64)
  /// It stays lower all day, and is highest at this instant.
  case staysBelow(highestAt: Int64)

  /// The instant of the event, or of the culmination at which it comes nearest to it, in Unix seconds.
  package var unixSeconds: Int64 {
    switch self {
    case .at(let instant), .staysAbove(let instant), .staysBelow(let instant): instant
    }
  }
}

/// The sun's day at a place: from its lowest point through its highest to the next lowest.
///
/// Between 65° S and 65° N the times are right within a few seconds from 1980 to 2080, for a horizon at sea level.
package struct SunDay {
  private let latitude: Double
  private let longitudeDegrees: Double
  /// When the sun is highest, in Unix seconds.
  private let noon: Double

  /// The day of the culmination that is nearest to an instant.
  /// - Parameters:
  ///   - unixSeconds: 12:00 of the date, by a clock of the place.
  ///   - latitudeDegrees: -90…90, positive north of the equator.
  ///   - longitudeDegrees: -180…180, positive east of Greenwich.
  package init(around unixSeconds: Int64, latitudeDegrees: Double, longitudeDegrees: Double) {
    latitude = latitudeDegrees * .pi / 180
    self.longitudeDegrees = longitudeDegrees
    var noon = Double(unixSeconds)
    // The sun's own motion changes the hour angle by 1/365 of the step: the third step is under a second.
    for _ in 0..<3 { noon -= SunPosition(unixSeconds: noon).hourAngle(longitudeDegrees) * Self.secondsPerRadian }
    self.noon = noon
  }

  private static let secondsPerRadian = 86_400 / (2 * Double.pi)
  private static let halfDaySeconds = 43_200.0

  /// When the sun does something.
  @export(interface)
  package func time(of event: SunEvent) -> SunTime {
    // The centre of the Earth, from which the position is calculated, sees the sun 8.8″ higher.
    let wanted = (event.altitudeDegrees + 8.8 / 3600) * .pi / 180
    var high = noon
    var low = noon + (event.isRising ? -Self.halfDaySeconds : Self.halfDaySeconds)
    if altitude(at: low) > wanted { return .staysAbove(lowestAt: Int64(low.rounded())) }
    if altitude(at: high) < wanted { return .staysBelow(highestAt: Int64(high.rounded())) }
    // 17 halvings of half a day leave a third of a second.
    for _ in 0..<17 {
      let middle = (high + low) / 2
      if altitude(at: middle) > wanted { high = middle } else { low = middle }
    }
    return .at(Int64(((high + low) / 2).rounded()))
  }

  /// In radians.
  private func altitude(at unixSeconds: Double) -> Double {
    let position = SunPosition(unixSeconds: unixSeconds)
    let declination = position.declination
    return asin(
      sin(latitude) * sin(declination)
        + cos(latitude) * cos(declination) * cos(position.hourAngle(longitudeDegrees)))
  }
}

/// The sun's apparent position, seen from the centre of the Earth (Meeus, Astronomical Algorithms, chapters 12, 22 and
/// 25): within 2″ from 1980 to 2080.
private struct SunPosition {
  /// In radians, positive north of the equator.
  let declination: Double
  private let rightAscension: Double
  /// In degrees.
  private let siderealTime: Double

  init(unixSeconds: Double) {
    let days = (unixSeconds - 946_728_000) / 86_400
    // Terrestrial time is ahead of universal time by 51 s in 1980 and perhaps 83 s in 2080: in 16 s the sun moves 0.7″.
    let centuries = (days + 67 / 86_400) / 36_525
    let meanLongitude = 280.46646 + (36_000.76983 + 0.0003032 * centuries) * centuries
    let anomaly = 357.52911 + (35_999.05029 - 0.0001537 * centuries) * centuries
    let centre =
      (1.914602 - 0.004817 * centuries) * sine(anomaly) + (0.019993 - 0.000101 * centuries) * sine(2 * anomaly)
      + 0.000289 * sine(3 * anomaly)
    let node = 125.04452 - 1934.136261 * centuries
    let moon = 218.3165 + 481_267.8813 * centuries
    let nutation =
      (-17.20 * sine(node) - 1.32 * sine(2 * meanLongitude) - 0.23 * sine(2 * moon) + 0.21 * sine(2 * node)) / 3600
    let obliquity =
      23.439291 - 0.0130042 * centuries
      + (9.20 * cosine(node) + 0.57 * cosine(2 * meanLongitude) + 0.10 * cosine(2 * moon)) / 3600
    // Light takes 8.3 minutes, in which the sun moves 20.5″.
    let longitude = meanLongitude + centre + Self.perturbation(centuries) - 0.00569 + nutation
    declination = asin(sine(obliquity) * sine(longitude))
    rightAscension = atan2(cosine(obliquity) * sine(longitude), cosine(longitude))
    siderealTime = 280.46061837 + 360.98564736629 * days + nutation * cosine(obliquity)
  }

  /// What Venus, Jupiter and the Moon add to the longitude, in degrees.
  private static func perturbation(_ centuries: Double) -> Double {
    let centuries = centuries + 1
    return 0.00134 * cosine(153.23 + 22_518.7541 * centuries) + 0.00154 * cosine(216.57 + 45_037.5082 * centuries)
      + 0.00200 * cosine(312.69 + 32_964.3577 * centuries) + 0.00179 * sine(350.74 + 445_267.1142 * centuries)
  }

  /// How far the sun has passed the meridian, in radians, -π…π.
  func hourAngle(_ longitudeDegrees: Double) -> Double {
    let turns = (siderealTime + longitudeDegrees) / 360 - rightAscension / (2 * .pi)
    return (turns - turns.rounded()) * 2 * .pi
  }
}

private func sine(_ degrees: Double) -> Double { sin(degrees * .pi / 180) }
private func cosine(_ degrees: Double) -> Double { cos(degrees * .pi / 180) }
