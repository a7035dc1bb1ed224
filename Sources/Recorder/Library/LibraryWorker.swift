import Port
import Decoding
import Values
import Rings
import Text

/// Keeps an index of the files in the data folder's `audio/`, `video/`, `photo/` and `music/`, and answers questions
/// from it. It looks through the folders in passes, and has what is new or changed examined by a decoder's process.
///
/// Left out are files whose path has control characters or is no UTF-8, or has more than 256 bytes: no line could name
/// them. A file that changed within the last three seconds is left for a later pass.
public struct LibraryWorker<Folders: MediaFolders & ~Copyable, Prober: Decoder & ~Copyable>: ~Copyable {
  var folders: Folders
  var prober: Prober
  var questions: QueueConsumer<LibraryQuestion>
  var answers: QueueProducer<LibraryAnswer>
  let progress: LibraryProgress
  let time: LibraryTime
  let rescanNanoseconds: UInt64
  var index: MediaIndex
  var folding: TextFolding
  var walk: OrderedWalk
  var growing = GrowingTakes()
  var activity = LibraryActivity.scanning(FolderScan(.audio))
  var pass = LibraryPass(number: 1)
  var passBeginNanoseconds: UInt64
  var passCount: UInt32 = 0
  var isRescanWanted = false
  var isComplete = false
  var probe = ProbeProgress.idle
  var isProberReady = false
  var lastTicket: UInt32 = 0
  var nextProbeSlot: UInt32 = 0
  var answer = AnswerProgress.idle
  var answeredCount: UInt32 = 0

  /// What it takes of boot memory: 244 bytes for each file, and 78 KiB.
  /// - Parameter capacity: how many files it can know, 1…100000.
  public static func byteCount(capacity: Int) -> Int {
    MediaIndex.byteCount(capacity: capacity) + TextFolding.byteCount + OrderedWalk.byteCount
  }

  /// A library that knows no file yet; its first pass begins with the first step.
  /// - Parameters:
  ///   - prober: has no ring; it is started when there is something to examine.
  ///   - time: must be published before the first step.
  ///   - capacity: how many files it can know, 1…100000.
  ///   - rescanSeconds: from the beginning of a pass to that of the next; 0: only when asked.
  /// - Returns: nil when `memory` has not ``byteCount(capacity:)`` left.
  public init?(
    folders: consuming Folders, prober: consuming Prober, questions: consuming QueueConsumer<LibraryQuestion>,
    answers: consuming QueueProducer<LibraryAnswer>, progress: LibraryProgress, time: LibraryTime, capacity: Int,
    rescanSeconds: UInt32, in memory: inout BootMemory
  ) {
    guard let index = MediaIndex(capacity: capacity, in: &memory), let folding = TextFolding(in: &memory),
      let walk = OrderedWalk(in: &memory)
    else { return nil }
    self.folders = folders
    self.prober = prober
    self.questions = questions
    self.answers = answers
    self.progress = progress
    self.time = time
    rescanNanoseconds = UInt64(rescanSeconds) * 1_000_000_000
    self.index = index
    self.folding = folding
    self.walk = walk
    passBeginNanoseconds = time.monotonicNanoseconds
  }

  /// Whether a question is not answered yet.
  public var isAnswering: Bool {
    if case .idle = answer { questions.count > 0 } else { true }
  }

  /// Does the next bounded piece of work.
  /// - Returns: false when there was none: then wait before asking again.
  public mutating func step() -> Bool {
    let hasAnswered = answerQuestions()
    let hasScanned = lookThroughFolders()
    let hasProbed = examineFiles(mayWait: !hasAnswered && !hasScanned)
    progress.publish(coverage, passCount: passCount)
    return hasAnswered || hasScanned || hasProbed
  }

  /// How much the library knows of what there is.
  var coverage: LibraryCoverage {
    LibraryCoverage(
      indexedCount: UInt32(index.count), leftOutCount: pass.leftOutCount, unreadCount: UInt32(index.unreadCount),
      isComplete: isComplete)
  }
}
