import Base

/// How grave an event is.
package enum EventLevel: UInt8, BitwiseCopyable, Choice {
  /// Something went as it should.
  case note
  /// Somebody should look.
  case warning
  /// Something does not work.
  case fault

  /// Its name in commands and replies.
  package var name: StaticString {
    switch self {
    case .note: "note"
    case .warning: "warning"
    case .fault: "fault"
    }
  }
}

/// Which events the console prints as they happen. All of them are kept.
package enum EventFilter: UInt8, BitwiseCopyable, Choice {
  case all
  case warnings
  case faults
  case off

  /// Its name in commands and replies.
  package var name: StaticString {
    switch self {
    case .all: "all"
    case .warnings: "warnings"
    case .faults: "faults"
    case .off: "off"
    }
  }

  func passes(_ level: EventLevel) -> Bool { level.rawValue >= rawValue }
}
