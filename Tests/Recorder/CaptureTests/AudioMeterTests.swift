import Base
import TestSupport
import Testing

@testable import Record

@Suite struct AudioMeterTests {
  private static func meter(_ format: SampleFormat, channelCount: UInt16 = 2) -> AudioMeter {
    var meter = AudioMeter()
    meter.start(AudioFormat(sampleRateHz: 48_000, channelCount: channelCount, sampleFormat: format))
    return meter
  }

  @Test("Full scale is 0 dBFS and half of it -6, in every format, each channel on its own")
  func tellsPeaks() {
    let cases: [(SampleFormat, [UInt8])] = [
      (.int16, [0x00, 0x80, 0x00, 0x40]), (.int24, [0, 0, 0x80, 0, 0, 0x40]),
      (.float32, [0, 0, 0x80, 0xBF, 0, 0, 0, 0x3F]),
    ]
    for (format, frame) in cases {
      var meter = Self.meter(format)
      let silence = [UInt8](repeating: 0, count: frame.count)
      let bytes = silence + frame + silence
      unsafe meter.hear(bytes.span.bytes)
      let shown = meter.read(at: 0)
      #expect(shown[0] == 0)
      #expect(abs(shown[1] + 6.02) < 0.01, "\(shown[1])")
    }
  }

  @Test("The level falls by 20 dB in 1.7 s, down to -90, and rises at once")
  func falls() {
    var meter = Self.meter(.int16, channelCount: 1)
    unsafe meter.hear(([0x00, 0x80] as [UInt8]).span.bytes)
    #expect(meter.read(at: 0)[1] == 0)
    for step in 1...85 as ClosedRange<UInt64> { _ = meter.read(at: Instant(step * 20_000_000)) }
    #expect(abs(meter.read(at: 1_700_000_000)[0] + 20) < 0.01)
    unsafe meter.hear(([0x00, 0x40] as [UInt8]).span.bytes)
    #expect(abs(meter.read(at: 1_700_000_000)[0] + 6.02) < 0.01)
    #expect(meter.read(at: 60_000_000_000)[0] == -90)
  }

  @Test("A channel that reaches full scale is counted at the next reading, however far the level has fallen since")
  func countsClips() {
    var meter = Self.meter(.int16)
    for frame in [[0xFF, 0x7F, 0, 0x40], [0, 0x40, 0, 0], [0xFE, 0x7F, 0x00, 0x80]] as [[UInt8]] {
      unsafe meter.hear(frame.span.bytes)
      _ = meter.read(at: 0)
      _ = meter.read(at: 0)
    }
    #expect(meter.clipCounts[0] == 1)
    #expect(meter.clipCounts[1] == 1)
  }

  @Test("NaN counts as silence, and overload shows full scale")
  func survivesAnything() {
    var meter = Self.meter(.float32, channelCount: 1)
    let numbers: [Float] = [.nan, 0.5]
    unsafe meter.hear(numbers.span.bytes)
    #expect(abs(meter.read(at: 0)[0] + 6.02) < 0.01)
    let beyond: [Float] = [-.infinity]
    unsafe meter.hear(beyond.span.bytes)
    #expect(meter.read(at: 0)[0] == 0)
  }
}
