import Base
import Catalog
import Configuration
import Console
import Machine
import Record

extension RecordingService {
  /// Handles a report of the storage worker.
  /// - Returns: a notice for the library.
  mutating func serve(
    _ report: TakeReport, _ machine: inout Hardware, _ console: inout ConsoleSession,
    at now: Instant
  ) -> Effect? {
    switch report {
    case .opened(let number, let path, let position):
      takeBegan(number, path, at: position, &console)
      return .tellLibrary(.growing(path: "\(path)"))
    case .split(let summary):
      return announce(summary, &console)
    case .finished(let number, let summary):
      let lost = losses
      if number == recorder.newestTake { take?.ended(byteCount: summary.byteCount, losses: lost) }
      closeDevices(on: .takeFinished, ofTake: number, at: machine.clock.now)
      return announce(summary, &console)
    case .repaired(let summary):
      if summary.byteCount == 0 { return announce(summary, &console) }
      console.announce(
        "take \(summary.path) was left open by an interruption, and \(summary.condition.text)", as: .warning)
    case .failed(let number, let failure, let end):
      takeFailed(number, hasFallenBack ? named(failure) : failure, at: end, &console, now)
    case .completionFailed(let failure), .ledgerFailed(let failure), .folderMadeAnew(let failure),
      .picturesRefused(let failure):
      console.announce(failure)
    case .dated(let path, let newPath, let isDatedInside):
      if take?.path == path { take?.path = newPath }
      console.announce("\(path) is \(newPath) now, by the clock that was set" as FixedText<320>)
      if !isDatedInside {
        console.announce("the date inside \(newPath) stays: it could not be changed" as FixedText<256>, as: .warning)
      }
      return .tellLibrary(.renamed(path: "\(path)", newPath: "\(newPath)"))
    case .undated(let path, let reason):
      console.announce("\(path) keeps its date: \(reason.text)" as FixedText<256>)
    case .fellBack(let failure):
      hasFallenBack = true
      lacksFallback = false
      console.announce(failure)
      console.announce("recording goes on in \(settings.storage.fallbackFolder ?? "")" as FixedText<96>, as: .warning)
    case .fallbackFailed(let failure): noteFallback(failure, &console)
    case .storageReturned:
      hasFallenBack = false
      console.announce("storage works again")
      if !capture.isClosed { closeDevices(on: .storageReturned, at: now) }
    case .cardTried(let failure): cardWasTried(failure, at: now)
    case .identityReset(let failure): return .tellIdentity(nil, copyFailure: failure)
    case .identityKept(let failure): return .tellIdentity(failure, copyFailure: nil)
    case .disarmed:
      if recorder.handle(.ringsEmptied) == .servePress { goOnWithEmptyRings(&machine, &console) }
    }
    return nil
  }

  private mutating func takeBegan(
    _ number: UInt32, _ path: FixedText<128>, at position: TimelinePosition, _ console: inout ConsoleSession
  ) {
    if number == recorder.newestTake, take?.path.isEmpty == false { enterFacts(at: position) }
    let continued = number == recorder.newestTake ? take?.began(path: path, atPosition: position) ?? "" : ""
    room.measure(from: progress)
    // What follows was lost in this file.
    ledger.noteLosses(at: nil)
    console.announce("take \(path) began")
    if !continued.isEmpty {
      console.announce("take \(path) continues \(continued), which was interrupted" as FixedText<320>)
    }
    if origin(ofTake: number, console.pending) == .console { console.complete() }
  }

  private mutating func takeFailed(
    _ number: UInt32, _ failure: DeviceFailure, at end: TimelinePosition?, _ console: inout ConsoleSession,
    _ now: Instant
  ) {
    console.note(failure)
    console.refuse(failure.line, for: origin(ofTake: number, console.pending))
    if number == recorder.newestTake, let end { take?.endPosition = end }
    let hasBegun = number == recorder.newestTake && take?.path.isEmpty == false
    if number == recorder.newestTake, !hasBegun, take?.isContinuation == false { sheet.giveBackTake() }
    if isTakeOpen, hasBegun { lossOfTake = now }
    _ = recorder.handle(.takeFailed, ofTake: number)
  }

