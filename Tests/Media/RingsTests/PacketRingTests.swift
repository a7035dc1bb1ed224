import Base
import TestSupport
import Testing

@Suite struct PacketRingTests {
  private static func ring(capacityPackets: Int = 8, capacityBytes: Int = 100) throws -> PacketRing<UInt64> {
    var memory = leakedBootMemory(
      byteCount: PacketRing<UInt64>.byteCount(capacityPackets: capacityPackets, capacityBytes: capacityBytes))
    return try unwrapped(PacketRing(capacityPackets: capacityPackets, capacityBytes: capacityBytes, in: &memory))
  }

  @Test(
    "What is held stays as it was written, through wraps, full rings and shrunken packets",
    arguments: [(1, 64, 20), (8, 40, 15), (3, 100, 40), (16, 1000, 300), (64, 257, 40)])
  func agreesWithModel(capacityPackets: Int, capacityBytes: Int, largest: Int) throws {
    var random = SeededGenerator(seed: UInt64(capacityBytes))
    var ring = try Self.ring(capacityPackets: capacityPackets, capacityBytes: capacityBytes)
    var held: [Int] = []
    var refusedCount = 0
    for _ in 0..<20_000 {
      if Bool.random(using: &random) {
        let maximum = Int.random(in: 0...largest, using: &random)
        let count = Bool.random(using: &random) ? maximum : Int.random(in: 0...maximum, using: &random)
        if NumberedPacket.write(byteCount: count, maximumByteCount: maximum, to: &ring.producer) {
          held.append(count)
        } else {
          refusedCount += 1
          // Less than one packet's size is lost before the end of the bytes, or the free bytes are in two parts.
          #expect(held.count == capacityPackets || held.reduce(0, +) + maximum + largest >= capacityBytes)
        }
      } else {
        let released = Int.random(in: 0...min(held.count, 2), using: &random)
        held.removeFirst(released)
        ring.consumer.release(before: ring.consumer.first + UInt64(released))
      }
      try expectIntact(held, in: ring.consumer)
    }
    #expect(refusedCount > 100)
    let writtenCount = ring.consumer.end
    #expect(writtenCount > 1000)
  }

  private func expectIntact(_ held: [Int], in consumer: borrowing PacketRingConsumer<UInt64>) throws {
    let heldCount = Int(consumer.end - consumer.first)
    try #require(heldCount == held.count)
    for (offset, count) in held.enumerated() {
      let isIntact = NumberedPacket.isIntact(consumer.first + UInt64(offset), byteCount: count, in: consumer)
      try #require(isIntact, "packet \(offset) of \(held.count)")
    }
  }

  @Test("A reader that holds on to an empty packet does not block the writer")
  func emptyPacketTakesNoBytes() throws {
    var ring = try Self.ring()
    try NumberedPacket.mustWrite(byteCount: 10, maximumByteCount: 10, to: &ring.producer)
    try NumberedPacket.mustWrite(byteCount: 0, maximumByteCount: 10, to: &ring.producer)
    ring.consumer.release(before: 1)
    try NumberedPacket.mustWrite(byteCount: 50, maximumByteCount: 50, to: &ring.producer)
    ring.consumer.release(before: 1)
    try expectIntact([0, 50], in: ring.consumer)
  }

  @Test("A packet of one byte less than the ring always fits; one as large as the ring never does")
  func largestPacket() throws {
    var ring = try Self.ring(capacityBytes: 100)
    let isTooLargeWritten = NumberedPacket.write(byteCount: 1, maximumByteCount: 100, to: &ring.producer)
    #expect(!isTooLargeWritten)
    for sequence in 0..<5 as Range<PictureNumber> {
      try NumberedPacket.mustWrite(byteCount: 99, maximumByteCount: 99, to: &ring.producer)
      try expectIntact([99], in: ring.consumer)
      ring.consumer.release(before: sequence + 1)
    }
  }

