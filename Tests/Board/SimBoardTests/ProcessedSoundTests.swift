import Base
import TestSupport
import Testing

@testable import Machine

/// A microphone whose sound is processed: what the limiter holds is delivered before what comes after it.
@Suite struct ProcessedSoundTests {
  private static let card = AudioFormat(sampleRateHz: 48_000, channelCount: 1, sampleFormat: .int16)

  private static func sound() throws -> ProcessedSound {
    var processing = SoundProcessing()
    processing.limiterDecibels = -1
    var memory = leakedBootMemory()
    let sound = try #require(try ProcessedSound(processing, wanted: .int16, in: &memory))
    #expect(sound.start(Self.card) == Self.card)
    return sound
  }

  /// Reads once; the card has `frameCount` more frames, up to `end`.
  private static func read(
    _ sound: ProcessedSound, _ frameCount: Int, end: Instant, thenFailing: Bool = false
  ) throws -> MicrophoneRead {
    var buffer = [UInt8](repeating: 0, count: 20_000)
    var span = buffer.mutableSpan
    var space = unsafe span.mutableBytes
    var rest = frameCount
    return try sound.read(into: &space) { (chunk) throws(DeviceFailure) in
      let count = min(rest, chunk.byteCount / 2)
      if count == 0, thenFailing { throw .notOpen(.microphone) }
      for index in 0..<count { chunk.storeBytes(of: 100, toByteOffset: 2 * index, as: Int16.self) }
      rest -= count
      return MicrophoneRead(frameCount: count, lostFrameCount: 0, endInstant: end)
    }
  }

  @Test("the limiter holds 2 ms back, and says that what it delivers is so much older")
  func delays() throws {
    let sound = try Self.sound()
    let first = try Self.read(sound, 480, end: 1_000_000_000)
    #expect(first.frameCount == 480 - 96 && first.endInstant == 998_000_000)
    let second = try Self.read(sound, 480, end: 1_010_000_000)
    #expect(second.frameCount == 480 && second.endInstant == 1_008_000_000)
  }

  @Test("a gap is reported once everything before it is delivered")
  func gap() throws {
    let sound = try Self.sound()
    _ = try Self.read(sound, 480, end: 1_000_000_000)
    var buffer = [UInt8](repeating: 0, count: 20_000)
    var reads: [MicrophoneRead] = []
    let loss = MicrophoneRead(frameCount: 0, lostFrameCount: 4800, endInstant: 1_100_000_000)
    for _ in 0..<2 {
      var span = buffer.mutableSpan
      var space = unsafe span.mutableBytes
      reads.append(try sound.read(into: &space) { (_) throws(DeviceFailure) in loss })
    }
    #expect(reads[0] == MicrophoneRead(frameCount: 96, lostFrameCount: 0, endInstant: 1_000_000_000))
    #expect(reads[1] == loss)
    let after = try Self.read(sound, 480, end: 1_110_000_000)
    #expect(after.frameCount == 480 - 96 && after.endInstant == 1_108_000_000)
  }

  @Test("a card that fails is reported once everything before it is delivered")
  func failure() throws {
    let sound = try Self.sound()
    let first = try Self.read(sound, 1024, end: 1_000_000_000, thenFailing: true)
    #expect(first.frameCount == 1024 - 96)
    let second = try Self.read(sound, 0, end: 0, thenFailing: true)
    #expect(second.frameCount == 96 && second.endInstant == 1_000_000_000)
    #expect(throws: DeviceFailure.self) { try Self.read(sound, 0, end: 0, thenFailing: true) }
  }
}
