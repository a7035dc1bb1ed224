import Base

/// Lyrics as text: a line each, or in the form of LRC files, with one or more instants in front of each line:
/// `[01:02.50][02:03.75]la la`, perhaps with `<01:03.00>` before a word, and facts such as `[ar:…]` and `[offset:500]`.
struct LyricsText: ~Escapable {
  private let text: Span<UInt8>
  /// By how much lines are sung earlier than their instants say.
  private var offsetMilliseconds: Int64 = 0
  private let isTimed: Bool

  @_lifetime(copy text)
  init(_ text: Span<UInt8>) {
    self.text = text
    isTimed = Self.hasInstant(text)
  }

  /// Appends all lines.
  mutating func read(into lines: inout LyricsLines) {
    var start = 0
    while start < text.count {
      var end = start
      while end < text.count, !text[end].endsLine { end += 1 }
      read(text.extracting(start..<end), into: &lines)
      start = end + 1
      // CR and LF are one end.
      if start < text.count, text[end] == 0x0D, text[start] == 0x0A { start += 1 }
    }
  }

  private mutating func read(_ line: Span<UInt8>, into lines: inout LyricsLines) {
    guard isTimed else { return Self.add(line, from: 0, at: nil, to: &lines) }
    if take(fact: line) { return }
    var start = 0
    while let instant = LyricsInstant(line, at: start, brackets: "[]") { start = instant.end }
    if start == 0, line.isEmpty { return }
    guard start > 0 else { return Self.add(line, from: 0, at: nil, to: &lines) }
    var place = 0
    while let instant = LyricsInstant(line, at: place, brackets: "[]") {
      let milliseconds = max(0, Int64(instant.milliseconds) - offsetMilliseconds)
      Self.add(line, from: start, at: UInt32(clamping: min(milliseconds, Int64(UInt32.max) - 1)), to: &lines)
      place = instant.end
    }
  }

  /// - Returns: whether the line is a fact about the text, which is not sung.
  private mutating func take(fact line: Span<UInt8>) -> Bool {
    guard line.count > 2, line[0] == UInt8(ascii: "["), line[line.count - 1] == UInt8(ascii: "]") else { return false }
    guard line[1].isSmallLetter || line[1] == UInt8(ascii: "#") else { return false }
    var colon = 1
    while colon < line.count, line[colon] != UInt8(ascii: ":") { colon += 1 }
    guard colon < line.count - 1 else { return false }
    if line.extracting(1..<colon).equals("offset") {
      var value = line.extracting(colon + 1..<line.count - 1)
      while !value.isEmpty, value[0] == UInt8(ascii: " ") || value[0] == UInt8(ascii: "+") {
        value = value.extracting(droppingFirst: 1)
      }
      let isNegative = !value.isEmpty && value[0] == UInt8(ascii: "-")
      let digits = isNegative ? value.extracting(droppingFirst: 1) : value
      if let number = digits.parseInteger(as: UInt32.self) {
        offsetMilliseconds = isNegative ? -Int64(number) : Int64(number)
      }
    }
    return true
  }

  private static func add(_ line: Span<UInt8>, from start: Int, at milliseconds: UInt32?, to lines: inout LyricsLines) {
    lines.begin(at: milliseconds)
    var index = start
    while index < line.count {
      if milliseconds != nil, let word = LyricsInstant(line, at: index, brackets: "<>") {
        index = word.end
      } else {
        lines.append(line[index])
        index += 1
      }
    }
  }

  private static func hasInstant(_ text: Span<UInt8>) -> Bool {
    for index in text.indices where index == 0 || text[index - 1].endsLine {
      if LyricsInstant(text, at: index, brackets: "[]") != nil { return true }
    }
    return false
  }
}

/// `[1:02.5]`, `[01:02:50]` or `[01:02]`: minutes, seconds and a fraction.
struct LyricsInstant {
  let milliseconds: UInt32
  /// The index after it.
  let end: Int

  init?(_ text: Span<UInt8>, at start: Int, brackets: StaticString) {
    guard start < text.count, text[start] == brackets.utf8Bytes[0] else { return nil }
    var index = start + 1
    guard let minutes = Self.number(text, &index, digits: 1...3), index < text.count, text[index] == UInt8(ascii: ":")
    else { return nil }
    index += 1
    guard let seconds = Self.number(text, &index, digits: 1...2), index < text.count else { return nil }
    var fraction: UInt32 = 0
    if text[index] == UInt8(ascii: ".") || text[index] == UInt8(ascii: ":") {
      index += 1
      let first = index
      guard let digits = Self.number(text, &index, digits: 1...3) else { return nil }
      fraction = digits
      for _ in index - first..<3 { fraction *= 10 }
    }
    guard index < text.count, text[index] == brackets.utf8Bytes[1] else { return nil }
    milliseconds = (minutes * 60 + seconds) * 1000 + fraction
    end = index + 1
  }

  private static func number(_ text: Span<UInt8>, _ index: inout Int, digits: ClosedRange<Int>) -> UInt32? {
    let start = index
    var value: UInt32 = 0
    while index < text.count, index - start < digits.upperBound, text[index] >= 0x30, text[index] <= 0x39 {
      value = value * 10 + UInt32(text[index] - 0x30)
      index += 1
    }
    return index - start >= digits.lowerBound ? value : nil
  }
}

extension UInt8 {
  fileprivate var endsLine: Bool { self == 0x0A || self == 0x0D }
  fileprivate var isSmallLetter: Bool { self >= UInt8(ascii: "a") && self <= UInt8(ascii: "z") }
}
