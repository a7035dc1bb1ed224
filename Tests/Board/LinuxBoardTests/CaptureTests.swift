import Base
import CALSA
import Testing

@testable import Machine

@Suite struct CaptureTests {
  @Test(
    "A card itself is asked for 24 bits first, a converting plugin for 16",
    arguments: [
      (nil, true, CardLayout.int24), (nil, false, .int16), (.int16, true, .int16), (.int24, false, .int24),
      (.float32, true, .float32),
    ] as [(SampleFormat?, Bool, CardLayout)])
  func prefers(requested: SampleFormat?, isCardItself: Bool, first: CardLayout) {
    let layouts = CardLayout.preference(for: requested, isCardItself: isCardItself)
    #expect(layouts[0] == first)
    var all: Set<CardLayout> = []
    for index in layouts.indices { all.insert(layouts[index]) }
    #expect(all.count == 5)
  }

  @Test(
    "Samples arrive packed and little-endian in every layout of the card",
    arguments: [
      (CardLayout.int16, [0x34, 0x12], [0x34, 0x12]),
      (.int24, [0x56, 0x34, 0x12], [0x56, 0x34, 0x12]),
      (.int24AboveOneByte, [0x99, 0x56, 0x34, 0x12, 0x00, 0x01, 0x02, 0x80], [0x56, 0x34, 0x12, 0x01, 0x02, 0x80]),
      (.int24BelowOneByte, [0x56, 0x34, 0x92, 0xFF, 0x01, 0x02, 0x03, 0x00], [0x56, 0x34, 0x92, 0x01, 0x02, 0x03]),
      (.float32, [0x00, 0x00, 0x80, 0x3F], [0x00, 0x00, 0x80, 0x3F]),
    ] as [(CardLayout, [UInt8], [UInt8])])
  func packs(layout: CardLayout, card: [UInt8], expected: [UInt8]) {
    var buffer = [UInt8](repeating: 0xAA, count: expected.count + 4)
    var span = buffer.mutableSpan
    var bytes = unsafe span.mutableBytes
    unsafe layout.copyFromCard(card.span.bytes, into: &bytes, at: 3)
    #expect(buffer == [0xAA, 0xAA, 0xAA] + expected + [0xAA])
  }

  @Test(
    "Each layout asks the card for a format of its own width",
    arguments: [
      CardLayout.int16, .int24, .int24AboveOneByte, .int24BelowOneByte, .float32,
    ])
  func widthsAgree(layout: CardLayout) {
    #expect(Int(snd_pcm_format_physical_width(layout.cardFormat)) == layout.cardBytesPerSample * 8)
  }

  @Test("The end of a reading precedes the timestamp by the frames that still wait")
  func placesReadings() {
    var continuity = CaptureContinuity(sampleRateHz: 48_000)
    let reading = continuity.reading(of: 480, leaving: 48, at: 2_000_000_000)
    #expect(reading.frameCount == 480)
    #expect(reading.lostFrameCount == 0)
    #expect(reading.endInstant == 1_999_000_000)
  }

  @Test("The loss of a stop is the time between the last frame and the first of the new start")
  func countsLoss() {
    var continuity = CaptureContinuity(sampleRateHz: 48_000)
    _ = continuity.reading(of: 480, leaving: 0, at: 1_000_000_000)
    continuity.breakOff()
    #expect(continuity.loss(before: 0, at: 1_700_000_000) == nil)
    // 480 frames end at 1.71 s, so they began at 1.70 s: 0.7 s after the last.
    let loss = continuity.loss(before: 480, at: 1_710_000_000)
    #expect(loss?.lostFrameCount == 33_600)
    #expect(loss?.frameCount == 0)
    #expect(loss?.endInstant == 1_700_000_000)
    #expect(continuity.loss(before: 480, at: 1_710_000_000) == nil)
  }

  @Test("A stop before anything was read loses nothing, and a day's sleep is counted")
  func countsLongLoss() {
    var continuity = CaptureContinuity(sampleRateHz: 192_000)
    continuity.breakOff()
    #expect(continuity.loss(before: 192, at: 5_000_000_000) == nil)
    _ = continuity.reading(of: 192, leaving: 0, at: 5_000_000_000)
    continuity.breakOff()
    let later: UInt64 = 5_000_000_000 + 86_400_000_000_000 + 1_000_000
    #expect(continuity.loss(before: 192, at: Instant(later))?.lostFrameCount == 86_400 * 192_000)
  }
}
