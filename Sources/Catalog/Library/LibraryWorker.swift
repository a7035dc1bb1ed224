import Base
import Machine
import Synchronization
import Wire

/// Keeps an index of the files in `audio/`, `video/`, `photo/` and `music/` of the data folder, and answers queries
/// from it. It scans the folders in passes, and has a decoder process probe new and changed files.
///
/// Files whose path has control characters, is not UTF-8 or is longer than 256 bytes cannot be printed in a line and
/// are only counted. A file that changed within the last three seconds is left for a later pass.
package struct LibraryWorker: ~Copyable {
  private var catalog: Catalog
  private var prober: TagProber
  private var responder: LibraryResponder
  private let progress: LibraryProgress

  /// Creates a library with an empty index; the first step begins its first pass.
  /// - Parameters:
  ///   - moves: takes that were moved away from where they were recorded, or back.
  ///   - prober: has no ring; started when there is something to probe.
  ///   - time: must be published before the first step.
  ///   - capacity: the most files that it can index, 1…100000.
  ///   - rescanSeconds: from the start of one pass to the next; 0 for passes on request only.
  ///   - crossesDevices: whether files on other devices than the data folder are listed too.
  ///   - artwork: where the files' pictures are written.
  /// - Returns: nil if fewer than ``byteCount(capacity:)`` bytes of `memory` are left.
  package init?(
    folders: consuming Storage, prober: consuming Decoder, loop: consuming JobWorkerEnd<LibraryRequest, LibraryReply>,
    moves: consuming QueueConsumer<FixedText<128>>,
    progress: LibraryProgress, time: LibraryTime, capacity: Int, rescanSeconds: UInt32, crossesDevices: Bool = false,
    artwork: LibraryArtwork = LibraryArtwork(),
    in memory: inout BootMemory
  ) {
    guard let index = MediaIndex(capacity: capacity, in: &memory), let folding = TextFolding(in: &memory),
      let walk = OrderedWalk(in: &memory)
    else { return nil }
    catalog = Catalog(folders, index, moves, time, rescanSeconds: rescanSeconds, crossesDevices: crossesDevices)
    self.prober = TagProber(prober, time)
    responder = LibraryResponder(loop, folding, walk, artwork)
    self.progress = progress
  }

  /// Whether a query has not been fully answered.
  package var isAnswering: Bool { responder.isAnswering }

  /// Does the next bounded piece of work.
  /// - Returns: false if there was none: wait before calling again.
  @export(interface)
  package mutating func step() -> Bool {
    let hasAnswered = responder.step(&catalog, &prober)
    let hasScanned = catalog.step()
    let hasProbed = prober.step(&catalog, mayWait: !hasAnswered && !hasScanned)
    progress.publish(catalog.coverage, passCount: catalog.passCount)
    return hasAnswered || hasScanned || hasProbed
  }
}

/// Where the library writes the files' pictures; nil for nowhere.
package struct LibraryArtwork: BitwiseCopyable, Sendable {
  /// For the file requested last.
  package var asked: ArtworkCell?
  /// For the file that is heard.
  package var heard: ArtworkCell?

  /// - Parameters: the cells; nil for nowhere.
  package init(asked: ArtworkCell? = nil, heard: ArtworkCell? = nil) {
    self.asked = asked
    self.heard = heard
  }
}

/// The most that a step of the library's worker does.
enum LibraryLimits {
  /// Folder entries, each of which takes a system call.
  static var entriesPerStep: Int { 64 }
  /// Places in the index, for an answer; each may take folding two texts.
  static var placesPerAnswerStep: Int { 1024 }
  /// Slots of the index, if only numbers are compared.
  static var slotsPerStep: Int { 4096 }
  /// The timeout for the decoder to probe a file.
  static var probeNanoseconds: UInt64 { 2_000_000_000 }
  /// How long its process may take to start: its libraries are many, and all else comes before it.
  static var startNanoseconds: UInt64 { 10_000_000_000 }
  /// The timeout for the decoder to extract a picture: it gives up after 4 s itself.
  static var extractNanoseconds: UInt64 { 5_000_000_000 }
  /// How long a step waits for the decoder if there is nothing else to do.
  static var pollNanoseconds: UInt64 { 20_000_000 }
  /// The number of messages that answer no request after which the process counts as crashed.
  static var strayMessagesPerProbe: Int { 64 }
}

