import Configuration
import Machine

/// What is left out because of the heat: each level leaves out what the one before does, and more. Sound never is.
enum HeatLevel: UInt8, Comparable {
  case cool
  /// No live view.
  case warm
  /// No live view, and every second picture is left out.
  case hot

  static func < (one: HeatLevel, other: HeatLevel) -> Bool { one.rawValue < other.rawValue }

  /// The level that a temperature asks for: one step up or down, or the same.
  fileprivate func next(_ milliCelsius: Int32, _ limits: HeatLimits) -> HeatLevel {
    switch self {
    case .cool: milliCelsius >= limits.warm ? .warm : .cool
    case .warm where milliCelsius >= limits.hot: .hot
    case .warm: milliCelsius <= limits.warm - Limits.heatHysteresisMilliCelsius ? .cool : .warm
    case .hot: milliCelsius <= limits.hot - Limits.heatHysteresisMilliCelsius ? .warm : .hot
    }
  }
}

/// From where on it is warm, and hot, in thousandths of a degree Celsius.
private struct HeatLimits {
  let warm: Int32
  let hot: Int32

  init(_ settings: HeatSettings) {
    warm = settings.warmCelsius * 1000
    hot = settings.hotCelsius * 1000
  }
}

/// The level of heat by the readings of the thermometer. A step takes several readings in a row that ask for it, and a
/// step back more of them.
struct HeatWatch {
  private(set) var level = HeatLevel.cool
  private var limits: HeatLimits
  private var wanted = HeatLevel.cool
  private var wantedCount = 0

  init(settings: HeatSettings) { limits = HeatLimits(settings) }

  /// Other limits, from the next reading on.
  mutating func follow(_ settings: HeatSettings) { limits = HeatLimits(settings) }

  /// The only place where the level changes, but for ``giveUp()``.
  mutating func note(milliCelsius: Int32) {
    let next = level.next(milliCelsius, limits)
    wantedCount = next == wanted ? wantedCount + 1 : 1
    wanted = next
    if wantedCount >= (next > level ? Limits.heatRisingReadings : Limits.heatFallingReadings) { level = next }
  }

  /// The temperature is not known any more: nothing is left out. The processor protects itself.
  mutating func giveUp() {
    level = .cool
    wantedCount = 0
  }
}

/// What the firmware says of supply and throttling, without the flicker of a supply that fails at every load: a reason
/// is over when it was not given for some readings.
struct ThrottlingWatch {
  private(set) var flags = ThrottlingFlags()
  private var quietCounts = InlineArray<4, Int>(repeating: 0)

  init() { precondition(quietCounts.count == ThrottlingReason.count, "a reason is not counted") }

  /// Takes one reading for one reason.
  /// - Returns: whether it is given now, if that has changed.
  mutating func note(_ reason: ThrottlingReason, isGiven: Bool) -> Bool? {
    let index = Int(reason.rawValue)
    quietCounts[index] = isGiven ? 0 : quietCounts[index] + 1
    let isOver = quietCounts[index] >= Limits.heatFallingReadings
    guard flags.contains(reason) ? isOver : isGiven else { return nil }
    flags.set(reason, to: isGiven)
    return isGiven
  }
}
