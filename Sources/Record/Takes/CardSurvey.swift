import Base
import Machine
import Media

/// A take's file on the card, identified by its name.
struct NumberedTake: BitwiseCopyable {
  /// NNNN.
  var number: UInt32 = 0
  /// Empty if there is none.
  var path: FixedText<128> = ""
}

/// What the names on the card show about its takes. They are authoritative: the journal may be lost or outdated.
struct CardSurvey {
  /// The highest number of any take or still, with whatever extension, including those in the bin and those that only
  /// have a name, remarks or a ledger; 0 if there is none.
  private(set) var highestNumber: UInt32 = 0
  /// The time in the newest name of a take, and of a still, in seconds since 1970; 0 if there is none.
  private(set) var newestSeconds = InlineArray<2, Int64>(repeating: 0)
  /// The takes with the highest numbers, highest first: as many as can be open at once.
  private(set) var newestTakes = InlineArray<8, NumberedTake>(repeating: NumberedTake())
  /// Why a folder could not be listed, so that it may contain higher numbers.
  private(set) var failure: DeviceFailure?

  /// Lists all take folders, only by names and kinds: no file is opened.
  init(_ storage: inout Storage) {
    survey("video", .takes, &storage)
    survey("audio", .takes, &storage)
    survey("photo", .stills, &storage)
    note(
      Self.list("bin", in: &storage) { entry in
        guard entry.name.byteCount > 9, let name = TakeName(stemOf: entry.name.bytes.extracting(droppingFirst: 9))
        else { return }
        note(name.number)
      })
    noteFiles(in: "names", &storage)
    noteFiles(in: "remarks", &storage)
    noteFiles(in: TakeLedger.folder, &storage)
  }

  /// Continues from place to place in `root`: listing it anew for each folder would take quadratic time.
  private mutating func survey(_ root: FixedText<128>, _ track: DatedTrack, _ storage: inout Storage) {
    var place: UInt64? = 0
    while let start = place {
      var folder = FixedText<128>()
      do throws(DeviceFailure) {
        place = try storage.forEachEntry(of: FixedText(root.bytes), from: start, isExamined: false) { entry in
          guard entry.isFolder else { return true }
          folder = "\(root)/\(entry.name)"
          return false
        }
      } catch { return note(error) }
      guard !folder.isEmpty else { return }
      note(Self.list(folder, in: &storage) { entry in note(entry, in: folder, track) })
    }
  }

  private static func list(
    _ folder: FixedText<128>, in storage: inout Storage, _ visit: (borrowing FolderEntry) -> Void
  ) -> DeviceFailure? {
    do throws(DeviceFailure) { try storage.forEachName(in: folder, visit) } catch { return error }
    return nil
  }

  /// Something missing, or something of that name that is not a folder, contains no takes.
  private mutating func note(_ failure: DeviceFailure?) {
    if let failure, failure.kind != .absent, failure.kind != .unsupported { self.failure = self.failure ?? failure }
  }

  private mutating func note(_ number: UInt32) {
    if number <= TakeLimits.mostNumber { highestNumber = max(highestNumber, number) }
  }

  /// Names, remarks or ledgers: a file's name is just the number of a take.
  @inline(never)
  private mutating func noteFiles(in folder: FixedText<128>, _ storage: inout Storage) {
    note(
      Self.list(folder, in: &storage) { entry in
        if entry.kind == .file, let number = entry.name.bytes.parseInteger(as: UInt32.self) { note(number) }
      })
  }

  private mutating func note(_ entry: borrowing FolderEntry, in folder: FixedText<128>, _ track: DatedTrack) {
    guard let name = TakeName(stemOf: entry.name.bytes), name.number <= TakeLimits.mostNumber else { return }
    note(name.number)
    if let day = CivilTime.dayNumber(ofDateText: folder.lastPart) {
      let seconds = name.unixSeconds(inFolderOf: day)
      if seconds < ClockSource.plausibleUnixSeconds.upperBound {
        newestSeconds[track.rawValue] = max(newestSeconds[track.rawValue], seconds)
      }
    }
    if track == .takes, entry.kind == .file {
      insert(NumberedTake(number: name.number, path: "\(folder)/\(entry.name)"))
    }
  }

