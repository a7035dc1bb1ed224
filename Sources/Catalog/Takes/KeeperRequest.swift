import Base
import Configuration
import Machine
import Synchronization

/// A request from the loop to the keeper. Each is answered by exactly one ``KeeperReply/purged(_:isDryRun:)``,
/// ``KeeperReply/done(path:_:)``, ``KeeperReply/verified(path:_:)``, ``KeeperReply/ended(count:of:stills:)``,
/// ``KeeperReply/names(_:)``, ``KeeperReply/measured(_:)`` or ``KeeperReply/refused(_:)``, unless it is cancelled.
package enum KeeperRequest: BitwiseCopyable, Sendable {
  case purge(Purge)
  /// Performs an action on one take. A dry run of `delete` moves nothing.
  /// - Parameter openName: the file open in the player, without its folder: it is not deleted.
  case take(TakeChoice, TakeAction, openName: FixedText<48>, isDryRun: Bool)
  /// Lists the newest takes, the newest last.
  case list(count: UInt32, isInBin: Bool)
  case verifyAll
  /// Reports the takes of a day, counted from 1970-01-01, in the order of their numbers.
  case report(day: Int64)
  /// Completes the beginning of a take's name: the name that the user gave it, or its folder; in the bin also its
  /// number or its former path.
  case complete(FixedText<256>, isInBin: Bool)
  /// Adds up the space that takes occupy on the card.
  case measure
}

/// One pass through the day folders.
package struct Purge: BitwiseCopyable, Sendable {
  package enum Scope: UInt8, BitwiseCopyable, Sendable {
    /// Days that are too old, and then whatever space requires.
    case everything
    /// Only what space requires.
    case space
    /// Only what space requires, from the bin.
    case spaceInBin
    case bin
    /// Every take and still, the bin, the users' names for them, and the calculator's history: `wipe`.
    case wipe

    /// Whether takes go for their age or for space. Otherwise all go, even what is protected, not copied, recent or
    /// was never dated.
    var followsPolicy: Bool { self != .wipe }
  }

  package var scope: Scope
  /// Whether removals are only reported, not made.
  package var isDryRun: Bool
  /// What is removed and what is kept.
  package var policy: RetentionSettings
  /// Today, in days since 1970-01-01, by a clock that is set.
  package var today: Int64
  /// The numbers of takes recorded since boot while the clock was not set: the dates of their folders mean nothing.
  package var undated: UndatedTakes
  /// For `wipe`: takes with a higher number were recorded after the person was asked, and stay.
  package var lastNumber = UInt32.max

  var rule: RetentionRule { RetentionRule(days: policy.days, today: today) }

  /// Whether it removes the calculator's history and the names of takes too.
  var removesTexts: Bool { scope == .wipe && !isDryRun }

  package init(
    _ scope: Scope, isDryRun: Bool, policy: RetentionSettings, today: Int64, undated: UndatedTakes = UndatedTakes()
  ) {
    self.scope = scope
    self.isDryRun = isDryRun
    self.policy = policy
    self.today = today
    self.undated = undated
  }
}

/// A range of take numbers.
package struct UndatedTakes: BitwiseCopyable, Equatable, Sendable {
  private var first = UInt32.max
  private var last: UInt32 = 0

  package init() {}

  package mutating func add(_ number: UInt32) {
    first = min(first, number)
    last = max(last, number)
  }

  package func contains(_ number: UInt32) -> Bool { first <= number && number <= last }
}

/// What the keeper replies to the loop.
package enum KeeperReply: BitwiseCopyable, Sendable {
  case purging(PurgeEvent, isDryRun: Bool)
  case purged(PurgeSummary, isDryRun: Bool)
  case done(path: FixedText<128>, TakeResult)
  case take(ListedTake)
  case record(TakeRecord)
  /// A list or a report has ended, or all takes have been compared: how many are whole or were listed, and of how many. Stills have
  /// no seal and are counted separately.
  case ended(count: UInt32, of: UInt32, stills: UInt32 = 0)
  /// How much of the take has been compared with its seals.
  case verifying(VerificationProgress)
  case verified(path: FixedText<128>, SealVerdict)
  /// A day's folder, or one of the takes that are compared, cannot be read. The rest follows.
  case unreadable(DeviceFailure)
  /// The completion of what was typed.
  case names(WordCompletion)
  case measured(TakeShares)
  case refused(KeeperRefusal)
}

