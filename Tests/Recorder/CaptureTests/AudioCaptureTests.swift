import Base
import Record
import TestSupport
import Testing

@Suite struct AudioCaptureTests {
  /// Captures with random pauses of loop and reader, and compares every frame in the ring with what the card sampled.
  @Test(
    "lost frames are replaced by the same length of silence, and everything else arrives",
    arguments: Cases.some(8, of: 1...30 as ClosedRange<UInt64>))
  func keepsEveryPlace(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var memory = leakedBootMemory(byteCount: 100_000)
    let ring = try unwrapped(SampleRing(capacityBytes: 4 * 5_000, bytesPerFrame: 4, in: &memory))
    var consumer = ring.consumer
    var capture = AudioCapture(ring: ring.producer)
    var microphone = FakeMicrophone()
    microphone.bufferFrames = 2_000
    var clock = SampleClock(sampleRateHz: 48_000, at: 1_000_000_000)
    var losses = CaptureLosses()
    var heard: [UInt32] = []
    for _ in 0..<400 {
      microphone.sampledFrames += .random(in: 0...900, using: &generator)
      if Bool.random(using: &generator) {
        let end = capture.end
        try capture.step(from: &microphone, maximumFrames: 700, timedBy: &clock, counting: &losses)
        #expect(capture.end - end <= 3 * 700)
      }
      if Int.random(in: 0..<3, using: &generator) == 0 { Self.read(&consumer, into: &heard) }
    }
    Self.read(&consumer, into: &heard)
    let lost = microphone.lostFrames
    let expected = heard.indices.map { frame in
      lost.contains { $0.contains(UInt64(frame)) } ? 0 : FakeMicrophone.sample(UInt64(frame))
    }
    #expect(heard == expected)
    #expect(heard.count > 50_000)
    #expect(losses.overrunCount == UInt64(lost.count))
    #expect(losses.frameCount == lost.reduce(0) { $0 + UInt64($1.count) })
  }

  @Test("a card that says it has lost more than time has passed for is not believed: the timeline keeps to time")
  func refusesALossThatCannotBe() throws {
    var memory = leakedBootMemory(byteCount: 400_000)
    let ring = try unwrapped(SampleRing(capacityBytes: 4 * 60_000, bytesPerFrame: 4, in: &memory))
    var capture = AudioCapture(ring: ring.producer)
    var microphone = FakeMicrophone()
    microphone.bufferFrames = 2_000
    microphone.exaggeration = 45_000
    var clock = SampleClock(sampleRateHz: 48_000, at: 1_000_000_000)
    var losses = CaptureLosses()
    for _ in 0..<30 {
      microphone.sampledFrames += 400
      try capture.step(from: &microphone, maximumFrames: 2_000, timedBy: &clock, counting: &losses)
    }
    microphone.sampledFrames += 5_000
    for round in 0..<40 {
      microphone.sampledFrames += round < 30 ? 400 : 0
      try capture.step(from: &microphone, maximumFrames: 2_000, timedBy: &clock, counting: &losses)
    }
    #expect(losses.overrunCount > 0)
    #expect(abs(TimelinePosition(microphone.sampledFrames).distance(to: capture.end)) <= 720)
  }

  @Test("a full ring accepts nothing, and nothing is lost if its reader resumes in time")
  func waitsForTheReader() throws {
    var memory = leakedBootMemory(byteCount: 100_000)
    let ring = try unwrapped(SampleRing(capacityBytes: 4 * 1_000, bytesPerFrame: 4, in: &memory))
    var consumer = ring.consumer
    var capture = AudioCapture(ring: ring.producer)
    var microphone = FakeMicrophone()
    var clock = SampleClock(sampleRateHz: 48_000, at: 0)
    var losses = CaptureLosses()
    microphone.sampledFrames = 2_500
    for _ in 0..<10 { try capture.step(from: &microphone, maximumFrames: 400, timedBy: &clock, counting: &losses) }
    #expect(capture.end == 1_000)
    var heard: [UInt32] = []
    for _ in 0..<3 {
      Self.read(&consumer, into: &heard)
      for _ in 0..<3 { try capture.step(from: &microphone, maximumFrames: 400, timedBy: &clock, counting: &losses) }
    }
    Self.read(&consumer, into: &heard)
    #expect(heard == (0..<2_500).map { FakeMicrophone.sample($0) })
    #expect(losses.overrunCount == 0)
  }

  @Test("silence is filled up to a position, in calls of limited size")
  func fillsSilence() throws {
    var memory = leakedBootMemory(byteCount: 100_000)
    let ring = try unwrapped(SampleRing(capacityBytes: 4 * 1_000, bytesPerFrame: 4, in: &memory))
    var capture = AudioCapture(ring: ring.producer)
    capture.fillSilence(upTo: 900, maximumFrames: 400)
    #expect(capture.end == 400)
    capture.fillSilence(upTo: 900, maximumFrames: 1_000)
    #expect(capture.end == 900)
    capture.fillSilence(upTo: 100, maximumFrames: 400)
    #expect(capture.end == 900)
    capture.fillSilence(upTo: 9_000, maximumFrames: 400)
    #expect(capture.end == 1_000)
  }

  private static func read(_ consumer: inout SampleRingConsumer, into heard: inout [UInt32]) {
    while consumer.first < consumer.end {
      let stretch = nextStretch(consumer)
      heard += stretch
      consumer.release(before: consumer.first + UInt64(stretch.count))
    }
  }

  private static func nextStretch(_ consumer: borrowing SampleRingConsumer) -> [UInt32] {
    let span = consumer.frames(from: consumer.first, to: consumer.end)
    return (0..<span.byteCount / 4).map { unsafe span.unsafeLoad(fromByteOffset: $0 * 4, as: UInt32.self) }
  }
}
