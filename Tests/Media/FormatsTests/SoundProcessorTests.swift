import Base
import Foundation
import Media
import TestSupport
import Testing

/// What `[audio]` has done to the microphone's sound.
@Suite struct SoundProcessorTests {
  /// Runs frames of a card through a processor, in chunks.
  /// - Parameter frames: samples of each channel, as fractions of full scale.
  private static func process(
    _ processing: SoundProcessing, _ frames: [[Double]], card sampleFormat: SampleFormat = .int24,
    wanted: SampleFormat? = nil, rate: UInt32 = 48_000, chunks: () -> Int = { 1000 }
  ) throws -> (frames: [[Double]], bytes: [UInt8], ratio: Double?) {
    var memory = leakedBootMemory()
    var processor = try unwrapped(SoundProcessor(processing, wanted: wanted, in: &memory))
    let card = AudioFormat(sampleRateHz: rate, channelCount: UInt16(frames[0].count), sampleFormat: sampleFormat)
    let output = processor.start(card)
    var target = [UInt8](repeating: 0, count: (frames.count + 1000) * output.bytesPerFrame)
    var (next, written) = (0, 0)
    while next < frames.count {
      let count = min(min(chunks(), SoundProcessor.chunkFrames), frames.count - next)
      processor.fillChunk(frameCount: count) { (chunk: inout MutableRawSpan) in
        for index in 0..<count {
          for (channel, sample) in frames[next + index].enumerated() {
            let offset = index * card.bytesPerFrame + channel * sampleFormat.bytesPerSample
            store(sample, sampleFormat, &chunk, at: offset)
          }
        }
      }
      var span = target.mutableSpan
      var space = unsafe span.mutableBytes
      written += processor.process(count, into: &space, at: written)
      next += count
    }
    var span = target.mutableSpan
    var space = unsafe span.mutableBytes
    written += processor.drain(into: &space, at: written)
    let bytes = Array(target.prefix(written * output.bytesPerFrame))
    let size = output.sampleFormat.bytesPerSample
    let result = (0..<written).map { frame in
      (0..<Int(output.channelCount)).map { channel in
        let offset = frame * output.bytesPerFrame + channel * size
        return Double(unsafe output.sampleFormat.fraction(at: offset, in: bytes.span.bytes))
      }
    }
    return (result, bytes, processor.stitchedDecibels)
  }

  /// Stores a sample as a converter does, clipped.
  private static func store(_ sample: Double, _ format: SampleFormat, _ bytes: inout MutableRawSpan, at offset: Int) {
    switch format {
    case .int16:
      let number = Int16(min(max((sample * 32_768).rounded(), -32_768), 32_767))
      bytes.storeBytes(of: number, toByteOffset: offset, as: Int16.self)
    case .int24:
      let number = Int32(min(max((sample * 8_388_608).rounded(), -8_388_608), 8_388_607))
      bytes.storeBytes(of: UInt16(truncatingIfNeeded: number), toByteOffset: offset, as: UInt16.self)
      bytes.storeBytes(of: Int8(truncatingIfNeeded: number >> 16), toByteOffset: offset + 2, as: Int8.self)
    case .float32: bytes.storeBytes(of: Float(sample), toByteOffset: offset, as: Float.self)
    }
  }

  private static func sine(_ hertz: Double, _ frame: Int, rate: Double = 48_000) -> Double {
    sin(2 * .pi * hertz * Double(frame) / rate)
  }

  private static func rms(_ samples: some Collection<Double>) -> Double {
    (samples.reduce(0) { $0 + $1 * $1 } / Double(samples.count)).squareRoot()
  }

  @Test("A safety track is the same sound, quieter, and the track itself keeps its samples", arguments: [-20.0, -3])
  func safety(decibels: Double) throws {
    var generator = SeededGenerator(seed: 7)
    let frames = (0..<5000).map { _ in (0..<2).map { _ in Double.random(in: -1..<1, using: &generator) } }
    for format in [SampleFormat.int16, .int24, .float32] {
      var processing = SoundProcessing()
      processing.safetyDecibels = decibels
      let result = try Self.process(processing, frames, card: format)
      try #require(result.frames.count == frames.count && result.frames[0].count == 4)
      let step = format == .int16 ? 1.0 / 32_768 : 1.0 / 8_388_608
      for (frame, heard) in zip(frames, result.frames) {
        for channel in 0..<2 {
          #expect((heard[channel] - frame[channel]).magnitude <= step / 2 + 1e-7)
          let quieter = frame[channel] * pow(10, decibels / 20)
          #expect((heard[2 + channel] - quieter).magnitude <= 2 * step + 1e-6)
        }
      }
    }
  }

  @Test("The low cut takes 12 dB an octave, and leaves what is far above it")
  func lowCut() throws {
    var processing = SoundProcessing()
    processing.lowCutHz = 80
    for (hertz, decibels, tolerance) in [(20.0, -24.1, 0.3), (40, -12.3, 0.2), (80, -3.01, 0.05), (1000, 0, 0.01)] {
      let frames = (0..<96_000).map { [0.5 * Self.sine(hertz, $0)] }
      let heard = try Self.process(processing, frames).frames.map { $0[0] }
      let level = 20 * log10(Self.rms(heard.suffix(48_000)) / Self.rms(frames.suffix(48_000).map { $0[0] }))
      #expect((level - decibels).magnitude < tolerance, "\(hertz) Hz: \(level) dB")
    }
  }

