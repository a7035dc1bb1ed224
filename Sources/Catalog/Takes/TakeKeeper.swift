import Base
import Machine
import Media
import Record

/// Removes old day folders, empties the bin, and performs actions on takes: lists, protects, names, deletes, copies and
/// compares them. It works only on request. While a take is being recorded it pauses after each file that it removes
/// and each piece that it reads.
///
/// It removes only what is a take by name and kind, its own marks beside takes, and day folders that are empty
/// afterwards. No other worker removes complete takes.
package struct TakeKeeper: ~Copyable {
  private let place = StaysInPlace()
  /// The data folder.
  var folders: Storage
  private var requests: QueueConsumer<Ticketed<KeeperRequest>>
  var replies: KeeperReplies
  /// The moved takes, for the library. Those for which there is no room are found by its next pass.
  var moves: QueueProducer<FixedText<128>>
  let pace: KeeperPace
  let publicKey: KeyBytes
  var buffer: FixedBuffer
  var table: TakeTable
  /// The target folder of a copy, and the copy.
  var target: Storage?
  var copy: StoredFile?
  var work = Work.none
  /// Whether the newest step ended a pass that removed the calculator's history.
  package private(set) var hasWiped = false
  /// While a take is being recorded, no work is done before this instant.
  private var restEnd: Instant = 0
  /// When the progress of a comparison or a copy is reported next.
  private var nextProgress: Instant = 0

  enum Work {
    case none
    case purging(PurgeRun)
    case searching(TakeSearch, TakeTask)
    /// Searches for the take with a name.
    case naming(NamedTakes, TakeTask)
    case completing(TakeNameCompletion)
    /// Reports the takes of the table, from this place down to the first.
    case telling(TakeTask, place: Int)
    /// Reports the takes of a day, counted from 1970-01-01, from this place of the table on.
    case reporting(Int64, place: Int)
    case verifying(TakeVerification)
    case verifyingAll(TakeRound, TakeVerification?)
    case exporting(TakeExport)
    case measuring(ShareCount)

    var isNone: Bool { if case .none = self { true } else { false } }
  }

  /// - Parameters:
  ///   - folders: the data folder, for ``FolderUse/keeping``.
  ///   - publicKey: of the key with which this device seals.
  ///   - buffer: of ``TakeVerification/bufferByteCount`` bytes.
  package init(
    folders: consuming Storage, loop: consuming JobWorkerEnd<KeeperRequest, KeeperReply>,
    moves: consuming QueueProducer<FixedText<128>>, pace: KeeperPace, publicKey: KeyBytes,
    buffer: consuming FixedBuffer, table: consuming TakeTable
  ) {
    self.folders = folders
    requests = loop.requests
    replies = KeeperReplies(loop.answers)
    self.moves = moves
    self.pace = pace
    self.publicKey = publicKey
    self.buffer = buffer
    self.table = table
  }

  /// Whether a request is still in progress or waiting.
  package var isBusy: Bool { !work.isNone || requests.count > 0 }

  /// Does the next bounded piece of work: lists a folder, removes one file, or reads a piece of one.
  /// - Returns: false if there was none, or it pauses: wait before calling again.
  @export(interface)
  package mutating func step(at now: Instant) -> Bool {
    hasWiped = false
    guard replies.hasSpace else { return false }
    if work.isNone { return takeRequest() }
    if pace.isRecording, now < restEnd { return false }
    // A purge cannot be cancelled.
    if case .purging(let run) = work {
      purge(run, at: now)
    } else if pace.isBrokenOff(replies.ticket) {
      breakOff()
    } else {
      goOn(at: now)
    }
    return true
  }

  private mutating func purge(_ run: PurgeRun, at now: Instant) {
    var run = run
    let outcome = run.step(&folders, &replies)
    work = .purging(run)
    switch outcome {
    case .looked: break
    case .removed: restEnd = now + KeeperLimits.restNanoseconds
    case .ended:
      work = .none
      hasWiped = run.purge.removesTexts
    }
  }

  /// Does the next piece of an action on takes.
  private mutating func goOn(at now: Instant) {
    do throws(KeeperRefusal) {
      switch work {
      case .none, .purging: break
      case .searching(let search, let task): try goOn(search, task)
      case .naming(let takes, let task): try goOn(takes, task)
      case .completing(let completion): goOn(completion)
      case .telling(let task, let place): try tell(task, place: place)
      case .reporting(let day, let place): try report(day, place: place)
      case .verifying(let verification):
        rest(at: now)
        if isProgressDue(at: now) { replies.tell(.verifying(verification.progress)) }
        try verify(verification)
      case .verifyingAll(let round, let verification):
        rest(at: now)
        if let verification, isProgressDue(at: now) { replies.tell(.verifying(round.progress(verification))) }
        try verifyAll(round, verification)
      case .exporting(let export):
        rest(at: now)
        if isProgressDue(at: now) { replies.tell(.verifying(export.progress)) }
        try goOn(export)
      case .measuring(let count): try goOn(count)
      }
    } catch {
      breakOff()
      replies.tell(.refused(error))
    }
  }

  private mutating func breakOff() {
    dropCopy()
    work = .none
  }

  private mutating func rest(at now: Instant) { restEnd = now + KeeperLimits.verificationRestNanoseconds }

  private mutating func isProgressDue(at now: Instant) -> Bool {
    guard now >= nextProgress else { return false }
    nextProgress = now + KeeperLimits.progressNanoseconds
    return true
  }

  private mutating func takeRequest() -> Bool {
    guard let request = requests.pop() else { return false }
    replies.ticket = request.ticket
    switch request.value {
    case .purge(let purge): work = .purging(PurgeRun(purge))
    case .list(let count, let isInBin):
      begin(TakeTask(kind: .list(isInBin: isInBin)), keeping: Int(count), isInBin: isInBin)
    case .verifyAll:
      begin(TakeTask(kind: .verifyAll(TakeRound())), keeping: KeeperLimits.listedTakes, isInBin: false)
    case .complete(let typed, let isInBin): complete(typed, isInBin: isInBin)
    case .measure: work = .measuring(ShareCount())
    case .report(let day): beginReport(of: day)
    case .take(let choice, let action, let openName, let isDryRun):
      let task = TakeTask(kind: .one(choice, action, openName: openName, isDryRun: isDryRun))
      switch choice {
      case .path(let path): carryOut(task, at: path)
      case .name: work = .naming(NamedTakes(isInBin: action == .undelete), task)
      case .number(let number): searchOne(task, action, number)
      case .newest: searchOne(task, action, nil)
      }
    }
    return true
  }

  private mutating func begin(
    _ task: TakeTask, keeping count: Int, isInBin: Bool, below end: UInt64 = .max, leavesOutStills: Bool = false
  ) {
    table.begin(keeping: count)
    work = .searching(TakeSearch(isInBin: isInBin, below: end, leavesOutStills: leavesOutStills), task)
  }

  /// Two are enough to see whether a number is unique. The newest take to compare, or to judge, is never a still.
  private mutating func searchOne(_ task: TakeTask, _ action: TakeAction, _ number: UInt32?) {
    begin(
      task, keeping: 2, isInBin: action == .undelete, below: number.map { UInt64($0) + 1 } ?? .max,
      leavesOutStills: action.isAboutTakes && number == nil)
  }

  /// Examines the next named take. If the one with the name is gone, or in the bin, an older one is meant.
  private mutating func goOn(_ takes: NamedTakes, _ task: TakeTask) throws(KeeperRefusal) {
    guard case .one(.name(let wanted), let action, _, _) = task.kind else { return }
    var takes = takes
    let step = try onCard { () throws(DeviceFailure) in try takes.step(&folders, &table) }
    if case .ended = step { throw action == .undelete ? .noNameInBin(wanted) : .noName(wanted) }
    work = .naming(takes, task)
    guard case .take(let number) = step else { return }
    if let name = try? name(of: number), name.text.bytes.isSameName(as: wanted.bytes) {
      takes.listAgain(below: number)
      var task = task
      task.candidate = (number, takes)
      searchOne(task, action, number)
    }
  }

  private mutating func goOn(_ search: TakeSearch, _ task: TakeTask) throws(KeeperRefusal) {
    var search = search
    let hasEnded = try onCard { () throws(DeviceFailure) in try search.step(&folders, &table) }
    guard hasEnded else { return work = .searching(search, task) }
    switch task.kind {
    case .list:
      work = .telling(task, place: table.count)
      if let failure = search.failure { replies.tell(.unreadable(failure)) }
    case .report(let day):
      work = .reporting(day, place: 0)
      if let failure = search.failure { replies.tell(.unreadable(failure)) }
    case .verifyAll(var round):
      if round.isNew, let failure = search.failure {
        round.countUnreadable()
        replies.tell(.unreadable(failure))
      }
      work = .verifyingAll(round, nil)
    case .one(let choice, let action, _, _):
      var choice = choice
      if let (number, takes) = task.candidate {
        guard table.count > 0, table[0].number == number else { return work = .naming(takes, task) }
        choice = .number(number)
      }
      let path: FixedText<128>
      do throws(KeeperRefusal) { path = try table.found(choice, isInBin: action == .undelete) } catch {
        throw search.failure.map { .failed($0) } ?? error
      }
      carryOut(task, at: path)
    }
  }

  private mutating func carryOut(_ task: TakeTask, at path: FixedText<128>) {
    work = .none
    do throws(KeeperRefusal) {
      if let result = try begin(task, at: path) { replies.tell(.done(path: path, result)) }
    } catch {
      breakOff()
      replies.tell(.refused(error))
    }
  }

  /// Reports one line of a list.
  private mutating func tell(_ task: TakeTask, place: Int) throws(KeeperRefusal) {
    guard case .list(let isInBin) = task.kind, place > 0 else {
      work = .none
      return replies.tell(.ended(count: UInt32(table.count), of: UInt32(table.count)))
    }
    work = .telling(task, place: place - 1)
    let take = table[place - 1]
    let listed = try onCard { () throws(DeviceFailure) in try summary(of: take, isInBin: isInBin) }
    if let listed { replies.tell(.take(listed)) }
  }

  private mutating func goOn(_ count: ShareCount) throws(KeeperRefusal) {
    var count = count
    let hasEnded = try onCard { () throws(DeviceFailure) in try count.step(&folders) }
    guard hasEnded else { return work = .measuring(count) }
    work = .none
    replies.tell(.measured(count.shares))
  }

  /// Completes numbers if the text can begin one, otherwise paths and names. A folder that cannot be listed offers
  /// nothing.
  private mutating func complete(_ typed: FixedText<256>, isInBin: Bool) {
    let isNumber = typed.isEmpty || typed.bytes.parseInteger(as: UInt32.self) != nil
    var words = WordCompletion()
    if isInBin {
      try? folders.forEachName(in: BinPath.folder) { entry in
        guard let path = BinPath.origin(of: entry.name.bytes), let take = TakeFilePath(path) else { return }
        let number: FixedText<16> = "\(take.number)"
        words.offer(isNumber ? number.bytes : path.bytes, for: typed.bytes)
      }
    } else {
      offerRoots(for: typed, &words)
    }
    guard !isNumber else { return replies.tell(.names(words)) }
    work = .completing(TakeNameCompletion(typed: typed, words: words, takes: NamedTakes(isInBin: isInBin)))
  }

  private mutating func offerRoots(for typed: FixedText<256>, _ words: inout WordCompletion) {
    for index in 0..<TakeRoots.count {
      let root: FixedText<128> = "\(TakeRoots.root(index).name)"
      guard (try? folders.find(root))??.kind == .folder else { continue }
      let folder: FixedText<256> = "\(root)/"
      words.offer(folder.bytes, for: typed.bytes)
    }
  }

  private mutating func goOn(_ completion: TakeNameCompletion) {
    var completion = completion
    switch (try? completion.takes.step(&folders, &table)) ?? .ended {
    case .listed: work = .completing(completion)
    case .take(let number):
      if let name = try? name(of: number), !name.text.isEmpty {
        completion.words.offer(name.text.bytes, for: completion.typed.bytes)
      }
      work = .completing(completion)
    case .ended:
      work = .none
      replies.tell(.names(completion.words))
    }
  }

  private mutating func verify(_ verification: TakeVerification) throws(KeeperRefusal) {
    var verification = verification
    let verdict = try step(&verification)
    work = .verifying(verification)
    guard let verdict else { return }
    work = .none
    replies.tell(.verified(path: verification.path, verdict))
  }

  /// Compares all takes, newest first. Takes that are still being written or have vanished meanwhile are skipped.
  private mutating func verifyAll(
    _ round: TakeRound, _ verification: TakeVerification?
  ) throws(KeeperRefusal) {
    var round = round
    if var verification {
      let verdict: SealVerdict?
      do throws(DeviceFailure) { verdict = try Self.step(&verification, &folders, &buffer) } catch {
        // A file that cannot be read must not keep the others from being compared.
        guard error.kind != .absent else { throw .failed(error) }
        round.countUnreadable()
        work = .verifyingAll(round, nil)
        return replies.tell(.unreadable(error))
      }
      work = .verifyingAll(round, verification)
      guard let verdict else { return }
      round.count(verdict)
      work = .verifyingAll(round, nil)
      if !verdict.isWhole { replies.tell(.verified(path: verification.path, verdict)) }
    } else if let place = round.next(before: table.count) {
      let path = FixedText<128>(table[place].path.bytes)
      let isStill = TakeFilePath(path)?.isStill == true
      if isStill { round.stillCount += 1 }
      work = .verifyingAll(round, isStill ? nil : try? beginVerification(path))
    } else if table.isFull, table.count > 0 {
      round.place = 0
      begin(
        TakeTask(kind: .verifyAll(round)), keeping: KeeperLimits.listedTakes, isInBin: false,
        below: UInt64(table[table.count - 1].number))
    } else {
      work = .none
      replies.tell(.ended(count: round.wholeCount, of: round.comparedCount, stills: round.stillCount))
    }
  }

  private mutating func step(_ verification: inout TakeVerification) throws(KeeperRefusal) -> SealVerdict? {
    do throws(DeviceFailure) { return try Self.step(&verification, &folders, &buffer) } catch { throw .failed(error) }
  }

  @inline(never)
  private static func step(
    _ verification: inout TakeVerification, _ folders: inout Storage, _ buffer: inout FixedBuffer
  ) throws(DeviceFailure) -> SealVerdict? {
    try verification.step(&buffer) { (path, offset, buffer) throws(DeviceFailure) in
      try folders.read(path, at: offset, into: &buffer)
    }
  }
}

