import Base

/// The 28 basic chords, how well each goes, and which of them is practised next.
///
/// The choice is not random: first a chord that is due, the longest overdue before the others; else the next chord that
/// was never tried, easy ones first; else the one that is due soonest; and never the same twice in a row. A chord that
/// was wrong is due after one other, and after each right answer in a row it comes back later, as ``rests`` says.
package struct PracticeBook: BitwiseCopyable, Sendable {
  /// The progress of a chord.
  package struct Entry: BitwiseCopyable, Equatable, Sendable {
    /// The number of answers so far.
    package internal(set) var tries = 0
    /// The number of right answers.
    package internal(set) var rightCount = 0
    /// Right answers since the last wrong one; beyond the last of ``PracticeBook/rests`` more make no difference.
    package internal(set) var streak = 0
    /// The chord is due after this many answers to all chords.
    var due = 0

    /// Whether the last answer was right.
    package var isRight: Bool { streak > 0 }

    /// Right three times in a row, with at least a dozen other chords in between.
    package var isLearned: Bool { streak >= 3 }
  }

  /// Why a text is not a valid book.
  package enum Problem: Error, BitwiseCopyable, Equatable, Sendable {
    /// A line, counted from 1, has content that no book has there.
    case damaged(line: Int)
  }

  private var entries = InlineArray<28, Entry>(repeating: Entry())
  /// The number of answers to all chords.
  package private(set) var answerCount = 0
  /// The index of the chord that was answered last.
  private var last: Int?
  /// The tempo of the count-in.
  package var beatsPerMinute = 80

  /// The number of other chords before a chord comes back, after each number of right answers in a row; the first is
  /// after a wrong one.
  private static var rests: InlineArray<6, Int> { [1, 3, 8, 20, 50, 120] }

  /// Easy chords first: open strings, then more fingers, then barres.
  private static var order: StaticString {
    "Em E Am A D Dm C G A7 E7 D7 Em7 Am7 Dm7 C7 G7 B7 F Bm Fm Gm Cm B Bm7 F7 Gm7 Cm7 Fm7"
  }

  /// The number of chords.
  package static var count: Int { 28 }

  /// An empty book.
  package init() {}

  /// A chord, in the order of learning.
  /// - Parameter index: 0..<``count``.
  @export(interface)
  package static func chord(at index: Int) -> ChordName {
    var words = QuotedWords(order.utf8Bytes)
    for _ in 0..<index { _ = try? words.next() }
    guard let word = try? words.next(), let name = ChordName(word.bytes) else {
      preconditionFailure("the order of chords names something else")
    }
    return name
  }

  /// The index of a chord in that order; nil if it is not among them.
  package static func index(of name: ChordName) -> Int? {
    for index in 0..<count where chord(at: index) == name { return index }
    return nil
  }

  /// The progress of a chord, by its index.
  package func entry(at index: Int) -> Entry { entries[index] }

  /// The number of learned chords.
  package var learnedCount: Int {
    var count = 0
    for index in entries.indices where entries[index].isLearned { count += 1 }
    return count
  }

  /// The number of tried chords.
  package var triedCount: Int {
    var count = 0
    for index in entries.indices where entries[index].tries > 0 { count += 1 }
    return count
  }

  /// The index of the chord that needs practice most.
  package var next: Int {
    var soonest: Int?
    var new: Int?
    for index in entries.indices {
      if entries[index].tries == 0 {
        new = new ?? index
      } else if index != last, soonest.map({ entries[index].due < entries[$0].due }) ?? true {
        soonest = index
      }
    }
    if let soonest, entries[soonest].due <= answerCount { return soonest }
    return new ?? soonest ?? last ?? 0
  }

  /// Notes how a chord went.
  package mutating func note(_ index: Int, isRight: Bool) {
    guard answerCount < Self.mostAnswers else { return }
    answerCount += 1
    last = index
    entries[index].tries += 1
    entries[index].rightCount += isRight ? 1 : 0
    entries[index].streak = isRight ? min(entries[index].streak + 1, Self.rests.count - 1) : 0
    entries[index].due = answerCount + Self.rests[entries[index].streak]
  }

  /// Years of practice, in numbers that fit their columns.
  private static var mostAnswers: Int { 99_999 }
}

