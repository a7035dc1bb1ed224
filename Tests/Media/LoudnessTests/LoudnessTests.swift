import Base
import Foundation
@testable import Media
import TestSupport
import Testing

/// The minimum requirements of EBU Tech 3341 (2016), table 1, and EBU Tech 3342 (2016), table 1, with signals made by
/// their descriptions and the tolerances stated there; and agreement with ffmpeg.
@Suite struct LoudnessTests {
  private func expect(_ value: Double?, _ expected: Double, within tolerance: Double, _ what: String = "") {
    #expect(abs((value ?? .nan) - expected) <= tolerance, "\(what): \(String(describing: value)), not \(expected)")
  }

  @Test(
    "Tech 3341, 1 to 5: the loudness of tones at a steady level, and with quiet parts that are gated out",
    arguments: [
      ([(-23, 20)], -23), ([(-33, 20)], -33), ([(-36, 10), (-23, 60), (-36, 10)], -23),
      ([(-72, 10), (-36, 10), (-23, 60), (-36, 10), (-72, 10)], -23), ([(-26, 20), (-20, 20.1), (-26, 20)], -23),
    ] as [([(Double, Double)], Double)])
  func gating(parts: [(decibels: Double, seconds: Double)], expected: Double) throws {
    var sound = MeasuredSound()
    for part in parts { sound.add(part.seconds, part.decibels) }
    let loudness = try sound.loudness(.int24)
    expect(loudness[.integrated], expected, within: 0.1)
    if parts.count == 1 {
      expect(loudness[.momentary], expected, within: 0.1, "M")
      expect(loudness[.shortTerm], expected, within: 0.1, "S")
      expect(loudness[.range], 0, within: 0.1, "LRA")
    }
  }

  @Test(
    "Tech 3341, 1 and 2, hold at every rate",
    arguments: [8_000, 11_025, 16_000, 22_050, 32_000, 44_100, 64_000, 88_200, 96_000, 176_400, 192_000])
  func rates(rate: Int) throws {
    for decibels in [-23.0, -33] {
      var sound = MeasuredSound(rate: rate)
      sound.add(4, decibels)
      let loudness = try sound.loudness()
      expect(loudness[.integrated], decibels, within: 0.1)
      expect(loudness[.truePeak], decibels, within: 0.2, "TP")
    }
  }

  @Test("Tech 3341, 9 and 12: bursts as long as what is measured have one loudness wherever that begins")
  func bursts() throws {
    var slow = MeasuredSound()
    for _ in 0..<5 {
      slow.add(1.34, -20)
      slow.add(1.66, -30)
    }
    expect(try slow.loudness()[.shortTerm], -23, within: 0.1, "S")
    var fast = MeasuredSound()
    for _ in 0..<25 {
      fast.add(0.18, -20)
      fast.add(0.22, -30)
    }
    expect(try fast.loudness()[.momentary], -23, within: 0.1, "M")
  }

  @Test("Tech 3341, 10 and 13: the highest loudness of a burst of that length is found wherever it begins")
  func highest() throws {
    for number in 1...20 {
      var long = MeasuredSound()
      long.add(0.15 * Double(number))
      long.add(3, -23)
      long.add(1)
      expect(try long.loudness()[.shortTerm], -23, within: 0.1, "S \(number)")
      var short = MeasuredSound()
      short.add(0.02 * Double(number))
      short.add(0.4, -23)
      short.add(1)
      expect(try short.loudness()[.momentary], -23, within: 0.1, "M \(number)")
    }
  }

  @Test("Tech 3341, 11 and 14: of bursts that get louder, the last is the highest")
  func rising() throws {
    var long = MeasuredSound()
    var short = MeasuredSound()
    for number in 1...20 {
      long.add(0.15 * Double(number))
      long.add(3, Double(-39 + number))
      long.add(3 - 0.15 * Double(number))
      short.add(0.02 * Double(number))
      short.add(0.4, Double(-39 + number))
      short.add(0.4 - 0.02 * Double(number))
    }
    expect(try long.loudness()[.shortTerm], -19, within: 0.1, "S")
    expect(try short.loudness()[.momentary], -19, within: 0.1, "M")
  }

  /// Faded in and out, so that only the tone has a peak.
  private func faded(_ samples: [Double]) -> [Double] {
    let edge = samples.count / 5
    return samples.enumerated().map { index, sample in
      let place = Double(min(index, samples.count - 1 - index)) / Double(edge)
      return place < 1 ? sample * (0.5 - 0.5 * cos(.pi * place)) : sample
    }
  }

