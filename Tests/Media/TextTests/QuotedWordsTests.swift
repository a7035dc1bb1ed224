import Base
import TestSupport
import Testing

@Suite struct QuotedWordsTests {
  @Test(
    "Words are parted by spaces and tabs, and quotes hold them together",
    arguments: [
      ("", []),
      (" \t ", []),
      ("a", ["a"]),
      ("  music/01.caf\tb  ", ["music/01.caf", "b"]),
      (#""music/a b.caf" c"#, ["music/a b.caf", "c"]),
      ("'a \"b\" c' 'd'", ["a \"b\" c", "d"]),
      ("don't.wav rock'n'roll", ["don't.wav", "rock'n'roll"]),
      (#""it's "'"here"'.wav"#, [#"it's "here".wav"#]),
      (#""" x ''"#, ["", "x", ""]),
      ("\"음악/한 글.mp3\" É", ["음악/한 글.mp3", "É"]),
      (#"a\ b"#, [#"a\"#, "b"]),
    ])
  func splits(text: String, expected: [String]) throws {
    #expect(try words(of: text) == expected)
  }

  @Test("A quote that is never closed is refused", arguments: ["\"", "a 'b c", "\"a\"'", "'a\" b"])
  func refusesAnOpenQuote(text: String) {
    #expect(throws: QuotedWords.Problem.unclosedQuote) { try words(of: text) }
  }

  @Test("A word of 256 bytes is taken whole, a longer one is refused, cut nowhere")
  func refusesALongWord() throws {
    let longest = String(repeating: "x", count: 256)
    #expect(try words(of: longest + " y") == [longest, "y"])
    #expect(throws: QuotedWords.Problem.wordTooLong) { try words(of: longest + "x y") }
    #expect(throws: QuotedWords.Problem.wordTooLong) { try words(of: "'\(longest)'x") }
  }

  @Test("Any list of words comes back from the text that quotes them", arguments: 0..<4 as Range<UInt64>)
  func roundTrips(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      let list = (0..<Int.random(in: 0...5, using: &generator)).map { _ in word(using: &generator) }
      #expect(try words(of: list.map(quoted).joined(separator: " ")) == list)
    }
  }

  private func word(using generator: inout SeededGenerator) -> String {
    let characters = ["a", " ", "\"", "'", "\t", "한", "\\", "/"]
    return (0..<Int.random(in: 0...8, using: &generator)).map { _ in characters.randomElement(using: &generator)! }
      .joined()
  }

  /// Double quotes around everything but double quotes, which are put in single quotes.
  private func quoted(_ word: String) -> String {
    word.split(separator: "\"", omittingEmptySubsequences: false).map { "\"\($0)\"" }.joined(separator: "'\"'")
  }

  private func words(of text: String) throws -> [String] {
    let bytes = Array(text.utf8)
    var words = QuotedWords(bytes.span)
    var list: [String] = []
    while let word = try words.next() { list.append(String(word)) }
    return list
  }
}
