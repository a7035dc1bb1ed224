import Base
import Machine
import TestSupport
import Wire

/// A decoder process that answers for each file as its ``FakeCard`` specifies, including misbehaviour.
struct FakeProber: DecoderDriver, ~Copyable {
  /// The test's view of it.
  @safe final class Log {
    /// The memory for extracted lyrics and pictures.
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: ExtractMemory.byteCount, alignment: 8)
    /// The result of an extraction from each file.
    var extracts: [String: Extracted] = [:]
    var extractedPaths: [String] = []
    var probedPaths: [String] = []
    var startCount = 0
    var stopCount = 0
    /// Whether the program is missing.
    var isMissing = false
    /// Whether it ends before its first order, because a library that it needs is missing.
    var isIncomplete = false
    /// How many polls it takes to answer.
    var patience = 0
    /// If not 0, the process ends by itself before every n-th order.
    var dyingPeriod = 0
    var longestWaitNanoseconds: UInt64 = 0
  }

  let card: FakeCard
  let log: Log
  let isInStep: Bool
  private(set) var isRunning = false
  private var messages: [DecoderMessage] = []
  private var hasCrashed = false
  private var isMute = false
  private var questionsLeft = 0

  init(card: FakeCard, log: Log, isInStep: Bool) {
    self.card = card
    self.log = log
    self.isInStep = isInStep
  }

  var ringMemory: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(log.memory) }

  mutating func start() throws(DeviceFailure) {
    if log.isMissing { throw failure() }
    log.startCount += 1
    isRunning = true
    hasCrashed = false
    isMute = false
    messages = log.isIncomplete ? [] : [.ready]
  }

  mutating func stop() {
    log.stopCount += 1
    isRunning = false
  }

  mutating func send(_ order: DecoderOrder) throws(DeviceFailure) {
    fatalError("a prober is only given files")
  }

  mutating func send(_ order: DecoderOrder, withFileAt path: borrowing FixedText<256>) throws(DeviceFailure) {
    let name = String(copy path)
    guard isRunning else { throw failure() }
    guard let file = card.files[name], !card.brokenFiles.contains(name) else {
      let kind: DeviceFailure.Kind = card.files[name] == nil ? .absent : .failed
      throw DeviceFailure(device: .storage, kind: kind, subject: "", problem: "broke", remedy: "mend it")
    }
    if log.dyingPeriod > 0, (log.startCount + log.probedPaths.count) % log.dyingPeriod == 0 {
      isRunning = false
      throw failure()
    }
    if case .extract(_, let requestID) = order {
      log.extractedPaths.append(name)
      if case .sound = file.content {
        messages.append(.extracted(requestID: requestID, log.extracts[name] ?? .nothing))
      } else {
        answer(requestID, file)
      }
      return
    }
    guard case .probe(let requestID) = order else { fatalError("a prober only probes") }
    if log.isIncomplete {
      hasCrashed = true
      return
    }
    log.probedPaths.append(name)
    answer(requestID, file)
    questionsLeft = log.patience
  }

  private mutating func answer(_ requestID: UInt32, _ file: FakeCard.File) {
    switch file.content {
    case .sound(let title, let artist, let seconds):
      var properties = ItemProperties()
      properties.title = FixedText(title)
      properties.artist = FixedText(artist)
      properties.durationSeconds = seconds
      properties.albumPlace = file.albumPlace
      messages.append(.opened(requestID: requestID, properties, PacketReading()))
    case .noSound: messages.append(.refused(requestID: requestID, .noSound))
    case .fatal: hasCrashed = true
    case .endless: isMute = true
    case .babble:
      var lie = ItemProperties()
      lie.title = "lie"
      for number in 0..<30 as Range<UInt32> {
        messages.append(.opened(requestID: requestID &+ 1 &+ number, lie, PacketReading()))
        messages.append(.refused(requestID: requestID &- 1 &- number, .damaged))
        messages.append(.filled(endFrame: .max, PacketReading()))
      }
    }
  }

  mutating func receive(waitNanoseconds: UInt64) throws(DeviceFailure) -> DecoderMessage? {
    log.longestWaitNanoseconds = max(log.longestWaitNanoseconds, waitNanoseconds)
    guard isRunning else { throw failure() }
    guard questionsLeft == 0 else {
      questionsLeft -= 1
      return nil
    }
    if isMute { return nil }
    if !messages.isEmpty { return messages.removeFirst() }
    if hasCrashed {
      isRunning = false
      throw failure()
    }
    return nil
  }

  private func failure() -> DeviceFailure {
    DeviceFailure(device: .decoder, kind: .failed, subject: "", problem: "crashed", remedy: "start it")
  }
}
