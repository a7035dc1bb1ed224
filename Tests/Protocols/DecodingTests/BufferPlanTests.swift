import Testing
import Wire

@Suite struct BufferPlanTests {
  @Test("The classic case: half a second of 44.1 kHz, 16-bit stereo is 88,200 bytes, 22,050 packets a read")
  func plansTheClassicCase() {
    let plan = BufferPlan(sampleRateHz: 44_100, framesPerPacket: 1, largestPacketByteCount: 4)
    #expect(plan.byteCount == 88_200)
    #expect(plan.packetsPerRead == 22_050)
  }

  @Test(
    "A buffer stays between 0x4000 and 0x50000 bytes, and holds a packet of any size",
    arguments: [
      // Telephone sound: half a second has only 4,000 bytes.
      (8_000, 1, 1, 0x4000, 0x4000),
      // Half a second of eight channels at 192 kHz would be 2,304,000 bytes.
      (192_000, 1, 24, 0x50000, 13_653),
      // AAC: 21.53 packets of at most 768 bytes.
      (44_100, 1_024, 768, 16_537, 21),
      // Packets of different lengths: the upper bound.
      (48_000, 0, 1_000, 0x50000, 327),
      (48_000, 0, 0x50001, 0x50001, 1),
      // One packet of ten seconds.
      (44_100, 441_000, 1_764_000, 1_764_000, 1),
      (UInt32.max, 1, UInt32.max, UInt32.max, 1),
      (48_000, 0, 0, 0x50000, 0x50000),
    ] as [(UInt32, UInt32, UInt32, UInt32, UInt32)])
  func keepsBounds(rate: UInt32, frames: UInt32, largest: UInt32, byteCount: UInt32, packets: UInt32) {
    let plan = BufferPlan(sampleRateHz: rate, framesPerPacket: frames, largestPacketByteCount: largest)
    #expect(plan.byteCount == byteCount)
    #expect(plan.packetsPerRead == packets)
  }

  @Test("A stream of MP3 at 44.1 kHz fills 512 packets, 13.37 s, before 1 MiB, at any of its bit rates")
  func plansStreams() {
    #expect(BufferPlan.streamByteCount == 1_048_576 && BufferPlan.streamPacketCount == 512)
    let seconds = Double(BufferPlan.streamPacketCount * 1152) / 44_100
    #expect(abs(seconds - 13.37) < 0.01)
    // The largest packet at 320 kbit/s, with its padding.
    #expect(BufferPlan.streamPacketCount * (144 * 320_000 / 44_100 + 1) < BufferPlan.streamByteCount)
  }
}