/// The replies to the current request.
struct KeeperReplies: ~Copyable {
  private var queue: QueueProducer<Ticketed<KeeperReply>>
  var ticket: UInt32 = 0

  init(_ queue: consuming QueueProducer<Ticketed<KeeperReply>>) { self.queue = queue }

  /// Whether there is room for the replies of a step.
  var hasSpace: Bool { queue.freeCount >= KeeperLimits.repliesPerStep }

  mutating func tell(_ reply: KeeperReply) {
    let isTold = queue.push(Ticketed(ticket: ticket, value: reply))
    precondition(isTold, "a step made more replies than repliesPerStep")
  }
}

/// Calls the card, turning a failure into a refusal.
func onCard<Result>(_ call: () throws(DeviceFailure) -> Result) throws(KeeperRefusal) -> Result {
  do throws(DeviceFailure) { return try call() } catch { throw .failed(error) }
}

extension TakeAction {
  /// Whether it is not for stills.
  fileprivate var isAboutTakes: Bool {
    switch self {
    case .verify, .judge, .note: true
    case .protect, .name, .delete, .remove, .undelete, .export: false
    }
  }
}

/// The purpose of a search.
struct TakeTask {
  enum Kind {
    case list(isInBin: Bool)
    /// Of a day, counted from 1970-01-01.
    case report(Int64)
    case verifyAll(TakeRound)
    case one(TakeChoice, TakeAction, openName: FixedText<48>, isDryRun: Bool)
  }

  let kind: Kind
  /// The take that has the name, and where the search continues if that take does not exist.
  var candidate: (number: UInt32, rest: NamedTakes)?
}

/// A comparison of all takes with their seals.
struct TakeRound {
  /// The next take's place in the table.
  var place = 0
  private(set) var comparedCount: UInt32 = 0
  private(set) var wholeCount: UInt32 = 0
  var stillCount: UInt32 = 0

  mutating func next(before end: Int) -> Int? {
    guard place < end else { return nil }
    place += 1
    return place - 1
  }

  mutating func count(_ verdict: SealVerdict) {
    comparedCount += 1
    if verdict.isWhole { wholeCount += 1 }
  }

  /// Whether nothing has been compared yet.
  var isNew: Bool { comparedCount == 0 }

  /// Counts a take that is not whole, or takes in a folder that cannot be listed.
  mutating func countUnreadable() { comparedCount += 1 }

  func progress(_ verification: TakeVerification) -> VerificationProgress {
    var progress = verification.progress
    progress.number = TakeFilePath(verification.path)?.number ?? 0
    return progress
  }
}
