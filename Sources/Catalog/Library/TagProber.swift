import Base
import Machine
import Wire

/// Has a decoder process read the tags of new and changed files, one file at a time.
struct TagProber: ~Copyable {
  private enum State {
    case idle
    case working(Work, requestID: UInt32, deadline: Instant)
    /// In this pass the process could not be started, or crashed before it took an order; the next pass tries again.
    case unavailable(passNumber: UInt8)
  }

  private enum Work {
    /// Reads the tags of the file in this slot of the index.
    case probe(slot: UInt32)
    /// Extracts something from a file.
    case extract

    /// How long it may take a process that is ready.
    var patienceNanoseconds: UInt64 {
      switch self {
      case .probe: LibraryLimits.probeNanoseconds
      case .extract: LibraryLimits.extractNanoseconds
      }
    }
  }

  private var process: Decoder
  private let time: LibraryTime
  private var state = State.idle
  /// Whether the process has reported that it accepts orders.
  private var isReady = false
  private var lastRequestID: UInt32 = 0
  /// Where the search for the next file begins.
  private var nextSlot: UInt32 = 0
  /// The last extracted content, until it is taken.
  private var extracted: Result<Extracted, DecoderRefusal>?

  init(_ process: consuming Decoder, _ time: LibraryTime) {
    self.process = process
    self.time = time
  }

  /// Probes the next file, or handles the answer.
  /// - Parameter mayWait: whether there is nothing else to do meanwhile.
  /// - Returns: false if there is nothing to probe, or no process.
  mutating func step(_ catalog: inout Catalog, mayWait: Bool) -> Bool {
    if case .unavailable(let passNumber) = state, passNumber != catalog.passNumber { state = .idle }
    switch state {
    case .idle:
      if let slot = nextUnread(catalog.index) {
        begin(slot, &catalog)
        return true
      }
    case .working:
      receive(&catalog.index, catalog.passNumber, waitNanoseconds: mayWait ? LibraryLimits.pollNanoseconds : 0)
      return true
    case .unavailable: break
    }
    // Until there is something new, the process would only occupy memory.
    if catalog.noteAllProbed(), process.isRunning { process.stop() }
    return false
  }

  private mutating func nextUnread(_ index: borrowing MediaIndex) -> UInt32? {
    guard index.unreadCount > 0 else { return nil }
    for _ in 0..<index.usedSlotCount {
      if nextSlot >= index.usedSlotCount { nextSlot = 0 }
      let slot = nextSlot
      nextSlot += 1
      if index.isUsed(slot), index[slot].state == .waiting { return slot }
    }
    return nil
  }

  private mutating func begin(_ slot: UInt32, _ catalog: inout Catalog) {
    let path = FixedText<256>(catalog.index.path(of: slot))
    lastRequestID &+= 1
    do throws(DeviceFailure) {
      try send(.probe(requestID: lastRequestID), path)
      catalog.index.setState(.underway, of: slot)
      wait(for: .probe(slot: slot), &catalog)
    } catch  where error.device != .storage {
      state = .unavailable(passNumber: catalog.passNumber)
    } catch  where error.kind == .absent {
      catalog.index.remove(slot)
    } catch {
      catalog.index.setState(.unplayable(.unreadable), of: slot)
    }
  }

  /// Has something extracted from a file; the result is returned by ``takeExtracted()``.
  /// - Returns: false, with nothing started, while another file is being examined.
  mutating func extract(
    _ extract: Extract, from path: FixedText<256>, _ catalog: inout Catalog
  ) throws(DeviceFailure) -> Bool {
    if case .working = state { return false }
    lastRequestID &+= 1
    extracted = nil
    try send(.extract(extract, requestID: lastRequestID), path)
    wait(for: .extract, &catalog)
    return true
  }

  /// Waits for the result of the order that was just sent.
  private mutating func wait(for work: Work, _ catalog: inout Catalog) {
    state = .working(work, requestID: lastRequestID, deadline: deadline(of: work))
    // No time passes on a virtual clock meanwhile, so only the system's clock can end the wait.
    guard process.isInStep else { return }
    receive(&catalog.index, catalog.passNumber, waitNanoseconds: work.patienceNanoseconds)
  }

