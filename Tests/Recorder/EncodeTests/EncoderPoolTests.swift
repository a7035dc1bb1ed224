import Base
import Media
import Record
import TestPictures
import TestSupport
import Testing

@Suite struct EncoderPoolTests {
  @Test(
    "Whichever encoder finishes first, the pictures keep the camera's order, each once or counted as lost",
    arguments: Cases.some(2, of: 1...8 as ClosedRange<UInt64>), 2...4)
  func randomRun(seed: UInt64, encoderCount: Int) throws {
    var run = try RandomPoolRun(seed: seed, encoderCount: encoderCount)
    for _ in 0..<60_000 { try run.step() }
    try run.finish()
  }

  @Test("A buffer comes back when its encoder has finished, even if an earlier picture has not")
  func givesBackEarly() throws {
    let picture = TestPicture(.yuv420, width: 64, height: 48)
    var rig = try PoolRig(
      encoderCount: 2, format: picture.format, bufferByteCount: picture.bytes.count, capacityPackets: 8,
      capacityBytes: 1 << 16)
    for _ in 0..<2 {
      let isDelivered = rig.camera.deliver { _ in picture.bytes }
      #expect(isDelivered)
      _ = rig.worker.step()
    }
    let isDone = rig.encoders[1]!.step()
    #expect(isDone)
    _ = rig.worker.step()
    rig.camera.takeBack()
    #expect(rig.camera.freeBuffers.sorted() == Array(1..<8))
    #expect(rig.counters.settledPictureCount == 0)
    let isAwaited = rig.worker.isAwaitingEncoders
    #expect(isAwaited)
    _ = rig.encoders[0]!.step()
    while rig.worker.step() {}
    #expect(rig.counters.deliveredPictureCount == 2)
    let isStillAwaited = rig.worker.isAwaitingEncoders
    #expect(!isStillAwaited)
  }

  @Test(
    "A picture encoded in the pool equals that of a single encoder, byte for byte",
    arguments: [PixelFormat.yuv420, .nv12, .yuyv])
  func codes(pixelFormat: PixelFormat) throws {
    let pictures = (0..<6).map { TestPicture(pixelFormat, width: 162, height: 122, seed: UInt64($0)) }
    let format = pictures[0].format
    var reference = try testEncoder(format)
    var rig = try PoolRig(
      encoderCount: 3, format: format, bufferByteCount: pictures[0].bytes.count, capacityPackets: 8,
      capacityBytes: 6 * JPEGEncoder.maximumByteCount(format: format))
    for _ in pictures { _ = rig.camera.deliver { pictures[Int($0)].bytes } }
    while rig.worker.step() || rig.worker.isAwaitingEncoders {
      for index in 0..<3 { _ = rig.encoders[index]!.step() }
    }
    for (index, picture) in pictures.enumerated() {
      let expected = try reference.encode(picture)
      let bytes = unsafe rig.reader.bytes(at: PictureNumber(UInt64(index))).withUnsafeBytes { unsafe Array($0) }
      #expect(bytes == expected)
    }
  }

  @Test(
    "On their own threads, woken by doorbells alone, the encoders neither lose nor reorder pictures",
    arguments: 2...4)
  func threads(encoderCount: Int) throws {
    let pictures = (0..<8).map { TestPicture(.yuv420, width: 322, height: 242, seed: $0) }
    let format = pictures[0].format
    var reference = try testEncoder(format)
    let expected = try pictures.map { try reference.encode($0) }
    let bells = ThreadedPool.Bells(encoderCount: encoderCount)
    let rig = try PoolRig(
      encoderCount: encoderCount, format: format, bufferByteCount: pictures[0].bytes.count, capacityPackets: 64,
      capacityBytes: 8 * JPEGEncoder.maximumByteCount(format: format), bells: bells.doorbells)
    let outcome = ThreadedPool.run(rig, bells, pictureCount: 2000) { pictures[Int($0 % 8)].bytes }
    #expect(outcome.sequences == Array(0..<2000))
    #expect(outcome.pictures.enumerated().allSatisfy { $1 == expected[$0 % 8] })
    #expect(outcome.freeBuffers.sorted() == Array(0..<PoolRig.bufferCount))
    #expect(outcome.lostPictureCount == 0)
  }
}