/// The library's progress; written by its worker and read by any thread.
@safe package struct LibraryProgress: BitwiseCopyable {
  private struct Counts: ~Copyable {
    let indexed = Atomic<UInt32>(0)
    let leftOut = Atomic<UInt32>(0)
    let unnamed = Atomic<UInt32>(0)
    let elsewhere = Atomic<UInt32>(0)
    let unread = Atomic<UInt32>(0)
    let passes = Atomic<UInt32>(0)
    let isComplete = Atomic<Bool>(false)
  }

  // Safe: points at atomics in boot memory, which outlives every thread.
  private let counts: UnsafeMutablePointer<Counts>

  /// - Returns: nil if `memory` is used up.
  package init?(in memory: inout BootMemory) {
    guard let place = unsafe memory.place(Counts()) else { return nil }
    unsafe counts = place
  }

  /// The present coverage; its counts may stem from slightly different instants.
  package var coverage: LibraryCoverage {
    LibraryCoverage(
      indexedCount: unsafe counts.pointee.indexed.load(ordering: .relaxed),
      leftOutCount: unsafe counts.pointee.leftOut.load(ordering: .relaxed),
      unreadCount: unsafe counts.pointee.unread.load(ordering: .relaxed),
      isComplete: unsafe counts.pointee.isComplete.load(ordering: .acquiring),
      unnamedCount: unsafe counts.pointee.unnamed.load(ordering: .relaxed),
      elsewhereCount: unsafe counts.pointee.elsewhere.load(ordering: .relaxed))
  }

  /// The number of finished passes through the folders.
  package var passCount: UInt32 { unsafe counts.pointee.passes.load(ordering: .acquiring) }

  func publish(_ coverage: LibraryCoverage, passCount: UInt32) {
    unsafe counts.pointee.indexed.store(coverage.indexedCount, ordering: .relaxed)
    unsafe counts.pointee.leftOut.store(coverage.leftOutCount, ordering: .relaxed)
    unsafe counts.pointee.unnamed.store(coverage.unnamedCount, ordering: .relaxed)
    unsafe counts.pointee.elsewhere.store(coverage.elsewhereCount, ordering: .relaxed)
    unsafe counts.pointee.unread.store(coverage.unreadCount, ordering: .relaxed)
    unsafe counts.pointee.isComplete.store(coverage.isComplete, ordering: .releasing)
    unsafe counts.pointee.passes.store(passCount, ordering: .releasing)
  }
}

/// The machine's time for the library's worker, which owns no clock; published by the loop.
@safe package struct LibraryTime: BitwiseCopyable {
  private struct Instants: ~Copyable {
    let now = Atomic<UInt64>(0)
    let unixSeconds = Atomic<Int64>(0)
  }

  // Safe: points at atomics in boot memory, which outlives every thread.
  private let instants: UnsafeMutablePointer<Instants>

  /// - Returns: nil if `memory` is used up.
  package init?(in memory: inout BootMemory) {
    guard let place = unsafe memory.place(Instants()) else { return nil }
    unsafe instants = place
  }

  /// Called by the loop with the time on both scales of ``Board/Clock``.
  package func publish(now: Instant, unixSeconds: Int64) {
    unsafe instants.pointee.unixSeconds.store(unixSeconds, ordering: .relaxed)
    unsafe instants.pointee.now.store(now.rawValue, ordering: .relaxed)
  }

  var now: Instant { unsafe Instant(instants.pointee.now.load(ordering: .relaxed)) }

  var unixSeconds: Int64 { unsafe instants.pointee.unixSeconds.load(ordering: .relaxed) }
}
