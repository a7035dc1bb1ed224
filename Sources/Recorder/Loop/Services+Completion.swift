import Console
import Library
import Text

extension Services {
  /// At each tick: has completed what a person types, and the console does not know.
  mutating func completeWhatIsTyped() {
    guard console.wantsCompletion, let question = console.takeCompletionQuestion() else { return }
    switch question.wanted {
    case .file: library.complete(question, .files)
    case .take: library.complete(question, .takes)
    case .takeNumber: library.complete(question, .takeNumbers)
    case .deletedTake: retention.complete(question)
    case .setting(let before):
      console.complete(question, with: ConfigurationService.words(beginningWith: question.typed, after: before))
    }
  }
}
