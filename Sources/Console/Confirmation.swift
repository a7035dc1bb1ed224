import Base
import Machine

/// What a command has asked its user, and whether the newest line confirms it.
enum Confirmation {
  case none
  /// This line confirms it before this instant, and so does `y` if it stands for the line.
  case open(TypedLine, until: Instant, takesYes: Bool)
  /// The newest command is the confirmed one.
  case confirmed(until: Instant)

  /// What a line says to the question.
  enum Answer {
    /// Nothing: there is no question, or the line is another command.
    case none
    case declined
    /// It stands for this line.
    case confirmed(TypedLine)
  }

  /// The deadline of the question; nil if there is none.
  var end: Instant? {
    switch self {
    case .none: nil
    case .open(_, let end, _), .confirmed(let end): end
    }
  }

  /// Takes a line that was entered. Any but an empty one closes the question.
  mutating func answer(_ line: Span<UInt8>, at now: Instant) -> Answer {
    let line = line.trimmed
    guard !line.isEmpty else { return .none }
    guard case .open(let asked, let end, let takesYes) = self, now < end else {
      self = .none
      return .none
    }
    let isConfirmed = takesYes && line.isYes || line.equals(asked.bytes.trimmed)
    self = isConfirmed ? .confirmed(until: end) : .none
    return isConfirmed ? .confirmed(asked) : line.isNo ? .declined : .none
  }
}

extension ConsoleSession {
  /// Whether a question with this deadline is still open.
  package func isOpen(questionUntil end: Instant) -> Bool { now < end && end == confirmation.end }

  /// Asks for a confirmation, which ends the reply: `y` within this many seconds repeats the command's line.
  /// - Parameters:
  ///   - question: the text without its question mark.
  ///   - line: the command's line, if it was not typed.
  package mutating func ask(_ question: FixedText<256>, for seconds: UInt64, of line: FixedText<512>? = nil) {
    open(line ?? self.line, for: seconds, takesYes: true)
    reply("\(question)? type y, or the line again, within \(seconds) s" as FixedText<320>, inRowsIndentedBy: 0)
    complete()
  }

  /// Asks for a confirmation that nobody types by habit: only this line gives it, within this many seconds.
  package mutating func askAgain(_ question: FixedText<256>, for seconds: UInt64, confirmedBy line: FixedText<64>) {
    open(FixedText(line.bytes), for: seconds, takesYes: false)
    reply("\(question)? type \(line) within \(seconds) s" as FixedText<400>, inRowsIndentedBy: 0)
    complete()
  }

  private mutating func open(_ line: TypedLine, for seconds: UInt64, takesYes: Bool) {
    confirmation = .open(line, until: now + seconds * 1_000_000_000, takesYes: takesYes)
  }
}
