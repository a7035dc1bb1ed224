import Base
import MediaZoo
import TestSupport
import Testing
import Wire

/// Three buffers of half a second, like those of an audio queue.
@Suite struct ClassicBuffersTests {
  private static let format = AudioFormat(sampleRateHz: 44_100, channelCount: 2, sampleFormat: .int16)

  /// A CAF of 6.0 s at 44.1 kHz, 16 bits, stereo.
  private func classicCAF() throws -> String {
    let source = try Zoo.shared.path(of: Signal(frameCount: 264_600))
    return try Zoo.shared.made("classic.caf") { try ForeignProgram.run("sox", [source, $0]) }
  }

  @Test("six seconds of a CAF are read as an audio queue reads them, to the byte")
  func classic() throws {
    let bench = try DecoderBench(Self.format)
    let properties = try bench.open(try classicCAF()).get()
    #expect(properties.frameCount == 264_600)
    #expect(properties.durationSeconds == 6)
    #expect(properties.framesPerPacket == 1)
    #expect(!properties.packetsVary)
    #expect(properties.largestPacketByteCount == 4)
    #expect(properties.bufferByteCount == 88_200)
    #expect(properties.packetsPerRead == 22_050)
    #expect(bench.reading == PacketReading(nextPacket: 66_150, readCount: 3, emptyReadCount: 0))

    var readings: [PacketReading] = []
    for _ in 0..<12 {
      _ = try bench.play(fillSeconds: 0.5, limitSeconds: 0.5) { _ in }
      readings.append(bench.reading)
    }
    let full = (4...12).map { PacketReading(nextPacket: UInt64($0) * 22_050, readCount: UInt32($0)) }
    let empty = (1...3).map { PacketReading(nextPacket: 264_600, readCount: 12, emptyReadCount: $0) }
    #expect(readings == full + empty)
    let (frameCount, hasEnded) = try bench.play { _ in }
    #expect(frameCount == 0)
    #expect(hasEnded)
  }

  @Test("a separate thread reads the same packets, and the sound is the same", arguments: [true, false])
  func thread(isInStep: Bool) throws {
    let bench = try DecoderBench(Self.format, isInStep: isInStep)
    _ = try bench.open(try classicCAF()).get()
    var heard: [UInt8] = []
    let (_, hasEnded) = try bench.play { heard += $0 }
    #expect(hasEnded)
    #expect(heard == Signal(frameCount: 264_600).bytes())
    #expect(bench.reading == PacketReading(nextPacket: 264_600, readCount: 12, emptyReadCount: 3))
  }
}
