import Base
import Console
import Machine
import Record

/// Why a take begins without a person.
enum TakeCause: Equatable {
  /// The rule with this number, counted from 1.
  case rule(Int)
  /// The clock is not set, so the rules cannot be followed.
  case unsetClock
  /// A sound; nil for a take that an interruption ended, and that goes on like one that a trigger began.
  case trigger(TriggerFact?)
  /// Timecode runs: which one; empty for a take that an interruption ended, and that goes on like one that it began.
  case timecode(FixedText<32>)
}

extension TakeCause? {
  /// For the journal, so that it is known after a power cut.
  var beginner: TakeBeginner {
    switch self {
    case nil: .person
    case .rule, .unsetClock: .schedule
    case .trigger: .trigger
    case .timecode: .timecode
    }
  }
}

/// What the schedule wants to be recorded now.
enum ScheduleWish: Equatable {
  /// There are rules, and they have not been looked at yet.
  case unknown
  /// There are no rules, or they are not followed.
  case anything
  case nothing
  case take(TakeCause)

  var cause: TakeCause? { if case .take(let cause) = self { cause } else { nil } }
}

/// The open take, as the schedule sees it.
enum TakeStanding: Equatable {
  /// A take can begin.
  case none
  /// It will soon be known.
  case changing
  case byPerson
  case bySchedule
  case byTrigger
  case byTimecode
}

extension RecordingService {
  var standing: TakeStanding {
    guard takesOrders, keptPress == nil, continued.isEmpty else { return .changing }
    switch recorder.state {
    case .recording:
      switch take?.cause {
      case nil: return .byPerson
      case .trigger: return .byTrigger
      case .timecode: return .byTimecode
      case .rule, .unsetClock: return .bySchedule
      }
    case .opening, .closing, .emptying: return .changing
    case .idle, .preparing, .finishing, .failed: return .none
    }
  }

  /// Notes in the ledger why a take begins.
  mutating func note(_ cause: TakeCause, at position: TimelinePosition) {
    switch cause {
    case .rule(let number): ledger.note("by schedule rule \(number)", at: position)
    case .unsetClock: ledger.note("by schedule unset_clock", at: position)
    case .trigger(let fact?): ledger.note("by trigger \(fact.text)", at: position)
    case .trigger(nil): ledger.note("goes on as by trigger", at: position)
    case .timecode(""): ledger.note("goes on as by timecode", at: position)
    case .timecode(let text): ledger.note("by timecode \(text)", at: position)
    }
  }

  /// Begins or ends a take for the schedule or a trigger. Call it only for the ``standing`` that the order is for.
  mutating func run(
    _ order: ScheduleOrder, _ machine: inout Hardware, _ console: inout ConsoleSession, at now: Instant
  ) {
    switch order {
    case .begin(let cause):
      switch cause {
      case .rule(let number): console.announce("schedule: rule \(number) begins a take")
      case .unsetClock: console.announce("schedule: unset_clock begins a take")
      case .trigger(let fact):
        if let fact { console.announce("trigger: a take begins: \(fact.text)" as FixedText<128>) }
      case .timecode(let text): console.announce("timecode: a take begins: \(text)" as FixedText<128>)
      }
      press(&machine, &console, at: now, for: cause)
    case .end:
      console.announce("schedule: the take ends")
      ledger.note("ended by schedule", at: capture.position(at: now).earlier(by: 1))
      press(&machine, &console, at: now)
    case .takeOver(let cause):
      console.announce("schedule: the trigger's take goes on")
      take?.cause = cause
      note(cause, at: capture.position(at: now))
    case .endOfTrigger(let isQuiet):
      console.announce("trigger: the take ends")
      let end = capture.position(at: now).earlier(by: 1)
      ledger.note(isQuiet ? "ended by trigger: quiet" : "ended by trigger: longest_seconds", at: end)
      press(&machine, &console, at: now)
    case .endOfTimecode(let hasJumped):
      console.announce("timecode: the take ends")
      let end = capture.position(at: now).earlier(by: 1)
      ledger.note(hasJumped ? "ended by timecode: it jumped" : "ended by timecode: it stopped", at: end)
      press(&machine, &console, at: now)
    }
  }
}
