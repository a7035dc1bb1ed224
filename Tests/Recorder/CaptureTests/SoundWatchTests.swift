import Base
import Foundation
import TestSupport
import Testing

@testable import Record

/// Which sound counts as silent, and which as clipping.
@Suite struct SoundWatchTests {
  /// Feeds a watch with seconds of sound, 20 ms at a time, and returns the whole second of its first complaint.
  private func firstTrouble(
    _ sampleFormat: SampleFormat = .int16, channelCount: Int = 2, seconds: Int = 12,
    _ sample: (_ frame: Int, _ channel: Int) -> Double
  ) -> (SoundTrouble, second: Int)? {
    let rate = 8_000
    let format = AudioFormat(
      sampleRateHz: UInt32(rate), channelCount: UInt16(channelCount), sampleFormat: sampleFormat)
    var meter = AudioMeter()
    var watch = SoundWatch()
    meter.start(format)
    watch.start(format)
    for block in 0..<seconds * 50 {
      var bytes: [UInt8] = []
      for frame in block * rate / 50..<(block + 1) * rate / 50 {
        for channel in 0..<channelCount { bytes += Self.bytes(of: sample(frame, channel), sampleFormat) }
      }
      unsafe watch.hear(bytes.span.bytes, peak: meter.hear(bytes.span.bytes))
      if let trouble = watch.trouble { return (trouble, (block + 1) / 50) }
    }
    return nil
  }

  /// A sample of -1…1, clipped at full scale.
  private static func bytes(of sample: Double, _ format: SampleFormat) -> [UInt8] {
    switch format {
    case .int16:
      let number = Int16(min(max(sample * 32_768, -32_768), 32_767))
      return unsafe withUnsafeBytes(of: number) { unsafe Array($0) }
    case .int24:
      let number = Int32(min(max(sample * 8_388_608, -8_388_608), 8_388_607))
      return unsafe withUnsafeBytes(of: number) { unsafe Array($0.prefix(3)) }
    case .float32: return unsafe withUnsafeBytes(of: Float(min(max(sample, -1), 1))) { unsafe Array($0) }
    }
  }

  /// A sine of 440 Hz.
  private static func sine(_ frame: Int) -> Double { sin(Double(frame) * 440 / 8_000 * 2 * .pi) }

  @Test("only zeros in all channels are silence, and only the same value in all of them is frozen")
  func dead() {
    for format in [SampleFormat.int16, .int24, .float32] {
      for channelCount in Cases.some(2, of: [1, 2, 3, 8]) {
        let silence = firstTrouble(format, channelCount: channelCount) { _, _ in 0 }
        #expect(silence?.0 == .silent && silence?.second == 10, "\(format) x \(channelCount)")
        let frozen = firstTrouble(format, channelCount: channelCount) { _, channel in 0.1 * Double(channel - 4) }
        #expect(frozen?.0 == .frozen && frozen?.second == 10, "\(format) x \(channelCount)")
        // The smallest value that a converter can output, once in 20 ms and only in the last channel.
        let alive = firstTrouble(format, channelCount: channelCount) { frame, channel in
          channel == channelCount - 1 && frame % 160 == 80 ? 1.0 / 32_768 : 0
        }
        #expect(alive == nil, "\(format) x \(channelCount)")
      }
    }
  }

  @Test("a pause of 9.9 s is not a dead microphone")
  func pause() {
    #expect(firstTrouble(seconds: 30) { frame, _ in frame / 80 % 990 == 0 ? Self.sine(frame) / 10 : 0 } == nil)
    #expect(firstTrouble(seconds: 30) { frame, _ in frame / 80 % 1_100 == 0 ? Self.sine(frame) / 10 : 0 } != nil)
  }

  @Test("sound 1 dB above full scale clips, in either channel and with short pauses; a sine at full scale does not")
  func clipping() {
    let loud = pow(10, 1.0 / 20)
    for format in [SampleFormat.int16, .int24, .float32] {
      for channel in 0..<2 {
        let told = firstTrouble(format) { frame, other in other == channel ? Self.sine(frame) * loud : 0 }
        #expect(told?.0 == .clipping && told?.second == 10, "\(format), channel \(channel)")
      }
      #expect(firstTrouble(format) { frame, _ in Self.sine(frame) } == nil, "\(format)")
    }
    let words = firstTrouble { frame, _ in Self.sine(frame) * (frame % 8_000 < 800 ? loud : 0.5) }
    #expect(words?.0 == .clipping)
    #expect(firstTrouble(seconds: 30) { frame, _ in Self.sine(frame) * (frame % 16_000 < 4_000 ? loud : 0.5) } == nil)
  }
}
