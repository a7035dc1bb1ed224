import Base
import Machine
import Synchronization
import Wire

/// Keeps an index of the files in the data folder's `audio/`, `video/`, `photo/` and `music/`, and answers queries from
/// it. It scans the folders in passes, and has a decoder's process probe new and changed files.
///
/// Only counted are files whose path has control characters, is not UTF-8 or is longer than 256 bytes: they cannot be
/// named in a line. A file that changed within the last three seconds is left for a later pass.
package struct LibraryWorker: ~Copyable {
  private var catalog: Catalog
  private var prober: TagProber
  private var responder: LibraryResponder
  private let progress: LibraryProgress

  /// A library with an empty index; its first pass begins with the first step.
  /// - Parameters:
  ///   - moves: takes that are not, or only now, where they were recorded.
  ///   - prober: has no ring; it is started when there is something to probe.
  ///   - time: must be published before the first step.
  ///   - capacity: how many files it can index, 1…100000.
  ///   - rescanSeconds: from the start of a pass to that of the next; 0: only when asked.
  ///   - crossesDevices: whether what lies on other devices than the data folder is listed too.
  ///   - artwork: where pictures of files are put.
  /// - Returns: nil when `memory` has fewer than ``byteCount(capacity:)`` bytes left.
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

  /// Whether a query is not answered yet.
  package var isAnswering: Bool { responder.isAnswering }

  /// Does the next bounded piece of work.
  /// - Returns: false when there was none: then wait before asking again.
  @export(interface)
  package mutating func step() -> Bool {
    let hasAnswered = responder.step(&catalog, &prober)
    let hasScanned = catalog.step()
    let hasProbed = prober.step(&catalog, mayWait: !hasAnswered && !hasScanned)
    progress.publish(catalog.coverage, passCount: catalog.passCount)
    return hasAnswered || hasScanned || hasProbed
  }
}

/// Where the library puts pictures of files; nil for nowhere.
package struct LibraryArtwork: BitwiseCopyable, Sendable {
  /// Of the file that was asked for last.
  package var asked: ArtworkCell?
  /// Of the file that is heard.
  package var heard: ArtworkCell?

  /// - Parameters: the cells, nil for nowhere.
  package init(asked: ArtworkCell? = nil, heard: ArtworkCell? = nil) {
    self.asked = asked
    self.heard = heard
  }
}

/// The most that a step of the library's worker does.
enum LibraryLimits {
  /// Folder entries, each of which takes a system call.
  static var entriesPerStep: Int { 64 }
  /// Places of the index for an answer; each may take folding two texts.
  static var placesPerAnswerStep: Int { 1024 }
  /// Slots of the index where only numbers are compared.
  static var slotsPerStep: Int { 4096 }
  /// How long the decoder may take for a file.
  static var probeNanoseconds: UInt64 { 2_000_000_000 }
  /// How long the decoder may take to extract a picture: it gives up after 4 s.
  static var extractNanoseconds: UInt64 { 5_000_000_000 }
  /// How long a step waits for the decoder when there is nothing else to do.
  static var pollNanoseconds: UInt64 { 20_000_000 }
  /// Messages that answer no request before the process counts as crashed.
  static var strayMessagesPerProbe: Int { 64 }
}

/// The library's progress; written by its worker, read by any thread.
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

  // Sound: points at atomics in boot memory, which outlives every thread.
  private let counts: UnsafeMutablePointer<Counts>

  /// - Returns: nil when `memory` is used up.
  package init?(in memory: inout BootMemory) {
    guard let place = unsafe memory.place(Counts()) else { return nil }
    unsafe counts = place
  }

  /// The coverage now; its counts may be of slightly different instants.
  package var coverage: LibraryCoverage {
    LibraryCoverage(
      indexedCount: unsafe counts.pointee.indexed.load(ordering: .relaxed),
      leftOutCount: unsafe counts.pointee.leftOut.load(ordering: .relaxed),
      unreadCount: unsafe counts.pointee.unread.load(ordering: .relaxed),
      isComplete: unsafe counts.pointee.isComplete.load(ordering: .acquiring),
      unnamedCount: unsafe counts.pointee.unnamed.load(ordering: .relaxed),
      elsewhereCount: unsafe counts.pointee.elsewhere.load(ordering: .relaxed))
  }

  /// Finished passes through the folders.
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

/// The board's time, for the library's worker, which owns no clock; published by the loop.
@safe package struct LibraryTime: BitwiseCopyable {
  private struct Instants: ~Copyable {
    let now = Atomic<UInt64>(0)
    let unixSeconds = Atomic<Int64>(0)
  }

  // Sound: points at atomics in boot memory, which outlives every thread.
  private let instants: UnsafeMutablePointer<Instants>

  /// - Returns: nil when `memory` is used up.
  package init?(in memory: inout BootMemory) {
    guard let place = unsafe memory.place(Instants()) else { return nil }
    unsafe instants = place
  }

  /// Called by the loop with the time on ``Board/Clock``'s two scales.
  package func publish(now: Instant, unixSeconds: Int64) {
    unsafe instants.pointee.unixSeconds.store(unixSeconds, ordering: .relaxed)
    unsafe instants.pointee.now.store(now.rawValue, ordering: .relaxed)
  }

  var now: Instant { unsafe Instant(instants.pointee.now.load(ordering: .relaxed)) }

  var unixSeconds: Int64 { unsafe instants.pointee.unixSeconds.load(ordering: .relaxed) }
}
