/// A time zone from the system's database: its local time's offset from UTC at any instant.
///
/// The file (TZif, RFC 8536) stays as it is, in memory that is never unmapped, and is searched at each query. It is
/// validated once, when the value is made.
@safe package struct TimeZoneTable: Sendable {
  // Safe: the creator keeps the memory for the life of the process, and nobody writes to it.
  private nonisolated(unsafe) let file: UnsafeBufferPointer<UInt8>
  private let parts: ZoneFileParts
  /// For instants after the table; nil if its last entry applies from then on.
  private let rule: ZoneRule?

  /// - Parameter file: the whole file, never unmapped or written to again.
  package init(_ file: UnsafeBufferPointer<UInt8>) throws(TimeZoneProblem) {
    let bytes = unsafe Span(_unsafeElements: file)
    parts = try ZoneFileParts(bytes)
    let footer = bytes.extracting(parts.footer)
    rule = ZoneRule(footer)
    guard rule != nil || footer.isEmpty else { throw .damaged }
    unsafe self.file = file
  }

  private var bytes: Span<UInt8> {
    @_lifetime(immortal)
    get {
      let span = unsafe Span(_unsafeElements: file)
      return unsafe _overrideLifetime(span, copying: ())
    }
  }

  /// The offset of local time from UTC in seconds, positive east of Greenwich.
  @export(interface)
  package func utcOffsetSeconds(at unixSeconds: Int64) -> Int32 {
    let bytes = bytes
    // A binary search for the number of changes up to the instant.
    var (count, most) = (0, parts.timeCount)
    while count < most {
      let middle = (count + most) / 2
      if parts.time(middle, in: bytes) <= unixSeconds { count = middle + 1 } else { most = middle }
    }
    if count == parts.timeCount, let rule { return rule.utcOffsetSeconds(at: unixSeconds) }
    // Before the first change, the first local time type applies.
    return parts.offset(ofKind: count == 0 ? 0 : parts.kind(afterChange: count - 1, in: bytes), in: bytes)
  }
}

/// Why a time zone is not available.
package enum TimeZoneProblem: Error, Equatable, Sendable {
  case absent
  /// It cannot be read, is not a tzdata file, or is damaged.
  case damaged
  /// It counts leap seconds, which the system clock does not.
  case hasLeapSeconds

  /// What was expected, and what to do: the end of a sentence.
  package var expectation: StaticString {
    switch self {
    case .absent:
      "a time zone in /usr/share/zoneinfo, such as Asia/Seoul (package tzdata), or an offset such as +09:00"
    case .damaged:
      """
      a complete time zone in /usr/share/zoneinfo, of version 2 or later: reinstall the package tzdata, or give an \
      offset such as +09:00
      """
    case .hasLeapSeconds: "a time zone that counts no leap seconds, such as Asia/Seoul, or an offset such as +09:00"
    }
  }
}

package enum TimeZoneLimits {
  /// The largest file in tzdata has 3,872 bytes: this is four times as much.
  package static var byteCount: Int { 16_384 }

  /// The range that RFC 8536 (section 3.2) expects: one place's day is at most a day and two hours ahead of another's.
  static var offsetSeconds: ClosedRange<Int32> { -89_999...93_599 }
}

/// Where the parts of a time zone's file start. The first table, with 32-bit times, is skipped.
struct ZoneFileParts {
  /// The number of changes of the local time.
  let timeCount: Int
  /// The rule after the table, without the line feeds around it.
  let footer: Range<Int>
  private let times: Int
  private let kinds: Int
  private let types: Int

  private static let kindByteCount = 6

  init(_ file: Span<UInt8>) throws(TimeZoneProblem) {
    let old = try ZoneFileHeader(file, at: 0)
    let header = try ZoneFileHeader(file, at: old.end(timeByteCount: 4))
    guard header.leapSecondCount == 0 else { throw .hasLeapSeconds }
    timeCount = header.timeCount
    times = header.start + ZoneFileHeader.byteCount
    kinds = times + 8 * timeCount
    types = kinds + timeCount
    let end = header.end(timeByteCount: 8)
    guard end < file.count, file[end] == UInt8(ascii: "\n") else { throw .damaged }
    var footerEnd = end + 1
    while footerEnd < file.count, file[footerEnd] != UInt8(ascii: "\n") { footerEnd += 1 }
    guard footerEnd < file.count else { throw .damaged }
    footer = end + 1..<footerEnd
    try check(file, typeCount: header.typeCount)
  }

