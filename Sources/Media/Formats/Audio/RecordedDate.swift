import Base

/// The date in a file with sound alone.
package enum RecordedDate {
  /// When the file begins, in seconds since 1970-01-01 UTC; nil if there is no date.
  /// - Parameter front: the beginning of the file.
  package static func unixSeconds(front: RawSpan) -> Int64? {
    for offset in 0..<max(front.byteCount - 19, 0) {
      if let seconds = unixSeconds(front, at: offset) { return seconds }
    }
    return nil
  }

  /// AIFF and CAF have `2026-11-21T09:30:00Z`, the broadcast extension of a WAV `2026-11-2109:30:00`.
  private static func unixSeconds(_ front: RawSpan, at offset: Int) -> Int64? {
    let timeOffset = offset + (front.byte(at: offset + 10) == UInt8(ascii: "T") ? 11 : 10)
    guard front.byte(at: offset + 4) == UInt8(ascii: "-"), front.byte(at: offset + 7) == UInt8(ascii: "-"),
      front.byte(at: timeOffset + 2) == UInt8(ascii: ":"), front.byte(at: timeOffset + 5) == UInt8(ascii: ":"),
      let century = pair(front, at: offset), let year = pair(front, at: offset + 2),
      let month = pair(front, at: offset + 5), let day = pair(front, at: offset + 8),
      let hour = pair(front, at: timeOffset), let minute = pair(front, at: timeOffset + 3),
      let second = pair(front, at: timeOffset + 6)
    else { return nil }
    let dayNumber = CivilTime.dayNumber(year: century * 100 + year, month: month, day: day)
    return ((dayNumber * 24 + hour) * 60 + minute) * 60 + second
  }

  /// A number of two digits.
  private static func pair(_ bytes: RawSpan, at offset: Int) -> Int64? {
    let digits = (bytes.byte(at: offset) &- UInt8(ascii: "0"), bytes.byte(at: offset + 1) &- UInt8(ascii: "0"))
    return digits.0 < 10 && digits.1 < 10 ? Int64(digits.0) * 10 + Int64(digits.1) : nil
  }
}