  /// When the process is given up if the work begins now: once it has started, the start no longer counts.
  private func deadline(of work: Work) -> Instant {
    time.now + (isReady ? work.patienceNanoseconds : LibraryLimits.startNanoseconds)
  }

  /// The result of ``extract(_:from:_:)``; nil until there is one.
  mutating func takeExtracted() -> Result<Extracted, DecoderRefusal>? { extracted.take() }

  /// Where extracted content stays until the next extraction. The process may change it at any time.
  var memory: UnsafeRawBufferPointer { unsafe Self.memory(of: process) }

  private static func memory(of process: borrowing Decoder) -> UnsafeRawBufferPointer { unsafe process.ringMemory }

  /// Restarts a process that has exited since the last file, once.
  private mutating func send(_ order: DecoderOrder, _ path: FixedText<256>) throws(DeviceFailure) {
    if !process.isRunning { try start() }
    do throws(DeviceFailure) {
      try process.send(order, withFileAt: path)
    } catch  where error.device != .storage {
      try start()
      try process.send(order, withFileAt: path)
    }
  }

  private mutating func start() throws(DeviceFailure) {
    isReady = false
    try process.start()
  }

  private mutating func receive(_ index: inout MediaIndex, _ passNumber: UInt8, waitNanoseconds: UInt64) {
    var waitNanoseconds = waitNanoseconds
    for _ in 0..<LibraryLimits.strayMessagesPerProbe {
      guard case .working(_, _, let deadline) = state else { return }
      do throws(DeviceFailure) {
        guard let message = try process.receive(waitNanoseconds: waitNanoseconds) else {
          let isLate = process.isInStep || time.now >= deadline
          if isLate { giveUp(.unplayable(.tooSlow), &index) }
          return
        }
        take(message, &index)
      } catch  where isReady {
        giveUp(.unplayable(.fatal), &index)
      } catch {
        // A crash before the first order is not the fault of a file: perhaps a library is missing.
        giveUp(.waiting, &index)
        state = .unavailable(passNumber: passNumber)
      }
      if !process.isInStep { waitNanoseconds = 0 }
    }
    if case .working = state { giveUp(.unplayable(.fatal), &index) }
  }

  /// Ignores a message for another request: the process may send anything.
  private mutating func take(_ message: DecoderMessage, _ index: inout MediaIndex) {
    guard case .working(let work, let requestID, _) = state else { return }
    switch (message, work) {
    case (.ready, _):
      isReady = true
      state = .working(work, requestID: requestID, deadline: deadline(of: work))
    case (.opened(requestID, let properties, _), .probe(let slot)):
      if isProbed(slot, index) {
        index.setTags(
          of: slot, title: properties.title.printable.trimmed, artist: properties.artist.printable.trimmed,
          durationSeconds: properties.isPossible ? properties.durationSeconds : nil,
          albumPlace: properties.albumPlace)
      }
      finish(.playable, &index)
    case (.extracted(requestID, let content), .extract):
      extracted = .success(content)
      state = .idle
    case (.refused(requestID, let refusal), _): finish(.unplayable(refusal), &index)
    default: break
    }
  }

  /// Stops the process; the next file starts a new one.
  private mutating func giveUp(_ result: ProbeState, _ index: inout MediaIndex) {
    process.stop()
    finish(result, &index)
  }

  private mutating func finish(_ result: ProbeState, _ index: inout MediaIndex) {
    guard case .working(let work, _, _) = state else { return }
    state = .idle
    switch (work, result) {
    case (.probe(let slot), _): if isProbed(slot, index) { index.setState(result, of: slot) }
    case (.extract, .unplayable(let refusal)): extracted = .failure(refusal)
    case (.extract, _): extracted = .failure(.fatal)
    }
  }

  /// False for a file that changed or vanished meanwhile, or whose slot now holds another one.
  private func isProbed(_ slot: UInt32, _ index: borrowing MediaIndex) -> Bool {
    index.isUsed(slot) && index[slot].state == .underway
  }
}

extension FixedText {
  /// The text without leading and trailing spaces.
  var trimmed: Self { Self(bytes.trimmed) }
}
