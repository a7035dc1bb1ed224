import TestSupport
import Testing

@testable import Base

@Suite struct SampleFollowerTests {
  private static let capacityBytes = 4_096
  private static let formats = [
    AudioFormat(sampleRateHz: 48_000, channelCount: 2, sampleFormat: .int16),
    AudioFormat(sampleRateHz: 44_100, channelCount: 3, sampleFormat: .int24),
    AudioFormat(sampleRateHz: 96_000, channelCount: 1, sampleFormat: .float32),
  ]

  /// A ring and a follower of its memory, which is never freed.
  private static func pair() throws -> (region: UnsafeMutableRawBufferPointer, follower: SampleFollower) {
    let region = UnsafeMutableRawBufferPointer.allocate(
      byteCount: SampleRing.byteCount(capacityBytes: capacityBytes), alignment: 4_096)
    unsafe region.initializeMemory(as: UInt8.self, repeating: 0)
    let follower = unsafe SampleFollower(region: UnsafeRawBufferPointer(region), capacityBytes: capacityBytes)
    return unsafe (region, try #require(follower))
  }

  /// Writes frames whose bytes follow from their position.
  private static func write(_ maximumFrames: Int, to ring: inout SampleRing) -> Int {
    let bytesPerFrame = ring.producer.bytesPerFrame
    let start = ring.producer.end.rawValue * UInt64(bytesPerFrame)
    var room = ring.producer.acquire(maximumFrames: maximumFrames)
    let byteCount = room.byteCount
    for index in 0..<byteCount { room.storeBytes(of: byte(start + UInt64(index)), toByteOffset: index, as: UInt8.self) }
    ring.producer.commit(frameCount: byteCount / bytesPerFrame)
    return byteCount / bytesPerFrame
  }

  private static func byte(_ index: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: index &* 31 &+ index >> 8) }

  @Test("Every frame is read once, whole and in order, in the format in force, or is counted as lost", arguments: 0..<8)
  func follows(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var (region, follower) = try unsafe Self.pair()
    var memory = unsafe BootMemory(region: region)
    var ring = try unwrapped(SampleRing(capacityBytes: Self.capacityBytes, bytesPerFrame: 2, in: &memory))
    var buffer = [UInt8](repeating: 0, count: 700)
    var (readCount, lostCount, formatCount) = (0, 0, 0)
    for _ in 0..<1_500 {
      switch Int.random(in: 0..<100, using: &random) {
      case 0:
        ring.consumer.release(before: ring.consumer.end)
        ring.producer.setFormat(Self.formats.randomElement(using: &random)!)
      case 1..<45:
        ring.consumer.release(before: ring.consumer.end)
        _ = Self.write(Int.random(in: 1...400, using: &random), to: &ring)
      default:
        let position = follower.position
        let before = follower.audioFormat
        let end = ring.producer.end
        var span = buffer.mutableSpan
        var room = unsafe span.mutableBytes
        switch follower.read(into: &room) {
        case .nothing: #expect(before == nil || position == end)
        case .newFormat:
          formatCount += 1
          #expect(follower.position == end)
        case .lost(let count):
          lostCount += Int(count)
          #expect(follower.position == end && position + count == end)
        case .frames(let count):
          readCount += count
          let format = try #require(before)
          let start = position.rawValue * UInt64(format.bytesPerFrame)
          let isIntact = (0..<count * format.bytesPerFrame).allSatisfy { buffer[$0] == Self.byte(start + UInt64($0)) }
          #expect(isIntact && follower.position == position + UInt64(count))
          #expect(count * format.bytesPerFrame <= buffer.count)
        }
      }
    }
    #expect(readCount > 1_000 && lostCount > 100 && formatCount > 2)
  }

  @Test("The same format set again is noticed: the samples are another card's")
  func noticesCard() throws {
    var (region, follower) = try unsafe Self.pair()
    var memory = unsafe BootMemory(region: region)
    var ring = try unwrapped(SampleRing(capacityBytes: Self.capacityBytes, bytesPerFrame: 2, in: &memory))
    ring.producer.setFormat(Self.formats[0])
    follower.skipToEnd()
    ring.producer.setFormat(Self.formats[0])
    var buffer = [UInt8](repeating: 0, count: 8)
    var span = buffer.mutableSpan
    var room = unsafe span.mutableBytes
    let readings = [follower.read(into: &room), follower.read(into: &room)]
    #expect(readings == [.newFormat, .nothing])
  }

  @Test("Whatever the memory holds, nothing outside of it is read", arguments: 0..<20)
  func survivesAnything(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let byteCount = SampleRing.byteCount(capacityBytes: Self.capacityBytes)
    let region = GuardedRegion(byteCount: byteCount)
    let words = Self.formats.map { SampleRingFormat($0, count: 1).word }
    var buffer = [UInt8](repeating: 0, count: 10_000)
    for _ in 0..<150 {
      region.fill(using: &random)
      guard var follower = unsafe SampleFollower(region: region.bytes, capacityBytes: Self.capacityBytes) else {
        Issue.record("refused")
        return
      }
      // The format's word comes after the counts and the frame size.
      if Bool.random(using: &random) { region.set(words.randomElement(using: &random)!, at: 136) }
      follower.skipToEnd()
      region.set(random.next() >> UInt64.random(in: 0...63, using: &random), at: 0)
      var span = buffer.mutableSpan
      var room = unsafe span.mutableBytes
      for _ in 0..<4 { _ = follower.read(into: &room) }
    }
    let isRefused = unsafe SampleFollower(region: region.bytes, capacityBytes: byteCount) == nil
    #expect(isRefused)
  }
}
