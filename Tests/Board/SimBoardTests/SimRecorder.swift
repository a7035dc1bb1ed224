import Base
import Machine
import TestSupport

/// A loop with a period of 5 ms that takes everything from the simulated board, and keeps it.
struct SimRecorder: ~Copyable {
  struct Picture: Equatable {
    var exposedAt: Instant
    var sequence: UInt32
    var bytes: [UInt8]
  }

  var board: Hardware
  private(set) var pictures: [Picture] = []
  private(set) var sound: [UInt8] = []
  private(set) var soundEnd: Instant = 0
  private(set) var lostFrameCount = 0
  let start: Instant
  let audioFormat: AudioFormat
  let videoFormat: VideoFormat

  init(_ settings: SimSettings, bufferMilliseconds: UInt32 = 500) throws {
    var memory = leakedBootMemory()
    let board = try Hardware(simulated: settings, in: &memory)
    let videoFormat = try board.camera.device.open(Self.cameraRequest)
    let audioFormat = try board.microphone.device.open(Self.microphoneRequest(bufferMilliseconds: bufferMilliseconds))
    start = board.clock.now
    self.videoFormat = videoFormat
    self.audioFormat = audioFormat
    self.board = board
  }

  static var cameraRequest: CameraRequest {
    CameraRequest(
      deviceName: "sim", size: FrameSize(widthPixels: 640, heightPixels: 480), frameRate: FrameRate(frames: 30),
      pixelFormat: nil)
  }

  static func microphoneRequest(bufferMilliseconds: UInt32) -> SoundCardRequest {
    SoundCardRequest(
      deviceName: "sim", sampleRateHz: 48_000, channelCount: 2, sampleFormat: nil,
      bufferMilliseconds: bufferMilliseconds)
  }

  mutating func sleep(milliseconds: UInt64) {
    board.clock.sleep(until: board.clock.now + milliseconds * 1_000_000)
  }

  /// - Parameter keepsBytes: whether to keep pictures and sound, and not only their numbers.
  mutating func run(milliseconds: UInt64, keepsBytes: Bool = true) throws {
    for _ in 0..<milliseconds / 5 {
      sleep(milliseconds: 5)
      try takePictures(keepsBytes: keepsBytes)
      try takeSound()
    }
  }

  mutating func takePictures(keepsBytes: Bool = true) throws {
    while let frame = try board.camera.device.dequeue() {
      let memory = unsafe board.camera.device.bufferMemory(at: frame.bufferIndex)
      let bytes = unsafe keepsBytes ? Array(memory.prefix(frame.byteCount)) : []
      pictures.append(Picture(exposedAt: frame.instant, sequence: frame.sequence, bytes: bytes))
      try board.camera.device.requeue(bufferIndex: frame.bufferIndex)
    }
  }

  mutating func takeSound() throws {
    var room = [UInt8](repeating: 0, count: 65_536)
    var span = room.mutableSpan
    var bytes = unsafe span.mutableBytes
    let read = try board.microphone.device.read(into: &bytes)
    soundEnd = read.endInstant
    lostFrameCount += read.lostFrameCount
    sound += room.prefix(read.frameCount * audioFormat.bytesPerFrame)
  }

  /// The first plane of each picture, as if it had been decoded.
  var lumaPictures: [LumaPicture] {
    pictures.map { picture in
      let width = Int(videoFormat.widthPixels)
      let height = Int(videoFormat.heightPixels)
      let luma =
        videoFormat.pixelFormat == .yuyv
        ? stride(from: 0, to: picture.bytes.count, by: 2).map { picture.bytes[$0] }
        : Array(picture.bytes.prefix(width * height))
      return LumaPicture(widthPixels: width, heightPixels: height, bytes: luma[...])
    }
  }
}

/// A console without a user.
struct SilentLine: ConsoleLineDriver, ~Copyable {
  var isTerminal: Bool { false }
  var hasInput: Bool { false }
  mutating func read(into space: inout MutableRawSpan) -> Int? { nil }
  mutating func write(_ bytes: RawSpan) -> Int { bytes.byteCount }
}

extension Hardware {
  /// Simulated devices, the system's files, and no user.
  init(simulated settings: SimSettings, in memory: inout BootMemory) throws(DeviceFailure) {
    try self.init(settings, host: SystemHost(settings.host), terminal: SilentLine(), in: &memory)
  }
}
