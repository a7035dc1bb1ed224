import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Base

@Suite struct PacketRingTapTests {
  private typealias Ring = PacketRing<UInt64>

  private static func ring(capacityPackets: Int, capacityBytes: Int) throws -> Ring {
    var memory = leakedBootMemory(
      byteCount: Ring.byteCount(capacityPackets: capacityPackets, capacityBytes: capacityBytes))
    return try unwrapped(Ring(capacityPackets: capacityPackets, capacityBytes: capacityBytes, in: &memory))
  }

  @Test("The newest packet and any older one still held are copied whole; earlier and later ones are not")
  func copies() throws {
    var ring = try Self.ring(capacityPackets: 4, capacityBytes: 100)
    let room = TapRoom(byteCount: 50)
    #expect(ring.tap.newest == nil)
    #expect(room.sequence(of: room.copyNewest(with: ring.tap)) == nil)
    for count in [20, 0, 30] {
      try NumberedPacket.mustWrite(byteCount: count, maximumByteCount: 30, to: &ring.producer)
    }
    #expect(ring.tap.newest == 2)
    #expect(room.sequence(of: room.copyNewest(with: ring.tap)) == 2)
    for sequence in 0...2 as ClosedRange<PictureNumber> {
      #expect(room.sequence(of: room.copy(sequence, with: ring.tap)) == sequence)
    }
    ring.consumer.release(before: 2)
    for sequence in [0, 1, 3, PictureNumber.max] {
      #expect(room.sequence(of: room.copy(sequence, with: ring.tap)) == nil)
    }
    ring.consumer.release(before: 3)
    #expect(ring.tap.newest == nil)
  }

  @Test("It tells how many more packets of the same size fit, by slots and by bytes, also where the ring wraps")
  func tellsRoom() throws {
    for (slotCount, freeCount, freeBesideReserve) in [(5, 2, 2), (100, 5, 3)] {
      var ring = try Self.ring(capacityPackets: slotCount, capacityBytes: 256)
      #expect(ring.tap.packetsThatFit(reserving: 0) == nil)
      for _ in 0..<3 { try NumberedPacket.mustWrite(byteCount: 30, maximumByteCount: 30, to: &ring.producer) }
      #expect(ring.tap.packetsThatFit(reserving: 0) == freeCount)
      #expect(ring.tap.packetsThatFit(reserving: 60) == freeBesideReserve)
      for _ in 0..<freeCount { try NumberedPacket.mustWrite(byteCount: 30, maximumByteCount: 30, to: &ring.producer) }
      #expect(ring.tap.packetsThatFit(reserving: 0) == 0)
    }
    var ring = try Self.ring(capacityPackets: 100, capacityBytes: 256)
    for _ in 0..<8 { try NumberedPacket.mustWrite(byteCount: 30, maximumByteCount: 30, to: &ring.producer) }
    ring.consumer.release(before: 4)
    #expect(ring.tap.packetsThatFit(reserving: 0) == 4)
    // From 0 to 90, where 120 is the oldest byte.
    for _ in 0..<3 { try NumberedPacket.mustWrite(byteCount: 30, maximumByteCount: 30, to: &ring.producer) }
    #expect(ring.tap.packetsThatFit(reserving: 0) == 0)
  }

  @Test("A packet larger than the buffer is reported with its size, and nothing is written")
  func tellsLarger() throws {
    var ring = try Self.ring(capacityPackets: 4, capacityBytes: 100)
    try NumberedPacket.mustWrite(byteCount: 31, maximumByteCount: 40, to: &ring.producer)
    let room = TapRoom(byteCount: 30)
    guard case .tooLarge(byteCount: 31) = room.copyNewest(with: ring.tap) else {
      Issue.record("not told")
      return
    }
    #expect(room.isUntouched)
  }

