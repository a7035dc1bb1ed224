import Base
import TestSupport
import Testing

@testable import Wire

@Suite struct SyncedOutputTests {
  /// Both clocks are equal, and the speaker plays the output from 1 s on.
  private struct Rig: ~Copyable {
    var output: SyncedOutput
    var settings = ServerSettings(bufferMilliseconds: 1000)
    var clock = ClockComparison()
    var now: Instant = 1_000_000_000
    var sound: [UInt32] = []

    init() {
      var memory = leakedBootMemory()
      guard let output = SyncedOutput(.stereo, in: &memory) else { fatalError("no memory") }
      self.output = output
      clock.note(toServer: 0, fromServer: 0, sent: 1, received: 1)
    }

    /// Takes a chunk of numbered frames that was recorded at a frame of a card that began at zero.
    mutating func take(_ frames: Range<UInt32>, recorded: Int? = nil) {
      let bytes = frames.flatMap { littleEndian($0) }
      let nanoseconds = Int64(recorded ?? Int(frames.lowerBound)) * 1_000_000_000 / 48_000
      unsafe output.take(
        Chunk(recorded: WireTime(nanoseconds: nanoseconds), byteCount: bytes.count), bytes.span.bytes)
    }

    /// Outputs everything due until a time.
    mutating func run(to end: Instant) {
      while now < end {
        let heard = now.distance(since: 1_000_000_000)
        output.noteHeard(position: heard, at: now)
        while true {
          let estimate = clock.estimate
          let (settings, now) = (settings, now)
          let block = written(4096) { output.nextBlock(into: &$0, at: now, estimate, settings) }
          guard !block.isEmpty else { break }
          for offset in stride(from: 0, to: block.count, by: 4) { sound.append(block.number(at: offset)) }
        }
        now += 10_000_000
      }
    }

    /// What is heard at an instant of the server's clock.
    func frame(recorded: Int) -> UInt32? {
      // Frame n is heard one second after it was recorded; the first output, at 1 s.
      sound.indices.contains(recorded) ? sound[recorded] : nil
    }
  }

  @Test("A chunk is put out where it is heard a buffer's length after it was recorded, and what is over is left out")
  func placesChunks() {
    var rig = Rig()
    rig.run(to: 1_100_000_000)
    // It was due while silence had been output already.
    rig.take(100..<1060)
    rig.take(48_000..<48_960)
    rig.take(48_960..<49_920)
    rig.run(to: 2_500_000_000)
    #expect(rig.sound[..<48_000].allSatisfy { $0 == 0 })
    #expect(rig.sound.count > 50_000)
    #expect(rig.frame(recorded: 48_000) == 48_000 && rig.frame(recorded: 49_919) == 49_919)
    #expect(rig.sound[49_920...].allSatisfy { $0 == 0 })
  }

  @Test("A gap is silence, and what comes after it is where it belongs")
  func keepsGaps() {
    var rig = Rig()
    rig.take(48_000..<48_960)
    rig.take(52_800..<53_760)
    rig.run(to: 3_000_000_000)
    #expect(rig.sound[48_960..<52_800].allSatisfy { $0 == 0 })
    #expect(rig.frame(recorded: 52_800) == 52_800)
  }

  @Test("A chunk whose beginning is over begins with the frame that is due")
  func cutsBeginnings() {
    var rig = Rig()
    rig.run(to: 1_100_000_000)
    let given = UInt32(rig.sound.count)
    rig.take(given - 400..<given + 560)
    rig.run(to: 1_200_000_000)
    #expect(rig.sound[Int(given)...].prefix(560).elementsEqual(given..<given + 560))
  }

  @Test("What a server buffers for 15 s is all heard")
  func holdsLongBuffers() {
    var rig = Rig()
    rig.settings = ServerSettings(bufferMilliseconds: 15_000)
    for first in stride(from: 48_000, to: 16 * 48_000, by: 960) as StrideTo<UInt32> { rig.take(first..<first + 960) }
    rig.run(to: 32_000_000_000)
    #expect(rig.sound.filter { $0 != 0 }.elementsEqual(48_000..<16 * 48_000))
  }

