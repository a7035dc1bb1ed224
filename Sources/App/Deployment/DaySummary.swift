import Base
import Machine

/// What a summary counts. Times are in milliseconds.
enum SummaryCount: Int {
  /// While a rule wants a take.
  case scheduled
  /// While a take is being recorded, whoever began it.
  case recorded
  case takes
  /// Sound that the sound card lost.
  case lost
  /// Starts of the recorder.
  case starts
  // From here on: why nothing was recorded while a rule wanted it.
  case recorderOff
  /// The clock has jumped: the machine slept, or the clock was set forward.
  case skipped
  case notArmed
  case cardFull
  case takeFailed
  case noDevice
  case powerFailing
  case endedByPerson
  case scheduleOff
  /// The schedule only says when a trigger listens, and none fired: nothing was missed.
  case quiet

  /// The reason in `summary.csv`; nil if the count is not a reason.
  var reason: StaticString? {
    switch self {
    case .scheduled, .recorded, .takes, .lost, .starts: nil
    case .recorderOff: "recorder off"
    case .skipped: "asleep or clock set"
    case .notArmed: "not armed"
    case .cardFull: "card full"
    case .takeFailed: "take failed"
    case .noDevice: "no microphone or camera"
    case .powerFailing: "power failing"
    case .endedByPerson: "ended by a person"
    case .scheduleOff: "schedule off"
    case .quiet: "quiet"
    }
  }
}

/// The counts of a day, or of a deployment.
struct SummaryCounts {
  private var numbers = InlineArray<15, Int64>(repeating: 0)

  subscript(count: SummaryCount) -> Int64 {
    get { numbers[count.rawValue] }
    set { numbers[count.rawValue] = newValue }
  }

  /// How long nothing was recorded though a rule wanted it, in milliseconds.
  var missed: Int64 {
    var sum: Int64 = 0
    for index in SummaryCount.recorderOff.rawValue..<SummaryCount.quiet.rawValue { sum += numbers[index] }
    return sum
  }

  /// Each reason with its seconds: `not armed 120; card full 60`.
  var reasons: FixedText<256> {
    var text = FixedText<256>()
    for index in numbers.indices where numbers[index] >= 500 {
      guard let reason = SummaryCount(rawValue: index)?.reason else { continue }
      if !text.isEmpty { text.append("; ") }
      text.append("\(reason) \((numbers[index] + 500) / 1000)" as FixedText<48>)
    }
    return text
  }

  /// For ``SummaryDay/kept(total:until:)``.
  fileprivate var line: FixedText<320> {
    var text = FixedText<320>()
    for index in numbers.indices { text.append(" \(numbers[index])" as FixedText<32>) }
    return text
  }

  /// Reads what ``line`` has written; whatever is missing or damaged counts as 0.
  init(_ line: Span<UInt8> = Span()) {
    var reader = NumberReader(rest: line)
    for index in numbers.indices { numbers[index] = reader.next() ?? 0 }
  }
}

/// The numbers of a line, each after a space. Those too large to calculate with are rejected: more than 30,000 years in
/// milliseconds, or 1 PB.
struct NumberReader: ~Escapable {
  private var rest: Span<UInt8>

  private static var largest: Int64 { 1_000_000_000_000_000 }

  @_lifetime(copy rest)
  init(rest: Span<UInt8>) { self.rest = rest }

  mutating func next() -> Int64? {
    rest = rest.trimmed
    let word = rest.firstWord
    rest = rest.extracting(droppingFirst: word.count)
    if let magnitude = word.removingPrefix("-") { return Self.number(magnitude).map { -$0 } }
    return Self.number(word)
  }

  private static func number(_ digits: Span<UInt8>) -> Int64? {
    guard let number = digits.parseInteger(as: Int64.self), number <= largest else { return nil }
    return number
  }
}

/// A row of `summary.csv` while its day lasts.
struct SummaryDay {
  /// Days since 1970-01-01, in UTC; 0 if the clock has never been set.
  var day: Int64 = 0
  var counts = SummaryCounts()
  /// In thousandths of a degree Celsius; nil before the first reading.
  var coldest: Int64?
  var hottest: Int64?
  /// The battery's voltage, in millivolts; nil before the first reading.
  var lowest: Int64?
  var highest: Int64?
  /// The free space of the card, as last measured.
  var freeByteCount: Int64 = 0
  var clock = ClockSource.unset
  /// How far the clock may have been off at most, in milliseconds; nil if unknown.
  var clockError: Int64?
  var levels = DayLevels()

  init() {}

  static var head: StaticString {
    """
    day,scheduled_hours,recorded_hours,missed_hours,missed_seconds,takes,lost_seconds,starts,\
    temperature_min,temperature_max,volts_min,volts_max,free_bytes,clock,levels_dbfs,clock_error_seconds\r\n
    """
  }

