import Base
import CALSA
import TestSupport
import Testing

@testable import Machine

@Suite struct CardLayoutTests {
  @Test(
    "Samples are given to the card in its layout: 24 bits in four bytes keep their sign",
    arguments: [
      (CardLayout.int16, [0x34, 0x12], [0x34, 0x12]),
      (.int24, [0x56, 0x34, 0x12], [0x56, 0x34, 0x12]),
      (.int24AboveOneByte, [0x56, 0x34, 0x12, 0x01, 0x02, 0x80], [0x00, 0x56, 0x34, 0x12, 0x00, 0x01, 0x02, 0x80]),
      (.int24BelowOneByte, [0x56, 0x34, 0x92, 0xFF, 0xFF, 0x7F], [0x56, 0x34, 0x92, 0xFF, 0xFF, 0xFF, 0x7F, 0x00]),
      (.float32, [0x00, 0x00, 0x80, 0x3F], [0x00, 0x00, 0x80, 0x3F]),
    ] as [(CardLayout, [UInt8], [UInt8])])
  func widens(layout: CardLayout, samples: [UInt8], expected: [UInt8]) {
    #expect(toCard(samples + [0xAA, 0xAA, 0xAA, 0xAA], as: layout, byteCount: expected.count) == expected)
  }

  @Test(
    "Samples given to a card in any layout come back from it unchanged",
    arguments: [CardLayout.int16, .int24, .int24AboveOneByte, .int24BelowOneByte, .float32])
  func comesBack(layout: CardLayout) {
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<200 {
      let count = Int.random(in: 1...64, using: &generator)
      let samples = (0..<count * layout.sampleFormat.bytesPerSample).map { _ in
        UInt8.random(in: .min ... .max, using: &generator)
      }
      let card = toCard(samples, as: layout, byteCount: count * layout.cardBytesPerSample)
      var back = [UInt8](repeating: 0, count: samples.count)
      var span = back.mutableSpan
      var bytes = unsafe span.mutableBytes
      unsafe layout.copyFromCard(card.span.bytes, into: &bytes, at: 0)
      #expect(back == samples)
    }
  }

  private func toCard(_ samples: [UInt8], as layout: CardLayout, byteCount: Int) -> [UInt8] {
    var card = [UInt8](repeating: 0x55, count: byteCount)
    var span = card.mutableSpan
    var bytes = unsafe span.mutableBytes
    unsafe layout.copyToCard(samples.span.bytes, into: &bytes)
    return card
  }
}
