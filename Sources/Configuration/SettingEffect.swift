/// When a setting changed on the console takes effect. ``Settings/visit(_:)`` states it for each.
package enum SettingEffect: Equatable, Sendable {
  /// After the next start, if it was saved.
  case afterRestart
  /// Without a restart.
  case live(LiveSetting)
  /// Never: other programs read it, and they read only the configuration file.
  case onlyInFile
}

/// Settings that are applied together, without a restart.
package enum LiveSetting: UInt8, Sendable {
  case volume
  /// The sound of `tone on` and `standby on`.
  case tone
  /// The coordinates of the picture, and the viewfinder's movement.
  case view
  case retention
  case heat
  case accelerometer
  /// The look of the Hangul clock, and how it says the time.
  case hangulClock
  /// When a take continues in a new file.
  case split
  /// Whether a take has pictures.
  case takeContent
  /// The container of a take without pictures.
  case audioContainer
  /// Whether a take's loudness is measured.
  case loudness
  /// Which pictures a take has.
  case interval
  /// What is switched off.
  case power
  /// What begins a take by itself.
  case trigger
  /// Which input timecode is read from.
  case timecode
  /// The battery's size, and what happens when it is nearly empty.
  case battery

  /// When a change takes effect.
  package var start: SettingStart {
    switch self {
    case .volume, .tone, .view, .heat, .accelerometer, .hangulClock, .power, .trigger, .timecode, .battery:
      .atOnce
    // A take keeps the settings with which it began.
    case .split, .takeContent, .audioContainer, .loudness, .interval: .nextTake
    // Removed takes do not come back with the setting.
    case .retention: .confirmation
    }
  }
}

/// When a change takes effect without a restart.
package enum SettingStart: Sendable {
  case atOnce
  case nextTake
  /// Once somebody has confirmed it.
  case confirmation
}

/// The settings to apply.
package struct LiveSettings: Equatable, Sendable {
  private var bits: UInt32 = 0

  /// An empty set.
  package init() {}

  package var isEmpty: Bool { bits == 0 }

  package mutating func insert(_ setting: LiveSetting) { bits |= 1 << setting.rawValue }

  /// Removes one setting.
  /// - Returns: nil if the set is empty.
  package mutating func removeFirst() -> LiveSetting? {
    guard bits != 0, let first = LiveSetting(rawValue: UInt8(bits.trailingZeroBitCount)) else { return nil }
    bits &= bits - 1
    return first
  }
}