  @Test(
    "Tech 3341, 15 to 19: the true peak of tones whose samples miss their peaks",
    arguments: [(4, 0, 0.5, -6), (4, 45, 0.5, -6), (6, 60, 0.5, -6), (8, 67.5, 0.5, -6), (4, 45, 1.41, 3)]
      as [(Double, Double, Double, Double)])
  func truePeaks(divisor: Double, degrees: Double, amplitude: Double, expected: Double) throws {
    var sound = MeasuredSound(rate: 48_000)
    sound.add(faded((0..<48_000).map { amplitude * sin(2 * .pi * Double($0) / divisor + degrees * .pi / 180) }))
    let peak = try sound.loudness(.int24)[.truePeak]
    #expect((expected - 0.4...expected + 0.2).contains(peak ?? .nan), "\(String(describing: peak))")
  }

  @Test("Tech 3341, 20 to 23: the true peak of one sound is the same wherever its samples fall", arguments: 0..<4)
  func places(offset: Int) throws {
    // At four times the rate: tones at a sixth and at a quarter of it, and one period with the peak between them.
    let fine = (0..<4 * 48_000).map { index -> Double in
      let place = Double(index - 2 * 48_000) / 4
      let burst = abs(place) < 12 ? 0.5 + 0.5 * cos(.pi * place / 12) : 0
      return (0.5 + 0.5 * burst) * cos(2 * .pi * place / 6) * 0.999
    }
    var sound = MeasuredSound(rate: 48_000)
    sound.add(faded(stride(from: offset, to: fine.count, by: 4).map { fine[$0] }))
    let peak = try sound.loudness(.int24)[.truePeak]
    #expect((-0.4...0.2).contains(peak ?? .nan), "\(String(describing: peak))")
  }

  @Test(
    "Tech 3342, 1 to 4: the loudness range of tones",
    arguments: [([-20, -30], 10), ([-20, -15], 5), ([-40, -20], 20), ([-50, -35, -20, -35, -50], 15)]
      as [([Double], Double)])
  func range(levels: [Double], expected: Double) throws {
    var sound = MeasuredSound()
    for level in levels { sound.add(20, level) }
    expect(try sound.loudness()[.range], expected, within: 1)
  }

  /// Pink noise whose level changes each second, other noise in each channel.
  private func noise(_ rate: Int, _ channelCount: Int, seconds: Int, seed: UInt64) -> MeasuredSound {
    var generator = SeededGenerator(seed: seed)
    var sound = MeasuredSound(rate: rate, channelCount: channelCount)
    var states = Array(repeating: (0.0, 0.0, 0.0), count: channelCount)
    for _ in 0..<seconds {
      let level = pow(10, Double.random(in: -45 ... -12, using: &generator) / 20)
      sound.add(
        each: (0..<channelCount).map { channel in
          (0..<rate).map { _ in
            let white = Double.random(in: -1...1, using: &generator)
            states[channel].0 = 0.99765 * states[channel].0 + white * 0.0990460
            states[channel].1 = 0.963 * states[channel].1 + white * 0.2965164
            states[channel].2 = 0.57 * states[channel].2 + white * 1.0526913
            return level * 0.4 * (states[channel].0 + states[channel].1 + states[channel].2 + white * 0.1848)
          }
        })
    }
    return sound
  }

  /// It resamples everything to 48 kHz, and prints tenths; with more than two channels it leaves out what it takes for
  /// a subwoofer.
  @Test(
    "ffmpeg finds the same loudness, range and true peak in noise",
    arguments: [
      (48_000, 2, .int16), (44_100, 1, .int24), (96_000, 2, .float32), (22_050, 2, .int16), (192_000, 1, .int24),
      (8_000, 2, .int16),
    ] as [(Int, Int, SampleFormat)])
  func agreesWithFFmpeg(rate: Int, channelCount: Int, format: SampleFormat) throws {
    let sound = noise(rate, channelCount, seconds: 25, seed: UInt64(rate + channelCount))
    let loudness = try sound.loudness(format, pieces: [rate / 2])
    let judged = try sound.judged(format)
    expect(loudness[.integrated], judged.integrated, within: 0.15, "I")
    expect(loudness[.range], judged.range, within: 1, "LRA")
    expect(loudness[.truePeak], judged.truePeak, within: 0.15, "TP")
  }

  @Test("what is heard piece by piece, and of any number of channels, is what is heard at once")
  func pieces() throws {
    let sound = noise(32_000, 5, seconds: 6, seed: 9)
    let whole = try sound.loudness(.int24)
    for pieces in [[1, 7, 511, 513], [512], [160_000], [3_199, 3_201]] {
      #expect(try sound.loudness(.int24, pieces: pieces).text == whole.text)
    }
  }

  @Test("only the chosen channels are measured")
  func channels() throws {
    let sound = noise(16_000, 4, seconds: 5, seed: 11)
    for wanted in [0b0001, 0b0110, 0b1011] as [UInt8] {
      var chosen = MeasuredSound(rate: 16_000, channelCount: wanted.nonzeroBitCount)
      chosen.add(each: (0..<4).filter { wanted & 1 << $0 != 0 }.map { sound.channels[$0] })
      #expect(try sound.loudness(channels: wanted).text == chosen.loudness().text)
    }
  }

