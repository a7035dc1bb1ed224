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
  private var orders: QueueProducer<KeeperOrder>
  private var reports: QueueConsumer<KeeperReport>
  /// What the library is to look at again.
  var moves: QueueConsumer<FixedText<128>>
  private let policy: RetentionSettings
  private var orderCount: UInt32 = 0
  /// The present by the monotonic clock.
  var now: Instant = 1_000_000_000

  init(
    _ folder: consuming TemporaryFolder, days: UInt32 = 3, onlyCopied: Bool = false, leastFree: UInt64 = 0,
    reportCapacity: Int = 64
  ) throws {
    var memory = leakedBootMemory()
    let orders = try unwrapped(Queue<KeeperOrder>(capacity: 4, in: &memory))
    let reports = try unwrapped(Queue<KeeperReport>(capacity: reportCapacity, in: &memory))
    let moves = try unwrapped(Queue<FixedText<128>>(capacity: 4, in: &memory))
    let pace = try unwrapped(KeeperPace(in: &memory))
    let buffer = try unwrapped(FixedBuffer(byteCount: TakeVerification.bufferByteCount, in: &memory))
    let breakage = Breakage()
    let folders = try BreakableFolders(folder, breakage)
    // What has none is no data folder.
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
      folders: Storage(folders, for: .keeping), orders: orders.consumer,
      reports: reports.producer, moves: moves.producer, pace: pace,
      publicKey: SigningKey(seed: KeyBytes(InlineArray(repeating: 7))).publicKey,
      buffer: buffer, table: table)
    self.orders = orders.producer
    self.reports = reports.consumer
    self.moves = moves.consumer
    self.folder = folder
  }

  /// The number of a day.
  static func day(_ date: String) -> Int64 { CivilTime.dayNumber(ofDateText: Array(date.utf8).span)! }

  /// Orders a pass on a day.
  mutating func order(
    on today: String = "20260310", scope: Purge.Scope = .everything, isDryRun: Bool = false,
    undated: UndatedTakes = UndatedTakes()
  ) {
    orderCount += 1
    let ticket = KeeperTicket(number: orderCount, isDryRun: isDryRun)
    _ = orders.push(
      .purge(Purge(ticket: ticket, scope: scope, policy: policy, today: Self.day(today), undated: undated)))
  }

  /// Runs a pass, and returns what it tells, each report as a line.
  mutating func purge(
    on today: String = "20260310", scope: Purge.Scope = .everything, isDryRun: Bool = false,
    undated: UndatedTakes = UndatedTakes()
  ) -> [String] {
    order(on: today, scope: scope, isDryRun: isDryRun, undated: undated)
    return settle()
  }

  mutating func mark(_ path: String, isProtected: Bool = true) -> [String] {
    orderCount += 1
    let ticket = KeeperTicket(number: orderCount, isDryRun: false)
    _ = orders.push(.take(ticket, .path(FixedText(path)), .protect(isProtected), openName: ""))
    return settle()
  }

  mutating func carryOut(_ action: TakeAction, on choice: TakeChoice, openName: FixedText<48> = "") -> [String] {
    orderCount += 1
    _ = orders.push(.take(KeeperTicket(number: orderCount, isDryRun: false), choice, action, openName: openName))
    return settle()
  }

  /// Counts what the takes have of the card, or completes what was typed.
  mutating func measure() -> [String] {
    orderCount += 1
    _ = orders.push(.measure(KeeperTicket(number: orderCount, isDryRun: false)))
    return settle()
  }

  mutating func complete(_ typed: String, isInBin: Bool = true) -> [String] {
    orderCount += 1
    _ = orders.push(
      .complete(KeeperTicket(number: orderCount, isDryRun: false), FixedText(typed), isInBin: isInBin))
    return settle()
  }

  /// Lets the worker go on until it rests or has nothing to do.
  mutating func settle() -> [String] {
    var lines: [String] = []
    for _ in 0..<100_000 {
      let hasWorked = worker.step(at: now)
      var hasRead = false
      while let report = reports.pop() {
        lines.append(Self.line(of: report))
        hasRead = true
      }
      if !hasWorked, !hasRead { return lines }
    }
    return lines + ["never ends"]
  }

  private static func line(of report: KeeperReport) -> String {
    switch report {
    case .absent(_, let root): "absent \(String(FixedText<16>("\(root.name)")))"
    case .day(_, let day): "\(String(day.path)) \(day.isGone ? "gone" : "partly"), \(day.fileCount) files"
    case .stays(_, let path, let reason): "\(String(path)) \(reason)"
    case .failed(_, let root, _): "failed \(String(FixedText<16>("\(root?.name ?? "bin")")))"
    case .purged(_, let summary):
      "end: \(summary.folderCount) folders, \(summary.fileCount) files, \(summary.byteCount) bytes"
        + (summary.isShortOfSpace ? ", short" : "")
    case .done(_, let path, .protected(let isProtected)): "\(String(path)) \(isProtected ? "protected" : "free")"
    case .done(_, let path, let result): "\(String(path)) \(result)"
    case .take(_, let take): "\(take.number)"
    case .ended(_, let count, let total, _): "\(count) of \(total)"
    case .verifying(_, let progress): "\(progress)"
    case .verified(_, let path, let verdict): "\(String(path)) \(verdict)"
    case .names(_, let words): "names \(String(words.list))"
    case .measured(_, let shares):
      "takes \(shares.takeByteCount), stills \(shares.stillByteCount), bin \(shares.binByteCount)"
    case .refused(_, let refusal): "refused: \(String(refusal.line))"
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

  /// Everything in the folder but the folders in which something else is, sorted.
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
