import Base
import Console
import Kit
import Machine
import Record

/// The practice's progress, and the file that keeps it across restarts.
struct KeptPractice {
  private(set) var book = PracticeBook()
  private let file: KeptText
  /// What was found at the start and should be reported; reported once.
  private var news: FixedText<256>?
  /// Whether the file is left as it is because it could be neither read nor set aside.
  private var isLeftAlone = false
  private var changes = KeptChanges()

  /// Reads the progress. A damaged file is set aside under another name, and the progress starts over.
  init(_ file: KeptText, in storage: inout Storage) {
    self.file = file
    do throws(DeviceFailure) {
      let content = try file.read(from: &storage)
      do throws(PracticeBook.Problem) {
        book = try PracticeBook(content.bytes)
      } catch {
        setAside(error, in: &storage)
      }
    } catch {
      isLeftAlone = true
      news = "practice progress is not saved: \(error.line)"
    }
  }

  private mutating func setAside(_ problem: PracticeBook.Problem, in storage: inout Storage) {
    guard case .damaged(let line) = problem else { return }
    for number in 1...9 {
      let name: FixedText<128> = "practice.damaged-\(number)"
      guard (try? storage.rename("practice", to: name)) != nil else { continue }
      news = "line \(line) of the file practice is damaged: it is now \(name), and practice starts over"
      return
    }
    isLeftAlone = true
    news = "line \(line) of the file practice is damaged: repair or remove it, then restart. Until then nothing is kept"
  }

  mutating func change(_ body: (inout PracticeBook) -> Void) {
    body(&book)
    if !isLeftAlone { changes.note() }
  }

  /// Whether the card has all of it, or nothing is kept.
  var isKept: Bool { changes.areKept }

  /// Whether ``step(_:)`` has anything to do.
  var hasWork: Bool { news != nil || !changes.areKept }

  /// At each tick: gives the worker the changes, and reports failures.
  mutating func step(_ console: inout ConsoleSession) {
    if let news {
      console.announce(news)
      self.news = nil
    }
    if changes.takesWriting(file, &console) { file.write(book.text) }
  }
}
