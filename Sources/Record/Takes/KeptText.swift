import Base
import Machine
import Synchronization

/// A small file of the data folder that the loop changes and the storage worker writes. It is replaced whole: after a
/// power cut it holds the old text or the new.
@safe package struct KeptText: BitwiseCopyable {
  /// The longest text.
  package typealias Content = FixedText<2048>

  private struct State: ~Copyable {
    let path: FixedText<128>
    /// Written by the loop while both counts are equal, read by the worker while they are not.
    var content = Content()
    /// Written by the worker while they are not; before the first time, what was wrong with the file at boot.
    var failure: DeviceFailure?
    let orderedCount = Atomic<UInt32>(0)
    let writtenCount = Atomic<UInt32>(0)

    init(path: FixedText<128>) { self.path = path }
  }

  // Sound: in boot memory, which outlives every thread; of the two counts, which are released after what they cover, each
  // side writes one.
  private let state: UnsafeMutablePointer<State>
  private let worker: Doorbell

  /// - Parameters:
  ///   - path: in the data folder.
  ///   - worker: wakes the storage worker.
  /// - Returns: nil when `memory` is used up.
  package init?(path: FixedText<128>, waking worker: Doorbell = .silent, in memory: inout BootMemory) {
    guard let place = unsafe memory.place(State(path: path)) else { return nil }
    unsafe state = place
    self.worker = worker
  }

  /// Reads it, at boot.
  /// - Returns: an empty text when there is no such file.
  @export(interface)
  package func read(from storage: inout Storage) throws(DeviceFailure) -> Content {
    var bytes = InlineArray<2048, UInt8>(repeating: 0)
    let byteCount = try storage.readStart(of: unsafe state.pointee.path, into: &bytes) ?? 0
    return Content(bytes.span.extracting(first: byteCount))
  }

  /// Reads it, at boot. What is no text, or no file, is set aside under another name, which is told.
  /// - Returns: what can be read of it; an empty text when there is no such file.
  package func readOrSetAside(from storage: inout Storage) -> Content {
    let content = try? read(from: &storage)
    if let content, content.bytes.isOfLines { return content }
    let path = unsafe state.pointee.path
    let name = (try? storage.setAside(path)) ?? path
    unsafe state.pointee.failure = DeviceFailure(
      device: .storage, kind: .unsupported, subject: FixedText(name.bytes), problem: "could not be read as text",
      remedy: "only what can be read of it is used")
    return content ?? Content()
  }

  /// Whether the worker has something to write. For the loop: it waits, before it orders something else.
  package var isBeingWritten: Bool {
    unsafe state.pointee.orderedCount.load(ordering: .acquiring)
      != state.pointee.writtenCount.load(ordering: .acquiring)
  }

  /// Has the worker write a text. Only while ``isBeingWritten`` is false.
  package func write(_ content: Content) {
    precondition(!isBeingWritten, "a text was changed while it was being written")
    unsafe state.pointee.content = content
    unsafe state.pointee.orderedCount.add(1, ordering: .releasing)
    worker.ring()
  }

  /// Why the last text was not written; nil when it was.
  package var failure: DeviceFailure? { unsafe state.pointee.failure }

  /// The worker's part: what was wrong at boot.
  func takeNotice() -> DeviceFailure? {
    unsafe state.pointee.writtenCount.load(ordering: .relaxed) == 0 ? state.pointee.failure.take() : nil
  }

  /// The worker's part.
  /// - Returns: whether there was something to write.
  func writeIfOrdered(to storage: inout Storage) -> Bool {
    guard isBeingWritten else { return false }
    unsafe state.pointee.failure = nil
    let content = unsafe state.pointee.content
    do throws(DeviceFailure) {
      try unsafe storage.replace(state.pointee.path, with: content.bytes.bytes)
    } catch {
      unsafe state.pointee.failure = error
    }
    unsafe state.pointee.writtenCount.add(1, ordering: .releasing)
    return true
  }
}

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
  package let events: KeptLog
  /// What was changed of the configuration on the console.
  package let settings: KeptText

  /// - Parameter worker: wakes the storage worker.
  /// - Returns: nil when `memory` is used up.
  package init?(waking worker: Doorbell, in memory: inout BootMemory) {
    guard let guitar = KeptText(path: "guitar", waking: worker, in: &memory),
      let practice = KeptText(path: "practice", waking: worker, in: &memory),
      let queueModes = KeptText(path: "queue", waking: worker, in: &memory),
      let commandLines = KeptText(path: "console-history", waking: worker, in: &memory),
      let events = KeptLog(path: "events", waking: worker, in: &memory),
      let settings = KeptText(path: "settings", waking: worker, in: &memory)
    else { return nil }
    self.guitar = guitar
    self.practice = practice
    self.queueModes = queueModes
    self.commandLines = commandLines
    self.events = events
    self.settings = settings
  }

  /// The worker's part: what was wrong with one of them at boot.
  func takeNotice() -> DeviceFailure? {
    queueModes.takeNotice() ?? commandLines.takeNotice() ?? events.takeNotice()
  }

  /// The worker's part: writes one of them.
  /// - Returns: whether there was something to write.
  func writeNext(to storage: inout Storage) -> Bool {
    guitar.writeIfOrdered(to: &storage) || practice.writeIfOrdered(to: &storage)
      || queueModes.writeIfOrdered(to: &storage) || commandLines.writeIfOrdered(to: &storage)
      || events.writeIfOrdered(to: &storage) || settings.writeIfOrdered(to: &storage)
  }
}
