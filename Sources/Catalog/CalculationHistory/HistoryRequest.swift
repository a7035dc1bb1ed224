import Base
import Kit
import Machine

/// A calculation as a line: `1,234 × 5 = 6,170`.
package typealias CalculationLine = FixedText<440>

/// What the loop asks of what keeps the history.
package enum HistoryRequest: BitwiseCopyable, Sendable {
  /// Store a calculation, durably.
  case keep(CalculationLine)
  /// Report the newest calculations, the oldest of them first.
  case tell(count: Int)
  /// Write all that are kept to a new file, a line each.
  case export(path: FixedText<128>)
  /// Calculate each line of a file, and keep it.
  case take(path: FixedText<128>)
}

/// What came of it. Each request ends in one ``done(count:)`` or ``refused(_:)``.
package enum HistoryReply: BitwiseCopyable, Sendable {
  /// One of the calculations that are listed.
  case line(CalculationLine)
  /// The request is carried out; how many calculations it was about.
  case done(count: Int)
  /// It cannot be carried out.
  case refused(HistoryRefusal)
}

/// Why a request cannot be carried out.
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
