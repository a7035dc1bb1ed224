import Base
import Machine

/// A small file of the data folder that the loop changes and the storage worker writes. It is replaced as a whole:
/// after a power cut it contains the old text or the new.
@safe package struct KeptText: BitwiseCopyable {
  /// The longest text.
  package typealias Content = FixedText<2048>

  // Safe: in boot memory, which outlives every thread; written by the loop while the file is not being written, read by
  // the worker while it is.
  private let content: UnsafeMutablePointer<Content>
  private let file: KeptFile

  /// - Parameters:
  ///   - path: in the data folder.
  ///   - worker: wakes the storage worker.
  /// - Returns: nil if `memory` is used up.
  package init?(path: FixedText<128>, waking worker: Doorbell = .silent, in memory: inout BootMemory) {
    guard let file = KeptFile(path: path, waking: worker, in: &memory), let place = unsafe memory.place(Content())
    else { return nil }
    self.file = file
    unsafe content = place
  }

  /// Reads the file, at boot.
  /// - Returns: an empty text if there is no such file.
  @export(interface)
  package func read(from storage: inout Storage) throws(DeviceFailure) -> Content {
    // One more than fits, so that a text that was cut off is noticed.
    var bytes = InlineArray<2049, UInt8>(repeating: 0)
    let byteCount = try storage.readStart(of: file.path, into: &bytes) ?? 0
    return Content(bytes.span.extracting(first: byteCount))
  }

  /// Reads the file, at boot. If it is not text, not a file, too long or truncated, it is renamed and reported.
  /// - Parameter takes: uses what can be read of it; false if some of that is not understood.
  package func readOrSetAside(from storage: inout Storage, takes: (Span<UInt8>) -> Bool) {
    let content = try? read(from: &storage)
    let isUnderstood = takes((content ?? Content()).bytes)
    guard let content, content.bytes.isOfLines, isUnderstood, !content.isTruncated, content.endsWithLine else {
      return file.setAside(in: &storage)
    }
  }

  /// Whether the worker has something to write. The loop waits until it has not before it orders anything else.
  package var isBeingWritten: Bool { file.isBeingWritten }

  /// Has the worker write a text. Only while ``isBeingWritten`` is false.
  /// - Parameter keepsOld: whether the text that it replaces is set aside under another name.
  package func write(_ content: Content, keepsOld: Bool = false) {
    precondition(!isBeingWritten, "a text was changed while it was being written")
    unsafe self.content.pointee = content
    file.order(keepsOld: keepsOld)
  }

  /// Why the last text was not written; nil if it was.
  package var failure: DeviceFailure? { file.failure }

  /// For the worker: what was wrong at boot.
  func takeNotice() -> DeviceFailure? { file.takeNotice() }

  /// For the worker: writes the text if that was ordered.
  /// - Returns: whether there was something to write.
  func writeIfOrdered(to storage: inout Storage) -> Bool {
    guard isBeingWritten else { return false }
    let content = unsafe content.pointee
    unsafe file.write(content.bytes.bytes, to: &storage)
    return true
  }
}

extension KeptText.Content {
  fileprivate var endsWithLine: Bool { isEmpty || bytes[byteCount - 1] == UInt8(ascii: "\n") }
}

/// What survives a restart besides takes: small files of the data folder, each owned by one service.
package struct KeptTexts: BitwiseCopyable {
  /// The state of the guitar kit.
  package let guitar: KeptText
  /// How well each practised chord goes.
  package let practice: KeptText
  /// What people enter about the takes that follow.
  package let sheet: KeptText
  /// The playing mode of the queue.
  package let queueModes: KeptText
  /// The lines typed on the console.
  package let commandLines: KeptText
  /// The newest events.
  package let events: KeptLog
  /// Configuration changes made on the console.
  package let settings: KeptText
  /// A row for each day in the field.
  package let summary: KeptLog
  /// The row of the present day.
  package let today: KeptText
  /// What is known of the deployment.
  package let deployment: KeptText
  /// When the sleeping machine is to be awake.
  package let sleep: KeptText
  /// Where the recorder was last, by a receiver.
  package let place: KeptText
  package let timecode: KeptText

  /// - Parameter worker: wakes the storage worker.
  /// - Returns: nil if `memory` is used up.
  package init?(waking worker: Doorbell, in memory: inout BootMemory) {
    guard let guitar = KeptText(path: "guitar", waking: worker, in: &memory),
      let practice = KeptText(path: "practice", waking: worker, in: &memory),
      let sheet = KeptText(path: "sheet", waking: worker, in: &memory),
      let queueModes = KeptText(path: "queue", waking: worker, in: &memory),
      let commandLines = KeptText(path: "console-history", waking: worker, in: &memory),
      let events = KeptLog(path: "events", waking: worker, in: &memory),
      let settings = KeptText(path: "settings", waking: worker, in: &memory),
      let summary = KeptLog(path: "summary.csv", keepsHead: true, waking: worker, in: &memory),
      let today = KeptText(path: "summary-today", waking: worker, in: &memory),
      let deployment = KeptText(path: "deployment", waking: worker, in: &memory),
      let sleep = KeptText(path: "slept", waking: worker, in: &memory),
      let place = KeptText(path: "place", waking: worker, in: &memory),
      let timecode = KeptText(path: "timecode", waking: worker, in: &memory)
    else { return nil }
    self.guitar = guitar
    self.practice = practice
    self.sheet = sheet
    self.queueModes = queueModes
    self.commandLines = commandLines
    self.events = events
    self.settings = settings
    self.summary = summary
    self.today = today
    self.deployment = deployment
    self.sleep = sleep
    self.place = place
    self.timecode = timecode
  }

  /// For the worker: what was wrong with one of them at boot.
  func takeNotice() -> DeviceFailure? {
    if let notice = timecode.takeNotice() { return notice }
    return guitar.takeNotice() ?? sheet.takeNotice() ?? queueModes.takeNotice() ?? commandLines.takeNotice()
      ?? events.takeNotice() ?? summary.takeNotice() ?? today.takeNotice() ?? deployment.takeNotice()
      ?? sleep.takeNotice() ?? place.takeNotice()
  }

  /// For the worker: writes one of them.
  /// - Returns: whether there was something to write.
  func writeNext(to storage: inout Storage) -> Bool {
    guitar.writeIfOrdered(to: &storage) || practice.writeIfOrdered(to: &storage)
      || sheet.writeIfOrdered(to: &storage) || queueModes.writeIfOrdered(to: &storage)
      || commandLines.writeIfOrdered(to: &storage)
      || events.writeIfOrdered(to: &storage) || settings.writeIfOrdered(to: &storage)
      || summary.writeIfOrdered(to: &storage) || today.writeIfOrdered(to: &storage)
      || deployment.writeIfOrdered(to: &storage) || sleep.writeIfOrdered(to: &storage)
      || place.writeIfOrdered(to: &storage) || timecode.writeIfOrdered(to: &storage)
  }
}
