import Base

/// The system's service that sets the clock. It takes as long as it wants, and may refuse.
package protocol TimeServiceDriver: SlowDevice, ~Copyable
where Order == TimeServiceOrder, Outcome == TimeServiceAnswer {
  /// Asks for the clock to be set.
  /// - Parameter unixSeconds: seconds since 1970-01-01 00:00 UTC.
  /// - Throws: when there is no service, or it does not answer.
  mutating func set(unixSeconds: Int64) throws(DeviceFailure) -> TimeServiceAnswer
}

/// What the device worker asks of the time service.
package enum TimeServiceOrder: BitwiseCopyable, Sendable {
  /// To set the clock to so many seconds since 1970-01-01 00:00 UTC.
  case set(unixSeconds: Int64)
}

/// What the time service says.
package enum TimeServiceAnswer: BitwiseCopyable, Equatable, Sendable {
  /// The clock is set.
  case done
  /// It is not, for this reason.
  case refused(FixedText<256>)
}

extension TimeServiceDriver where Self: ~Copyable {
  /// Makes the calls of an order.
  package mutating func carryOut(_ order: TimeServiceOrder) throws(DeviceFailure) -> TimeServiceAnswer {
    switch order {
    case .set(let unixSeconds): try set(unixSeconds: unixSeconds)
    }
  }
}
