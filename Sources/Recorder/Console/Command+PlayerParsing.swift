import Port
import Decoding
import Values
import Text

extension Command {
  private static let longestSeconds = 1e6

  static func parsePrepare(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard let file = arguments.takeRest() else { return .prepare(nil) }
    return .prepare(try text(file.withoutQuotes(), "prepare", "a file"))
  }

  static func parsePlay(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard let word = arguments.next() else { return .play(atNanoseconds: nil) }
    guard word.equals("at") else { throw wrong(word, "play", "at MONOTONIC_NS or nothing") }
    let instant = arguments.next()
    guard let nanoseconds = instant?.parseInteger(as: UInt64.self) else {
      throw wrong(instant, "play at", "nanoseconds of the monotonic clock")
    }
    return .play(atNanoseconds: nanoseconds)
  }

  static func parseSeek(_ arguments: inout Arguments) throws(CommandError) -> Command {
    .seek(seconds: try number(arguments.next(), 0...longestSeconds, "seek", "0…1000000 seconds"))
  }

  static func parseLoop(_ arguments: inout Arguments) throws(CommandError) -> Command {
    let word = arguments.next()
    if let word, word.equals("off") { return .section(nil) }
    let start = try number(word, 0...longestSeconds, "loop", "two instants of 0…1000000 seconds, or off")
    let endWord = arguments.next()
    let end = try number(endWord, 0...longestSeconds, "loop", "an end of 0…1000000 seconds")
    guard start < end else { throw wrong(endWord, "loop", "an end behind its start") }
    return .section(PlaybackSection(startSeconds: start, endSeconds: end))
  }

  static func parseRate(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard let word = arguments.next() else { return .rate(nil) }
    return .rate(try number(word, 0.5...2, "rate", "0.5…2.0"))
  }

  static func parseVolume(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard let word = arguments.next() else { return .volume(nil) }
    return .volume(try number(word, 0...1, "volume", "0.0…1.0"))
  }

  static func parseList(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard let word = arguments.next() else { return .list(nil) }
    return .list(try chosen(by: word, "list", "a kind"))
  }

  static func parseFind(_ arguments: inout Arguments) throws(CommandError) -> Command {
    let field: TagField = try chosen(by: arguments.next(), "find", "a tag")
    return .find(field, try text(arguments.takeRest()?.withoutQuotes(), "find \(field.name)", "a name"))
  }

  static func parseQueue(_ arguments: inout Arguments) throws(CommandError) -> Command {
    var words = arguments
    guard let word = words.next() else { return .queue(.show) }
    if word.equals("clear") {
      arguments = words
      return .queue(.clear)
    }
    if word.equals("artist") {
      arguments = words
      return .queue(.artist(try text(arguments.takeRest()?.withoutQuotes(), "queue artist", "a name")))
    }
    return .queue(.files(try text(arguments.takeRest(), "queue", "files")))
  }

  static func parseTone(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard let word = arguments.next() else { return .tone(.show) }
    if word.equals("off") { return .tone(.off) }
    if word.equals("on") { return .tone(.on) }
    let hertz = try number(word, 20...20_000, "tone", "20…20000 Hz, on or off")
    guard let level = arguments.next() else { return .tone(.sine(hertz: hertz, levelDecibels: nil)) }
    return .tone(.sine(hertz: hertz, levelDecibels: try number(level, -90...0, "tone", "a level of -90…0 dBFS")))
  }

  static func parseStandby(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard let word = arguments.next() else { return .standby(nil) }
    if word.equals("on") { return .standby(true) }
    guard word.equals("off") else { throw wrong(word, "standby", "on, off or nothing") }
    return .standby(false)
  }

  private static func number(
    _ word: Span<UInt8>?, _ range: ClosedRange<Double>, _ command: FixedText<16>, _ expected: FixedText<128>
  ) throws(CommandError) -> Double {
    guard let number = word?.parseDecimal(), range.contains(number) else { throw wrong(word, command, expected) }
    return number
  }

  /// - Parameter meaning: what the words say, for the error: "a file".
  private static func text<let capacity: Int>(
    _ words: Span<UInt8>?, _ command: FixedText<16>, _ meaning: StaticString
  ) throws(CommandError) -> FixedText<capacity> {
    guard let words, !words.isEmpty else { throw wrong(nil, command, "\(meaning)") }
    let text = FixedText<capacity>(words)
    // It is not shown: of what is too long the error would show another end than its own.
    guard !text.isTruncated else { throw wrong(nil, command, "\(meaning) of at most \(capacity) bytes") }
    return text
  }
}

extension Span where Element == UInt8 {
  /// What stands between quotes of one kind, `"` or `'`; all of it where there are none around it.
  @_lifetime(copy self)
  fileprivate func withoutQuotes() -> Span<UInt8> {
    guard count >= 2, self[0] == self[count - 1] else { return self }
    guard self[0] == UInt8(ascii: "\"") || self[0] == UInt8(ascii: "'") else { return self }
    return extracting(1..<count - 1)
  }
}
