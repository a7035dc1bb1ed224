import Base
import Configuration
import Machine
import Media

extension StorageWorker {
  /// The next file, named by its beginning, and after all files whose names a wrong clock made. It uses up a number.
  /// - Parameter offsetNanoseconds: Unix time minus boot clock time, by which it is dated.
  mutating func nextFile(_ kind: DatedKind, dateNanoseconds: Int64, by offsetNanoseconds: Int64) -> DatedFile {
    let number = UInt32(clamping: journal.reserveNumber())
    let dateNanoseconds = max(dateNanoseconds, 0)
    let before = dated.placeBeforeNext(kind.track, by: offsetNanoseconds)
    return DatedFile(
      kind: kind, number: number, dateNanoseconds: dateNanoseconds,
      nameSeconds: max(dateNanoseconds / 1_000_000_000, before?.earliest(for: number) ?? 0),
      offsetNanoseconds: offsetNanoseconds)
  }

  /// After the clock was set, gives the next file of this boot its true date, in the file and in its name.
  mutating func dateNext() -> Bool {
    guard let offset = datingOffset, !isArmed || tracks.timeline.now >= nextDating else { return false }
    switch nextDated(by: offset) {
    case .nothing:
      datingOffset = nil
      return false
    case .waits: return false
    case .file(let index, let nameSeconds):
      do throws(DeviceFailure) {
        try date(index, by: offset, nameSeconds: nameSeconds)
        return true
      } catch {
        return leave(index, after: error)
      }
    }
  }

  private func nextDated(by offset: Int64) -> DatedFiles.Next {
    dated.next(by: offset, overlapSeconds: TakeLimits.overlapSeconds(settings.record.prerollSeconds)) {
      !isOpen($0.path(settings.naming))
    }
  }

  /// Whether a file is growing, being completed, or waiting for that.
  private func isOpen(_ path: FixedText<128>) -> Bool {
    completions.holds(path) || journal.isGrowing(path) || journal.lists(path)
  }

  /// Dates the content first: after a power cut before the renaming, only the name is still the old one.
  private mutating func date(_ index: Int, by offset: Int64, nameSeconds: Int64) throws(DeviceFailure) {
    let file = dated[index]
    let path = file.path(settings.naming)
    if try isListedAsCopied(path.parentFolder) {
      dated[index].isPinned = true
      return report(.undated(path: path, .copied))
    }
    var isDatedInside = true
    if file.isWrong(by: offset) {
      let dateNanoseconds = file.dateNanoseconds(by: offset)
      let correction = DateCorrection(
        from: file.dateSeconds, to: file.dateSeconds(by: offset),
        shiftNanoseconds: dateNanoseconds - file.dateNanoseconds)
      isDatedInside = try correct(path, file.kind, correction)
      dated[index].dateNanoseconds = dateNanoseconds
      dated[index].offsetNanoseconds = offset
    }
    let newPath = file.path(settings.naming, at: nameSeconds)
    guard newPath != path else { return }
    try rename(path, to: newPath, nameSeconds: nameSeconds, file.kind.track)
    dated[index].nameSeconds = nameSeconds
    // Until it is saved for another reason, the journal may list a newer name than exists, which is harmless.
    journal.note(newest: dated.newestSeconds(file.kind.track), file.kind.track)
    report(.dated(path: path, newPath: newPath, isDatedInside: isDatedInside))
  }

  /// Renames a file. The journal lists a newer name before it exists.
  private mutating func rename(
    _ path: FixedText<128>, to newPath: FixedText<128>, nameSeconds: Int64, _ track: DatedTrack
  ) throws(DeviceFailure) {
    try makeFolder(newPath.parentFolder)
    if nameSeconds > journal.newest(track) {
      journal.note(newest: nameSeconds, track)
      try journal.save(to: &storage)
    }
    try storage.rename(path, to: newPath)
    try synchroniseFolders(from: newPath.parentFolder)
    try storage.synchroniseFolder(path.parentFolder)
  }

  /// - Returns: whether the old date was found. A protected file cannot be opened for writing and keeps its date.
  private mutating func correct(
    _ path: FixedText<128>, _ kind: DatedKind, _ correction: DateCorrection
  ) throws(DeviceFailure) -> Bool {
    var file: StoredFile
    do throws(DeviceFailure) { file = try storage.open(path) } catch {
      guard error.kind == .noPermission else { throw error }
      return false
    }
    let key = settings.signingKey
    var buffer = scratch.mutableBytes
    var sealing = RestSealing(.finished)
    let isSealed = try sealing.breakSeal(of: &file, scratch: &buffer)
    let isFound =
      switch kind {
      case .movie: try correction.correct(movie: &file, scratch: &buffer)
      case .sound: try correction.correct(audio: &file, scratch: &buffer)
      case .still: try correction.correct(still: &file, scratch: &buffer)
      }
    if case .sound(.wav) = kind { try ledgers.texts.renew(&file, scratch: &scratch) }
    try file.synchronise()
    var sealBuffer = scratch.mutableBytes
    if isSealed { while try !sealing.step(&file, scratch: &sealBuffer, key: key) {} }
    return isFound
  }

  /// Whether a folder has a list of copied files, or one in the making: listed files keep their names.
  private mutating func isListedAsCopied(_ folder: FixedText<128>) throws(DeviceFailure) -> Bool {
    var isListed = false
    try storage.forEachName(in: folder) { if $0.name == ".copied" || $0.name == ".copying" { isListed = true } }
    return isListed
  }

  /// An operation that the card refuses is retried a second later. A file that has vanished is forgotten.
  /// - Returns: whether there is nothing to retry.
  private mutating func leave(_ index: Int, after failure: DeviceFailure) -> Bool {
    switch failure.kind {
    case .absent where isCardThere:
      dated.remove(at: index)
      return true
    case .exists:
      dated[index].isPinned = true
      report(.undated(path: dated[index].path(settings.naming), .nameIsTaken))
      return true
    default:
      nextDating = tracks.timeline.now + UInt64(formats.timelineRateHz)
      return false
    }
  }

  private var isCardThere: Bool {
    do throws(DeviceFailure) {
      _ = try storage.freeByteCount()
      return true
    } catch {
      return false
    }
  }
}