  @Test("Space that was acquired and not committed is free again")
  func abandonedRoom() throws {
    var ring = try Self.ring(capacityBytes: 100)
    try NumberedPacket.mustWrite(byteCount: 30, maximumByteCount: 30, to: &ring.producer)
    try NumberedPacket.mustWrite(byteCount: 30, maximumByteCount: 30, to: &ring.producer)
    ring.consumer.release(before: 1)
    // This space is before the oldest packet, the one below after the newest.
    let hasRoomAtTheBeginning = ring.producer.acquire(maximumByteCount: 29) != nil
    let hasRoomAtTheEnd = ring.producer.acquire(maximumByteCount: 40) != nil
    #expect(hasRoomAtTheBeginning && hasRoomAtTheEnd)
    try NumberedPacket.mustWrite(byteCount: 40, maximumByteCount: 40, to: &ring.producer)
    try NumberedPacket.mustWrite(byteCount: 29, maximumByteCount: 29, to: &ring.producer)
    try expectIntact([30, 40, 29], in: ring.consumer)
  }

  @Test("Committing more than was acquired stops the program")
  func commitBeyondRoom() async {
    await #expect(processExitsWith: .failure) {
      var memory = leakedBootMemory(byteCount: 4096)
      var ring = PacketRing<UInt64>(capacityPackets: 8, capacityBytes: 100, in: &memory)!
      _ = ring.producer.acquire(maximumByteCount: 10)
      ring.producer.commit(0, byteCount: 11)
    }
  }

  @Test("Committing twice stops the program")
  func commitTwice() async {
    await #expect(processExitsWith: .failure) {
      var memory = leakedBootMemory(byteCount: 4096)
      var ring = PacketRing<UInt64>(capacityPackets: 8, capacityBytes: 100, in: &memory)!
      _ = ring.producer.acquire(maximumByteCount: 10)
      ring.producer.commit(0, byteCount: 5)
      ring.producer.commit(0, byteCount: 0)
    }
  }

  @Test("It uses exactly the memory that it reports", arguments: [1, 63, 64, 65, 1000])
  func footprint(capacityBytes: Int) throws {
    let byteCount = PacketRing<UInt64>.byteCount(capacityPackets: 3, capacityBytes: capacityBytes)
    var memory = leakedBootMemory(byteCount: byteCount)
    _ = try unwrapped(PacketRing<UInt64>(capacityPackets: 3, capacityBytes: capacityBytes, in: &memory))
    let usedByteCount = memory.usedByteCount
    #expect(usedByteCount == byteCount)
    var tooLittle = leakedBootMemory(byteCount: byteCount - 1)
    #expect(throws: NothingThere.self) {
      _ = try unwrapped(PacketRing<UInt64>(capacityPackets: 3, capacityBytes: capacityBytes, in: &tooLittle))
    }
  }

  @Test("Between two threads every packet arrives once, whole and in order", arguments: [2, 7, 64])
  func twoThreads(capacityPackets: Int) throws {
    let ring = try Self.ring(capacityPackets: capacityPackets, capacityBytes: 700)
    let packetCount = 100_000 as PictureNumber
    var damagedCount = 0
    let size = { (sequence: PictureNumber) in Int((sequence.rawValue &* 2_654_435_761) >> 7 % 100) }
    onTwoThreads(writer: ring.producer, reader: ring.consumer) { producer in
      while producer.end < packetCount {
        let count = size(producer.end)
        let isWritten = NumberedPacket.write(byteCount: count, maximumByteCount: count + 30, to: &producer)
        if !isWritten { yieldThread() }
      }
    } read: { consumer in
      while consumer.first < packetCount {
        let sequence = consumer.first
        guard sequence < consumer.end else {
          yieldThread()
          continue
        }
        if !NumberedPacket.isIntact(sequence, byteCount: size(sequence), in: consumer) { damagedCount += 1 }
        consumer.release(before: sequence + 1)
      }
    }
    #expect(damagedCount == 0)
  }
}
