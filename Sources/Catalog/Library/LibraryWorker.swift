import Base
import Machine
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
  ///   - prober: has no ring; it is started when there is something to probe.
  ///   - time: must be published before the first step.
  ///   - capacity: how many files it can index, 1…100000.
  ///   - rescanSeconds: from the start of a pass to that of the next; 0: only when asked.
  ///   - crossesDevices: whether what lies on other devices than the data folder is listed too.
  ///   - artwork: where pictures of files are put.
  /// - Returns: nil when `memory` has fewer than ``byteCount(capacity:)`` bytes left.
  package init?(
    folders: consuming Storage, prober: consuming Decoder, questions: consuming QueueConsumer<LibraryQuestion>,
    answers: consuming QueueProducer<LibraryAnswer>, progress: LibraryProgress, time: LibraryTime, capacity: Int,
    rescanSeconds: UInt32, crossesDevices: Bool = false, artwork: LibraryArtwork = LibraryArtwork(),
    in memory: inout BootMemory
  ) {
    guard let index = MediaIndex(capacity: capacity, in: &memory), let folding = TextFolding(in: &memory),
      let walk = OrderedWalk(in: &memory)
    else { return nil }
    catalog = Catalog(folders, index, time, rescanSeconds: rescanSeconds, crossesDevices: crossesDevices)
    self.prober = TagProber(prober, time)
    responder = LibraryResponder(questions, answers, folding, walk, artwork)
    self.progress = progress
  }

  /// Whether a query is not answered yet.
  package var isAnswering: Bool { responder.isAnswering }

  /// Does the next bounded piece of work.
  /// - Returns: false when there was none: then wait before asking again.
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
