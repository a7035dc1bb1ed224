import Decoding
import MediaZoo
import Port
import Posix
import TestSupport
import Text
import Values

/// A decoder's process on a bench: it is given files, and what it puts into the ring is kept.
final class DecoderBench {
  /// What it throws instead of waiting on.
  enum Trouble: Error, Equatable {
    case silent(afterSeconds: Double)
    case unexpected(String)
    /// The process has crashed.
    case crashed(String)
  }

  /// What any answer may take of the processors: a listener waits no longer. It is not told by the clock, because what
  /// else the machine does is not the decoder's fault.
  static var patienceSeconds: Double { 2 }
  /// Then it will never answer.
  private static var hangSeconds: Double { 60 }

  private var process: DecoderProcess
  let format: AudioFormat
  private let ringFrameCount: Int
  private var requestID: UInt32 = 0
  /// The ring frame that the next file begins with.
  private(set) var firstFrame: UInt64 = 0
  /// All that came, in order.
  private(set) var marks: [StreamMark] = []
  /// As the newest answer told it.
  private(set) var reading = PacketReading()

  /// Starts the process that `make build` put beside the recorder.
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

  /// Opens a file; what was open is closed.
  func open(_ path: String) throws -> Result<ItemProperties, Refusal> {
    requestID += 1
    try process.send(.open(requestID: requestID, ringFrame: firstFrame), withFileAt: FixedText(path))
    return try answer()
  }

  /// Tells what a file is.
  func probe(_ path: String) throws -> Result<ItemProperties, Refusal> {
    requestID += 1
    try process.send(.probe(requestID: requestID), withFileAt: FixedText(path))
    return try answer()
  }

  /// Opens what is to follow what is open.
  func openNext(_ path: String) throws -> Result<ItemProperties, Refusal> {
    requestID += 1
    try process.send(.openNext(requestID: requestID), withFileAt: FixedText(path))
    return try answer()
  }

  /// An order that is not answered at once.
  func send(_ order: DecoderOrder) throws { try process.send(order) }

  /// A refusal, as an error.
  struct Refusal: Error, Equatable {
    var reason: DecoderRefusal
  }

  /// Plays what is open, from where it is, in fills of `fillSeconds`.
  /// - Parameters:
  ///   - limitSeconds: it is left there when it has not ended.
  ///   - hear: is given the frames as they lie in the ring, in order.
  /// - Returns: how many frames came, and whether that was all.
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

  /// Goes to another place of what is open.
  func seek(_ seconds: Double) throws {
    try process.send(.seek(seconds: seconds, ringFrame: firstFrame))
  }

  /// Whether it still tells of a file that is as it should be.
  func lives() throws -> Bool {
    let path = try Zoo.shared.path(of: Signal.ordinary)
    return try probe(path).get().frameCount == UInt64(Signal.ordinary.frameCount)
  }

  /// What the process has had of the processors since its start.
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
    case .ready, .refused: break
    }
  }

  private func answer() throws -> Result<ItemProperties, Refusal> {
    while true {
      switch try receive() {
      case .opened(requestID, let properties, _): return .success(properties)
      case .refused(requestID, let reason): return .failure(Refusal(reason: reason))
      case .mark: continue
      case let other: throw Trouble.unexpected("\(other)")
      }
    }
  }

  private func filled() throws -> (end: UInt64, hasEnded: Bool) {
    while true {
      switch try receive() {
      case .filled(let endFrame, _): return (endFrame, false)
      case .ended(let ringFrame, _): return (ringFrame, true)
      case .mark: continue
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
