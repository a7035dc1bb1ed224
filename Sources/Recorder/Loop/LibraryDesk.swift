import Library
import Rings

/// The loop's side of the library: what was asked, and what it was asked for.
struct LibraryDesk: ~Copyable {
  private var questions: QueueProducer<LibraryQuestion>
  private var answers: QueueConsumer<LibraryAnswer>
  /// One for each question that is not answered yet, the oldest first.
  private var errands = InlineArray<8, LibraryErrand>(repeating: .show)
  private var errandCount = 0
  /// Items or entries of the answer that is coming in.
  var answerItemCount: UInt32 = 0

  init(questions: consuming QueueProducer<LibraryQuestion>, answers: consuming QueueConsumer<LibraryAnswer>) {
    self.questions = questions
    self.answers = answers
  }

  /// Asks something that is answered.
  /// - Returns: false, and nothing is asked, while too much is unanswered.
  mutating func ask(_ question: LibraryQuestion, for errand: LibraryErrand) -> Bool {
    guard errandCount < errands.count, questions.push(question) else { return false }
    errands[errandCount] = errand
    errandCount += 1
    return true
  }

  /// Says something that is not answered; left unsaid when the library is far behind, for its next pass finds it out.
  mutating func tell(_ word: LibraryQuestion) { _ = questions.push(word) }

  /// The errand whose answer comes next.
  var errand: LibraryErrand? { errandCount > 0 ? errands[0] : nil }

  /// The oldest piece of an answer, left in place.
  func peek() -> LibraryAnswer? { answers.peek() }

  /// Takes what ``peek()`` showed.
  mutating func take() { _ = answers.pop() }

  /// What the console still waits to see is not wanted any more.
  mutating func passOver() {
    for index in 0..<errandCount {
      if case .show = errands[index] { errands[index] = .passOver }
    }
  }

  /// The answer to the oldest question has come to its end.
  mutating func endErrand() {
    errandCount -= 1
    for index in 0..<errandCount { errands[index] = errands[index + 1] }
    answerItemCount = 0
  }
}
