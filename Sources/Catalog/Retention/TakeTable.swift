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
    let byteCount = RetentionLimits.listedTakes * MemoryLayout<FoundTake>.stride
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
    self.wantedCount = min(wantedCount, RetentionLimits.listedTakes)
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
  private var rootIndex = 0
  private var lastDay: FixedText<256> = ""

  /// - Parameter end: no take with this number, or a higher one, is found.
  init(isInBin: Bool, below end: UInt64 = .max) {
    self.isInBin = isInBin
    self.end = end
  }

  /// Lists the next folder.
  /// - Returns: whether that was the last.
  mutating func step(
    _ folders: inout Storage, _ table: inout TakeTable
  ) throws(DeviceFailure) -> Bool {
    guard !isInBin else {
      try list(BinPath.folder, &folders) { entry in
        if let path = BinPath.origin(of: entry.name.bytes) { add(path, &table) }
      }
      return true
    }
    guard rootIndex < TakeRoots.count else { return true }
    let root = TakeRoots.root(rootIndex)
    var next: FixedText<256>?
    do throws(DeviceFailure) {
      next = try folders.firstName(in: "\(root.name)", after: lastDay)
    } catch {
      guard error.kind == .absent else { throw error }
    }
    guard let day = next else {
      rootIndex += 1
      lastDay = ""
      return rootIndex == TakeRoots.count
    }
    lastDay = day
    guard CivilTime.dayNumber(ofDateText: day.bytes) != nil else { return false }
    let folder: FixedText<128> = "\(root.name)/\(day)"
    try list(folder, &folders) { add("\(folder)/\($0.name)", &table) }
    return false
  }

  private func add(_ path: FixedText<128>, _ table: inout TakeTable) {
    guard let take = TakeFilePath(path), UInt64(take.number) < end else { return }
    table.add(FoundTake(number: take.number, path: FixedText(path.bytes)))
  }

  /// What is no folder, or vanished meanwhile, has no takes.
  private func list(
    _ folder: FixedText<128>, _ folders: inout Storage,
    _ visit: (borrowing FolderEntry) -> Void
  ) throws(DeviceFailure) {
    do throws(DeviceFailure) { try folders.forEachName(in: folder, visit) } catch {
      guard error.kind == .absent || error.kind == .unsupported else { throw error }
    }
  }
}
