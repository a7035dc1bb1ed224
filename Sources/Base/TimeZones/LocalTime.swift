/// By which local time people see the clock.
package enum LocalTime: Sendable {
  /// At all times as far from UTC, positive in the east.
  case offset(seconds: Int32)
  /// As the law of a place says.
  case zone(TimeZoneTable)

  /// How far it is from UTC at an instant, in seconds, positive in the east.
  package func utcOffsetSeconds(at unixSeconds: Int64) -> Int32 {
    switch self {
    case .offset(let seconds): seconds
    case .zone(let table): table.utcOffsetSeconds(at: unixSeconds)
    }
  }

  /// Date and time of day at an instant.
  /// - Parameter unixSeconds: seconds since 1970-01-01 00:00 UTC.
  package func civilTime(unixSeconds: Int64) -> CivilTime {
    CivilTime(unixSeconds: unixSeconds, utcOffsetSeconds: utcOffsetSeconds(at: unixSeconds))
  }

  /// The instant at which people see a date and time of day: the first of two where the clock is set back.
  /// - Parameter localSeconds: from 1970-01-01 00:00, as if the place had UTC.
  /// - Returns: nil where the clock is set forward, and skips it.
  package func unixSeconds(localSeconds: Int64) -> Int64? {
    let day: Int64 = 86_400
    return unixSeconds(localSeconds, asFarAsAt: localSeconds - day)
      ?? unixSeconds(localSeconds, asFarAsAt: localSeconds + day)
  }

  /// - Returns: nil when the offset that holds at `instant` is not the one that holds then.
  private func unixSeconds(_ localSeconds: Int64, asFarAsAt instant: Int64) -> Int64? {
    let unixSeconds = localSeconds - Int64(utcOffsetSeconds(at: instant))
    return unixSeconds + Int64(utcOffsetSeconds(at: unixSeconds)) == localSeconds ? unixSeconds : nil
  }
}
