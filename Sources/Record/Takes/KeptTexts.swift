import Base
import Machine

/// What is kept over a restart besides takes: small files of the data folder, of which each is one service's.
package struct KeptTexts: BitwiseCopyable {
  /// What the guitar kit keeps.
  package let guitar: KeptText
  /// How each chord goes that is practised.
  package let practice: KeptText
  /// How the queue is played.
  package let queueModes: KeptText
  /// The lines that were typed on the console.
  package let commandLines: KeptText
  /// The newest events.
  package let events: KeptText
  /// What was changed of the configuration on the console.
  package let settings: KeptText

  /// - Returns: nil when `memory` is used up.
  package init?(in memory: inout BootMemory) {
    guard let guitar = KeptText(path: "guitar", in: &memory), let practice = KeptText(path: "practice", in: &memory),
      let queueModes = KeptText(path: "queue", in: &memory),
      let commandLines = KeptText(path: "console-history", in: &memory),
      let events = KeptText(path: "events", in: &memory),
      let settings = KeptText(path: "settings", in: &memory)
    else { return nil }
    self.guitar = guitar
    self.practice = practice
    self.queueModes = queueModes
    self.commandLines = commandLines
    self.events = events
    self.settings = settings
  }

  /// The worker's part: writes one of them.
  /// - Returns: whether there was something to write.
  func writeNext(to storage: inout Storage) -> Bool {
    guitar.writeIfOrdered(to: &storage) || practice.writeIfOrdered(to: &storage)
      || queueModes.writeIfOrdered(to: &storage) || commandLines.writeIfOrdered(to: &storage)
      || events.writeIfOrdered(to: &storage) || settings.writeIfOrdered(to: &storage)
  }
}
