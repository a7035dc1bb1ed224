import Base
import Kit
import TestSupport
import Testing

/// The choice of the next chord to practise, and the stored results.
@Suite struct PracticeBookTests {
  private static func read(_ text: some Sequence<UInt8>) throws -> PracticeBook {
    let bytes = Array(text)
    return try PracticeBook(bytes.span)
  }

  @Test("The 28 basic chords are each there once")
  func knowsEach() {
    var names: Set<String> = []
    for index in 0..<PracticeBook.count {
      let name = PracticeBook.chord(at: index)
      names.insert(String(name.text))
      #expect(PracticeBook.index(of: name) == index)
    }
    let expected = "CDEFGAB".flatMap { root in ["", "m", "7", "m7"].map { "\(root)\($0)" } }
    #expect(names == Set(expected))
  }

  @Test("A chord that was wrong comes back after one to three others; one that is right comes back later each time")
  func returns() {
    var book = PracticeBook()
    var asked: [Int: [Int]] = [:]
    for answer in 0..<400 {
      let index = book.next
      asked[index, default: []].append(answer)
      // All answers are right except for the third chord, which is wrong four times.
      book.note(index, isRight: index != 2 || asked[index]!.count > 4)
    }
    let wrong = asked[2]!.prefix(5)
    #expect(zip(wrong, wrong.dropFirst()).allSatisfy { (2...4).contains($1 - $0) }, "\(wrong)")
    let first = asked[0]!
    let rests = zip(first, first.dropFirst()).map { $1 - $0 }.prefix(5)
    #expect(rests.count >= 4 && zip(rests, rests.dropFirst()).allSatisfy { $0 < $1 }, "\(rests)")
    #expect(book.learnedCount == 28 && book.triedCount == 28)
  }

  @Test("Whatever the answers are, no chord is asked for twice in a row, and each is asked for in the end")
  func isFair() {
    for seed in 0..<50 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      var book = PracticeBook()
      var last: Int?
      var repeated = 0
      for _ in 0..<1500 {
        let index = book.next
        if index == last { repeated += 1 }
        last = index
        book.note(index, isRight: Int.random(in: 0..<10, using: &generator) < 8)
      }
      #expect(book.triedCount == 28 && repeated == 0, "seed \(seed)")
    }
  }

  @Test("What is kept is read again as it was, and every cut or change of a byte is found or harmless")
  func isKept() throws {
    var book = PracticeBook()
    book.beatsPerMinute = 100
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<2000 { book.note(book.next, isRight: Bool.random(using: &generator)) }
    let text = Array(String(book.text).utf8)
    #expect(text.count < 1000)
    let again = try Self.read(text)
    #expect(Array(String(again.text).utf8) == text && again.next == book.next)
    #expect(again.answerCount == 2000 && again.beatsPerMinute == 100)
    for length in 1..<text.count {
      #expect(throws: PracticeBook.Problem.self) { try Self.read(text[..<length]) }
    }
    for _ in 0..<2000 {
      var damaged = text
      damaged[Int.random(in: 0..<text.count, using: &generator)] ^= UInt8.random(in: 1...255, using: &generator)
      guard var read = try? Self.read(damaged) else { continue }
      // With a changed digit, whatever was read can be used safely.
      for _ in 0..<3 { read.note(read.next, isRight: true) }
      _ = try Self.read(String(read.text).utf8)
    }
    #expect(try Self.read([]).triedCount == 0)
  }

  @Test("A damaged line is named")
  func namesTheLine() {
    for (text, line) in [
      ("practice 2\n", 1), ("practice 1\ntempo 300\n", 2), ("practice 1\ntempo 80\nanswers x\n", 3),
      ("practice 1\ntempo 80\nanswers 5 X\n", 3),
      ("practice 1\ntempo 80\nanswers 5 Em\nX 1 1 1 1\nend\n", 4),
      ("practice 1\ntempo 80\nanswers 5 Em\nC 3 4 1 1\nend\n", 4),
      ("practice 1\ntempo 80\nanswers 5 Em\nC 3 3 1 1\nC 1 1 1 1\nend\n", 5),
      ("practice 1\ntempo 80\nanswers 5 Em\nC 3 3 1 1\n", 5),
    ] {
      #expect(throws: PracticeBook.Problem.damaged(line: line), "\(text)") {
        try Self.read(text.utf8)
      }
    }
  }
}
