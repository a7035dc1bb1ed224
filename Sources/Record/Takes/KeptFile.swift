import Base
import Machine
import Synchronization

/// The part shared by ``KeptText`` and ``KeptLog``: a file of the data folder that the loop changes and the storage
/// worker writes. It is replaced as a whole: after a power cut it contains the old text or the new.
@safe struct KeptFile: BitwiseCopyable {
  private struct State: ~Copyable {
    let path: FixedText<128>
    /// Written by the worker while the counts differ; before the first write, what was wrong with the file at boot.
    var failure: DeviceFailure?
    /// Read by the worker while both counts differ.
    var keepsOld = false
    let orderedCount = Atomic<UInt32>(0)
    let writtenCount = Atomic<UInt32>(0)

    init(path: FixedText<128>) { self.path = path }
  }

  // Safe: in boot memory, which outlives every thread. Each side writes one of the two counts, with a release after the
  // data that it covers.
  private let state: UnsafeMutablePointer<State>
  private let worker: Doorbell

  /// - Returns: nil if `memory` is used up.
  init?(path: FixedText<128>, waking worker: Doorbell, in memory: inout BootMemory) {
    guard let place = unsafe memory.place(State(path: path)) else { return nil }
    unsafe state = place
    self.worker = worker
  }

  /// In the data folder.
  var path: FixedText<128> { unsafe state.pointee.path }

  /// Why the last text was not written; nil if it was.
  var failure: DeviceFailure? { unsafe state.pointee.failure }

  /// At boot, renames something that is not text, or not a file; ``takeNotice()`` reports it.
  func setAside(in storage: inout Storage) {
    let name = (try? storage.setAside(path)) ?? path
    unsafe state.pointee.failure = DeviceFailure(
      device: .storage, kind: .unsupported, subject: FixedText(name.bytes), problem: "could not be read as text",
      remedy: "only what can be read of it is used")
  }

  /// Whether the worker has something to write. Meanwhile the loop changes nothing.
  var isBeingWritten: Bool {
    unsafe state.pointee.orderedCount.load(ordering: .acquiring)
      != state.pointee.writtenCount.load(ordering: .acquiring)
  }

  /// Has the worker write the text. Only while ``isBeingWritten`` is false.
  func order(keepsOld: Bool = false) {
    unsafe state.pointee.keepsOld = keepsOld
    unsafe state.pointee.orderedCount.add(1, ordering: .releasing)
    worker.ring()
  }

  /// For the worker: what was wrong at boot.
  func takeNotice() -> DeviceFailure? {
    unsafe state.pointee.writtenCount.load(ordering: .relaxed) == 0 ? state.pointee.failure.take() : nil
  }

  /// For the worker: writes what was ordered.
  func write(_ text: RawSpan, to storage: inout Storage) {
    unsafe state.pointee.failure = nil
    do throws(DeviceFailure) {
      if unsafe state.pointee.keepsOld, storage.has(path) { _ = try storage.setAside(path) }
      try storage.replace(path, with: text)
    } catch {
      unsafe state.pointee.failure = error
    }
    unsafe state.pointee.writtenCount.add(1, ordering: .releasing)
  }
}
