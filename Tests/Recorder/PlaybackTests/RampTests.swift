import Base
import Testing

@testable import Playback

@Suite struct RampTests {
  @Test("A ramp reaches its target in the given number of frames, in even steps")
  func reachesTarget() {
    var ramp = Ramp(at: 1)
    ramp.aim(at: 0.25, frameCount: 4)
    #expect((0..<5).map { _ in ramp.next() } == [0.8125, 0.625, 0.4375, 0.25, 0.25])
    #expect(ramp.rests(at: 0.25))
  }

  @Test("An eased ramp follows its easing, up, down and from where another one is interrupted")
  func isEased() {
    var ramp = Ramp(at: 0)
    ramp.aim(at: 1, frameCount: 4, .curved(.quad, .into))
    #expect((0..<4).map { _ in ramp.next() } == [0.0625, 0.25, 0.5625, 1])
    ramp.aim(at: 0, frameCount: 4, .curved(.quad, .outOf))
    #expect((0..<2).map { _ in ramp.next() } == [0.5625, 0.25])
    ramp.aim(at: 1, frameCount: 2, .linear)
    #expect((0..<3).map { _ in ramp.next() } == [0.625, 1, 1])
  }

  @Test("No easing makes a ramp leave the values between its ends, or rest before its last frame", arguments: 0..<31)
  func staysBetween(number: UInt8) throws {
    let easing = try #require(Easing(rawValue: number))
    for (start, end) in [(0.2, 0.7), (0.7, 0.2), (0, 1), (1, 0)] {
      var ramp = Ramp(at: start)
      ramp.aim(at: end, frameCount: 1000, easing)
      for frame in 1...1000 {
        let value = ramp.next()
        #expect(value >= min(start, end) && value <= max(start, end), "\(value) at frame \(frame)")
        #expect(ramp.rests(at: end) == (frame == 1000))
      }
    }
  }
}