  /// Enters into each further file of a take the facts that its first file got at the press.
  private mutating func enterFacts(at position: TimelinePosition) {
    enterSheet(at: position)
    sheet.remarks.removeAll()
    if let verdict = take?.verdict, verdict != .neither {
      ledger.note("\(TakeVerdict.key)\(verdict.name)", at: position)
    }
    enterTimecode(at: position)
    enterPlace(at: position)
    enterHeat(at: position)
  }

  /// Handles a failure to use the fallback folder, whose own remedy would concern the data folder.
  mutating func noteFallback(_ failure: DeviceFailure, _ console: inout ConsoleSession) {
    guard let folder = settings.storage.fallbackFolder else { return }
    lacksFallback = true
    let told =
      failure.kind == .full
      ? named(failure)
      : DeviceFailure(
        device: .storage, kind: failure.kind, subject: folder, problem: "cannot be used as the fallback folder",
        remedy: "check its disk and its permissions, or set [storage] fallback",
        systemErrorNumber: failure.systemErrorNumber)
    // Not noted as the newest failure of the storage, which is the card's.
    console.announce(told.line, as: .warning)
  }

  /// A full fallback folder has another remedy than a full card: it must be named.
  private func named(_ failure: DeviceFailure) -> DeviceFailure {
    var failure = failure
    if failure.kind == .full { failure.subject = settings.storage.fallbackFolder ?? "" }
    return failure
  }

  private func announce(_ summary: TakeSummary, _ console: inout ConsoleSession) -> Effect {
    let seconds = Double(summary.timelineFrames) / Double(capture.timelineRateHz)
    if summary.condition != .complete {
      console.announce("take \(summary.path) \(summary.condition.text)", as: .fault)
    } else if summary.byteCount > 0 {
      console.announce(
        "take \(summary.path) is complete: \(grouped: seconds, decimals: 1) s, \(size: summary.byteCount)")
    } else {
      console.announce("take \(summary.path) held nothing and was removed", as: .warning)
    }
    let isSoundAlone = summary.videoFrameCount == 0 && summary.timelineFrames > 0
    return .tellLibrary(.complete(path: "\(summary.path)", soundSeconds: isSoundAlone ? seconds : nil))
  }

  var losses: Losses {
    Losses(
      pictures: captureLosses.pictureCount + encoderCounters.droppedPictureCount
        + encoderCounters.failedPictureCount,
      audioOverruns: captureLosses.overrunCount, leftOutPictures: captureLosses.leftOutCount)
  }
}

extension UndatedReason {
  /// The end of a line about a file.
  fileprivate var text: StaticString {
    switch self {
    case .copied: "its folder has a list of what was copied"
    case .nameIsTaken: "another file has the right name"
    }
  }
}

extension TakeCondition {
  /// The end of a line about a file.
  fileprivate var text: StaticString {
    switch self {
    case .complete: "is complete now"
    case .damaged: "is damaged: a part of it cannot be read, and nothing was deleted"
    case .unreadable: "cannot be read: it was left as it is"
    }
  }
}

extension RecordingService {
  /// Handles the line of `[power]`: finishes the open take at once, and lets none begin until the power is back.
  mutating func notePower(
    _ gesture: Gesture, _ machine: inout Hardware, _ console: inout ConsoleSession
  ) {
    switch gesture {
    case .pressed(let instant):
      isPowerFailing = true
      guard isTakeOpen else {
        return console.announce("power is failing: no take begins", as: .fault)
      }
      console.announce("power is failing: the take is finished now", as: .fault)
      press(&machine, &console, at: instant)
    case .short, .released:
      isPowerFailing = false
      console.announce("power is back")
    case .long, .double: break
    }
  }
}