  @Test("Nothing is put out sooner than half a second before it is heard, and half the buffer's length if that is less")
  func waits() {
    var rig = Rig()
    rig.run(to: 1_500_000_000)
    #expect(rig.sound.count <= 48_000 + 960 && rig.sound.count > 46_000)
    rig = Rig()
    rig.settings = ServerSettings(bufferMilliseconds: 400)
    rig.run(to: 1_500_000_000)
    #expect(rig.sound.count <= 33_600 + 960 && rig.sound.count > 32_000)
  }

  @Test("It is as loud as the server wants it, and silent when it wants that")
  func obeysVolume() {
    for (volume, isMuted, expected) in [(100, false, 1000), (30, false, 110), (100, true, 0)] as [(Int64, Bool, UInt32)]
    {
      var rig = Rig()
      rig.settings.volume = volume
      rig.settings.isMuted = isMuted
      let bytes = (0..<960).flatMap { _ in littleEndian(1000 as UInt32) }
      unsafe rig.output.take(
        Chunk(recorded: WireTime(nanoseconds: 1_000_000_000), byteCount: bytes.count), bytes.span.bytes)
      rig.run(to: 2_000_000_000)
      #expect(rig.frame(recorded: 48_100) == expected)
    }
  }

  @Test("The server's chunks fill the memory for them, and those that do not fit are not heard", arguments: 0..<20)
  func bearsFloods(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var memory = leakedBootMemory()
    guard var queue = ChunkQueue(in: &memory) else { fatalError("no memory") }
    var expected: [(Int64, UInt8, Int)] = []
    var refusedCount = 0
    for number in 0..<1200 as Range<Int64> {
      let count = Int.random(in: 4...40_000, using: &random)
      let sound = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: count)
      let chunk = Chunk(recorded: WireTime(nanoseconds: number * 1000), byteCount: count)
      if unsafe queue.append(chunk, sound.span.bytes) {
        expected.append((number * 1000, sound[0], count))
      } else {
        refusedCount += 1
      }
      // Fewer than arrive.
      while queue.count > 0, Int.random(in: 0..<100, using: &random) < 40 {
        let (recorded, byte, length) = expected.removeFirst()
        #expect(queue.firstRecorded == recorded && queue.firstSound.byteCount == length)
        #expect(queue.firstSound.byte(at: 0) == byte && queue.firstSound.byte(at: length - 1) == byte)
        queue.removeFirst()
      }
      #expect(queue.count == expected.count)
    }
    #expect(refusedCount > 0)
  }
}

@Suite struct SpeakerClockTests {
  @Test(
    "A line through looks that are wrong by up to 0.2 ms is right within 0.1 ms, half a second on", arguments: 0..<20)
  func averages(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var clock = SpeakerClock()
    for look in 0..<150 {
      let position = Double(look) * 1e8
      let instant = 5e9 + position * (1 + 80e-6) + .random(in: -200_000...200_000, using: &random)
      clock.note(position: Int64(position), at: Instant(UInt64(instant)))
    }
    let position = 15.4e9
    let instant = try #require(clock.instant(of: Int64(position)))
    #expect(abs(Double(instant.rawValue) - (5e9 + position * (1 + 80e-6))) < 100_000)
  }

  @Test("One look that is wrong is passed over; two tell that the speaker is elsewhere")
  func doubts() {
    var clock = SpeakerClock()
    for look in 0..<20 as Range<UInt64> {
      clock.note(position: Int64(look) * 100_000_000, at: Instant(look * 100_000_000))
    }
    clock.note(position: 2_000_000_000, at: 2_080_000_000)
    #expect(clock.instant(of: 2_500_000_000) == 2_500_000_000)
    clock.note(position: 2_100_000_000, at: 2_180_000_000)
    #expect(clock.instant(of: 2_500_000_000) == 2_580_000_000)
  }
}
