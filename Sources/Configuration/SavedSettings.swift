import Base

/// What was left out when reading settings that had been saved on the console.
package struct LeftOutSettings: Sendable {
  /// The largest size of a saved file.
  package static var largestByteCount: Int { 65_536 }

  /// How many lines were left out; nil if all were, because of the problem.
  private var count: Int? = 0
  private var first: SettingsProblem?
  /// The line of the first problem, counted from 1; 0 if there is none.
  private var firstLineNumber = 0

  /// Nothing left out.
  package init() {}

  init(allFor problem: SettingsProblem) {
    count = nil
    first = problem
  }

  /// All settings are left out because of a problem.
  package static func all(for problem: SettingsProblem) -> LeftOutSettings { LeftOutSettings(allFor: problem) }

  /// One setting is left out because of a problem.
  package static func one(for problem: SettingsProblem) -> LeftOutSettings {
    var leftOut = LeftOutSettings()
    leftOut.add(problem, lineNumber: 0)
    return leftOut
  }

  mutating func add(_ problem: SettingsProblem, lineNumber: Int) {
    if first == nil || lineNumber < firstLineNumber {
      first = problem
      firstLineNumber = lineNumber
    }
    count = count.map { $0 + 1 }
  }

  /// A message for people; nil if nothing was left out.
  package var line: FixedText<1200>? {
    guard let first else { return nil }
    guard let count else { return "saved settings are all ignored: \(first.line)" }
    guard firstLineNumber > 0 else { return "saved settings ignored: \(count), the first of them: \(first.line)" }
    return "saved settings ignored: \(count), the first of them in line \(firstLineNumber): \(first.line)"
  }
}

/// Whether changes on the console last.
package enum SettingsTrial: Equatable, Sendable {
  /// No change waits to be confirmed.
  case settled
  /// Unconfirmed changes are reverted at this instant.
  case unconfirmed(end: Instant)

  /// Begins a trial after a change: all unconfirmed changes get this much time again.
  package mutating func begin(at now: Instant, seconds: UInt64) {
    self = .unconfirmed(end: now + seconds * 1_000_000_000)
  }

  /// Ends the trial: the changes were confirmed or reverted.
  /// - Returns: whether there were any.
  @discardableResult package mutating func end() -> Bool {
    defer { self = .settled }
    return self != .settled
  }

  /// At each tick.
  /// - Returns: why all unconfirmed changes are reverted; nil if they are not.
  package mutating func look(isLineThere: Bool, at now: Instant) -> SettingsReturn? {
    guard case .unconfirmed(let end) = self else { return nil }
    guard isLineThere, now < end else {
      self = .settled
      return isLineThere ? .timeIsOver : .lineIsLost
    }
    return nil
  }
}

/// Why a setting was reverted.
package enum SettingsReturn: Sendable {
  /// Nobody has confirmed it.
  case timeIsOver
  /// The console's line was lost.
  case lineIsLost
}