  /// Checks that the changes are in order, and that each has an existing type with a plausible offset.
  private func check(_ file: Span<UInt8>, typeCount: Int) throws(TimeZoneProblem) {
    for index in 0..<timeCount {
      guard index == 0 || time(index - 1, in: file) < time(index, in: file) else { throw .damaged }
      guard kind(afterChange: index, in: file) < typeCount else { throw .damaged }
    }
    for kind in 0..<typeCount {
      guard TimeZoneLimits.offsetSeconds.contains(offset(ofKind: kind, in: file)) else { throw .damaged }
    }
  }

  func time(_ index: Int, in file: Span<UInt8>) -> Int64 {
    Int64(bitPattern: file.bigEndian(times + 8 * index, byteCount: 8))
  }

  func kind(afterChange index: Int, in file: Span<UInt8>) -> Int { Int(file[kinds + index]) }

  func offset(ofKind kind: Int, in file: Span<UInt8>) -> Int32 {
    Int32(truncatingIfNeeded: file.bigEndian(types + Self.kindByteCount * kind, byteCount: 4))
  }
}

/// The counts in a table's header (RFC 8536, section 3.1).
private struct ZoneFileHeader {
  static let byteCount = 44

  let start: Int
  let leapSecondCount: Int
  let timeCount: Int
  let typeCount: Int
  /// Bytes of the types' standard/wall and UT/local indicators, and of their names.
  private let otherByteCount: Int

  init(_ file: Span<UInt8>, at start: Int) throws(TimeZoneProblem) {
    guard start + Self.byteCount <= file.count,
      file.extracting(droppingFirst: start).removingPrefix("TZif") != nil, file[start + 4] >= UInt8(ascii: "2")
    else { throw .damaged }
    func count(_ index: Int) -> Int { Int(file.bigEndian(start + 20 + 4 * index, byteCount: 4)) }
    self.start = start
    leapSecondCount = count(2)
    timeCount = count(3)
    typeCount = count(4)
    otherByteCount = count(0) + count(1) + count(5)
    // The counts have 32 bits, so their sum cannot overflow.
    guard typeCount > 0, end(timeByteCount: 4) <= file.count else { throw .damaged }
  }

  func end(timeByteCount: Int) -> Int {
    start + Self.byteCount + (timeByteCount + 1) * timeCount + 6 * typeCount + otherByteCount
      + (timeByteCount + 4) * leapSecondCount
  }
}

extension Span where Element == UInt8 {
  fileprivate func bigEndian(_ start: Int, byteCount: Int) -> UInt64 {
    var value: UInt64 = 0
    for index in start..<start + byteCount { value = value << 8 | UInt64(self[index]) }
    return value
  }
}

/// The local time shown to people.
package enum LocalTime: Sendable {
  /// A fixed offset from UTC, positive east of Greenwich.
  case offset(seconds: Int32)
  /// The legal time of a place.
  case zone(TimeZoneTable)

  /// The offset from UTC at an instant, in seconds, positive east of Greenwich.
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

  /// The instant at which the local clock shows a date and time: the first of two if the clock is set back.
  /// - Parameter localSeconds: from 1970-01-01 00:00, as if the place used UTC.
  /// - Returns: nil if the clock is set forward past it.
  @export(interface)
  package func unixSeconds(localSeconds: Int64) -> Int64? {
    let day: Int64 = 86_400
    return unixSeconds(localSeconds, asFarAsAt: localSeconds - day)
      ?? unixSeconds(localSeconds, asFarAsAt: localSeconds + day)
  }

  /// - Returns: nil if the offset that applies at `instant` does not apply then.
  private func unixSeconds(_ localSeconds: Int64, asFarAsAt instant: Int64) -> Int64? {
    let unixSeconds = localSeconds - Int64(utcOffsetSeconds(at: instant))
    return unixSeconds + Int64(utcOffsetSeconds(at: unixSeconds)) == localSeconds ? unixSeconds : nil
  }
}
