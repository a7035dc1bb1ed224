import Base
import TestSupport
import Testing

@testable import Wire

@Suite struct PlayoutTests {
  @Test("A block that is late is played shorter, an early one longer, by one frame; half a frame is as good as none")
  func corrects() {
    let playout = Playout(sampleRateHz: 48_000)
    #expect(playout.step(lateNanoseconds: 10_416) == .play(extraFrames: 0))
    #expect(playout.step(lateNanoseconds: 10_417) == .play(extraFrames: -1))
    #expect(playout.step(lateNanoseconds: -10_417) == .play(extraFrames: 1))
    #expect(playout.step(lateNanoseconds: 5_000_000) == .play(extraFrames: -1))
  }

  @Test("A block that is far from its time has playing begin anew", arguments: [5_000_001, -5_000_001, Int64.min])
  func givesUp(late: Int64) {
    #expect(Playout(sampleRateHz: 48_000).step(lateNanoseconds: late) == .beginAgain)
  }

  @Test(
    "A block keeps its first and its last frame at any length, and a slope stays a slope", arguments: [959, 960, 961])
  func stretches(frameCount: Int) {
    var samples: [UInt8] = []
    for frame in 0..<960 as Range<Int16> { samples += littleEndian(frame * 10) + littleEndian(frame * -10) }
    let bytes = written(4096) { room in
      unsafe Playout.stretch(samples.span.bytes, channelCount: 2, into: &room, frameCount: frameCount)
      return frameCount * 4
    }
    let left = (0..<frameCount).map { Int16(bitPattern: bytes.number(at: $0 * 4)) }
    let right = (0..<frameCount).map { Int16(bitPattern: bytes.number(at: $0 * 4 + 2)) }
    #expect(left.first == 0 && left.last == 9590)
    #expect(zip(left, right).allSatisfy { $0 == -$1 })
    #expect(zip(left, left.dropFirst()).allSatisfy { (9...11).contains($1 - $0) })
  }
}
