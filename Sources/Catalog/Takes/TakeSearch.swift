import Base
import Machine

/// A take or still found by a search.
struct FoundTake: BitwiseCopyable {
  let number: UInt32
  /// Its path now, or before it was deleted: `video/yyyyMMdd/` and a name of at most 48 bytes.
  let path: FixedText<64>
}

/// Among the takes found, those with the highest numbers, highest first; or with the lowest, lowest first.
@safe package struct TakeTable: ~Copyable {
  // Safe: a piece of boot memory with no other user; only the first `count` takes are ever read.
  private let takes: UnsafeMutableBufferPointer<FoundTake>
  private(set) var count = 0
  private var wantedCount = 0
  private var isLowestFirst = false

  /// - Returns: nil if `memory` is used up.
  package init?(in memory: inout BootMemory) {
    let byteCount = KeeperLimits.listedTakes * MemoryLayout<FoundTake>.stride
    guard let piece = unsafe memory.cut(byteCount: byteCount) else { return nil }
    unsafe takes = piece.bindMemory(to: FoundTake.self)
  }

  /// Whether there may be more takes than it holds.
  var isFull: Bool { count == wantedCount }

  subscript(index: Int) -> FoundTake {
    precondition(index < count, "no take has this place")
    return unsafe takes[index]
  }

  /// Removes all, and from now on keeps at most `wantedCount` of those added.
  mutating func begin(keeping wantedCount: Int, isLowestFirst: Bool = false) {
    count = 0
    self.isLowestFirst = isLowestFirst
    self.wantedCount = min(wantedCount, KeeperLimits.listedTakes)
  }

  mutating func add(_ take: FoundTake) {
    let isLowestFirst = isLowestFirst
    unsafe takes.insert(take, count: &count, limit: wantedCount) {
      isLowestFirst ? $0.number < $1.number : $0.number > $1.number
    }
  }

  /// The path of the take that a search has found.
  /// - Throws: if there is none, or several have its number.
  func found(_ choice: TakeChoice, isInBin: Bool) throws(KeeperRefusal) -> FixedText<128> {
    if case .number(let number) = choice {
      guard count > 0, self[0].number == number else { throw isInBin ? .notInBin(number) : .noNumber(number) }
      guard count == 1 || self[1].number != number else { throw .several(number) }
    }
    guard count > 0 else { throw .noTakes }
    return FixedText(self[0].path.bytes)
  }
}

/// A search through the take folders or the bin: each step lists one folder. It reads the folders instead of the
/// library's index, which holds only as many files as its memory allows and learns of changes some seconds later.
struct TakeSearch {
  let isInBin: Bool
  /// Only takes with these numbers match.
  private let numbers: Range<UInt64>
  private let leavesOutStills: Bool
  /// Only takes of this day match, counted from 1970-01-01; nil for all.
  private let day: Int64?
  private var days = DayCursor()
  /// Why a day's folder could not be listed, so that its takes are missing; nil if all were.
  private(set) var failure: DeviceFailure?

  /// - Parameter end: takes with this number or a higher one do not match.
  init(isInBin: Bool, below end: UInt64 = .max, leavesOutStills: Bool = false) {
    self.isInBin = isInBin
    numbers = 0..<end
    self.leavesOutStills = leavesOutStills
    day = nil
  }

  /// For takes, not stills, of one day.
  init(ofDay day: Int64, from start: UInt64) {
    isInBin = false
    numbers = start..<UInt64.max
    leavesOutStills = true
    self.day = day
  }

  /// Lists the next folder.
  /// - Returns: whether that was the last folder.
  mutating func step(_ folders: inout Storage, _ table: inout TakeTable) throws(DeviceFailure) -> Bool {
    if isInBin {
      try folders.visitEntries(of: BinPath.folder) { entry in
        if let path = BinPath.origin(of: entry.name.bytes) { add(path, &table) }
      }
      return true
    }
    guard let folder = try days.next(&folders) else { return true }
    if let day, CivilTime.dayNumber(ofDateText: folder.lastPart) != day { return false }
    // A folder that cannot be listed must not hide the others.
    do throws(DeviceFailure) {
      try folders.visitEntries(of: folder) { add("\(folder)/\($0.name)", &table) }
    } catch { failure = failure ?? error }
    return false
  }

  private func add(_ path: FixedText<128>, _ table: inout TakeTable) {
    guard let take = TakeFilePath(path), numbers.contains(UInt64(take.number)) else { return }
    if leavesOutStills, take.isStill { return }
    table.add(FoundTake(number: take.number, path: FixedText(path.bytes)))
  }
}

/// Visits the takes that may have a name, newest first: each step lists a folder or returns one take.
struct NamedTakes {
  enum Step {
    case listed
    /// This take may have a name.
    case take(UInt32)
    case ended
  }

  private let isInBin: Bool
  /// Only takes with smaller numbers follow.
  private var end = UInt64.max
  /// The place of the next take in the table; nil if the folder must be listed first.
  private var place: Int?

  init(isInBin: Bool) { self.isInBin = isInBin }

  mutating func step(
    _ folders: inout Storage, _ table: inout TakeTable
  ) throws(DeviceFailure) -> Step {
    guard let place else {
      table.begin(keeping: KeeperLimits.listedTakes)
      try list(&folders, &table)
      self.place = 0
      return .listed
    }
    guard place < table.count else {
      guard table.isFull, place > 0 else { return .ended }
      listAgain(below: table[place - 1].number)
      return .listed
    }
    self.place = place + 1
    return .take(table[place].number)
  }

  /// Continues below a number after the table has been used for something else.
  mutating func listAgain(below number: UInt32) {
    end = UInt64(number)
    place = nil
  }

  private func list(_ folders: inout Storage, _ table: inout TakeTable) throws(DeviceFailure) {
    try folders.visitEntries(of: isInBin ? BinPath.folder : EnteredText.name.folder) { entry in
      guard let number = number(in: entry.name), UInt64(number) < end else { return }
      table.add(FoundTake(number: number, path: ""))
    }
  }

  private func number(in name: borrowing FixedText<256>) -> UInt32? {
    guard isInBin else { return EnteredText.number(in: name.bytes) }
    return BinPath.origin(of: name.bytes).flatMap { TakeFilePath($0)?.number }
  }
}

struct TakeNameCompletion {
  let typed: FixedText<256>
  var words: WordCompletion
  var takes: NamedTakes
}

/// Adds up the space that takes, stills and the bin occupy on the card: one folder per step.
struct ShareCount {
  private(set) var shares = TakeShares()
  private var newestNumber: UInt32 = 0
  private var days = DayCursor()

  /// Adds the next folder.
  /// - Returns: whether that was the last folder.
  mutating func step(_ folders: inout Storage) throws(DeviceFailure) -> Bool {
    let day = try days.next(&folders)
    var byteCount: UInt64 = 0
    let folder = day ?? BinPath.folder
    try folders.visitEntries(of: folder, isExamined: true) { entry in
      guard entry.kind == .file else { return }
      byteCount += entry.byteCount
      guard let take = TakeFilePath("\(folder)/\(entry.name)"), !take.isStill, take.number > newestNumber else {
        return
      }
      newestNumber = take.number
      shares.newestTakeByteCount = entry.byteCount
    }
    guard let day else {
      shares.binByteCount = byteCount
      return true
    }
    let isStill = day.parentFolder == MediaKind.photo.name
    if isStill { shares.stillByteCount += byteCount } else { shares.takeByteCount += byteCount }
    return false
  }
}
