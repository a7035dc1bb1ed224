import Base
import Foundation
import TestSupport
import Testing

@testable import Record

@Suite struct SoundLevelTests {
  private static let frameCount = 19_200

  private static func meter(_ format: AudioFormat) -> AudioMeter {
    var meter = AudioMeter()
    meter.start(format)
    return meter
  }

  /// A sine with an offset in the first channel, noise in the others.
  private static func sound(_ format: AudioFormat, seed: UInt64) -> [UInt8] {
    var generator = SplitMix64(seed: seed)
    var bytes: [UInt8] = []
    for frame in 0..<frameCount {
      for channel in 0..<Int(format.channelCount) {
        let value =
          channel == 0
          ? 0.25 * sin(2 * .pi * 997 * Double(frame) / Double(format.sampleRateHz)) + 0.02
          : .random(in: -0.7...0.7, using: &generator)
        bytes += sample(value, format.sampleFormat)
      }
    }
    return bytes
  }

  private static func sample(_ value: Double, _ format: SampleFormat) -> [UInt8] {
    let bits =
      switch format {
      case .int16: UInt32(bitPattern: Int32(value * 32_767))
      case .int24: UInt32(bitPattern: Int32(value * 8_388_607))
      case .float32: Float(value).bitPattern
      }
    return (0..<format.bytesPerSample).map { UInt8(truncatingIfNeeded: bits >> UInt32(8 * $0)) }
  }

  /// A value that ffmpeg's astats reports for a channel, counted from 1.
  private static func judged(_ key: String, _ channel: Int, of bytes: [UInt8], _ format: AudioFormat) throws -> Double {
    let name =
      switch format.sampleFormat {
      case .int16: "s16le"
      case .int24: "s24le"
      case .float32: "f32le"
      }
    let told = try ForeignProgram.text(
      "ffmpeg",
      [
        "-v", "error", "-f", name, "-ar", "\(format.sampleRateHz)", "-ac", "\(format.channelCount)", "-i", "pipe:0",
        "-af", "astats=metadata=1,ametadata=print:key=lavfi.astats.\(channel).\(key):file=-", "-f", "null", "-",
      ], input: bytes)
    return try unwrapped(told.split(separator: "=").last.flatMap { Double($0) })
  }

  @Test(
    "Peak and RMS of each channel are ffmpeg's within 0.01 dB, in every format",
    arguments: [SampleFormat.int16, .int24, .float32], Cases.some(1, of: [2, 5] as [UInt16]))
  func agreesWithAstats(sampleFormat: SampleFormat, channelCount: UInt16) throws {
    let format = AudioFormat(sampleRateHz: 48_000, channelCount: channelCount, sampleFormat: sampleFormat)
    let bytes = Self.sound(format, seed: UInt64(channelCount))
    var meter = Self.meter(format)
    for start in stride(from: 0, to: bytes.count, by: 240 * format.bytesPerFrame) {
      let piece = Array(bytes[start..<min(start + 240 * format.bytesPerFrame, bytes.count)])
      unsafe meter.hear(piece.span.bytes)
    }
    _ = meter.read(at: Instant(SoundLimits.windowNanoseconds))
    #expect(meter.levels.channelCount == Int(channelCount))
    for channel in 0..<Int(channelCount) {
      let levels = meter.levels[channel]
      let peak = try Self.judged("Peak_level", channel + 1, of: bytes, format)
      let rms = try Self.judged("RMS_level", channel + 1, of: bytes, format)
      #expect(abs(SoundLevels.decibels(levels.peak) - peak) < 0.01, "channel \(channel)")
      #expect(abs(SoundLevels.decibels(levels.rms) - rms) < 0.01, "channel \(channel)")
      #expect(levels.noise == levels.rms)
    }
  }

  private static let mono = AudioFormat(sampleRateHz: 48_000, channelCount: 1, sampleFormat: .float32)

  private static func hear(_ amplitude: Float, _ meter: inout AudioMeter, at milliseconds: UInt64) {
    let samples = [Float](repeating: amplitude, count: frameCount)
    unsafe meter.hear(samples.span.bytes)
    _ = meter.read(at: Instant(milliseconds * 1_000_000))
  }

  @Test("A peak is held for 2 s, RMS is that of the last 0.4 s, and noise is the lowest of it until the reset")
  func holds() {
    var meter = Self.meter(Self.mono)
    Self.hear(0.5, &meter, at: 400)
    Self.hear(0.125, &meter, at: 800)
    Self.hear(0.25, &meter, at: 1200)
    #expect(meter.levels[0].peak == 0.5 && meter.levels[0].rms == 0.25 && meter.levels[0].noise == 0.125)
    Self.hear(0.25, &meter, at: 2400)
    #expect(meter.levels[0].peak == 0.25)
    meter.resetLevels()
    #expect(meter.levels[0].noise == nil)
    Self.hear(0.25, &meter, at: 2800)
    #expect(meter.levels[0].noise == 0.25)
  }

  @Test("Of peaks that come once a second, each a little lower, one is always held")
  func holdsPeaksInTurn() {
    var held = HeldMaximum(0)
    for step in 0..<600 {
      let newest: Float = step % 50 == 0 ? 0.5 - Float(step) / 10_000 : 0.01
      held.follow(newest, for: SoundLimits.peakNanoseconds, at: Instant(UInt64(step) * 20_000_000))
      #expect(held.value > 0.4, "\(step)")
    }
  }

  @Test("A window in which the microphone delivered little tells nothing of the noise, and silence is at -144 dBFS")
  func needsSound() {
    var meter = Self.meter(Self.mono)
    let few = [Float](repeating: 0, count: 100)
    unsafe meter.hear(few.span.bytes)
    _ = meter.read(at: 400_000_000)
    #expect(meter.levels[0].noise == nil)
    #expect(SoundLevels.decibels(meter.levels[0].rms) == -144)
  }

  @Test("Clips are counted for every channel, and from the reset on anew, while the display's count goes on")
  func countsClips() {
    let format = AudioFormat(sampleRateHz: 48_000, channelCount: 3, sampleFormat: .int16)
    var meter = Self.meter(format)
    for frame in [[0xFF, 0x7F, 0, 0, 0, 0x80], [0, 0, 0, 0, 0, 0x80]] as [[UInt8]] {
      unsafe meter.hear(frame.span.bytes)
      _ = meter.read(at: 0)
    }
    #expect(meter.levels[0].clipCount == 1 && meter.levels[1].clipCount == 0 && meter.levels[2].clipCount == 2)
    meter.resetLevels()
    unsafe meter.hear(([0, 0x80, 0, 0, 0, 0] as [UInt8]).span.bytes)
    _ = meter.read(at: 0)
    #expect(meter.levels[0].clipCount == 1 && meter.levels[2].clipCount == 0 && meter.clipCounts[0] == 2)
  }
}
