import Base
import MediaZoo
import TestSupport
import Wire

@testable import Machine

/// A decoder process under test: it is given files, and its output in the ring is kept.
final class DecoderBench {
  /// Thrown instead of waiting any longer.
  enum Trouble: Error, Equatable {
    case silent(afterSeconds: Double)
    case unexpected(String)
    /// The process has crashed.
    case crashed(String)
  }

  /// The processor time that any answer may take, because a user waits no longer. Not wall-clock time, because other
  /// load on the machine is not the decoder's fault.
  static var patienceSeconds: Double { 2 }
  /// After this time it will never answer.
  private static var hangSeconds: Double { 60 }

  private var process: DecoderProcess
  let format: AudioFormat
  private let ringFrameCount: Int
  private var requestID: UInt32 = 0
  /// The ring frame with which the next file begins.
  private(set) var firstFrame: UInt64 = 0
  /// All marks, in order.
  private(set) var marks: [StreamMark] = []
  /// The titles of parts of a file, in order.
  private(set) var titles: [(ringFrame: UInt64, title: String, artist: String)] = []
  /// How often it reported that a seek is under way.
  private(set) var searchReportCount = 0
  /// From the newest answer.
  private(set) var reading = PacketReading()

  /// Starts the program that `make build` put beside the recorder.
  init(_ format: AudioFormat, isInStep: Bool = true) throws {
    let folder = try ProgramUnderTest.path().split(separator: "/").dropLast().joined(separator: "/")
    self.format = format
    ringFrameCount = Int(format.sampleRateHz)
    process = try DecoderProcess(
      program: FixedText("/" + folder + "/fieldcorder-decode"), dataFolder: "/tmp",
      ringByteCount: ringFrameCount * format.bytesPerFrame, format: format, isInStep: isInStep)
    try start()
  }

  /// Starts it, or restarts it after a crash.
  func start() throws {
    try process.start()
    let message = try receive()
    guard message == .ready else { throw Trouble.unexpected("\(message)") }
  }

  /// Opens a stream that another program keeps in sync, received through a pipe; closes the open file.
  func openSynced(_ pipe: Int32) throws -> Result<ItemProperties, Refusal> {
    requestID += 1
    try process.send(.open(requestID: requestID, ringFrame: firstFrame, isSynced: true), with: pipe)
    return try answer()
  }

  /// Opens a file; the open one is closed.
  func open(_ path: String) throws -> Result<ItemProperties, Refusal> {
    requestID += 1
    try process.send(.open(requestID: requestID, ringFrame: firstFrame), withFileAt: FixedText(path))
    return try answer()
  }

  /// Examines a file.
  func probe(_ path: String) throws -> Result<ItemProperties, Refusal> {
    requestID += 1
    try process.send(.probe(requestID: requestID), withFileAt: FixedText(path))
    return try answer()
  }

  /// Opens the next item, which follows the open one.
  func openNext(_ path: String) throws -> Result<ItemProperties, Refusal> {
    requestID += 1
    try process.send(.openNext(requestID: requestID), withFileAt: FixedText(path))
    return try answer()
  }

  /// Sends an order that is not answered at once.
  func send(_ order: DecoderOrder) throws { try process.send(order) }

  /// A refusal, as an error.
  struct Refusal: Error, Equatable {
    var reason: DecoderRefusal
  }

  /// Plays the open item from its present position, in fills of `fillSeconds`.
  /// - Parameters:
  ///   - limitSeconds: playback stops there if the item has not ended.
  ///   - hear: receives the ring's frames, in order.
  /// - Returns: how many frames came, and whether the item has ended.
  func play(
    fillSeconds: Double = 0.05, limitSeconds: Double = .infinity, _ hear: (ArraySlice<UInt8>) -> Void
  ) throws -> (frameCount: Int, hasEnded: Bool) {
    let start = firstFrame
    let fill = UInt64(fillSeconds * Double(format.sampleRateHz))
    while Double(firstFrame - start) < limitSeconds * Double(format.sampleRateHz) {
      try process.send(.fill(endFrame: firstFrame + fill))
      let (end, hasEnded) = try filled()
      guard end >= firstFrame, end <= firstFrame + fill else {
        throw Trouble.unexpected("\(end) after an order to fill up to \(firstFrame + fill)")
      }
      take(upTo: end, hear)
      if hasEnded { return (Int(firstFrame - start), true) }
    }
    return (Int(firstFrame - start), false)
  }

  /// Seeks in the open item.
  func seek(_ seconds: Double) throws {
    try process.send(.seek(seconds: seconds, ringFrame: firstFrame))
  }

  /// Whether it still answers for a valid file.
  func lives() throws -> Bool {
    let path = try Zoo.shared.path(of: Signal.ordinary)
    return try probe(path).get().frameCount == UInt64(Signal.ordinary.frameCount)
  }

  /// The processor time used since the process started.
  func processorSeconds() throws -> Double {
    let number = process.processNumber
    return try number.map { try ProcessorUse(ofProcess: $0).seconds } ?? 0
  }

  private func receive() throws -> DecoderMessage {
    let before = try? processorSeconds()
    do {
      guard let message = try process.receive(waitNanoseconds: UInt64(Self.hangSeconds * 1e9)) else {
        throw Trouble.silent(afterSeconds: Self.hangSeconds)
      }
      if let before, let after = try? processorSeconds(), after - before > Self.patienceSeconds {
        throw Trouble.silent(afterSeconds: after - before)
      }
      note(message)
      return message
    } catch let failure as DeviceFailure {
      throw Trouble.crashed(String(failure.line))
    }
  }

  private func note(_ message: DecoderMessage) {
    switch message {
    case .opened(_, _, let reading), .filled(_, let reading), .ended(_, let reading): self.reading = reading
    case .mark(let mark): marks.append(mark)
    case .searching: searchReportCount += 1
    case .titled(let ringFrame, let title, let artist):
      titles.append((ringFrame, String(title), String(artist)))
    case .ready, .refused, .extracted: break
    }
  }

  private func answer() throws -> Result<ItemProperties, Refusal> {
    while true {
      switch try receive() {
      case .opened(requestID, let properties, _): return .success(properties)
      case .refused(requestID, let reason): return .failure(Refusal(reason: reason))
      case .mark, .searching, .titled: continue
      case let other: throw Trouble.unexpected("\(other)")
      }
    }
  }

  /// Waits until it reports how far it has filled the ring.
  func filled() throws -> (end: UInt64, hasEnded: Bool) {
    while true {
      switch try receive() {
      case .filled(let endFrame, _): return (endFrame, false)
      case .ended(let ringFrame, _): return (ringFrame, true)
      case .mark, .searching, .titled: continue
      case let other: throw Trouble.unexpected("\(other)")
      }
    }
  }

  private func take(upTo end: UInt64, _ hear: (ArraySlice<UInt8>) -> Void) {
    while firstFrame < end {
      let slot = Int(firstFrame % UInt64(ringFrameCount))
      let count = min(Int(end - firstFrame), ringFrameCount - slot)
      let bytes = slot * format.bytesPerFrame..<(slot + count) * format.bytesPerFrame
      unsafe hear([UInt8](process.ringMemory[bytes])[...])
      firstFrame += UInt64(count)
    }
  }
}
