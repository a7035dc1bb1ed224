import Base
import Configuration
import Foundation
import Machine
import Media
import TestSupport

@testable import Catalog

/// The keeper on a real folder.
struct RetentionRig: ~Copyable {
  let folder: TemporaryFolder
  let breakage: Breakage
  let pace: KeeperPace
  private var worker: TakeKeeper
  private var client: JobClientEnd<KeeperRequest, KeeperReply>
  /// Paths that the library must examine again.
  var moves: QueueConsumer<FixedText<128>>
  private let policy: RetentionSettings
  private var requestCount: UInt32 = 0
  /// The present, on the monotonic clock.
  var now: Instant = 1_000_000_000

  init(
    _ folder: consuming TemporaryFolder, days: UInt32 = 3, onlyCopied: Bool = false, leastFree: UInt64 = 0,
    replyCapacity: Int = 64
  ) throws {
    var memory = leakedBootMemory()
    let channel = try unwrapped(
      JobChannel<KeeperRequest, KeeperReply>(
        requestCapacity: 4, answerCapacity: replyCapacity, in: &memory))
    let moves = try unwrapped(Queue<FixedText<128>>(capacity: 4, in: &memory))
    let pace = try unwrapped(KeeperPace(in: &memory))
    let buffer = try unwrapped(FixedBuffer(byteCount: TakeVerification.bufferByteCount, in: &memory))
    let breakage = Breakage()
    let folders = try BreakableFolders(folder, breakage)
    // A folder without an identity is not a data folder.
    try folder.put("identity")
    let table = try unwrapped(TakeTable(in: &memory))
    self.breakage = breakage
    var policy = RetentionSettings()
    policy.days = days
    policy.takesOnlyCopied = onlyCopied
    policy.leastFreeByteCount = leastFree
    self.policy = policy
    self.pace = pace
    worker = TakeKeeper(
      folders: Storage(folders, for: .keeping), loop: channel.worker, moves: moves.producer, pace: pace,
      publicKey: SigningKey(seed: KeyBytes(InlineArray(repeating: 7))).publicKey,
      buffer: buffer, table: table)
    client = channel.client
    self.moves = moves.consumer
    self.folder = folder
  }

  /// The number of a day.
  static func day(_ date: String) -> Int64 { CivilTime.dayNumber(ofDateText: Array(date.utf8).span)! }

  /// Orders a pass on a day.
  mutating func order(
    on today: String = "20260310", scope: Purge.Scope = .everything, isDryRun: Bool = false,
    undated: UndatedTakes = UndatedTakes(), lastNumber: UInt32 = .max
  ) {
    var purge = Purge(scope, isDryRun: isDryRun, policy: policy, today: Self.day(today), undated: undated)
    purge.lastNumber = lastNumber
    ask(.purge(purge))
  }

  private mutating func ask(_ request: KeeperRequest) {
    requestCount += 1
    _ = client.requests.push(Ticketed(ticket: requestCount, value: request))
  }

  /// Runs a pass, and returns its replies, each as a line.
  mutating func purge(
    on today: String = "20260310", scope: Purge.Scope = .everything, isDryRun: Bool = false,
    undated: UndatedTakes = UndatedTakes(), lastNumber: UInt32 = .max
  ) -> [String] {
    order(on: today, scope: scope, isDryRun: isDryRun, undated: undated, lastNumber: lastNumber)
    return settle()
  }

  mutating func mark(_ path: String, isProtected: Bool = true) -> [String] {
    carryOut(.protect(isProtected), on: .path(FixedText(path)))
  }

  mutating func carryOut(_ action: TakeAction, on choice: TakeChoice, openName: FixedText<48> = "") -> [String] {
    ask(.take(choice, action, openName: openName, isDryRun: false))
    return settle()
  }

  mutating func list() -> [String] {
    ask(.list(count: 20, isInBin: false))
    return settle()
  }

  mutating func verifyAll() -> [String] {
    ask(.verifyAll)
    return settle()
  }

  mutating func report(_ date: String) -> [String] {
    ask(.report(day: Self.day(date)))
    return settle()
  }

  /// Measures the space that takes use on the card.
  mutating func measure() -> [String] {
    ask(.measure)
    return settle()
  }

  mutating func complete(_ typed: String, isInBin: Bool = true) -> [String] {
    ask(.complete(FixedText(typed), isInBin: isInBin))
    return settle()
  }

  /// Runs the worker until it rests or has nothing to do.
  mutating func settle() -> [String] {
    var lines: [String] = []
    for _ in 0..<100_000 {
      let hasWorked = worker.step(at: now)
      var hasRead = false
      while let reply = client.answers.pop() {
        lines.append(Self.line(of: reply.value))
        hasRead = true
      }
      if !hasWorked, !hasRead { return lines }
    }
    return lines + ["never ends"]
  }

  private static func line(of reply: KeeperReply) -> String {
    switch reply {
    case .purging(.absent(let root), _): "absent \(String(FixedText<16>("\(root.name)")))"
    case .purging(.day(let day), _):
      "\(String(day.path)) \(day.isGone ? "gone" : "partly"), \(day.fileCount) files"
    case .purging(.stays(let path, let reason), _): "\(String(path)) \(reason)"
    case .purging(.failed(let folder, _), _): "failed \(String(folder))"
    case .purged(let summary, _):
      "end: \(summary.folderCount) folders, \(summary.fileCount) files, \(summary.byteCount) bytes"
        + (summary.isShortOfSpace ? ", short" : "")
    case .done(let path, .protected(let isProtected)): "\(String(path)) \(isProtected ? "protected" : "free")"
    case .done(let path, let result): "\(String(path)) \(result)"
    case .take(let take): "\(take.number)\(take.state == .unreadable ? " cannot be read" : "")"
    case .record(let record): "\(record.listed.number) \(String(record.ending))"
    case .ended(let count, let total, _): "\(count) of \(total)"
    case .verifying(let progress): "\(progress)"
    case .verified(let path, let verdict): "\(String(path)) \(verdict)"
    case .names(let words): "names \(String(words.list))"
    case .measured(let shares):
      "takes \(shares.takeByteCount), stills \(shares.stillByteCount), bin \(shares.binByteCount)"
    case .unreadable: "cannot be read"
    case .refused(let refusal): "refused: \(String(refusal.line))"
    }
  }
}

extension TemporaryFolder {
  /// Writes a file, with the folders above it.
  func put(_ path: String, byteCount: Int = 10, modified: TimeInterval = 1_000) throws {
    let folder = (self.path(of: path) as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    _ = try write([UInt8](repeating: 7, count: byteCount), as: path)
    try touch(path, modified: modified)
  }

  func touch(_ path: String, modified: TimeInterval) throws {
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: modified)], ofItemAtPath: self.path(of: path))
  }

  func makeFolder(_ path: String) throws {
    try FileManager.default.createDirectory(atPath: self.path(of: path), withIntermediateDirectories: true)
  }

  func link(_ path: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: self.path(of: path), withDestinationPath: target)
  }

  /// Everything in the folder except non-empty folders, sorted.
  func contents() throws -> [String] {
    let all = try FileManager.default.subpathsOfDirectory(atPath: path).sorted().filter { $0 != "identity" }
    return all.filter { path in !all.contains { $0.hasPrefix(path + "/") } }
  }

  /// A folder with the three roots.
  static func withRoots() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for root in ["video", "audio", "photo"] { try folder.makeFolder(root) }
    return folder
  }
}
