import Base
import Console
import Kit
import Machine
import Record

/// The sheet of the takes, and the file that keeps it across restarts. A damaged file is set aside, and what can be read
/// of it is used.
struct KeptSheet {
  private(set) var sheet = TakeSheet()
  private let file: KeptText
  private var changes = KeptChanges()

  init(_ file: KeptText, in storage: inout Storage) {
    var sheet = TakeSheet()
    file.readOrSetAside(from: &storage) { sheet.read($0) }
    self.sheet = sheet
    self.file = file
  }

  mutating func change(_ body: (inout TakeSheet) -> Void) {
    body(&sheet)
    changes.note()
  }

  /// A take begins. Without a scene it is not counted, and costs the card nothing.
  mutating func countTake() {
    if !sheet.scene.isEmpty { change { $0.countTake() } }
  }

  /// A take that was counted has failed before its file was open.
  mutating func giveBackTake() {
    if !sheet.scene.isEmpty { change { $0.giveBackTake() } }
  }

  /// Whether the card has all of it.
  var isKept: Bool { changes.areKept }

  /// At each tick: gives the worker the changes, and reports failures.
  mutating func step(_ console: inout ConsoleSession) {
    if changes.takesWriting(file, &console) { file.write(sheet.text) }
  }
}

/// How far the changes of a kept text are.
struct KeptChanges {
  /// Whether there are changes that the worker has not been given yet.
  private var areWaiting = false
  private var areBeingWritten = false

  mutating func note() { areWaiting = true }

  var areKept: Bool { !areWaiting && !areBeingWritten }

  /// At each tick: reports a failure.
  /// - Returns: whether the text must be written now.
  mutating func takesWriting(_ file: KeptText, _ console: inout ConsoleSession) -> Bool {
    guard !areKept, !file.isBeingWritten else { return false }
    if areBeingWritten, let failure = file.failure { console.announce(failure) }
    areBeingWritten = areWaiting
    areWaiting = false
    return areBeingWritten
  }
}
