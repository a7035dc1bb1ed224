import Base
import Machine
import Synchronization

/// A text file of the data folder to which the loop appends lines, dropping the oldest, and which the storage worker
/// writes. It is replaced as a whole: after a power cut it contains the old text or the new.
@safe package struct KeptLog: BitwiseCopyable {
  /// The longest text: some 800 events.
  package static var capacity: Int { 65_536 }
  /// How much is dropped at a time, so that not every line moves all others.
  private static var leastFreed: Int { 4096 }

  // Safe: both in boot memory, which outlives every thread; written by the loop while the file is not being written,
  // read by the worker while it is.
  private let textByteCount: UnsafeMutablePointer<Int>
  private let memory: UnsafeMutableRawBufferPointer
  /// Whether the first line stays when the oldest are dropped.
  private let keepsHead: Bool
  private let file: KeptFile

  /// - Parameters:
  ///   - path: in the data folder.
  ///   - keepsHead: whether the first line stays when the oldest are dropped.
  ///   - worker: wakes the storage worker.
  /// - Returns: nil if `memory` is used up.
  package init?(
    path: FixedText<128>, keepsHead: Bool = false, waking worker: Doorbell = .silent, in memory: inout BootMemory
  ) {
    guard let file = KeptFile(path: path, waking: worker, in: &memory),
      let count = unsafe memory.place(0), let space = unsafe memory.cut(byteCount: Self.capacity)
    else { return nil }
    self.file = file
    unsafe textByteCount = count
    unsafe self.memory = space
    self.keepsHead = keepsHead
  }

  /// Reads the file, at boot. If it is not text, or not a file, it is renamed and reported; whatever can be read of it
  /// is used.
  package func readOrSetAside(from storage: inout Storage) {
    if let byteCount = try? read(from: &storage) {
      unsafe textByteCount.pointee = byteCount
      if text.isOfLines { return }
    }
    file.setAside(in: &storage)
  }

  /// - Returns: 0 if there is no such file.
  private func read(from storage: inout Storage) throws(DeviceFailure) -> Int {
    do throws(DeviceFailure) {
      var file = try storage.open(self.file.path)
      var space = unsafe MutableRawSpan(_unsafeBytes: memory)
      return try file.read(at: 0, into: &space)
    } catch {
      guard error.kind == .absent else { throw error }
      return 0
    }
  }

  /// All lines.
  package var text: Span<UInt8> {
    @_lifetime(borrow self)
    borrowing get {
      let bytes = unsafe UnsafeRawBufferPointer(memory).bindMemory(to: UInt8.self)
      let span = unsafe Span(_unsafeElements: bytes.extracting(0..<textByteCount.pointee))
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }

  /// Whether the worker has something to write. Meanwhile the loop changes nothing.
  package var isBeingWritten: Bool { file.isBeingWritten }

  /// Appends lines, each with its line ending. Only while ``isBeingWritten`` is false.
  /// - Returns: how many bytes of the oldest lines were dropped.
  package func append(_ lines: Span<UInt8>) -> Int {
    precondition(!isBeingWritten, "a text was changed while it was being written")
    let byteCount = unsafe textByteCount.pointee
    var freed = 0
    if byteCount + lines.count > Self.capacity {
      let text = text
      let head = keepsHead ? (text.firstIndex(of: "\n") ?? -1) + 1 : 0
      freed = min(max(byteCount + lines.count - Self.capacity, Self.leastFreed), byteCount - head)
      while head + freed < byteCount, text[head + freed - 1] != UInt8(ascii: "\n") { freed += 1 }
      keep(head + freed..<byteCount, at: head)
    }
    var end = byteCount - freed
    for index in lines.indices where end < Self.capacity {
      unsafe memory[end] = lines[index]
      end += 1
    }
    unsafe textByteCount.pointee = end
    return freed
  }

  /// Moves part of the text forwards, at boot and in ``append(_:)``.
  func keep(_ range: Range<Int>, at start: Int) {
    for index in range { unsafe memory[start + index - range.lowerBound] = memory[index] }
  }

  /// Overwrites lines before ``truncate(to:)``, at boot.
  func put(_ line: Span<UInt8>, at start: Int) {
    for index in line.indices { unsafe memory[start + index] = line[index] }
  }

  /// Drops the rest of the text, at boot.
  func truncate(to byteCount: Int) { unsafe textByteCount.pointee = byteCount }

  /// Has the worker write the file. Only while ``isBeingWritten`` is false.
  package func write() { file.order() }

  /// For the worker: what was wrong at boot.
  func takeNotice() -> DeviceFailure? { file.takeNotice() }

  /// For the worker: writes the file if that was ordered.
  /// - Returns: whether there was something to write.
  func writeIfOrdered(to storage: inout Storage) -> Bool {
    guard isBeingWritten else { return false }
    unsafe file.write(text.bytes, to: &storage)
    return true
  }
}

extension Span where Element == UInt8 {
  /// Whether it has no control characters other than line endings, also those of CSV, and tabs.
  var isOfLines: Bool {
    for index in indices where self[index] < 0x20 || self[index] == 0x7F {
      guard self[index] == UInt8(ascii: "\n") || self[index] == UInt8(ascii: "\r") || self[index] == UInt8(ascii: "\t")
      else { return false }
    }
    return true
  }
}

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
