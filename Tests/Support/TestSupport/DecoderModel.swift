import Machine
import Wire

/// A decoder process controlled by a test, which can read and change its orders and messages.
@safe package final class DecoderModel {
  private struct Stream {
    var file: ScriptedFile
    var requestID: UInt32
    var position = 0
    var isMarked = false
  }

  /// Four bytes for each frame: its number.
  package let ring: UnsafeMutableRawBufferPointer
  /// Sample frames per second.
  package let sampleRateHz: Double
  /// The files that can be opened, by path.
  package var files: [String: ScriptedFile] = [:]
  /// Whether the caller waits for its answers.
  package var isInStep = false
  /// Whether it hangs until it is started again.
  package var isStuck = false
  /// An order to open this file crashes it.
  package var deadlyPath: String?
  /// The messages that have not been sent yet.
  package var messages: [DecoderMessage] = []
  /// All orders received.
  package private(set) var orders: [DecoderOrder] = []
  /// The positions reported to the fetching service.
  package var heard: [HeardPosition] = []
  /// Whether the process exists.
  package private(set) var isRunning = false
  /// How often it was started.
  package private(set) var startCount = 0
  /// Why it cannot be started; nil if it can.
  package var startFailure: DeviceFailure?
  private var open: Stream?
  private var next: Stream?
  private var section: PlaybackSection?
  private var rate = 1.0
  private var written: UInt64 = 0

  /// A process that is not running yet.
  package init(ringFrames: Int, sampleRateHz: Double) {
    unsafe ring = .allocate(byteCount: ringFrames * 4, alignment: 4096)
    unsafe ring.initializeMemory(as: UInt8.self, repeating: 0)
    self.sampleRateHz = sampleRateHz
  }

  deinit { unsafe ring.deallocate() }

  func start() throws(DeviceFailure) {
    if let startFailure { throw startFailure }
    isRunning = true
    if startCount > 0 { isStuck = false }
    startCount += 1
    (open, next, section, rate) = (nil, nil, nil, 1)
    messages = [.ready]
  }

  /// Crashes the process, and drops its unsent messages.
  package func crash() {
    isRunning = false
    messages = []
  }

  func follow(_ order: DecoderOrder, path: String?) throws(DeviceFailure) {
    guard isRunning else { throw Self.gone }
    orders.append(order)
    if let path, path == deadlyPath { return crash() }
    guard !isStuck else { return }
    switch order {
    case .open(let requestID, let ringFrame, _):
      (open, next) = (nil, nil)
      written = ringFrame
      open = answer(requestID, path)
    case .openNext(let requestID): next = answer(requestID, path)
    case .forgetNext: next = nil
    case .seek(let seconds, let ringFrame):
      guard open != nil else { return }
      written = ringFrame
      open!.position = min(open!.file.frameCount, Int((seconds * sampleRateHz).rounded()))
      mark()
    case .setSection(let section): self.section = section
    case .setRate(let rate):
      self.rate = rate
      if open != nil { mark() }
    case .fill(let endFrame): fill(to: endFrame)
    case .close: (open, next) = (nil, nil)
    case .probe(let requestID): _ = answer(requestID, path)
    case .extract(_, let requestID):
      messages.append(.extracted(requestID: requestID, files[path ?? ""]?.extracts ?? .nothing))
    }
  }

  private func answer(_ requestID: UInt32, _ path: String?) -> Stream? {
    guard let file = files[path ?? ""], file.refusal == nil else {
      messages.append(.refused(requestID: requestID, files[path ?? ""]?.refusal ?? .unknownKind))
      return nil
    }
    var properties = ItemProperties()
    properties.durationSeconds = Double(file.frameCount) / sampleRateHz
    properties.frameCount = UInt64(file.frameCount)
    messages.append(.opened(requestID: requestID, properties, PacketReading()))
    return Stream(file: file, requestID: requestID)
  }

  private func mark() {
    open!.isMarked = true
    let position = Double(open!.position) / sampleRateHz
    messages.append(
      .mark(StreamMark(ringFrame: written, requestID: open!.requestID, positionSeconds: position, rate: rate)))
  }

  private func fill(to endFrame: UInt64) {
    while written < endFrame {
      guard var stream = open else { return }
      if let section, stream.position >= Int((section.endSeconds * sampleRateHz).rounded()) {
        open!.position = Int((section.startSeconds * sampleRateHz).rounded())
        mark()
      } else if stream.position < stream.file.frameCount {
        if !stream.isMarked { mark() }
        let number = stream.file.firstNumber + UInt32(stream.position)
        unsafe ring.storeBytes(of: number, toByteOffset: Int(written % UInt64(ring.count / 4)) * 4, as: UInt32.self)
        stream.position += 1
        stream.isMarked = true
        open = stream
        written += 1
      } else if let follower = next {
        open = follower
        next = nil
        mark()
      } else {
        messages.append(.ended(ringFrame: written, PacketReading()))
        return
      }
    }
    messages.append(.filled(endFrame: endFrame, PacketReading()))
  }

  /// The failure of any call without a process.
  package static var gone: DeviceFailure {
    DeviceFailure(device: .decoder, kind: .failed, subject: "", problem: "is gone", remedy: "start it")
  }
}
