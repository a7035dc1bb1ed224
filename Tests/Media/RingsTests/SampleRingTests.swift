import Base
import TestSupport
import Testing

@Suite struct SampleRingTests {
  /// Frames of 6 bytes (24-bit stereo), so that the size is not a power of two.
  private static let bytesPerFrame = 6

  private static func ring(capacityFrames: Int) throws -> SampleRing {
    var memory = leakedBootMemory()
    return try unwrapped(
      SampleRing(capacityBytes: capacityFrames * bytesPerFrame, bytesPerFrame: bytesPerFrame, in: &memory))
  }

  /// The byte at `index` of the frame at `position`.
  private static func byte(_ position: TimelinePosition, _ index: Int) -> UInt8 {
    UInt8(truncatingIfNeeded: position.rawValue &* 31 &+ position.rawValue >> 8 &+ UInt64(index) &* 101)
  }

  /// Writes at most `maximumFrames`, and returns how many it wrote.
  private static func write(maximumFrames: Int, to producer: inout SampleRingProducer) -> Int {
    let position = producer.end
    var room = producer.acquire(maximumFrames: maximumFrames)
    let frameCount = room.byteCount / bytesPerFrame
    for frame in 0..<frameCount {
      for index in 0..<bytesPerFrame {
        room.storeBytes(
          of: byte(position + UInt64(frame), index), toByteOffset: frame * bytesPerFrame + index, as: UInt8.self)
      }
    }
    producer.commit(frameCount: frameCount)
    return frameCount
  }

  /// Whether every frame from `position` on is unchanged in the ring.
  private static func isIntact(from position: TimelinePosition, in consumer: borrowing SampleRingConsumer) -> Bool {
    let end = consumer.end
    var position = position
    while position < end {
      let stretch = consumer.frames(from: position, to: end)
      guard stretch.byteCount > 0, stretch.byteCount % bytesPerFrame == 0 else { return false }
      for offset in 0..<stretch.byteCount {
        let expected = byte(position + UInt64(offset / bytesPerFrame), offset % bytesPerFrame)
        guard unsafe stretch.unsafeLoad(fromByteOffset: offset, as: UInt8.self) == expected else { return false }
      }
      position += UInt64(stretch.byteCount / bytesPerFrame)
    }
    return position == end
  }

  @Test("Held frames stay as they were written, and all others are free", arguments: [1, 7, 64, 1000])
  func agreesWithModel(capacityFrames: Int) throws {
    var random = SeededGenerator(seed: UInt64(capacityFrames))
    var ring = try Self.ring(capacityFrames: capacityFrames)
    var heldFrames = 0
    var fullCount = 0
    for _ in 0..<5_000 {
      let wanted = Int.random(in: 0...capacityFrames, using: &random)
      let toTheWrap = capacityFrames - Int(ring.producer.end.rawValue % UInt64(capacityFrames))
      let written = Self.write(maximumFrames: wanted, to: &ring.producer)
      try #require(written == min(wanted, capacityFrames - heldFrames, toTheWrap))
      heldFrames += written
      if heldFrames == capacityFrames { fullCount += 1 }
      let freeFrames = ring.producer.freeFrames
      try #require(freeFrames == capacityFrames - heldFrames)
      let first = ring.consumer.first
      let isIntact = Self.isIntact(
        from: first + UInt64.random(in: 0...UInt64(heldFrames), using: &random), in: ring.consumer)
      try #require(isIntact)
      let released = Int.random(in: 0...heldFrames, using: &random)
      ring.consumer.release(before: first + UInt64(released))
      heldFrames -= released
    }
    #expect(fullCount > 100)
  }

  @Test("Releasing frames that were already released changes nothing")
  func releaseIsMonotonic() throws {
    var ring = try Self.ring(capacityFrames: 10)
    _ = Self.write(maximumFrames: 8, to: &ring.producer)
    ring.consumer.release(before: 5)
    ring.consumer.release(before: 3)
    let first = ring.consumer.first
    let freeFrames = ring.producer.freeFrames
    #expect(first == 5)
    #expect(freeFrames == 7)
  }

  @Test("An empty ring accepts another frame size, for a card that chose another format")
  func frameSizeChanges() throws {
    var memory = leakedBootMemory()
    var ring = try unwrapped(SampleRing(capacityBytes: 100, bytesPerFrame: 4, in: &memory))
    let before = ring.producer.acquire(maximumFrames: 7).byteCount
    ring.producer.commit(frameCount: 7)
    ring.consumer.release(before: 7)
    ring.producer.setFormat(AudioFormat(sampleRateHz: 48_000, channelCount: 2, sampleFormat: .int24))
    for _ in 0..<20 {
      let written = Self.write(maximumFrames: 16, to: &ring.producer)
      try #require(written > 0)
      let isIntact = Self.isIntact(from: ring.consumer.first, in: ring.consumer)
      try #require(isIntact)
      ring.consumer.release(before: ring.consumer.end)
    }
    let capacityFrames = ring.consumer.capacityFrames
    #expect(before == 28 && capacityFrames == 16)
  }

  @Test("Between two threads every frame arrives once, whole and in order", arguments: [1, 5, 480])
  func twoThreads(capacityFrames: Int) throws {
    let ring = try Self.ring(capacityFrames: capacityFrames)
    let frameCount = capacityFrames < 10 ? 100_000 as TimelinePosition : 1_000_000
    var damagedCount = 0
    onTwoThreads(writer: ring.producer, reader: ring.consumer) { producer in
      while producer.end < frameCount {
        let left = Int(frameCount - producer.end)
        if Self.write(maximumFrames: min(left, 100), to: &producer) == 0 { yieldThread() }
      }
    } read: { consumer in
      while consumer.first < frameCount {
        let end = consumer.end
        if end == consumer.first { yieldThread() }
        if !Self.isIntact(from: consumer.first, in: consumer) { damagedCount += 1 }
        consumer.release(before: end)
      }
    }
    #expect(damagedCount == 0)
  }
}