/// What happens during a pass.
package enum PurgeEvent: BitwiseCopyable, Sendable {
  /// There is no such folder; it is skipped.
  case absent(MediaKind)
  /// A day lost files, or would in a dry run.
  case day(DaySummary)
  /// In a dry run: this is kept, and why.
  case stays(path: FixedText<256>, StayReason)
  /// Nothing more is removed from this folder.
  case failed(folder: FixedText<16>, DeviceFailure)
}

/// How many bytes recorded files occupy on the card.
package struct TakeShares: BitwiseCopyable, Equatable, Sendable {
  /// Sound and pictures in the day folders.
  package var takeByteCount: UInt64 = 0
  package var stillByteCount: UInt64 = 0
  /// Everything in the bin.
  package var binByteCount: UInt64 = 0
  /// The take with the highest number; nil if there is none.
  package var newestTakeByteCount: UInt64?

  package init() {}
}

/// The result of an action on a take.
package enum TakeResult: BitwiseCopyable, Sendable {
  /// It is now protected, or no longer is.
  case protected(Bool)
  /// The user's name for it.
  case name(KeptName)
  /// What a person thinks of it now.
  case judged(TakeVerdict)
  /// The notes that were added to it.
  case noted(TakeRemarks)
  /// In a dry run: it can be deleted, which frees this many bytes once the bin is emptied, or at once if the card is too
  /// full for the bin.
  case deletable(byteCount: UInt64, hasBin: Bool)
  case deleted(byteCount: UInt64)
  /// Not into the bin.
  case removed(byteCount: UInt64)
  /// It is back where it was before it was deleted.
  case undeleted
  /// It was copied, and the copy was read back.
  case exported(SealVerdict)
}

/// What was removed from a day.
package struct DaySummary: BitwiseCopyable, Sendable {
  /// `video/20261101`.
  package var path: FixedText<128>
  package var fileCount: UInt32 = 0
  package var byteCount: UInt64 = 0
  /// The highest number among the files.
  package var lastNumber: UInt32 = 0
  /// Whether nothing is kept, so that the folder is removed too.
  package var isGone = true
}

/// What a pass did, or would do.
package struct PurgeSummary: BitwiseCopyable, Sendable {
  package var folderCount: UInt32 = 0
  package var fileCount: UInt32 = 0
  package var byteCount: UInt64 = 0
  /// Whether less space is free than required and nothing more may be removed.
  package var isShortOfSpace = false
  /// The highest number among the files.
  package var lastNumber: UInt32 = 0
  /// Whether something could not be removed.
  package var hasFailed = false

  package init() {}

  mutating func add(_ day: DaySummary) {
    if day.isGone { folderCount += 1 }
    fileCount += day.fileCount
    byteCount += day.byteCount
    lastNumber = max(lastNumber, day.lastNumber)
  }
}

/// Why something in the take folders is not removed.
package enum StayReason: UInt8, BitwiseCopyable, Equatable, Sendable {
  case recent
  case enoughFree
  case protected
  /// It is not marked as copied, or has changed since.
  case notCopied
  case open
  case neverDated
  case undated
  case foreignFolder
  case foreignFile

  /// The reason, as the end of a sentence.
  package var text: StaticString {
    switch self {
    case .recent: "it is not old enough"
    case .enoughFree: "enough is free"
    case .protected: "it is protected"
    case .notCopied: "it is not marked as copied"
    case .open: "a take in it is open"
    case .neverDated: "its date is from a clock that was not set"
    case .undated: "it was recorded while the clock was not set, and is protected now"
    case .foreignFolder: "it is not a day's folder"
    case .foreignFile: "it is not a take"
    }
  }
}

