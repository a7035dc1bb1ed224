import Port
import Decoding
import Values
import Rings
import Text

extension LibraryWorker where Folders: ~Copyable, Prober: ~Copyable {
  /// Has the next file examined, or takes the answer.
  /// - Parameter mayWait: whether there is nothing else to do meanwhile.
  /// - Returns: false when there is nothing to examine, or nobody to do it.
  mutating func examineFiles(mayWait: Bool) -> Bool {
    switch probe {
    case .idle:
      guard let slot = nextUnread() else {
        noteThatNothingWaits()
        return false
      }
      begin(slot)
      if prober.isInStep { awaitAnswer() }
    case .underway:
      takeMessages(waitNanoseconds: mayWait ? LibraryLimits.pollNanoseconds : 0)
    case .unavailable:
      noteThatNothingWaits()
      return false
    }
    return true
  }

  /// Complete is the index once a pass has ended and nothing it met waits for anything that will come. Until there is
  /// something new, the process only costs memory.
  private mutating func noteThatNothingWaits() {
    guard passCount > 0, case .resting = activity else { return }
    isComplete = true
    if prober.isRunning { prober.stop() }
  }

  private mutating func nextUnread() -> UInt32? {
    guard index.unreadCount > 0 else { return nil }
    for _ in 0..<index.usedSlotCount {
      if nextProbeSlot >= index.usedSlotCount { nextProbeSlot = 0 }
      let slot = nextProbeSlot
      nextProbeSlot += 1
      if index.isUsed(slot), index[slot].state == .waiting { return slot }
    }
    return nil
  }

  private mutating func begin(_ slot: UInt32) {
    let path = FixedText<256>(index.path(of: slot))
    lastTicket &+= 1
    let isRunning = prober.isRunning
    do throws(DeviceFailure) {
      if !isRunning { try startProber() }
      try send(path)
      index.setState(.underway, of: slot)
      let until = time.monotonicNanoseconds &+ LibraryLimits.probeNanoseconds
      probe = .underway(ticket: lastTicket, slot: slot, untilNanoseconds: until)
    } catch  where error.device != .storage {
      probe = .unavailable
    } catch  where error.kind == .absent {
      index.remove(slot)
    } catch {
      index.setState(.unplayable(.unreadable), of: slot)
    }
  }

  /// A process that has ended since the last file is started anew, once.
  private mutating func send(_ path: FixedText<256>) throws(DeviceFailure) {
    do throws(DeviceFailure) {
      try prober.send(.probe(ticket: lastTicket), withFileAt: path)
    } catch  where error.device != .storage {
      try startProber()
      try prober.send(.probe(ticket: lastTicket), withFileAt: path)
    }
  }

  private mutating func startProber() throws(DeviceFailure) {
    isProberReady = false
    try prober.start()
  }

  /// On a virtual clock no time passes meanwhile, so only the system's can end the wait.
  private mutating func awaitAnswer() {
    for _ in 0..<LibraryLimits.strayMessagesPerProbe {
      guard case .underway = probe else { return }
      guard takeMessage(waitNanoseconds: LibraryLimits.probeNanoseconds) else { return giveUp(.tooSlow) }
    }
    if case .underway = probe { giveUp(.fatal) }
  }

  private mutating func takeMessages(waitNanoseconds: UInt64) {
    var waitNanoseconds = waitNanoseconds
    for _ in 0..<LibraryLimits.strayMessagesPerProbe {
      guard case .underway(_, _, let untilNanoseconds) = probe else { return }
      guard takeMessage(waitNanoseconds: waitNanoseconds) else {
        if time.monotonicNanoseconds >= untilNanoseconds { giveUp(.tooSlow) }
        return
      }
      waitNanoseconds = 0
    }
    if case .underway = probe { giveUp(.fatal) }
  }

  /// - Returns: false when none came.
  private mutating func takeMessage(waitNanoseconds: UInt64) -> Bool {
    do throws(DeviceFailure) {
      guard let message = try prober.receive(waitNanoseconds: waitNanoseconds) else { return false }
      take(message)
    } catch  where isProberReady {
      giveUp(.fatal)
    } catch {
      setAside()
    }
    return true
  }

  /// A process that fell before it took any order fell over no file: perhaps a library that it needs is not installed.
  private mutating func setAside() {
    guard case .underway(_, let slot, _) = probe else { return }
    prober.stop()
    probe = .unavailable
    if isStillExamined(slot) { index.setState(.waiting, of: slot) }
  }

  /// What belongs to no ticket of now is passed over: the process may say anything.
  private mutating func take(_ message: DecoderMessage) {
    if message == .ready { isProberReady = true }
    guard case .underway(let ticket, let slot, _) = probe else { return }
    switch message {
    case .opened(ticket, let properties, _):
      probe = .idle
      if isStillExamined(slot) { keep(properties, of: slot) }
    case .refused(ticket, let refusal):
      probe = .idle
      if isStillExamined(slot) { index.setState(.unplayable(refusal), of: slot) }
    default: break
    }
  }

  private mutating func keep(_ properties: ItemProperties, of slot: UInt32) {
    let seconds = properties.durationSeconds
    // A longer file than of a hundred years is a lie; so is one of less than nothing.
    let isPlausible = seconds >= 0 && seconds < 3.2e9
    index.setTags(
      of: slot, title: PlainText.cleaned(properties.title), artist: PlainText.cleaned(properties.artist),
      durationSeconds: isPlausible ? seconds : nil)
    index.setState(.playable, of: slot)
  }

  /// Ends the process, for the next file to start another; what it was about is not examined again until it changes.
  private mutating func giveUp(_ refusal: DecoderRefusal) {
    guard case .underway(_, let slot, _) = probe else { return }
    prober.stop()
    probe = .idle
    if isStillExamined(slot) { index.setState(.unplayable(refusal), of: slot) }
  }

  /// A file that changed or vanished while it was examined has another state now, or its slot another file.
  private func isStillExamined(_ slot: UInt32) -> Bool { index.isUsed(slot) && index[slot].state == .underway }
}
