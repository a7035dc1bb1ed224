import Base
import TestSupport
import Testing

@testable import Net

@Suite struct ChunkMakerTests {
  @Test("Sound of 16 bits goes into chunks of 20 ms as it is, in pieces of any length", arguments: [1, 7, 960, 5000])
  func keepsSound(pieceFrames: Int) throws {
    var rig = try MakerRig(.stereo(.int16))
    let samples = (0..<9600).map { Int16(truncatingIfNeeded: $0 * 7919) }
    for start in stride(from: 0, to: 4800, by: pieceFrames) {
      let piece = samples[start * 2..<min(start + pieceFrames, 4800) * 2]
      rig.append(piece.flatMap { littleEndian($0) }, at: UInt64(start))
    }
    #expect(rig.chunks.count == 5)
    #expect(rig.chunks.flatMap(\.samples) == samples)
  }

  @Test("A chunk's time is that of its first frame")
  func stampsChunks() throws {
    var rig = try MakerRig(.stereo(.int16))
    rig.append([UInt8](repeating: 0, count: 4 * 2000), at: 480)
    #expect(rig.chunks.map(\.recorded) == [Instant(1_010_000_000), Instant(1_030_000_000)])
  }

  @Test("A chunk does not reach over frames that were lost")
  func beginsAfterGaps() throws {
    var rig = try MakerRig(.stereo(.int16))
    rig.append([UInt8](repeating: 1, count: 4 * 500), at: 0)
    rig.append([UInt8](repeating: 2, count: 4 * 960), at: 4800)
    #expect(rig.chunks.map(\.recorded) == [Instant(1_100_000_000)])
    #expect(rig.chunks.first?.samples.allSatisfy { $0 == 0x0202 } == true)
  }

  @Test("24 bits and floating point are rounded to 16 bits, and what is beyond full scale is full scale")
  func rounds() throws {
    var deep = try MakerRig(.stereo(.int24))
    deep.append([[0x7F, 0x01, 0x00], [0x80, 0x01, 0x00]].flatMap { $0 } * 960, at: 0)
    #expect(deep.chunks.first?.samples.prefix(2) == [1, 2])
    var floating = try MakerRig(.stereo(.float32))
    let values: [Float] = [0.5, -1, 1, 2, -2, .nan, 1.4 / 32_768, -1.6 / 32_768]
    floating.append(values.flatMap { littleEndian($0.bitPattern) } * 240, at: 0)
    #expect(floating.chunks.first?.samples.prefix(8) == [16_384, .min, .max, .max, .min, 0, 1, -2])
  }

  @Test("Before the card's clock is known no chunk is made")
  func makesNoGuesses() throws {
    var rig = try MakerRig(.stereo(.int16), lookCount: 63)
    rig.append([UInt8](repeating: 0, count: 4 * 960), at: 0)
    #expect(rig.chunks.isEmpty)
  }

  @Test("A format whose chunks would be longer than a player takes is refused")
  func refusesFormats() throws {
    var memory = leakedBootMemory()
    var maker = try unwrapped(ChunkMaker(in: &memory))
    #expect(maker.restart(AudioFormat(sampleRateHz: 192_000, channelCount: 8, sampleFormat: .int24)) == true)
    #expect(SnapcastServer.chunkFrames(AudioFormat(sampleRateHz: 44_100, channelCount: 2, sampleFormat: .int16)) == 882)
  }
}

extension AudioFormat {
  fileprivate static func stereo(_ sampleFormat: SampleFormat) -> AudioFormat {
    AudioFormat(sampleRateHz: 48_000, channelCount: 2, sampleFormat: sampleFormat)
  }
}

private func littleEndian<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
  (0..<MemoryLayout<Value>.size).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
}

private func * (bytes: [UInt8], count: Int) -> [UInt8] { Array([[UInt8]](repeating: bytes, count: count).joined()) }

/// A maker whose card began at second 1 and keeps its rate.
private struct MakerRig: ~Copyable {
  struct Made {
    var samples: [Int16]
    var recorded: Instant
  }

  private var maker: ChunkMaker
  private(set) var chunks: [Made] = []

  init(_ format: AudioFormat, lookCount: UInt64 = 64) throws {
    var memory = leakedBootMemory()
    maker = try unwrapped(ChunkMaker(in: &memory))
    _ = maker.restart(format)
    for look in 1...lookCount {
      maker.note(end: TimelinePosition(look * 240), at: Instant(1_000_000_000 + look * 5_000_000))
    }
  }

  mutating func append(_ bytes: [UInt8], at position: UInt64) {
    var made: [Made] = []
    unsafe maker.append(bytes.span.bytes, at: TimelinePosition(position)) { sound, recorded in
      var samples: [Int16] = []
      for index in 0..<sound.byteCount / 2 {
        samples.append(
          Int16(truncatingIfNeeded: Int(sound.byte(at: index * 2)) | Int(sound.byte(at: index * 2 + 1)) << 8))
      }
      made.append(Made(samples: samples, recorded: recorded))
    }
    chunks += made
  }
}
