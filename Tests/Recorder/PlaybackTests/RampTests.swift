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
}
