import Base

/// The takes and stills of this boot in the order of their numbers, for as long as they may be dated anew. When the
/// table is full, the oldest keeps its date.
@safe package struct DatedFiles: ~Copyable {
  // Safe: a piece of boot memory with no other user.
  private let files: UnsafeMutableBufferPointer<DatedFile>
  private(set) var count = 0
  /// The time in the newest name that precedes the first file of the table.
  private var floors = InlineArray<2, Int64>(repeating: 0)

  /// - Returns: nil if `memory` is used up.
  package init?(in memory: inout BootMemory) {
    guard let piece = unsafe memory.cut(byteCount: TakeLimits.datedFiles * MemoryLayout<DatedFile>.stride) else {
      return nil
    }
    unsafe files = piece.bindMemory(to: DatedFile.self)
  }

  subscript(index: Int) -> DatedFile {
    get {
      precondition(index < count, "no file has this place")
      return unsafe files[index]
    }
    set {
      precondition(index < count, "no file has this place")
      unsafe files[index] = newValue
    }
  }

  /// Forgets all files, because another folder is used.
  mutating func removeAll(floors: InlineArray<2, Int64>) {
    count = 0
    self.floors = floors
  }

  /// The boot clock has stood still for so long.
  mutating func shiftOffsets(by nanoseconds: Int64) {
    for index in 0..<count { self[index].offsetNanoseconds &+= nanoseconds }
  }

  mutating func append(_ file: DatedFile) {
    if unsafe count == files.count {
      let oldest = self[0]
      let track = oldest.kind.track.rawValue
      floors[track] = max(floors[track], oldest.nameSeconds)
      for index in 1..<count { self[index - 1] = self[index] }
      count -= 1
    }
    count += 1
    self[count - 1] = file
  }

  /// Forgets a file that no longer exists.
  mutating func remove(at index: Int) {
    for next in index + 1..<max(count, index + 1) { self[next - 1] = self[next] }
    count -= 1
  }

  /// The place of the newest name among the files before `index` and those that precede the table.
  func placeBefore(_ index: Int, _ track: DatedTrack) -> NamePlace? {
    for earlier in (0..<index).reversed() where self[earlier].kind.track == track {
      return NamePlace(seconds: self[earlier].nameSeconds, number: self[earlier].number)
    }
    let floor = floors[track.rawValue]
    return floor > 0 ? NamePlace(seconds: floor, number: 0) : nil
  }

  /// The place behind which the name of the next file must be. Files that have their true date do not count: a pre-roll
  /// may begin before the last file of the take before.
  func placeBeforeNext(_ track: DatedTrack, by offsetNanoseconds: Int64) -> NamePlace? {
    for earlier in (0..<count).reversed() where self[earlier].kind.track == track {
      let file = self[earlier]
      if file.holdsLater || file.nameSeconds != file.dateSeconds || file.isWrong(by: offsetNanoseconds) {
        return placeBefore(earlier + 1, track)
      }
    }
    return placeBefore(0, track)
  }

  /// The time in the newest name of the track.
  func newestSeconds(_ track: DatedTrack) -> Int64 {
    var newest = floors[track.rawValue]
    for index in 0..<count where self[index].kind.track == track { newest = max(newest, self[index].nameSeconds) }
    return newest
  }

  /// The next step towards true dates for all files.
  enum Next {
    /// Give the file at this place another date, and a name with this time.
    case file(Int, nameSeconds: Int64)
    /// Something is wrong but cannot be changed now.
    case waits
    /// All dates are right.
    case nothing
  }

  /// The next file to be dated anew. When a file is renamed, its new name sorts between those of its neighbours, but
  /// for the overlap of two takes, so that the names are in order at any moment.
  /// - Parameters:
  ///   - offsetNanoseconds: Unix time minus boot clock time.
  ///   - overlapSeconds: by how much a file may begin before the one before it.
  ///   - mayMove: whether a file can be renamed now.
  func next(by offsetNanoseconds: Int64, overlapSeconds: Int64, _ mayMove: (DatedFile) -> Bool) -> Next {
    var hasWrong = false
    var wanted = InlineArray<2, NamePlace?>(repeating: nil)
    for index in 0..<count {
      let file = self[index]
      let track = file.kind.track
      let before = wanted[track.rawValue] ?? placeBefore(0, track)
      let date = file.isWrong(by: offsetNanoseconds) ? file.dateSeconds(by: offsetNanoseconds) : file.dateSeconds
      var seconds = file.isPinned ? file.nameSeconds : date
      if let before, !file.isPinned { seconds = max(seconds, before.earliest(for: file.number)) }
      if file.holdsLater || seconds != date {
        wanted[track.rawValue] = NamePlace(seconds: seconds, number: file.number)
      }
      let isRight = seconds == file.nameSeconds && !file.isWrong(by: offsetNanoseconds)
      guard !file.isPinned, !isRight else { continue }
      if fits(seconds, at: index, overlapSeconds), mayMove(file) { return .file(index, nameSeconds: seconds) }
      hasWrong = true
    }
    return hasWrong ? .waits : .nothing
  }

  private func fits(_ seconds: Int64, at index: Int, _ overlapSeconds: Int64) -> Bool {
    let file = self[index]
    if let before = placeBefore(index, file.kind.track), seconds + overlapSeconds < before.earliest(for: file.number) {
      return false
    }
    for later in index + 1..<max(count, index + 1) where self[later].kind.track == file.kind.track {
      return NamePlace(seconds: seconds, number: file.number).earliest(for: self[later].number)
        <= self[later].nameSeconds + overlapSeconds
    }
    return true
  }
}

extension DatedFile {
  /// Whether later names must be behind this one, even if both files have their true dates: it cannot move, or the next
  /// number has more digits, and would sort before this one within a second.
  var holdsLater: Bool { isPinned || NamePlace(seconds: 0, number: number).earliest(for: number + 1) > 0 }

  /// Whether its date is so wrong that it must be dated anew.
  func isWrong(by offsetNanoseconds: Int64) -> Bool {
    let (shift, overflow) = offsetNanoseconds.subtractingReportingOverflow(self.offsetNanoseconds)
    return overflow || shift.magnitude >= TakeLimits.clockStepNanoseconds
  }
}
