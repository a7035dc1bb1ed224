import Base
import Media
import TestPictures
import TestSupport
import Testing

@Suite struct JPEGWorkerTests {
  private static let compressed = VideoFormat(
    widthPixels: 64, heightPixels: 48, pixelFormat: .mjpeg, bytesPerRow: 0, frameRate: FrameRate(frames: 30))

  /// A camera's data for picture `sequence`: an SOI marker and random bytes.
  private static func jpeg(_ sequence: UInt32, byteCount: Int) -> [UInt8] {
    var random = SeededGenerator(seed: UInt64(sequence))
    return [0xFF, 0xD8] + (2..<byteCount).map { _ in UInt8(truncatingIfNeeded: random.next()) }
  }

  @Test("The camera's own JPEG arrives byte for byte, with its header, and its buffer comes back")
  func passesOn() throws {
    var rig = try WorkerRig(format: Self.compressed, bufferByteCount: 4096, capacityBytes: 8192)
    for sequence in 0..<20 as Range<UInt32> {
      let jpeg = Self.jpeg(sequence, byteCount: 100 + 150 * Int(sequence))
      try rig.deliver(jpeg, buffer: Int(sequence) % 4, sequence: sequence)
      let didStep = rig.worker.step()
      #expect(didStep)
      let packet = try unwrapped(rig.next())
      #expect(packet.bytes == jpeg)
      #expect(packet.header == WorkerRig.header(sequence: sequence))
      let emptied = rig.emptiedBuffers.pop()
      #expect(emptied == UInt16(sequence % 4))
    }
    #expect(rig.counters.deliveredPictureCount == 20)
  }

  @Test("Without a picture it does nothing and returns false")
  func idle() throws {
    var rig = try WorkerRig(format: Self.compressed, bufferByteCount: 4096, capacityBytes: 8192)
    let didStep = rig.worker.step()
    #expect(!didStep)
    let emptied = rig.emptiedBuffers.pop()
    #expect(emptied == nil)
  }

  @Test("Raw pictures arrive as the encoder makes them", arguments: [PixelFormat.yuv420, .nv12, .yuyv])
  func encodes(pixelFormat: PixelFormat) throws {
    let pictures = (0..<6).map { TestPicture(pixelFormat, width: 162, height: 122, seed: UInt64($0)) }
    let format = pictures[0].format
    var reference = try testEncoder(format)
    var rig = try WorkerRig(
      format: format, bufferByteCount: pictures[0].bytes.count,
      capacityBytes: JPEGEncoder.maximumByteCount(format: format) + 50_000)
    for (index, picture) in pictures.enumerated() {
      try rig.deliver(picture.bytes, buffer: index % 4, sequence: UInt32(index))
      _ = rig.worker.step()
      let emptied = rig.emptiedBuffers.pop()
      #expect(emptied == UInt16(index % 4))
      let expected = try reference.encode(picture)
      let packet = try unwrapped(rig.next())
      #expect(packet.bytes == expected)
      #expect(packet.header == WorkerRig.header(sequence: UInt32(index)))
    }
  }

  @Test("When the ring is full, pictures are dropped, counted and stamped; with space again they pass")
  func ringFull() throws {
    let picture = TestPicture(.yuv420, width: 64, height: 48)
    var rig = try WorkerRig(
      format: picture.format, bufferByteCount: picture.bytes.count,
      capacityPackets: 2, capacityBytes: 4 * JPEGEncoder.maximumByteCount(format: picture.format))
    for sequence in 0..<5 as Range<UInt32> {
      try rig.deliver(picture.bytes, buffer: 3, sequence: sequence)
      _ = rig.worker.step()
      let emptied = rig.emptiedBuffers.pop()
      #expect(emptied == 3)
      #expect(rig.counters.droppedPictureCount == UInt64(max(Int(sequence) - 1, 0)))
    }
    #expect(rig.counters.deliveredPictureCount == 2)
    #expect(rig.counters.failedPictureCount == 0)
    let first = try unwrapped(rig.next()).header.cameraSequence
    try rig.deliver(picture.bytes, buffer: 0, sequence: 5)
    _ = rig.worker.step()
    let second = try unwrapped(rig.next()).header.cameraSequence
    let third = try unwrapped(rig.next()).header.cameraSequence
    #expect([first, second, third] == [0, 1, 5])
  }

  @Test(
    "A picture that is not a JPEG, cut short or too large counts as failed, and its buffer comes back",
    arguments: [
      [], [0xFF], [0xFF, 0xD9], [0x00, 0xD8, 1, 2], [0xD8, 0xFF],
      jpeg(1, byteCount: PictureCoder.maximumByteCount(format: compressed) + 1),
    ])
  func corrupt(bytes: [UInt8]) throws {
    var rig = try WorkerRig(format: Self.compressed, bufferByteCount: 1 << 16, capacityBytes: 1 << 17)
    try rig.deliver(bytes, buffer: 2, sequence: 0)
    _ = rig.worker.step()
    let leftover = rig.next()?.header
    #expect(leftover == nil)
    #expect(rig.counters.failedPictureCount == 1)
    #expect(rig.counters.droppedPictureCount == 0)
    let emptied = rig.emptiedBuffers.pop()
    #expect(emptied == 2)
  }

  @Test("If a driver reports more bytes than the buffer holds, or fewer than a picture, only that picture fails")
  func wrongByteCount() throws {
    let picture = TestPicture(.yuyv, width: 64, height: 48)
    var rig = try WorkerRig(
      format: picture.format, bufferByteCount: picture.bytes.count,
      capacityBytes: 2 * JPEGEncoder.maximumByteCount(format: picture.format))
    for byteCount in [picture.bytes.count + 1, picture.bytes.count - 1, 0, -1, Int.max] {
      try rig.deliver(byteCount: byteCount, buffer: 1, sequence: 7)
      _ = rig.worker.step()
      let emptied = rig.emptiedBuffers.pop()
      #expect(emptied == 1)
    }
    #expect(rig.counters.failedPictureCount == 5)
    try rig.deliver(picture.bytes, buffer: 1, sequence: 8)
    _ = rig.worker.step()
    let packet = try unwrapped(rig.next())
    #expect(packet.header.cameraSequence == 8)
  }

  @Test(
    "In a hundred thousand steps with a reader that stalls, every lost picture is counted and no buffer is lost",
    arguments: [1, 2, 3])
  func randomRun(seed: UInt64) throws {
    var run = try RandomWorkerRun(seed: seed)
    for _ in 0..<100_000 { try run.step() }
    try run.finish()
  }
}