extension PracticeBook {
  /// The whole book, to be read again: the version of the layout, the tempo, the answers and the last chord, a line for
  /// each tried chord, and an end mark, without which a part is missing.
  @export(interface)
  package var text: FixedText<2048> {
    var text: FixedText<2048> = "practice 1\ntempo \(beatsPerMinute)\nanswers \(answerCount)"
    if let last { text.append(" \(Self.chord(at: last).text)" as FixedText<32>) }
    text.append("\n")
    for index in entries.indices where entries[index].tries > 0 {
      let entry = entries[index]
      let numbers: FixedText<64> = "\(entry.tries) \(entry.rightCount) \(entry.streak) \(entry.due)"
      text.append("\(Self.chord(at: index).text) \(numbers)\n" as FixedText<96>)
    }
    text.append("end\n")
    return text
  }

  /// - Parameter text: an earlier ``text``, or an empty one.
  @export(interface)
  package init(_ text: Span<UInt8>) throws(Problem) {
    guard !text.isEmpty else { return }
    var number = 1
    var start = 0
    for index in text.indices where text[index] == UInt8(ascii: "\n") {
      guard take(text.extracting(start..<index), number) else { throw .damaged(line: number) }
      start = index + 1
      number += 1
    }
    guard start == text.count, number > 4, Self.ends(text) else { throw .damaged(line: number) }
  }

  private static func ends(_ text: Span<UInt8>) -> Bool { text.extracting(last: 5).equals("\nend\n") }

  /// - Returns: whether a book can have the line there.
  private mutating func take(_ line: Span<UInt8>, _ number: Int) -> Bool {
    switch number {
    case 1: return line.equals("practice 1")
    case 2:
      guard let tempo = line.removingPrefix("tempo ")?.parseInteger(as: Int.self),
        GuitarLimits.practiceTempo.contains(tempo)
      else { return false }
      beatsPerMinute = tempo
    case 3:
      return takeAnswers(line)
    default: return line.equals("end") || takeEntry(line)
    }
    return true
  }

  private mutating func takeAnswers(_ line: Span<UInt8>) -> Bool {
    var words = QuotedWords(line)
    guard (try? words.next())?.bytes.equals("answers") == true,
      let count = (try? words.next())?.bytes.parseInteger(as: Int.self), count >= 0, count <= Self.mostAnswers
    else { return false }
    answerCount = count
    guard count > 0 else { return words.remainder.isEmpty }
    guard let word = try? words.next(), let name = ChordName(word.bytes), let index = Self.index(of: name) else {
      return false
    }
    last = index
    return words.remainder.isEmpty
  }

  private mutating func takeEntry(_ line: Span<UInt8>) -> Bool {
    var words = QuotedWords(line)
    guard let word = try? words.next(), let name = ChordName(word.bytes), let index = Self.index(of: name),
      entries[index].tries == 0
    else { return false }
    var numbers = InlineArray<4, Int>(repeating: 0)
    for place in numbers.indices {
      guard let number = (try? words.next())?.bytes.parseInteger(as: Int.self), number >= 0 else { return false }
      numbers[place] = number
    }
    let entry = Entry(tries: numbers[0], rightCount: numbers[1], streak: numbers[2], due: numbers[3])
    guard words.remainder.isEmpty, entry.tries > 0, entry.tries <= answerCount, entry.rightCount <= entry.tries,
      entry.streak <= min(entry.rightCount, Self.rests.count - 1), entry.due <= answerCount + Self.rests[entry.streak]
    else { return false }
    entries[index] = entry
    return true
  }
}

extension GuitarLimits {
  /// The tempos of the practice, in beats per minute. A bar is listened to for two to three seconds: at the slowest
  /// tempo it begins within its first half.
  package static var practiceTempo: ClosedRange<Int> { 40...200 }
}