  private mutating func insert(_ take: NumberedTake) {
    var take = take
    for index in newestTakes.indices where newestTakes[index].number < take.number {
      swap(&newestTakes[index], &take)
    }
  }
}

extension Storage {
  /// Whether a take grew and was not completed: it begins like a take, has more than its header, and has no end.
  mutating func isUnfinished(_ path: FixedText<128>) -> Bool { isTake(path, isFinished: false) }

  /// Whether a take is complete, whatever the journal lists.
  mutating func isFinished(_ path: FixedText<128>) -> Bool { isTake(path, isFinished: true) }

  private mutating func isTake(_ path: FixedText<128>, isFinished: Bool) -> Bool {
    do throws(DeviceFailure) {
      var file = try open(path)
      var front = InlineArray<1024, UInt8>(repeating: 0)
      let fileByteCount = file.byteCount
      let bytes = unsafe try file.read(at: 0, &front).bytes
      let hasEnd = ClosingPlace.start(front: bytes, fileByteCount: fileByteCount) != nil
      guard !isFinished else { return hasEnd }
      return !hasEnd && fileByteCount > UInt64(MovieLimits.headerByteCount) && ClosingPlace.isOwn(front: bytes)
    } catch { return false }
  }

  /// Whether a take itself says that it ended, whatever the journal lists: in its ledger, in a place that needs no
  /// space, or by being complete. One that was interrupted, split or turned goes on.
  mutating func hasEnded(_ path: FixedText<128>) -> Bool {
    do throws(DeviceFailure) {
      var ledger = try open(TakeLedger.path(ofTake: path))
      var mark = InlineArray<6, UInt8>(repeating: 0)
      return try ledger.read(at: LedgerFile.endOffset, &mark).equals(LedgerFile.endMark)
    } catch {}
    do throws(DeviceFailure) {
      var file = try open(path)
      return try file.hasEnded()
    } catch { return false }
  }
}

extension StoredFile {
  /// Whether it is complete, and its ledger does not say that the take goes on. On a full card it has no ledger.
  fileprivate mutating func hasEnded() throws(DeviceFailure) -> Bool {
    var piece = InlineArray<1024, UInt8>(repeating: 0)
    let fileByteCount = byteCount
    guard
      let closing = unsafe ClosingPlace.ledger(
        front: try read(at: 0, &piece).bytes, fileByteCount: fileByteCount, tailByteCount: RestSealing.tailByteCount)
    else { return false }
    var offset = closing.lowerBound
    var ending: TakeEnding?
    while offset < closing.upperBound {
      ending = TakeEnding(lastIn: try read(at: offset, &piece)) ?? ending
      // A line that begins in this piece is complete in the next one.
      offset += UInt64(piece.count - 128)
    }
    return ending?.goesOn != true
  }

  /// - Returns: the part of `piece` that was read.
  @_lifetime(&piece)
  fileprivate mutating func read<let capacity: Int>(
    at offset: UInt64, _ piece: inout InlineArray<capacity, UInt8>
  ) throws(DeviceFailure) -> Span<UInt8> {
    var span = piece.mutableSpan
    var space = unsafe span.mutableBytes
    let count = try read(at: offset, into: &space)
    return piece.span.extracting(first: count)
  }
}

/// What was wrong with the journal and has been repaired.
enum JournalProblem {
  case missing
  case empty
  case unreadable
  case old

  fileprivate var text: StaticString {
    switch self {
    case .missing: "is missing though there are takes"
    case .empty: "was empty"
    case .unreadable: "is what the file state was, which could not be read"
    case .old: "was older than the takes"
    }
  }
}

extension DeviceFailure {
  /// - Parameter path: the journal's path, or its new name.
  static func journal(_ problem: JournalProblem, _ path: FixedText<128> = TakeJournal.path) -> DeviceFailure {
    DeviceFailure(
      device: .storage, kind: .unsupported, subject: FixedText(path.bytes), problem: problem.text,
      remedy: "it was made anew; numbers go on from the takes on the card")
  }
}
