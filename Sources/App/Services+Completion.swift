import Base
import Catalog
import Console

extension Services {
  /// At each tick: has completed what a person types, and the console does not know.
  mutating func completeWhatIsTyped() {
    guard console.wantsCompletion, let question = console.takeCompletionQuestion() else { return }
    switch question.wanted {
    case .file: library.complete(question, .files)
    // The library knows numbers and paths, the worker that keeps takes what people call them.
    case .take where question.typed.beginsNumberOrPath: library.complete(question, .takes)
    case .take: retention.complete(question)
    case .takeNumber: library.complete(question, .takeNumbers)
    case .deletedTake: retention.complete(question)
    case .setting(let before):
      console.complete(question, with: ConfigurationService.words(beginningWith: question.typed, after: before))
    }
  }
}

extension FixedText<256> {
  /// Whether a take's number or its path can begin like this.
  fileprivate var beginsNumberOrPath: Bool {
    isEmpty || bytes.parseInteger(as: UInt32.self) != nil || bytes.contains(("/" as StaticString).utf8Bytes)
  }
}