  @Test("two channels are 3 dB louder than one of them, and weigh the same")
  func sum() throws {
    var sound = MeasuredSound()
    sound.add(4, -23)
    expect(try sound.loudness(channels: 0b01)[.integrated], -26.01, within: 0.02)
    #expect(try sound.loudness(channels: 0b01).text == sound.loudness(channels: 0b10).text)
  }

  @Test("a second file is measured as the first, whatever came before")
  func again() throws {
    let (first, second) = (noise(48_000, 2, seconds: 5, seed: 3), noise(44_100, 1, seconds: 4, seed: 4))
    let rig = try MeterRig()
    _ = rig.measure(first, .float32, channels: 0xFF, pieces: [10_000])
    #expect(
      rig.measure(second, .int16, channels: 0xFF, pieces: [10_000]).text
        == (try second.loudness(.int16, pieces: [10_000]).text))
  }

  @Test("only what is interpolated where a new peak is possible is left out", arguments: 1...8)
  func skipsNothing(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var samples: [Double] = []
    // Short parts of noise, of tones near half the rate, and of single samples, at levels that climb and fall.
    for _ in 0..<60 {
      let level = Double.random(in: 0.01...0.6, using: &generator)
      let hertz = Double.random(in: 100...20_000, using: &generator)
      let kind = Int.random(in: 0..<3, using: &generator)
      samples += (0..<Int.random(in: 3...700, using: &generator)).map { index in
        switch kind {
        case 0: level * Double.random(in: -1...1, using: &generator)
        case 1: level * sin(2 * .pi * hertz * Double(index) / 48_000)
        default: index % 97 == 0 ? level : 0
        }
      }
    }
    var sound = MeasuredSound(rate: 48_000, channelCount: 1)
    sound.add(samples)
    let floats = samples.map { Float($0) }
    let region = UnsafeMutableRawBufferPointer.allocate(byteCount: 4_096, alignment: 4096)
    defer { unsafe region.deallocate() }
    var memory = unsafe BootMemory(region: region)
    // A meter interpolates from the 41st sample on.
    let peak = try unsafe unwrapped(TruePeakFilter(in: &memory)).peak(
      of: floats.span.bytes.extracting(droppingFirst: 4), factor: 4)
    let most = 20 * log10(Double(max(peak, floats.map(\.magnitude).max() ?? 0)))
    expect(try sound.loudness()[.truePeak], most, within: 0.005001)
  }

  @Test("what is shorter than a block, silent, or no number has no loudness")
  func nothing() throws {
    var short = MeasuredSound()
    short.add(0.39, -20)
    let brief = try short.loudness()
    #expect(brief[.integrated] == nil && brief[.momentary] == nil && brief[.shortTerm] == nil && brief[.range] == nil)
    expect(brief[.truePeak], -20, within: 0.1)
    var silent = MeasuredSound()
    silent.add(5)
    #expect(try silent.loudness().text.isEmpty)
    var broken = MeasuredSound()
    broken.add(Array(repeating: .nan, count: 100_000) + Array(repeating: .infinity, count: 100_000))
    #expect(try broken.loudness().text.isEmpty)
    var quiet = MeasuredSound()
    quiet.add(5, -80)
    let low = try quiet.loudness()
    #expect(low[.integrated] == nil && low[.range] == nil)
    expect(low[.momentary], -80, within: 0.1)
  }

  @Test("a step after silence, and sound far above full scale, are measured too")
  func extremes() throws {
    var sound = MeasuredSound(channelCount: 1)
    sound.add(Array(repeating: 0, count: 48_000) + Array(repeating: 1, count: 48_000))
    #expect(try sound.loudness()[.truePeak] != nil)
    var loud = MeasuredSound(channelCount: 8)
    loud.add(4, 60)
    let found = try loud.loudness()
    expect(found[.integrated], 66, within: 0.1)
    expect(found[.truePeak], 60, within: 0.1)
  }

  @Test("the text is read back as it was, and from anything else nothing is known")
  func text() throws {
    var loudness = Loudness()
    loudness[.integrated] = -23.031
    loudness[.range] = 4.2
    loudness[.truePeak] = 0.126
    #expect(String(loudness.text) == "I -23.03 LUFS, LRA 4.20 LU, TP 0.13 dBTP")
    loudness[.momentary] = -99.994
    loudness[.shortTerm] = -0.004
    #expect(String(loudness.text).hasSuffix("max M -99.99 LUFS, max S 0.00 LUFS"))
    for measure in [Loudness.Measure.integrated, .range, .truePeak, .momentary, .shortTerm] {
      loudness[measure] = -99.99
    }
    #expect(loudness.text.byteCount <= 86 && !loudness.text.isTruncated)
    loudness[.integrated] = -100
    loudness[.range] = .infinity
    loudness[.truePeak] = .nan
    #expect(loudness[.integrated] == nil && loudness[.range] == nil && loudness[.truePeak] == nil)
  }
}
