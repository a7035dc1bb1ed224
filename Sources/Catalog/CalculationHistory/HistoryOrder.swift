import Base
import Kit
import Machine

/// A calculation as a line: `1,234 × 5 = 6,170`.
package typealias CalculationLine = FixedText<440>

/// An order from the loop to what keeps the history. Each ends in one ``HistoryReport/Outcome/done(count:)`` or
/// ``HistoryReport/Outcome/refused(_:)``.
package struct HistoryOrder: BitwiseCopyable, Sendable {
  package enum Task: BitwiseCopyable, Sendable {
    /// Store a calculation, durably.
    case keep(CalculationLine)
    /// Report the newest calculations, the oldest of them first.
    case tell(count: Int)
    /// Write all that are kept to a new file, a line each.
    case export(path: FixedText<128>)
    /// Calculate each line of a file, and keep it.
    case take(path: FixedText<128>)
  }

  /// By which reports are matched to the order.
  package var number: UInt32
  package var task: Task

  package init(number: UInt32, task: Task) {
    self.number = number
    self.task = task
  }
}

/// A report to the loop.
package struct HistoryReport: BitwiseCopyable, Sendable {
  package enum Outcome: BitwiseCopyable, Sendable {
    /// One of the calculations that are listed.
    case line(CalculationLine)
    /// The order is carried out; how many calculations it was about.
    case done(count: Int)
    case refused(HistoryRefusal)
  }

  package var number: UInt32
  package var outcome: Outcome

  package init(number: UInt32, outcome: Outcome) {
    self.number = number
    self.outcome = outcome
  }
}

/// Why an order cannot be carried out.
package enum HistoryRefusal: Error, BitwiseCopyable, Sendable {
  case failed(DeviceFailure)
  case noCalculation(line: Int, CalculationError)
  case tooLong(line: Int)
  case tooMany

  /// The reason as one line, without `error:` in front.
  package var line: FixedText<384> {
    switch self {
    case .failed(let failure): "\(failure.line)"
    case .noCalculation(let number, let error): "line \(number), \(error.line): nothing was imported"
    case .tooLong(let number): "line \(number) is too long for a calculation: nothing was imported"
    case .tooMany: "the file has more than \(grouped: HistoryLimits.calculations) calculations: nothing was imported"
    }
  }
}

/// The limits of the calculator's history, with their reasons.
package enum HistoryLimits {
  /// The newest so many are kept: a hundred a day for three months. At 60 bytes each, both files hold 1.2 MB at most.
  package static var calculations: Int { 10_000 }

  /// Bytes of a piece of a file that is read in a step: a hundred lines.
  package static var pieceByteCount: Int { 8192 }

  /// A step reports the lines for which there is space, and its end.
  static var reportsPerStep: Int { 2 }

  /// While a take is being recorded a step that reads or writes is followed by this rest: the card is for the take. An
  /// import of 10,000 lines then takes 10 s.
  static var restNanoseconds: UInt64 { 100_000_000 }
}
