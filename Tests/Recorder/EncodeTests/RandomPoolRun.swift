import Base
import Media
import Record
import TestSupport
import Testing

/// Runs a camera, a worker, its pool and a reader in random order, and checks their invariants.
struct RandomPoolRun: ~Copyable {
  private static let format = VideoFormat(
    widthPixels: 16, heightPixels: 16, pixelFormat: .mjpeg, bytesPerRow: 0, frameRate: FrameRate(frames: 30))

  private var rig: PoolRig
  private let encoderCount: Int
  private var random: SeededGenerator
  private var isReaderStalled = false
  /// The number of the newest picture that came out of the ring.
  private var newest: UInt32?
  private var readCount: UInt64 = 0

  init(seed: UInt64, encoderCount: Int) throws {
    rig = try PoolRig(
      encoderCount: encoderCount, format: Self.format, bufferByteCount: 300, capacityPackets: 16, capacityBytes: 2000)
    self.encoderCount = encoderCount
    random = SeededGenerator(seed: seed)
  }

  /// Every 20th picture is corrupt.
  private static func isCorrupt(_ sequence: UInt32) -> Bool { (sequence &* 2_654_435_761) >> 16 % 20 == 0 }

  static func bytes(_ sequence: UInt32) -> [UInt8] {
    let byteCount = 2 + Int(sequence &* 40_503 % 299)
    return [isCorrupt(sequence) ? 0xFE : 0xFF, 0xD8]
      + (2..<byteCount).map { UInt8(truncatingIfNeeded: Int(sequence) &* 37 &+ $0) }
  }

  mutating func step() throws {
    if random.next() % 500 == 0 { isReaderStalled.toggle() }
    switch random.next() % 8 {
    case 0: _ = rig.camera.deliver(Self.bytes, choice: random.next())
    case 1, 2: _ = rig.worker.step()
    case 3: if !isReaderStalled { try read() }
    default: _ = rig.encoders[Int(random.next() % UInt64(encoderCount))]!.step()
    }
  }

  /// The oldest packet is the next picture that was neither dropped nor corrupt.
  private mutating func read() throws {
    let packet = rig.reader.first
    guard packet < rig.reader.end else { return }
    let header = rig.reader.header(at: packet)
    let sequence = header.cameraSequence
    try #require(header == WorkerRig.header(sequence: sequence))
    try #require(newest == nil || sequence > newest!)
    try #require(!Self.isCorrupt(sequence))
    let bytes = unsafe rig.reader.bytes(at: packet).withUnsafeBytes { unsafe Array($0) }
    try #require(bytes == Self.bytes(sequence))
    rig.reader.release(before: packet + 1)
    newest = sequence
    readCount += 1
  }

  /// Finishes all work and checks the totals.
  mutating func finish() throws {
    while rig.worker.isAwaitingEncoders || rig.worker.step() {
      for index in 0..<encoderCount { _ = rig.encoders[index]!.step() }
      _ = rig.worker.step()
      try read()
    }
    for _ in 0..<16 { try read() }
    rig.camera.takeBack()
    let pictureCount = rig.camera.pictureCount
    let corruptCount = (0..<pictureCount).count(where: Self.isCorrupt)
    #expect(rig.camera.freeBuffers.sorted() == Array(0..<PoolRig.bufferCount))
    #expect(rig.camera.strayBufferCount == 0)
    #expect(rig.counters.failedPictureCount == UInt64(corruptCount))
    #expect(rig.counters.deliveredPictureCount == readCount)
    #expect(rig.counters.settledPictureCount == UInt64(pictureCount))
    #expect(rig.counters.droppedPictureCount > 100 && corruptCount > 100 && readCount > 1000)
  }
}