  /// As a line of `summary.csv`.
  var row: FixedText<768> {
    var text = FixedText<768>()
    if day > 0 { text.append(CivilTime(unixSeconds: day * 86_400).isoDate) } else { text.append("unset") }
    let hours = 1 / 3_600_000.0
    text.append(
      """
      ,\(Double(counts[.scheduled]) * hours, decimals: 4),\(Double(counts[.recorded]) * hours, decimals: 4),\
      \(Double(counts.missed) * hours, decimals: 4),\(counts.reasons),\(counts[.takes]),\
      \(Double(counts[.lost]) / 1000, decimals: 3),\(counts[.starts]),
      """ as FixedText<400>)
    let extremes: InlineArray<4, Int64?> = [coldest, hottest, lowest, highest]
    for index in extremes.indices {
      if let value = extremes[index] {
        text.append("\(Double(value) / 1000, decimals: index < 2 ? 1 : 3)" as FixedText<16>)
      }
      text.append(",")
    }
    text.append("\(freeByteCount),\(clock.name),\(levels.text)," as FixedText<320>)
    if let clockError { text.append("\(Double(clockError) / 1000, decimals: 3)" as FixedText<32>) }
    text.append("\r\n")
    return text
  }

  /// The file `summary-today`, from which a restart continues.
  /// - Parameters:
  ///   - total: the deployment's counts.
  ///   - seconds: up to when this accounts for the time, in Unix seconds.
  func kept(total: SummaryCounts, until seconds: Int64) -> FixedText<1024> {
    """
    day = \(day) \(Self.word(coldest)) \(Self.word(hottest)) \(freeByteCount) \(clock.rawValue) \
    \(Self.word(lowest)) \(Self.word(highest)) \(Self.word(clockError))
    counts =\(counts.line)
    deployment =\(total.line)
    levels = \(levels.text)
    until = \(seconds)

    """
  }

  /// A number that may be missing: no number reads as missing.
  private static func word(_ number: Int64?) -> FixedText<24> { number.map { "\($0)" } ?? "none" }

  /// Nil for thousandths of a degree or a volt that are impossible outdoors: a damaged file may contain anything.
  private static func plausible(_ number: Int64?) -> Int64? {
    number.flatMap { (-273_150...1_000_000).contains($0) ? $0 : nil }
  }

  /// Reads the line of the day, without its counts.
  init(_ line: Span<UInt8>) {
    var reader = NumberReader(rest: line)
    let day = reader.next() ?? 0
    self.day = (0...ClockSource.plausibleUnixSeconds.upperBound / 86_400).contains(day) ? day : 0
    coldest = Self.plausible(reader.next())
    hottest = Self.plausible(reader.next())
    freeByteCount = reader.next() ?? 0
    clock = reader.next().flatMap { ClockSource(rawValue: UInt8(clamping: $0)) } ?? .unset
    lowest = Self.plausible(reader.next())
    highest = Self.plausible(reader.next())
    clockError = reader.next()
  }
}

/// How loud the takes of a day were, by the hour in UTC: the quietest and the loudest second of each, in dBFS.
struct DayLevels {
  private var hours = InlineArray<24, (quietest: Int8, loudest: Int8)?>(repeating: nil)

  init() {}

  /// - Parameter hour: 0...23.
  subscript(hour: Int) -> (quietest: Int8, loudest: Int8)? { hours[hour] }

  /// Adds the level of one second of a take.
  mutating func hear(_ decibels: Double, hour: Int) {
    let level = Int8(max(min(decibels.rounded(), 0), -90))
    let before = hours[hour] ?? (level, level)
    hours[hour] = (min(before.quietest, level), max(before.loudest, level))
  }

  /// The quietest and the loudest second of the day; nil without any.
  var extremes: (Double, Double)? {
    var found: (Double, Double)?
    for hour in hours.indices {
      guard let (quietest, loudest) = hours[hour] else { continue }
      let before = found ?? (0, -90)
      found = (min(before.0, Double(quietest)), max(before.1, Double(loudest)))
    }
    return found
  }

  /// A word for each hour: `- - -71/-40`, up to the last in which a take was recorded.
  var text: FixedText<256> {
    var text = FixedText<256>()
    var end = 0
    for hour in hours.indices where hours[hour] != nil { end = hour + 1 }
    for hour in 0..<end {
      if hour > 0 { text.append(" ") }
      if let (quietest, loudest) = hours[hour] {
        text.append("\(quietest)/\(loudest)" as FixedText<16>)
      } else {
        text.append("-")
      }
    }
    return text
  }

  /// Reads what ``text`` has written; whatever is missing or damaged stays unknown.
  init(_ text: Span<UInt8>) {
    var rest = text.trimmed
    for hour in hours.indices {
      let word = rest.firstWord
      rest = rest.extracting(droppingFirst: word.count).trimmed
      guard let slash = word.firstIndex(of: "/"), let quietest = word.extracting(first: slash).parseDecimal(),
        let loudest = word.extracting(droppingFirst: slash + 1).parseDecimal(), -90...0 ~= quietest,
        quietest...0 ~= loudest
      else { continue }
      hours[hour] = (Int8(quietest), Int8(loudest))
    }
  }
}
