import Base
import Kit

/// `[schedule]`: when takes begin and end by themselves.
package struct ScheduleSettings: Equatable, Sendable {
  /// The rules as they are written; nil for none.
  package var rule1: ScheduleLine?
  package var rule2: ScheduleLine?
  package var rule3: ScheduleLine?
  package var rule4: ScheduleLine?
  package var rule5: ScheduleLine?
  package var rule6: ScheduleLine?
  /// When nothing is recorded by a rule; nil for never.
  package var quiet: ScheduleLine?
  /// Degrees north of the equator; nil if unknown.
  package var latitude: Double?
  /// Degrees east of Greenwich; nil if unknown.
  package var longitude: Double?
  /// What is recorded while the clock is not set.
  package var unsetClock = UnsetClock.duty(.minuteInFive)

  /// What the machine does between the windows.
  package var sleep = SleepSetting.off
  /// What wakes it.
  package var wakeBoard = WakeBoard.rtc
  /// How long nobody has done anything before it sleeps, 5…3,600 s.
  package var sleepAfterSeconds: UInt16 = 60
  /// How long before the pre-roll of a window it is awake, 5…3,600 s.
  package var wakeBeforeSeconds: UInt16 = 30

  /// The rules, and after them the quiet hours.
  package var lines: InlineArray<7, ScheduleLine?> { [rule1, rule2, rule3, rule4, rule5, rule6, quiet] }

  mutating func visit(_ visitor: inout SettingsTable) {
    visitor.section("schedule")
    visitor.setting("rule1", &rule1, RuleKind())
    visitor.setting("rule2", &rule2, RuleKind())
    visitor.setting("rule3", &rule3, RuleKind())
    visitor.setting("rule4", &rule4, RuleKind())
    visitor.setting("rule5", &rule5, RuleKind())
    visitor.setting("rule6", &rule6, RuleKind())
    visitor.setting("quiet", &quiet, RuleKind(isQuiet: true))
    visitor.setting("latitude", &latitude, OptionalKind(word: "none", wrapped: DecimalKind(-90...90, "degrees north")))
    visitor.setting(
      "longitude", &longitude, OptionalKind(word: "none", wrapped: DecimalKind(-180...180, "degrees east")))
    visitor.setting("unset_clock", &unsetClock, WordOrValueKind(DutyCycleKind()))
    visitor.setting("sleep", &sleep, ChoiceKind())
    visitor.setting("sleep_board", &wakeBoard, ChoiceKind())
    visitor.setting("sleep_after_seconds", &sleepAfterSeconds, WholeNumberKind(5...3600, "seconds"))
    visitor.setting("wake_before_seconds", &wakeBeforeSeconds, WholeNumberKind(5...3600, "seconds"))
  }

  /// Whether there is a rule, so that takes begin by themselves.
  package var hasRules: Bool {
    let lines = lines
    for index in 0..<ScheduleWalk.ruleCount where lines[index] != nil { return true }
    return false
  }

  /// The rules, and after them the quiet hours, as they are meant.
  @export(interface)
  package func rules() -> InlineArray<7, ScheduleRule?> {
    let lines = lines
    var rules = InlineArray<7, ScheduleRule?>(repeating: nil)
    for index in lines.indices {
      if let line = lines[index] { rules[index] = try? ScheduleRule(line.bytes) }
    }
    return rules
  }

  /// The contradiction between settings, as the end of a sentence; nil if there is none.
  /// - Parameter hasReceiver: whether a receiver tells the place.
  func contradiction(hasReceiver: Bool) -> StaticString? {
    guard latitude == nil ? longitude != nil || !hasReceiver : longitude == nil else { return nil }
    let rules = rules()
    for index in rules.indices where rules[index]?.needsPlace == true {
      return "latitude and longitude: expected both, for the rules that name a sun event"
    }
    return nil
  }
}

/// A rule as it is written.
package typealias ScheduleLine = FixedText<64>

/// What the machine does between the windows of a schedule.
package enum SleepSetting: UInt8, Choice, Sendable {
  case off
  /// The devices are closed.
  case idle
  case suspend
  case powerOff

  /// The name in the configuration.
  package var name: StaticString {
    switch self {
    case .off: "off"
    case .idle: "idle"
    case .suspend: "suspend"
    case .powerOff: "poweroff"
    }
  }
}

/// What wakes a machine that is suspended or without power; each has a script of this name.
package enum WakeBoard: UInt8, Choice, Sendable {
  /// The kernel's clock with an alarm.
  case rtc
  case wittyPi
  case piJuice
  case sleepyPi
  /// A script that somebody adds.
  case own

  /// The name in the configuration, and of the script.
  package var name: StaticString {
    switch self {
    case .rtc: "rtc"
    case .wittyPi: "wittypi"
    case .piJuice: "pijuice"
    case .sleepyPi: "sleepypi"
    case .own: "own"
    }
  }
}

/// What is recorded while the clock is not set.
package enum UnsetClock: Equatable, Sendable {
  case always
  case never
  /// A part of each period since the start.
  case duty(DutyCycle)
}

extension UnsetClock: WordOrValue {
  static var words: InlineArray<2, SettingWord<UnsetClock>> {
    [SettingWord("always", .always), SettingWord("never", .never)]
  }

  static var wordList: StaticString { "always, never, " }

  init(other: DutyCycle) { self = .duty(other) }

  var other: DutyCycle? { if case .duty(let duty) = self { duty } else { nil } }
}

/// `04:30-06:00 mon-fri`, as `docs/field.md` says, or `none`.
private struct RuleKind: SettingKind {
  /// Whether it is for quiet hours, which have no duty cycle.
  var isQuiet = false

  func parse(_ text: Span<UInt8>) -> ScheduleLine?? {
    if text.equals("none") { return .some(nil) }
    guard text.count <= ScheduleLine.capacity, problem(with: text) == nil else { return nil }
    return .some(ScheduleLine(text))
  }

  func append(_ value: ScheduleLine?, to text: inout FixedText<64>) {
    if let value { text.append(value) } else { text.append("none") }
  }

  func appendExpectation(to text: inout FixedText<256>) {
    text.append(
      "none, or a window such as 04:30-06:00 mon-fri, at most \(ScheduleLine.capacity) bytes" as FixedText<96>)
  }

  func appendExpectation(insteadOf given: Span<UInt8>, to text: inout FixedText<256>) {
    guard !given.isEmpty, let problem = problem(with: given) else { return appendExpectation(to: &text) }
    text.append("\(problem.expected.text), at column \(problem.column)" as FixedText<128>)
  }

  func forEachWord(_ visit: (StaticString) -> Void) { visit("none") }

  private func problem(with text: Span<UInt8>) -> ScheduleProblem? {
    do throws(ScheduleProblem) {
      _ = isQuiet ? try ScheduleRule(quietHours: text) : try ScheduleRule(text)
    } catch { return error }
    return nil
  }
}

/// `60/300`.
private struct DutyCycleKind: SettingKind {
  func parse(_ text: Span<UInt8>) -> DutyCycle? { try? DutyCycle(text) }

  func append(_ value: DutyCycle, to text: inout FixedText<64>) {
    text.append("\(value.onSeconds)/\(value.periodSeconds)" as FixedText<16>)
  }

  func appendExpectation(to text: inout FixedText<256>) { text.append(ScheduleExpectation.dutyCycle.text) }
}
