/// Matches a text to a message and its placeholders (holes), and translates it into Korean.
struct Translator {
  /// The part of the text that fills a placeholder.
  struct Hole: BitwiseCopyable {
    var kind = HoleKind.text
    var start = 0
    var end = 0
  }

  typealias Holes = InlineArray<9, Hole>

  /// The message that a text matches, and what fills its placeholders.
  struct Find {
    /// The number of the pattern; nil for a message without placeholders.
    var pattern: UInt32?
    var holes = Holes(repeating: Hole())
  }

  /// The limit of steps, after which a text counts as no message: some texts, such as file names, fit into placeholders
  /// in many ways. The limit takes at most 0.9 ms on a core of the build machine, where usual lines take 2 to 30 µs; a
  /// title of 256 bytes made to fit everywhere needs 18,000 steps.
  static let mostEffort = 30_000
  /// How deep messages may be nested.
  private static let deepest = 5

  private(set) var effort = 0
  private var depth = 0

  /// Appends the translation.
  /// - Returns: false if the text is not a message of this kind; nothing is appended then.
  mutating func append(_ text: Span<UInt8>, _ kind: HoleKind, to line: inout Messages.Line) -> Bool {
    guard let find = find(text, kind) else { return false }
    if let pattern = find.pattern {
      write(MessageTable.translation(ofPattern: pattern), find, text, to: &line)
    } else if let translation = MessageTable.translation(of: text, kind) {
      write(translation, find, text, to: &line)
    }
    return true
  }

  /// The best match for the text among the messages of a kind.
  private mutating func find(_ text: Span<UInt8>, _ kind: HoleKind) -> Find? {
    effort += 4 + text.count / 16
    if MessageTable.translation(of: text, kind) != nil { return Find() }
    guard depth < Self.deepest else { return nil }
    depth += 1
    defer { depth -= 1 }
    for number in MessageTable.patterns(of: kind) where effort <= Self.mostEffort {
      let pattern = MessageTable.pattern(number)
      var find = Find(pattern: number)
      if pattern.mayMatch(text), fills(pattern, with: text, from: 0, &find.holes) { return find }
    }
    return nil
  }

  /// Whether the text from `start` matches the rest of a pattern.
  private mutating func fills(
    _ pattern: Span<UInt8>, with text: Span<UInt8>, from start: Int, _ holes: inout Holes
  ) -> Bool {
    var start = start
    for index in pattern.indices {
      guard pattern[index].isHole else {
        guard start < text.count, text[start] == pattern[index] else { return false }
        start += 1
        continue
      }
      return fillsHole(pattern.extracting(droppingFirst: index), with: text, from: start, &holes)
    }
    return start == text.count
  }

  /// The same for a rest that begins with a placeholder, which takes as little text as possible.
  private mutating func fillsHole(
    _ pattern: Span<UInt8>, with text: Span<UInt8>, from start: Int, _ holes: inout Holes
  ) -> Bool {
    let kind = HoleKind(rawValue: pattern[0])
    let rest = pattern.extracting(droppingFirst: 2)
    var end = rest.isEmpty ? text.count : start
    while end <= text.count {
      if rest.isEmpty || rest[0].isHole || end < text.count && text[end] == rest[0] {
        guard effort <= Self.mostEffort else { return false }
        effort += 1
        if takes(text.extracting(start..<end), kind, isLast: rest.isEmpty), fills(rest, with: text, from: end, &holes) {
          holes[Int(pattern[1] - UInt8(ascii: "1"))] = Hole(kind: kind, start: start, end: end)
          return true
        }
      }
      // A number ends with its digits, and a path at a space.
      if end < text.count, kind == .number && !text[end].isOfNumber || kind == .path && text[end].isSpace {
        return false
      }
      end += 1
    }
    return false
  }

  /// Whether a placeholder accepts a text. The last one may be empty if it expects a message.
  private mutating func takes(_ text: Span<UInt8>, _ kind: HoleKind, isLast: Bool) -> Bool {
    switch kind {
    case .text: !text.isEmpty
    case .path: text.isPath
    case .number: text.isNumber
    default: text.isEmpty ? isLast : find(text, kind) != nil
    }
  }

  private mutating func write(
    _ translation: Span<UInt8>, _ find: Find, _ text: Span<UInt8>, to line: inout Messages.Line
  ) {
    var index = 0
    while index < translation.count {
      let byte = translation[index]
      switch byte {
      case 1:
        index += 1
        let hole = find.holes[Int(translation[index] - UInt8(ascii: "1"))]
        write(text.extracting(hole.start..<hole.end), hole.kind, to: &line)
      case 2...7: line.append(Particle(rawValue: byte))
      // The UTF-8 of a character that is neither ASCII nor Hangul.
      case 8:
        let count = translation[index + 1].utf8SequenceLength
        line.append(bytes: translation.extracting(index + 1..<index + 1 + count))
        index += count
      case MessageTable.firstPhrase...:
        write(MessageTable.phrase(byte - MessageTable.firstPhrase), find, text, to: &line)
      case 0x80...:
        index += 1
        line.append(syllable: UInt32(byte - 0x80) << 7 | UInt32(translation[index] - 0x80))
      default: line.append(byte: byte)
      }
      index += 1
    }
  }

  private mutating func write(_ text: Span<UInt8>, _ kind: HoleKind, to line: inout Messages.Line) {
    switch kind {
    case .text, .number, .path: line.append(bytes: text)
    default: _ = append(text, kind, to: &line)
    }
  }
}

extension UInt8 {
  fileprivate var isHole: Bool { self < UInt8(ascii: " ") }

  /// The length in bytes of the character that starts with this non-ASCII byte.
  fileprivate var utf8SequenceLength: Int { self < 0xE0 ? 2 : self < 0xF0 ? 3 : 4 }

  fileprivate var isSpace: Bool { self == UInt8(ascii: " ") }

  fileprivate var isOfNumber: Bool {
    isDigit || self == UInt8(ascii: ",") || self == UInt8(ascii: ".") || self == UInt8(ascii: "-")
      || self == UInt8(ascii: "+")
  }
}

extension Span where Element == UInt8 {
  /// Whether a text begins and ends like this pattern.
  fileprivate func mayMatch(_ text: Span<UInt8>) -> Bool {
    guard !text.isEmpty else { return false }
    let first = self[0]
    let last = self[count - 1]
    return (first.isHole || first == text[0]) && (self[count - 2].isHole || last == text[text.count - 1])
  }

  fileprivate var isPath: Bool {
    for index in indices where self[index].isSpace { return false }
    return !isEmpty
  }

  fileprivate var isNumber: Bool {
    var hasDigit = false
    for index in indices {
      guard self[index].isOfNumber else { return false }
      if self[index].isDigit { hasDigit = true }
    }
    return hasDigit
  }
}
