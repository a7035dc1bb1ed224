/// When a setting that is changed on the console is in force. ``Settings/visit(_:)`` says it of each.
package enum SettingEffect: Equatable, Sendable {
  /// After the next start, if it was saved.
  case afterRestart
  /// Without one.
  case live(LiveSetting)
  /// Not at all: other programs read it, and they read only the configuration file.
  case onlyInFile
}

/// Settings that are applied together, without a restart.
package enum LiveSetting: UInt8, Sendable {
  case volume
  /// What `tone on` and `standby on` sound like.
  case tone
  /// The coordinates of the picture, and the viewfinder's movement.
  case view
  case retention
  case heat
  case accelerometer
  /// How the board of syllables looks, and what it says.
  case hangulClock
  /// When a take goes on in a new file.
  case split
  /// Whether a take has pictures.
  case takeContent
  /// The file of a take without pictures.
  case audioContainer

  /// From when on a change is in force.
  package var start: SettingStart {
    switch self {
    case .volume, .tone, .view, .heat, .accelerometer, .hangulClock: .atOnce
    // A take keeps what it was begun with.
    case .split, .takeContent, .audioContainer: .nextTake
    // What was removed does not come back with the setting.
    case .retention: .confirmation
    }
  }
}

/// From when on a change is in force without a restart.
package enum SettingStart: Sendable {
  case atOnce
  case nextTake
  /// Once somebody has confirmed it.
  case confirmation
}

/// Which settings are to be applied.
package struct LiveSettings: Equatable, Sendable {
  private var bits: UInt32 = 0

  /// None.
  package init() {}

  /// Whether there is none.
  package var isEmpty: Bool { bits == 0 }

  /// Adds one.
  package mutating func insert(_ setting: LiveSetting) { bits |= 1 << setting.rawValue }

  /// Removes one.
  /// - Returns: nil when there is none.
  package mutating func removeFirst() -> LiveSetting? {
    guard bits != 0, let first = LiveSetting(rawValue: UInt8(bits.trailingZeroBitCount)) else { return nil }
    bits &= bits - 1
    return first
  }
}
