import Base
import Machine
import TestSupport

/// A simulated speaker with its test equipment: a clock to advance, frames that carry their number, and a file.
struct SimListener: ~Copyable {
  let folder: TemporaryFolder
  var board: Hardware
  let start: Instant
  private(set) var format = AudioFormat(sampleRateHz: 48_000, channelCount: 2, sampleFormat: .int16)
  /// How many frames the speaker has taken, which is the number of the next.
  private(set) var takenFrameCount = 0

  init(partsPerMillion: Int32 = 0, keepsFile: Bool = true) throws {
    let folder = try TemporaryFolder()
    var settings = SimSettings()
    settings.speakerPartsPerMillion = partsPerMillion
    settings.host.dataFolder = FixedText(folder.path)
    settings.speakerFileName = keepsFile ? "heard.raw" : nil
    var memory = leakedBootMemory()
    let board = try Hardware(simulated: settings, in: &memory)
    start = board.clock.now
    self.folder = folder
    self.board = board
  }

  mutating func open(
    rate: UInt32 = 48_000, channels: UInt16 = 2, sampleFormat: SampleFormat? = nil, bufferMilliseconds: UInt32 = 200
  ) throws {
    format = try board.speaker.device.open(
      SoundCardRequest(
        deviceName: "sim", sampleRateHz: rate, channelCount: channels, sampleFormat: sampleFormat,
        bufferMilliseconds: bufferMilliseconds))
  }

  /// Nanoseconds since the world's start.
  var now: UInt64 { board.clock.now - start }

  mutating func sleep(untilNanoseconds instant: UInt64) {
    board.clock.sleep(until: start + instant)
  }

  /// Begins a card fault that lasts until it is ended.
  func begin(_ kind: Fault.Kind) {
    board.simulatedWorld!.faults.add(Fault(kind, of: .speaker, nanoseconds: now..<UInt64.max))
  }

  func endFault() { board.simulatedWorld!.faults.endFaults(of: .speaker, atNanoseconds: now) }

  mutating func sleep(milliseconds: UInt64) { sleep(untilNanoseconds: now + milliseconds * 1_000_000) }

  /// Writes frames that are never silent and starts playback: the bytes follow from the frame's number, and none is 0.
  @discardableResult mutating func write(_ frameCount: Int) throws -> Int {
    let taken = try offer(frameCount)
    if taken > 0 { try board.speaker.device.start() }
    return taken
  }

  /// Writes the same frames without starting playback.
  mutating func offer(_ frameCount: Int) throws -> Int {
    let bytes = frames(takenFrameCount..<takenFrameCount + frameCount)
    let taken = try unsafe board.speaker.device.write(bytes.span.bytes)
    takenFrameCount += taken
    return taken
  }

  /// Writes `bytes`, which fill the card's buffer; their values do not matter.
  mutating func fill(_ bytes: borrowing [UInt8]) throws {
    takenFrameCount += try unsafe board.speaker.device.write(bytes.span.bytes)
    try board.speaker.device.start()
  }

  /// The bytes of the frames with these numbers.
  func frames(_ numbers: Range<Int>) -> [UInt8] {
    let bytesPerFrame = format.bytesPerFrame
    return numbers.flatMap { [UInt8](repeating: UInt8(1 + $0 % 251), count: bytesPerFrame) }
  }

  func silence(_ frameCount: Int) -> [UInt8] { [UInt8](repeating: 0, count: frameCount * format.bytesPerFrame) }

  func heard() throws -> [UInt8] { try folder.read("heard.raw") }
}
