import Base
import Kit
import Machine

/// A calculation as a line: `1,234 × 5 = 6,170`.
package typealias CalculationLine = FixedText<440>

/// An order from the loop to what keeps the history. Each ends in one ``HistoryReport/Outcome/done(count:)`` or
/// ``HistoryReport/Outcome/refused(_:)``.
package struct HistoryOrder: BitwiseCopyable, Sendable {
  /// What is to be done.
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
  /// What is to be done.
  package var task: Task

  package init(number: UInt32, task: Task) {
    self.number = number
    self.task = task
  }
}

/// A report to the loop.
package struct HistoryReport: BitwiseCopyable, Sendable {
  /// What has happened.
  package enum Outcome: BitwiseCopyable, Sendable {
    /// One of the calculations that are listed.
    case line(CalculationLine)
    /// The order is carried out; how many calculations it was about.
    case done(count: Int)
    /// It cannot be carried out.
    case refused(HistoryRefusal)
  }

  /// The order's.
  package var number: UInt32
  /// What has happened.
  package var outcome: Outcome

  package init(number: UInt32, outcome: Outcome) {
    self.number = number
    self.outcome = outcome
  }
}

/// Why an order cannot be carried out.
package enum HistoryRefusal: Error, BitwiseCopyable, Sendable {
  /// The card refused.
  case failed(DeviceFailure)
  /// A line of a file that is to be imported is no calculation.
  case noCalculation(line: Int, CalculationError)
  /// A line of it is longer than an expression can be.
  case tooLong(line: Int)
  /// It has more lines than are kept.
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
