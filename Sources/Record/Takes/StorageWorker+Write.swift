import Base
import Machine
import Media

extension StorageWorker {
  /// Writes the next fragment of the take once all of it has arrived.
  mutating func writeFragment() -> Bool {
    guard let cut = take?.nextCut(in: tracks) else { return false }
    let hadRefused = take?.refusedPictureCount ?? 0 > 0
    do throws(DeviceFailure) {
      let start = progress.writes.begin()
      try take?.write(to: cut, from: tracks, scratch: &scratch, &encoder, flushes: progress.flushes)
      progress.writes.end(start)
      measure()
      noteConfirmed()
      if !hadRefused, take?.refusedPictureCount ?? 0 > 0 {
        report(.picturesRefused(pictureFailure("sends packets without a frame")))
      }
      trouble.clear()
      keepLedger()
      keepSpare()
      take?.publish(to: progress)
      noteLasting()
      if cut.isLast {
        close()
      } else if let needed = take?.neededByteCount, needed + settings.reserveByteCount > freeByteCount {
        fail(cardIsFull)
      } else if cut.isSplitPoint, take?.isSplitDue == true || hasPicturesAgain(at: cut) {
        split(at: cut)
      }
    } catch {
      // The card may have refused only the header.
      measure()
      if error.isFileLimit, goOnInNextFile() { return true }
      let isFirst = !trouble.isPresent
      if trouble.mayRetry(after: error, at: moment) {
        if isFirst { enterCardTrouble(error) }
        return false
      }
      fail(error)
    }
    return true
  }

  /// Measures what has been written, and is still in the ring.
  private mutating func measure() {
    guard let start = measuredPosition, let end = take?.writtenPosition else { return }
    meter.hear(tracks, from: start, to: end)
    measuredPosition = end
  }

  /// The journal on the card gets this when it is next saved for another reason, so it costs no flush of its own.
  private mutating func noteConfirmed() {
    guard let path = take?.path, let byteCount = take?.byteCount else { return }
    journal.note(confirmed: .exactly(byteCount), of: path)
  }

  /// A take that continues an interrupted one and has lasted may itself be continued.
  private mutating func noteLasting() {
    guard journal.interruption.shortResumptionCount > 0, let start = take?.order.startPosition,
      let written = take?.writtenPosition, written >= start,
      written - start >= TakeLimits.resumedSeconds * UInt64(formats.timelineRateHz)
    else { return }
    journal.noteLasting()
    saveJournal()
  }

  /// Whether a file that was started without pictures can be followed by one that has them.
  private mutating func hasPicturesAgain(at cut: TakeCut) -> Bool {
    take?.lacksPictures == true && formats.video != nil && coding != nil && cut.endPicture < tracks.pictures.end
  }

  private mutating func close() {
    endLedger(as: take?.ending ?? .stopped, until: take?.endPosition)
    noteTakeEnd()
    guard let closing = take.take() else { return }
    let number = closing.order.number
    beginCompletion(of: closing, for: .end(take: number))
  }

  /// Continues in a new file, which starts exactly where the full one ends.
  private mutating func split(at cut: TakeCut) {
    let ending = take?.ending ?? .stopped
    let isTurned = take?.turn.map { $0.position <= cut.position } ?? false
    endLedger(as: isTurned ? .turned : .split)
    guard let full = take.take() else { return }
    pending = continuation(of: full, ending: ending, at: TakeOpening(position: cut.position, picture: cut.endPicture))
    beginCompletion(of: full, for: .split)
    _ = beginPending()
  }

  /// The file is full sooner than expected: its content stays, and the fragment goes into the next one. A file without
  /// a fragment cannot be used.
  private mutating func goOnInNextFile() -> Bool {
    guard take?.fragmentCount ?? 0 > 0, let byteCount = take?.byteCount, let position = take?.writtenPosition,
      let picture = take?.nextPicture
    else { return false }
    foundFileLimit = byteCount
    split(at: TakeCut(position: position, endPicture: picture))
    return true
  }

  private func continuation(
    of take: borrowing OpenTake, ending: TakeEnding, at opening: TakeOpening
  ) -> PendingTake {
    var next = PendingTake(
      start: take.order, endPosition: take.endPosition, ending: ending, opening: opening, turn: take.turn)
    let part = take.order.part ?? TakePart(index: 1, take: take.layout.provenance.fileNumber)
    next.start.part = TakePart(index: part.index + 1, take: part.take)
    if let turn = next.turn, turn.position <= opening.position {
      next.start.orientation = turn.orientation
      next.turn = nil
    }
    return next
  }

  /// The content of the file stays. Completing it is attempted, because even a full card may allow that.
  private mutating func fail(_ failure: DeviceFailure) {
    let ending = take?.ending ?? .stopped
    if failure.kind == .full { _ = giveUpSpare() }
    endLedger(as: failure.kind == .full ? .cardFull : .cardFailed)
    guard let failed = take.take() else { return }
    let (number, end) = (failed.order.number, failed.writtenPosition)
    // Without a fragment in between, the take could go back and forth for ever.
    if goOnWithOtherCard(after: failure) || fallBack(after: failure)
      || (failed.fragmentCount > 0 && returnToCard(after: failure))
    {
      pending = continuation(
        of: failed, ending: ending, at: TakeOpening(position: end, picture: failed.nextPicture))
      beginCompletion(of: failed, for: .split)
      return
    }
    noteTakeFailure(failure)
    beginCompletion(of: failed, for: .split)
    report(.failed(take: number, failure, end: end))
  }

  /// Reported while the tables that complete the file still fit on the card.
  var cardIsFull: DeviceFailure {
    DeviceFailure(
      device: .storage, kind: .full, subject: "", problem: "has no room for more of a take",
      remedy: "delete takes, or use a larger card")
  }
}

extension LoudnessMeter {
  fileprivate mutating func hear(
    _ tracks: borrowing RecordedTracks, from start: TimelinePosition, to end: TimelinePosition
  ) {
    var next = start
    while next < end {
      let frames = tracks.samples.frames(from: next, to: end)
      add(frames)
      next += UInt64(frames.byteCount / tracks.samples.bytesPerFrame)
    }
  }
}
