import Base

/// What was left out when settings were read that had been saved on the console.
package struct LeftOutSettings: Sendable {
  /// What is saved is never larger.
  package static var largestByteCount: Int { 65_536 }

  /// How many settings were left out; nil: all, for the problem.
  private var count: Int? = 0
  private var first: SettingsProblem?

  /// Nothing.
  package init() {}

  init(allFor problem: SettingsProblem) {
    count = nil
    first = problem
  }

  /// A problem with all of them.
  package static func all(for problem: SettingsProblem) -> LeftOutSettings { LeftOutSettings(allFor: problem) }

  /// A problem with one of them.
  package static func one(for problem: SettingsProblem) -> LeftOutSettings {
    var leftOut = LeftOutSettings()
    leftOut.add(problem)
    return leftOut
  }

  mutating func add(_ problem: SettingsProblem) {
    first = first ?? problem
    count = count.map { $0 + 1 }
  }

  /// What a person should know; nil if nothing was left out.
  package var line: FixedText<1200>? {
    guard let first else { return nil }
    guard let count else { return "saved settings are all ignored: \(first.line)" }
    return "saved settings ignored: \(count), the first of them: \(first.line)"
  }
}

/// Whether what was changed on the console stays.
package enum SettingsTrial: Equatable, Sendable {
  /// Nothing waits to be confirmed.
  case settled
  /// What was changed comes back at this instant.
  case unconfirmed(end: Instant)

  /// Something was changed: all that is not confirmed has this long again.
  package mutating func begin(at now: Instant, seconds: UInt64) {
    self = .unconfirmed(end: now + seconds * 1_000_000_000)
  }

  /// What was changed stays, or was taken back.
  /// - Returns: whether there was something.
  @discardableResult package mutating func end() -> Bool {
    defer { self = .settled }
    return self != .settled
  }

  /// At each tick.
  /// - Returns: why everything that is not confirmed comes back; nil if it does not.
  package mutating func look(isLineThere: Bool, at now: Instant) -> SettingsReturn? {
    guard case .unconfirmed(let end) = self else { return nil }
    guard isLineThere, now < end else {
      self = .settled
      return isLineThere ? .timeIsOver : .lineIsLost
    }
    return nil
  }
}

/// Why a setting is again what it was.
package enum SettingsReturn: Sendable {
  /// Nobody has confirmed it.
  case timeIsOver
  /// The console's line is gone.
  case lineIsLost
}
