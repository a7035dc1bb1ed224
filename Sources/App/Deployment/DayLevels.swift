import Base

/// How loud the takes of a day were, by the hour in UTC: the quietest and the loudest second of each, in dBFS.
struct DayLevels {
  private var hours = InlineArray<24, (quietest: Int8, loudest: Int8)?>(repeating: nil)

  init() {}

  /// - Parameter hour: 0...23.
  subscript(hour: Int) -> (quietest: Int8, loudest: Int8)? { hours[hour] }

  /// Takes the level of a second of a take.
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

  /// Reads what ``text`` has written; whatever is missing or damaged is not known.
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
