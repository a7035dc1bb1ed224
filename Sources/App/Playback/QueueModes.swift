import Base
import Machine
import Record

/// How the queue is played, as it is kept over a restart: `repeat all` and `shuffle on`, a line each.
struct QueueModes {
  var repetition = QueueRepeat.off
  var isShuffled = false

  init(repetition: QueueRepeat = .off, isShuffled: Bool = false) {
    self.repetition = repetition
    self.isShuffled = isShuffled
  }

  /// Reads what is kept. A file that cannot be read, or a line that is not understood, costs the mode and no more.
  init(_ file: KeptText, in storage: inout Storage) {
    guard let content = try? file.read(from: &storage) else { return }
    content.bytes.forEachLine { line in take(line) }
  }

  private mutating func take(_ line: Span<UInt8>) {
    if let word = line.removingPrefix("repeat ") { repetition = QueueRepeat(name: word) ?? repetition }
    if line.equals("shuffle on") { isShuffled = true }
  }

  /// To be read again.
  var text: KeptText.Content {
    "repeat \(repetition.name)\nshuffle \(isShuffled ? "on" : "off" as StaticString)\n"
  }
}