/// Why an action on a take is impossible.
package enum KeeperRefusal: Error, BitwiseCopyable, Sendable {
  case noTake(FixedText<128>)
  case absent(FixedText<128>)
  case open(FixedText<128>)
  case leftOpen(FixedText<128>)
  case noNumber(UInt32)
  case notInBin(UInt32)
  case noName(FixedText<64>)
  case noNameInBin(FixedText<64>)
  case several(UInt32)
  case noTakes
  case protected(FixedText<128>)
  case played(FixedText<128>)
  case noFolder(FixedText<128>)
  case exists(FixedText<128>)
  case noSpace(FixedText<128>, neededByteCount: UInt64, freeByteCount: UInt64)
  case copyDiffers(FixedText<128>)
  case noRoomForNote
  case failed(DeviceFailure)

  /// The reason as one line, without a leading `error:`.
  package var line: FixedText<384> {
    switch self {
    case .noTake(let path): "\(path) is not the path of a take, such as video/20261121/021005-0001.mov"
    case .absent(let path): "\(path) does not exist"
    case .open(let path): "\(path) is still being written: wait until it is complete"
    case .leftOpen(let path):
      "\(path) is not complete: it is completed when the card can be written again, or at the next start"
    case .noNumber(let number): "there is no take \(number): takes lists them"
    case .notInBin(let number): "there is no take \(number) in the bin: takes bin lists them"
    case .noName(let name): "no take is called \"\(name)\": takes lists them"
    case .noNameInBin(let name): "no take in the bin is called \"\(name)\": takes bin lists them"
    case .several(let number): "several files have the number \(number): name one by its path"
    case .noTakes: "there is no take"
    case .protected(let path): "\(path) is protected: unprotect it first"
    case .played(let path): "\(path) is open in the player: dispose closes it"
    case .noFolder(let folder): "there is no folder \(folder): mount the disk, or create the folder"
    case .exists(let path): "\(path) already exists: nothing is overwritten"
    case .noSpace(let folder, let needed, let free):
      "\(folder) has too little space: \(size: needed) are needed, \(size: free) are free"
    case .copyDiffers(let folder): "the copy in \(folder) did not match, and was removed: check that disk"
    case .noRoomForNote: "the notes of a take have at most 256 bytes: note \"\" removes the added ones"
    case .failed(let failure): "\(failure.line)"
    }
  }
}

/// Whether a take is being recorded, so that the keeper must hold back, and which request is no longer wanted. Written
/// by the loop and read on the keeper's thread.
@safe package struct KeeperPace: BitwiseCopyable {
  private struct Shared: ~Copyable {
    let isRecording = Atomic(false)
    let brokenOff = Atomic<UInt32>(0)
  }

  // Safe: points at an atomic in boot memory, which outlives every thread.
  private let shared: UnsafeMutablePointer<Shared>

  /// - Returns: nil if `memory` is used up.
  package init?(in memory: inout BootMemory) {
    guard let place = unsafe memory.place(Shared()) else { return nil }
    unsafe shared = place
  }

  /// Called by the loop.
  package func publish(isRecording: Bool) { unsafe shared.pointee.isRecording.store(isRecording, ordering: .relaxed) }

  /// Called by the loop: nobody waits for the replies with this ticket any more.
  package func breakOff(_ ticket: UInt32) { unsafe shared.pointee.brokenOff.store(ticket, ordering: .relaxed) }

  /// Called on the keeper's thread.
  func isBrokenOff(_ ticket: UInt32) -> Bool { unsafe shared.pointee.brokenOff.load(ordering: .relaxed) == ticket }

  /// Called on the keeper's thread.
  package var isRecording: Bool { unsafe shared.pointee.isRecording.load(ordering: .relaxed) }
}