  @Test(
    "The limiter lets no sample exceed its ceiling, and what needs no limit comes out as it went in, on the same frame",
    arguments: Cases.some(2, of: 1...6 as ClosedRange<UInt64>))
  func limits(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var processing = SoundProcessing()
    processing.gainDecibels = 24
    processing.limiterDecibels = [-20, -6, -1].randomElement(using: &generator)!
    let ceiling = pow(10, processing.limiterDecibels! / 20)
    let rate: UInt32 = [8000, 48_000, 192_000].randomElement(using: &generator)!
    let quiet = Int(rate) / 2
    // Quiet, then bursts of any height, then quiet for three seconds.
    let frames = (0..<5 * Int(rate)).map { frame -> [Double] in
      let isLoud = frame >= quiet && frame < 3 * quiet
      let height = isLoud && Int.random(in: 0..<40, using: &generator) == 0 ? 1.0 : ceiling / 64
      return [Double.random(in: -height...height, using: &generator), 0]
    }
    let heard = try Self.process(processing, frames, wanted: .int24, rate: rate).frames
    #expect(heard.count == frames.count)
    #expect(heard.allSatisfy { $0[0].magnitude <= ceiling + 1e-6 })
    let gain = pow(10, 24.0 / 20)
    for frame in 0..<quiet - Int(rate) / 400 { #expect((heard[frame][0] - frames[frame][0] * gain).magnitude < 1e-5) }
    for frame in frames.count - 1000..<frames.count {
      #expect((heard[frame][0] - frames[frame][0] * gain).magnitude < 1e-4)
    }
  }

  @Test("The gain of a limited burst glides: it falls within 2 ms, and no step is heard")
  func glides() throws {
    var processing = SoundProcessing()
    processing.gainDecibels = 12
    processing.limiterDecibels = -6
    let frames = (0..<48_000).map { [(20_000..<20_400).contains($0) ? 0.9 : 0.05] }
    let heard = try Self.process(processing, frames, wanted: .int24).frames.map { $0[0] }
    for frame in 1..<19_990 + 10 { #expect((heard[frame] - heard[frame - 1]).magnitude < 0.01) }
    #expect((heard[19_000] - 0.05 * pow(10, 12.0 / 20)).magnitude < 1e-5)
    #expect(heard[20_100...20_300].allSatisfy { ($0 - pow(10, -6.0 / 20)).magnitude < 0.02 })
  }

  @Test("Chunks of any size make the same bytes", arguments: 1...4 as ClosedRange<UInt64>)
  func chunks(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var processing = SoundProcessing()
    processing.lowCutHz = 100
    processing.gainDecibels = 20
    processing.limiterDecibels = -1
    processing.safetyDecibels = -20
    let frames = (0..<20_000).map { [Self.sine(440, $0) * Double($0 % 5000) / 5000, Self.sine(3000, $0)] }
    let whole = try Self.process(processing, frames, wanted: .int16).bytes
    let pieces = try Self.process(processing, frames, wanted: .int16) { Int.random(in: 1...1024, using: &generator) }
    #expect(whole == pieces.bytes)
  }

  /// A loud input that clips at full scale, and a quiet one with noise and an offset of its own.
  private static func pair(_ source: [Double], quieterBy decibels: Double, seed: UInt64) -> [[Double]] {
    var generator = SeededGenerator(seed: seed)
    return source.map { sample in
      let noise = Double.random(in: -0.0001...0.0001, using: &generator)
      return [sample + 0.001, sample / pow(10, decibels / 20) + noise - 0.002]
    }
  }

  @Test("Stitched inputs: the ratio is measured to 0.01 dB", arguments: [(20.0, 17.31), (20, 22.4), (12, 12)])
  func ratio(configured: Double, real: Double) throws {
    var processing = SoundProcessing()
    processing.stitchDecibels = configured
    let source = (0..<20 * 48_000).map { 0.2 * Self.sine(440, $0) + 0.1 * Self.sine(1234.5, $0) }
    let result = try Self.process(processing, Self.pair(source, quieterBy: real, seed: 3))
    let measured = try #require(result.ratio)
    #expect((measured - real).magnitude < 0.01, "\(measured) dB")
  }

  @Test("Stitched inputs: peaks above full scale are kept, and the change from one input to the other is inaudible")
  func joins() throws {
    var processing = SoundProcessing()
    processing.stitchDecibels = 20
    // Two seconds to measure by, then bursts up to 12 dB above full scale.
    let source = (0..<14 * 48_000).map { frame -> Double in
      let swell = frame < 96_000 ? 0.3 : 4 * pow(sin(.pi * Double(frame) / 24_000), 2)
      return swell * Self.sine(500, frame)
    }
    let heard = try Self.process(processing, Self.pair(source, quieterBy: 19.2, seed: 5)).frames.map { $0[0] }
    try #require(heard.count == source.count)
    let end = 4 * 48_000
    #expect((heard.suffix(from: end).map(\.magnitude).max() ?? 0) > 3.9)
    let error = (end..<source.count).map { heard[$0] - source[$0] }
    // The quiet input's own noise is amplified by 19 dB: -65 dBFS. The sound is at +5 dBFS.
    #expect(20 * log10(Self.rms(error)) < -55, "\(20 * log10(Self.rms(error))) dB")
    #expect((error.map(\.magnitude).max() ?? 0) < 0.01)
  }

  @Test("What is recorded has the channels and the format that its settings say")
  func formats() {
    let card = AudioFormat(sampleRateHz: 96_000, channelCount: 4, sampleFormat: .int24)
    var processing = SoundProcessing()
    #expect(processing.isNone && processing.output(ofCard: card, wanted: nil) == card)
    processing.safetyDecibels = -20
    #expect(processing.output(ofCard: card, wanted: .int16).channelCount == 8)
    processing.stitchDecibels = 20
    let output = processing.output(ofCard: card, wanted: nil)
    #expect(output.channelCount == 4 && output.sampleFormat == .float32)
  }
}
