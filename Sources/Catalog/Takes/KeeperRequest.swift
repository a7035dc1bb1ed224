import Base
import Configuration
import Machine
import Synchronization

/// What the loop asks of the keeper. Each request ends in one ``KeeperReply/purged(_:isDryRun:)``,
/// ``KeeperReply/done(path:_:)``, ``KeeperReply/verified(path:_:)``, ``KeeperReply/ended(count:of:stills:)``,
/// ``KeeperReply/names(_:)``, ``KeeperReply/measured(_:)`` or ``KeeperReply/refused(_:)``, unless it is cancelled.
package enum KeeperRequest: BitwiseCopyable, Sendable {
  case purge(Purge)
  /// Do something with one take. In a dry run of `delete` nothing is moved.
  /// - Parameter openName: of the file that is open in the player, without its folder: it is not deleted.
  case take(TakeChoice, TakeAction, openName: FixedText<48>, isDryRun: Bool)
  /// Tell of the newest takes, the newest last.
  case list(count: UInt32, isInBin: Bool)
  case verifyAll
  /// Tell to what the beginning of a take's name can be completed: that which a person gave it, or the folder that it
  /// is in; for one in the bin also its number or the path that it had.
  case complete(FixedText<256>, isInBin: Bool)
  /// Count what the takes have of the card.
  case measure
}

/// One pass through the folders of days.
package struct Purge: BitwiseCopyable, Sendable {
  package enum Scope: UInt8, BitwiseCopyable, Sendable {
    /// Days that are too old, and then space.
    case everything
    /// Only space.
    case space
    /// Only space, of what the bin has.
    case spaceInBin
    case bin
  }

  package var scope: Scope
  /// Whether nothing is removed, and what would be is told.
  package var isDryRun: Bool
  /// What goes, and what stays.
  package var policy: RetentionSettings
  /// The present day, counted from 1970-01-01, by a clock that is set.
  package var today: Int64
  /// The numbers of the takes that were recorded since boot while the clock was not set; their folders say nothing.
  package var undated: UndatedTakes

  var rule: RetentionRule { RetentionRule(days: policy.days, today: today) }

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
  /// A list has ended, or all takes were compared: so many of so many are whole, or were told. Stills have no seal, and
  /// are counted apart.
  case ended(count: UInt32, of: UInt32, stills: UInt32 = 0)
  /// So much of the take was compared with its seals.
  case verifying(VerificationProgress)
  case verified(path: FixedText<128>, SealVerdict)
  /// What was typed can be completed to this.
  case names(WordCompletion)
  case measured(TakeShares)
  case refused(KeeperRefusal)
}

/// What comes of a pass on its way.
package enum PurgeEvent: BitwiseCopyable, Sendable {
  /// There is no such folder: it was skipped.
  case absent(MediaKind)
  /// A day lost files, or, in a dry run, would.
  case day(DaySummary)
  /// In a dry run: this stays, and why.
  case stays(path: FixedText<256>, StayReason)
  /// Nothing more goes in this folder; nil: in the bin.
  case failed(MediaKind?, DeviceFailure)
}

/// Bytes of the files that were recorded, on the card.
package struct TakeShares: BitwiseCopyable, Equatable, Sendable {
  /// Of sound and pictures, in the folders of days.
  package var takeByteCount: UInt64 = 0
  package var stillByteCount: UInt64 = 0
  /// Of what is in the bin.
  package var binByteCount: UInt64 = 0
  /// Of the take with the highest number; nil while there is none.
  package var newestTakeByteCount: UInt64?

  package init() {}
}

/// What was done with a take.
package enum TakeResult: BitwiseCopyable, Sendable {
  /// It is protected now, or no longer.
  case protected(Bool)
  /// A person calls it this; empty for nothing.
  case name(FixedText<64>)
  /// In a dry run: it can be deleted, which makes so much free once the bin is emptied.
  case deletable(byteCount: UInt64)
  case deleted(byteCount: UInt64)
  /// It is where it was before it was deleted.
  case undeleted
  /// It was copied, and the copy was read again.
  case exported(SealVerdict)
}

/// What went of a day.
package struct DaySummary: BitwiseCopyable, Sendable {
  /// `video/20261101`.
  package var path: FixedText<128>
  package var fileCount: UInt32 = 0
  package var byteCount: UInt64 = 0
  /// Whether nothing stays, so that the folder goes, too.
  package var isGone = true

  package init(path: FixedText<128>) { self.path = path }
}

/// What a pass did, or would do.
package struct PurgeSummary: BitwiseCopyable, Sendable {
  package var folderCount: UInt32 = 0
  package var fileCount: UInt32 = 0
  package var byteCount: UInt64 = 0
  /// Whether less is free than is to be, and nothing more may go.
  package var isShortOfSpace = false

  package init() {}

  mutating func add(_ day: DaySummary) {
    if day.isGone { folderCount += 1 }
    fileCount += day.fileCount
    byteCount += day.byteCount
  }
}

/// Why something in the folders of takes is not removed.
package enum StayReason: UInt8, BitwiseCopyable, Equatable, Sendable {
  case recent
  case enoughFree
  case protected
  /// It is not marked as copied, or was changed since.
  case notCopied
  case open
  case neverDated
  case undated
  case foreignFolder
  case foreignFile

  /// The reason as the end of a sentence.
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

/// Why nothing can be done with a take.
package enum KeeperRefusal: Error, BitwiseCopyable, Sendable {
  case noTake(FixedText<128>)
  case absent(FixedText<128>)
  case open(FixedText<128>)
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
  case failed(DeviceFailure)

  /// The reason as one line, without `error:` in front.
  package var line: FixedText<384> {
    switch self {
    case .noTake(let path): "\(path) is not the path of a take, such as video/20261121/021005-0001.mov"
    case .absent(let path): "\(path) does not exist"
    case .open(let path): "\(path) is still being written: wait until it is complete"
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
    case .failed(let failure): "\(failure.line)"
    }
  }
}

/// Whether a take is being recorded, so that the keeper holds back, and which request is no longer wanted; written
/// by the loop, read on the keeper's thread.
@safe package struct KeeperPace: BitwiseCopyable {
  private struct Shared: ~Copyable {
    let isRecording = Atomic(false)
    let brokenOff = Atomic<UInt32>(0)
  }

  // Sound: points at an atomic in boot memory, which outlives every thread.
  private let shared: UnsafeMutablePointer<Shared>

  /// - Returns: nil when `memory` is used up.
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