  @Test(
    "However the ring changes during a copy, a returned copy is the whole packet",
    arguments: 0..<20 as Range<UInt64>)
  func interleavings(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var ring = try Self.ring(capacityPackets: Int.random(in: 1...5, using: &random), capacityBytes: 90)
    let room = TapRoom(byteCount: 90)
    var (provenCount, refusedCount) = (0, 0)
    for _ in 0..<5_000 {
      goOn(&ring, &random)
      guard let newest = ring.tap.newest else { continue }
      let wanted = PictureNumber(.random(in: ring.consumer.first.rawValue...newest.rawValue, using: &random))
      guard let slot = ring.tap.slot(of: wanted) else { continue }
      goOn(&ring, &random)
      room.transfer(slot, with: ring.tap)
      goOn(&ring, &random)
      guard ring.tap.wasHeldUntilNow(wanted) else {
        refusedCount += 1
        continue
      }
      provenCount += 1
      try #require(
        room.holds(TappedPacket(sequence: wanted, header: slot.header, byteCount: slot.byteCount)), "packet \(wanted)")
    }
    #expect(provenCount > 100 && refusedCount > 100)
  }

  /// A few steps of writer and reader; the writer may also stop in the middle of a packet.
  private func goOn(_ ring: inout Ring, _ random: inout SeededGenerator) {
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      let count = Int.random(in: 0...30, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: NumberedPacket.begin(byteCount: count, in: &ring.producer)
      case 1, 2: _ = NumberedPacket.write(byteCount: count, maximumByteCount: count, to: &ring.producer)
      default: ring.consumer.release(before: min(ring.consumer.first + 1, ring.consumer.end))
      }
    }
  }

  @Test("With a writer and a reader at full speed, every returned packet is whole")
  func threeThreads() throws {
    let ring = try Self.ring(capacityPackets: 12, capacityBytes: 20_000)
    let packetCount = PictureNumber(UInt64(Cases.count(500_000, of: 2_000_000)))
    let result = TapCount()
    let tap = ring.tap
    let tapping = startThread(with: TapRoom(byteCount: 4_096)) { room in
      while !result.isWriterDone.load(ordering: .relaxed) { result.count(room.copyNewest(with: tap), room) }
    }
    onTwoThreads(writer: ring.producer, reader: ring.consumer) { producer in
      while producer.end < packetCount {
        let isWritten = UniformPacket.write(to: &producer)
        if !isWritten { yieldThread() }
      }
      result.isWriterDone.store(true, ordering: .relaxed)
    } read: { consumer in
      while consumer.first < packetCount {
        let end = consumer.end
        if end == consumer.first { yieldThread() }
        consumer.release(before: end)
      }
    }
    tapping.wait()
    #expect(result.damagedCount == 0)
    #expect(result.wholeCount > Cases.count(250, of: 1_000))
    print("tap: \(result.wholeCount) whole, \(result.refusedCount) refused, of \(packetCount) packets")
  }

  @Test("Whatever the memory holds, a tap reads nothing outside it and terminates")
  func randomRegions() throws {
    var random = SeededGenerator(seed: 3)
    let room = TapRoom(byteCount: 4_096)
    var packetCount = 0
    for _ in 0..<20_000 {
      let capacityPackets = Int.random(in: 1...8, using: &random)
      let capacityBytes = Int.random(in: 0...600, using: &random)
      let byteCount = Ring.byteCount(capacityPackets: capacityPackets, capacityBytes: capacityBytes)
      let region = GuardedRegion(byteCount: byteCount)
      region.fill(using: &random)
      // Every other time the counts are plausible for a ring of this size.
      if Bool.random(using: &random) { region.set(region.word(at: 64) &+ 1, at: 0) }
      let tap = try #require(
        unsafe PacketRingTap<UInt64>(
          region: region.bytes, capacityPackets: capacityPackets, capacityBytes: capacityBytes))
      for sequence in [tap.newest?.rawValue ?? 0, region.word(at: 0) &- 1, region.word(at: 64), random.next()] {
        if case .packet = room.copy(PictureNumber(sequence), with: tap) { packetCount += 1 }
      }
      if case .packet = room.copyNewest(with: tap) { packetCount += 1 }
    }
    #expect(packetCount > 100)
  }

  @Test("There is no tap of a ring that is not completely in the region, or that is misaligned")
  func refusesSizes() throws {
    let region = GuardedRegion(byteCount: 1_024)
    let needed = { (packets: Int, bytes: Int) in
      unsafe PacketRingTap<UInt64>(
        region: region.bytes, capacityPackets: packets, capacityBytes: bytes) != nil
    }
    #expect(needed(1, 832) && needed(8, 640))
    for (packets, bytes) in [(0, 10), (-1, 10), (1, -1), (1, 833), (100, 10), (Int.max, 1), (1, Int.max), (.min, .min)]
    {
      #expect(!needed(packets, bytes), "\(packets) packets, \(bytes) bytes")
    }
    let askew = unsafe UnsafeRawBufferPointer(rebasing: region.bytes[8...])
    #expect(unsafe PacketRingTap<UInt64>(region: askew, capacityPackets: 1, capacityBytes: 1) == nil)
    #expect(
      unsafe PacketRingTap<UInt64>(
        region: UnsafeRawBufferPointer(start: nil, count: 0), capacityPackets: 1, capacityBytes: 1) == nil)
  }
}
