import Base
import TestSupport
import Testing

@Suite struct QueueTests {
  private static func queue(capacity: Int) throws -> Queue<UInt64> {
    var memory = leakedBootMemory()
    return try unwrapped(Queue(capacity: capacity, in: &memory))
  }

  @Test("It returns what was pushed, in order, and refuses only when full", arguments: [1, 2, 7, 64])
  func agreesWithModel(capacity: Int) throws {
    var random = SeededGenerator(seed: UInt64(capacity))
    var queue = try Self.queue(capacity: capacity)
    var held: [UInt64] = []
    for value in 0..<50_000 as Range<UInt64> {
      let isFull = queue.producer.isFull
      try #require(isFull == (held.count == capacity))
      if Bool.random(using: &random) {
        let isStored = queue.producer.push(value)
        try #require(isStored == (held.count < capacity))
        if isStored { held.append(value) }
      } else {
        let next = queue.consumer.peek()
        try #require(next == held.first)
        let value = queue.consumer.pop()
        try #require(value == (held.isEmpty ? nil : held.removeFirst()))
      }
      let count = queue.consumer.count
      try #require(count == held.count)
    }
  }

  @Test("Between two threads every value arrives once and in order", arguments: [1, 3, 64])
  func twoThreads(capacity: Int) throws {
    let queue = try Self.queue(capacity: capacity)
    let valueCount = 300_000 as UInt64
    var misplacedCount = 0
    onTwoThreads(writer: queue.producer, reader: queue.consumer) { producer in
      for value in 0..<valueCount {
        while !producer.push(value) { yieldThread() }
      }
    } read: { consumer in
      for expected in 0..<valueCount {
        var value = consumer.pop()
        while value == nil {
          yieldThread()
          value = consumer.pop()
        }
        if value != expected { misplacedCount += 1 }
      }
    }
    #expect(misplacedCount == 0)
  }

  @Test("Each successful push rings the doorbell; a refused push and a pop do not")
  func rings() throws {
    var memory = leakedBootMemory()
    var rings = 0
    try unsafe withUnsafeMutablePointer(to: &rings) { counter in
      let doorbell = unsafe Doorbell(context: counter) { unsafe $0!.assumingMemoryBound(to: Int.self).pointee += 1 }
      var queue = try unwrapped(Queue<UInt8>(capacity: 2, waking: doorbell, in: &memory))
      for value in 0..<3 as Range<UInt8> { _ = queue.producer.push(value) }
      unsafe #expect(counter.pointee == 2)
      _ = queue.consumer.pop()
      unsafe #expect(counter.pointee == 2)
      var channel = try unwrapped(
        Channel<UInt8, UInt16>(requestCapacity: 1, answerCapacity: 1, waking: doorbell, in: &memory))
      _ = channel.client.requests.push(7)
      _ = channel.worker.answers.push(8)
      unsafe #expect(counter.pointee == 3)
      var ring = try unwrapped(
        PacketRing<UInt8>(capacityPackets: 2, capacityBytes: 64, waking: doorbell, in: &memory))
      let isAcquired = ring.producer.acquire(maximumByteCount: 8) != nil
      #expect(isAcquired)
      unsafe #expect(counter.pointee == 3)
      ring.producer.commit(1, byteCount: 8)
      unsafe #expect(counter.pointee == 4)
    }
  }
}
