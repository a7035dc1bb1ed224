import Base
import Machine

/// A take or a still that a search has found.
struct FoundTake: BitwiseCopyable {
  let number: UInt32
  /// Where it is, or was before it was deleted: of 37 bytes at most.
  let path: FixedText<48>
}

/// The takes with the highest numbers among those that were found, the highest first.
@safe package struct TakeTable: ~Copyable {
  // Sound: a piece of boot memory with no other user; only the first `count` takes are ever read.
  private let takes: UnsafeMutableBufferPointer<FoundTake>
  private(set) var count = 0
  private var wantedCount = 0

  /// - Returns: nil when `memory` is used up.
  package init?(in memory: inout BootMemory) {
    let byteCount = KeeperLimits.listedTakes * MemoryLayout<FoundTake>.stride
    guard let piece = unsafe memory.cut(byteCount: byteCount) else { return nil }
    unsafe takes = piece.bindMemory(to: FoundTake.self)
  }

  /// Whether there may be more than it has.
  var isFull: Bool { count == wantedCount }

  subscript(index: Int) -> FoundTake {
    precondition(index < count, "no take has this place")
    return unsafe takes[index]
  }

  /// Forgets all, and keeps at most so many of those that are added.
  mutating func begin(keeping wantedCount: Int) {
    count = 0
    self.wantedCount = min(wantedCount, KeeperLimits.listedTakes)
  }

  mutating func add(_ take: FoundTake) {
    var place = count
    while place > 0, unsafe takes[place - 1].number < take.number { place -= 1 }
    guard place < wantedCount else { return }
    if count < wantedCount { count += 1 }
    for index in (place..<count - 1).reversed() { unsafe takes[index + 1] = takes[index] }
    unsafe takes[place] = take
  }
}

/// A search through the folders of takes, or through the bin: each step lists one folder. The folders are asked rather
/// than the library's index, which knows only as many files as it has memory for, and of a change some seconds later.
struct TakeSearch {
  let isInBin: Bool
  /// Only takes with smaller numbers are found.
  let end: UInt64
  private let leavesOutStills: Bool
  private var days = DayCursor()

  /// - Parameter end: no take with this number, or a higher one, is found.
  init(isInBin: Bool, below end: UInt64 = .max, leavesOutStills: Bool = false) {
    self.isInBin = isInBin
    self.end = end
    self.leavesOutStills = leavesOutStills
  }

  /// Lists the next folder.
  /// - Returns: whether that was the last.
  mutating func step(_ folders: inout Storage, _ table: inout TakeTable) throws(DeviceFailure) -> Bool {
    if isInBin {
      try folders.visitEntries(of: BinPath.folder) { entry in
        if let path = BinPath.origin(of: entry.name.bytes) { add(path, &table) }
      }
      return true
    }
    guard let folder = try days.next(&folders) else { return true }
    try folders.visitEntries(of: folder) { add("\(folder)/\($0.name)", &table) }
    return false
  }

  private func add(_ path: FixedText<128>, _ table: inout TakeTable) {
    guard let take = TakeFilePath(path), UInt64(take.number) < end else { return }
    if leavesOutStills, take.isStill { return }
    table.add(FoundTake(number: take.number, path: FixedText(path.bytes)))
  }
}

/// Goes through the takes that a person may have named, the newest first: each step lists a folder, or gives one take.
struct NamedTakes {
  enum Step {
    case listed
    /// This one may have a name.
    case take(UInt32)
    case ended
  }

  private let isInBin: Bool
  /// Only takes with smaller numbers are given.
  private var end = UInt64.max
  /// Of the next take in the table; nil: the folder is to be listed.
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

  /// Goes on below a number, when the table has been used for something else.
  mutating func listAgain(below number: UInt32) {
    end = UInt64(number)
    place = nil
  }

  private func list(_ folders: inout Storage, _ table: inout TakeTable) throws(DeviceFailure) {
    try folders.visitEntries(of: isInBin ? BinPath.folder : NamePath.folder) { entry in
      guard let number = number(in: entry.name), UInt64(number) < end else { return }
      table.add(FoundTake(number: number, path: ""))
    }
  }

  private func number(in name: borrowing FixedText<256>) -> UInt32? {
    guard isInBin else { return NamePath.number(in: name.bytes) }
    return BinPath.origin(of: name.bytes).flatMap { TakeFilePath($0)?.number }
  }
}

/// What a take's name can be completed to.
struct TakeNameCompletion {
  let typed: FixedText<256>
  var words: WordCompletion
  var takes: NamedTakes
}

/// Counts what takes, stills and the bin have of the card: each step one folder.
struct ShareCount {
  private(set) var shares = TakeShares()
  private var newestNumber: UInt32 = 0
  private var days = DayCursor()

  /// Counts the next folder.
  /// - Returns: whether that was the last.
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
