import Base
import Media
import TestSupport
import Testing

/// Runs a camera, a worker and a reader in random order, and checks their invariants.
struct RandomWorkerRun: ~Copyable {
  private static let bufferCount = 8
  private static let format = VideoFormat(
    widthPixels: 16, heightPixels: 16, pixelFormat: .mjpeg, bytesPerRow: 0, frameRate: FrameRate(frames: 30))

  private var rig: WorkerRig
  private var random: SeededGenerator
  /// Buffers held by the camera; the others are with the worker or on their way.
  private var freeBuffers = Array(0..<RandomWorkerRun.bufferCount)
  /// Pictures that the worker has not handled yet, oldest first.
  private var waiting: [(sequence: UInt32, isCorrupt: Bool, byteCount: Int, buffer: Int)] = []
  /// Pictures that must still come out of the ring, oldest first.
  private var held: [(sequence: UInt32, byteCount: Int)] = []
  private var nextSequence: UInt32 = 0
  private var corruptCount: UInt64 = 0
  private var dropped: [UInt32] = []
  private var isReaderStalled = false

  init(seed: UInt64) throws {
    rig = try WorkerRig(
      format: Self.format, bufferCount: Self.bufferCount, bufferByteCount: 300, capacityPackets: 16,
      capacityBytes: 2000)
    random = SeededGenerator(seed: seed)
  }

  mutating func step() throws {
    if random.next() % 500 == 0 { isReaderStalled.toggle() }
    switch random.next() % 4 {
    case 0: try deliver()
    case 1, 2: try work()
    default: if !isReaderStalled { try read() }
    }
  }

  /// Finishes all work and checks the totals.
  mutating func finish() throws {
    while !waiting.isEmpty { try work() }
    while !held.isEmpty { try read() }
    try takeBuffersBack()
    let leftover = rig.next()?.header
    #expect(leftover == nil)
    #expect(freeBuffers.sorted() == Array(0..<Self.bufferCount))
    #expect(rig.counters.failedPictureCount == corruptCount)
    #expect(rig.counters.deliveredPictureCount + UInt64(dropped.count) + corruptCount == UInt64(nextSequence))
    #expect(dropped.count > 100 && corruptCount > 100 && rig.counters.deliveredPictureCount > 1000)
  }

  private mutating func deliver() throws {
    try takeBuffersBack()
    guard !freeBuffers.isEmpty else { return }
    let buffer = freeBuffers.remove(at: Int(random.next() % UInt64(freeBuffers.count)))
    let isCorrupt = random.next() % 20 == 0
    let byteCount = Int.random(in: 2...300, using: &random)
    try rig.deliver(
      Self.bytes(nextSequence, byteCount: byteCount, isCorrupt: isCorrupt), buffer: buffer, sequence: nextSequence)
    waiting.append((nextSequence, isCorrupt, byteCount, buffer))
    nextSequence += 1
  }

  private mutating func work() throws {
    let droppedBefore = rig.counters.droppedPictureCount
    let didStep = rig.worker.step()
    try #require(didStep == !waiting.isEmpty)
    guard didStep else { return }
    let picture = waiting.removeFirst()
    if picture.isCorrupt, rig.counters.droppedPictureCount == droppedBefore {
      corruptCount += 1
    } else if rig.counters.droppedPictureCount > droppedBefore {
      dropped.append(picture.sequence)
    } else {
      held.append((picture.sequence, picture.byteCount))
    }
    try #require(rig.counters.droppedPictureCount == UInt64(dropped.count))
    try #require(rig.counters.failedPictureCount == corruptCount)
  }

  private mutating func read() throws {
    guard !held.isEmpty else { return }
    let expected = held.removeFirst()
    let packet = try unwrapped(rig.next())
    try #require(packet.header == WorkerRig.header(sequence: expected.sequence))
    try #require(
      packet.bytes == Self.bytes(expected.sequence, byteCount: expected.byteCount, isCorrupt: false))
  }

  private mutating func takeBuffersBack() throws {
    while let buffer = rig.emptiedBuffers.pop() {
      try #require(!freeBuffers.contains(Int(buffer)), "given back twice")
      try #require(!waiting.contains { $0.buffer == Int(buffer) }, "given back before it was dealt with")
      freeBuffers.append(Int(buffer))
    }
  }

  private static func bytes(_ sequence: UInt32, byteCount: Int, isCorrupt: Bool) -> [UInt8] {
    [isCorrupt ? 0xFE : 0xFF, 0xD8] + (2..<byteCount).map { UInt8(truncatingIfNeeded: Int(sequence) &* 37 &+ $0) }
  }
}
