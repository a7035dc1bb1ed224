import Base
import Machine

/// A sound card that records what it played, and can be unplugged.
final class CardModel {
  let format: AudioFormat
  let bufferFrames: Int
  var agreedFormat: AudioFormat
  /// The error that every call throws; nil while the card is present.
  var failure: DeviceFailure?
  /// How many exchanges succeed before the card is unplugged, during a reading.
  var looksUntilLoss: Int?
  /// How many writes succeed before the card is unplugged.
  var writesUntilLoss: Int?
  /// Whether it kept playing between the last successful reading and the failing one.
  var soundsUntilLoss = false
  /// The most frames that it accepts per write.
  var largestWriteFrames = Int.max
  private(set) var heard: [UInt8] = []
  private(set) var isOpen = false
  private(set) var openCount = 0
  private(set) var now: Instant = 0
  /// Where sound starts: the frame of `heard`, and the instant.
  private(set) var beginnings: [(frame: Int, instant: Instant)] = []
  private var queued: [UInt8] = []
  private var isRunning = false
  private var ranDry = false

  init(format: AudioFormat, bufferFrames: Int) {
    self.format = format
    agreedFormat = format
    self.bufferFrames = bufferFrames
  }

  var heardFrames: Int { heard.count / format.bytesPerFrame }

  /// The numbers of the frames that were heard, for a format of four bytes; 0 is silence.
  var heardNumbers: [UInt32] {
    unsafe heard.withUnsafeBytes { bytes in
      (0..<bytes.count / 4).map { unsafe bytes.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self) }
    }
  }

  func open() throws(DeviceFailure) -> AudioFormat {
    if let failure { throw failure }
    isOpen = true
    openCount += 1
    return agreedFormat
  }

  func close() {
    isOpen = false
    stop()
  }

  func stop() {
    queued = []
    isRunning = false
    ranDry = false
  }

  func look() throws(DeviceFailure) -> SpeakerState {
    if let failure { throw failure }
    let queuedFrames = queued.count / format.bytesPerFrame
    return SpeakerState(
      isRunning: isRunning, queuedFrames: queuedFrames, freeFrames: ranDry ? 0 : bufferFrames - queuedFrames,
      hasRunDry: ranDry, nextFrameInstant: now + nanoseconds(queuedFrames))
  }

  func write(_ frames: RawSpan) throws(DeviceFailure) -> Int {
    failAfter(&writesUntilLoss)
    if let failure { throw failure }
    let free = ranDry ? 0 : bufferFrames - queued.count / format.bytesPerFrame
    let count = min(frames.byteCount / format.bytesPerFrame, free, largestWriteFrames)
    unsafe frames.withUnsafeBytes { bytes in unsafe queued.append(contentsOf: bytes[..<(count * format.bytesPerFrame)])
    }
    return count
  }

  func start() throws(DeviceFailure) {
    if let failure { throw failure }
    precondition(!isRunning && !queued.isEmpty, "a card was started that runs, or is empty")
    isRunning = true
    beginnings.append((heardFrames, now))
  }

  /// Plays this many frames.
  func advance(frameCount: Int) {
    now += nanoseconds(frameCount)
    if !soundsUntilLoss { failAfter(&looksUntilLoss) }
    defer { if soundsUntilLoss { failAfter(&looksUntilLoss) } }
    guard isRunning, isOpen, failure == nil else { return }
    let byteCount = min(queued.count, frameCount * format.bytesPerFrame)
    heard.append(contentsOf: queued[..<byteCount])
    queued.removeSubrange(..<byteCount)
    if byteCount < frameCount * format.bytesPerFrame {
      isRunning = false
      ranDry = true
    }
  }

  private func failAfter(_ count: inout Int?) {
    guard let left = count else { return }
    count = left == 0 ? nil : left - 1
    if left == 0 { failure = Self.unplugged }
  }

  private func nanoseconds(_ frames: Int) -> UInt64 { UInt64(frames) * 1_000_000_000 / UInt64(format.sampleRateHz) }

  static var unplugged: DeviceFailure {
    DeviceFailure(device: .speaker, kind: .absent, subject: "hw:0", problem: "is gone", remedy: "plug it in")
  }
}

/// The player's side of a ``CardModel``.
struct ScriptedSpeaker: SpeakerDriver, ~Copyable {
  let model: CardModel

  init(_ model: CardModel) { self.model = model }

  mutating func open(_ request: SoundCardRequest) throws(DeviceFailure) -> AudioFormat { try model.open() }
  mutating func look() throws(DeviceFailure) -> SpeakerState { try model.look() }
  mutating func write(_ frames: RawSpan) throws(DeviceFailure) -> Int { try model.write(frames) }
  mutating func start() throws(DeviceFailure) { try model.start() }
  mutating func stop() { model.stop() }
  mutating func close() { model.close() }
}
