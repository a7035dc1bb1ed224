import Base
import Foundation
import Kit
import TestSupport
import Testing

@Suite struct PitchTests {
  private static let rateHz = 48_000

  /// A tone with harmonics and noise.
  private struct Tone {
    var hertz: Double
    /// Amplitudes of the harmonics, the fundamental first.
    var amplitudes: [Double] = [1]
    var signalToNoiseDecibels = 20.0

    func samples(_ generator: inout SeededGenerator, count: Int = rateHz, rateHz: Int = rateHz) -> [Float] {
      var samples = [Double](repeating: 0, count: count)
      for (index, amplitude) in amplitudes.enumerated() {
        let step = 2 * .pi * hertz * Double(index + 1) / Double(rateHz)
        guard step < 0.95 * .pi else { break }
        let phase = Double.random(in: 0..<2 * .pi, using: &generator)
        for sample in samples.indices { samples[sample] += amplitude * sin(phase + step * Double(sample)) }
      }
      let power = samples.reduce(0) { $0 + $1 * $1 } / Double(count)
      let deviation = (power / pow(10, signalToNoiseDecibels / 10)).squareRoot()
      let scale = 0.2 / power.squareRoot()
      return samples.map { Float(scale * ($0 + deviation * Self.normal(&generator))) }
    }

    private static func normal(_ generator: inout SeededGenerator) -> Double {
      let radius = (-2 * log(Double.random(in: .leastNonzeroMagnitude..<1, using: &generator))).squareRoot()
      return radius * cos(2 * .pi * Double.random(in: 0..<1, using: &generator))
    }
  }

  private static func pitch(_ samples: [Float], rateHz: Int = rateHz) throws -> Double? {
    var memory = leakedBootMemory()
    var detector = try unwrapped(PitchDetector(sampleRateHz: UInt32(rateHz), in: &memory))
    return detector.pitch(of: samples.span)
  }

  private static func cents(_ hertz: Double, from exact: Double) -> Double { 1200 * log2(hertz / exact) }

  /// The harmonics of a string, slightly randomized.
  private static func harmonics(_ generator: inout SeededGenerator) -> [Double] {
    (1...10).map { Double.random(in: 0.3...1, using: &generator) / Double($0) }
  }

  @Test("Sines and tones with harmonics, at 20 dB above the noise, are found to a tenth of a cent, beside aubiopitch")
  func isExact() throws {
    var generator = SeededGenerator(seed: 1)
    var worst = 0.0
    var worstOfAubio = 0.0
    var octavesOfAubio = 0
    for step in 0...146 {
      // 27.5 Hz to 4.2 kHz in steps of 60 cents.
      let exact = min(27.5 * pow(2, Double(step) / 20), 4200)
      for isPure in [true, false] {
        let tone = Tone(hertz: exact, amplitudes: isPure ? [1] : Self.harmonics(&generator))
        let samples = tone.samples(&generator)
        let found = try #require(try Self.pitch(samples), "\(exact) Hz")
        worst = max(worst, abs(Self.cents(found, from: exact)))
        #expect(abs(Self.cents(found, from: exact)) <= 0.1, "\(exact) Hz, \(isPure ? "pure" : "with harmonics")")
        guard step % 7 == 0 else { continue }
        let other = abs(Self.cents(try Self.aubiopitch(samples), from: exact))
        if other > 600 { octavesOfAubio += 1 } else { worstOfAubio = max(worstOfAubio, other) }
      }
    }
    print(
      "pitch: at most \(worst) cents; aubiopitch \(worstOfAubio) cents, and \(octavesOfAubio) of 42 in another octave")
  }

  /// The median of aubiopitch's results with its default method.
  private static func aubiopitch(_ samples: [Float]) throws -> Double {
    let folder = try TemporaryFolder()
    let raw = samples.flatMap { sample in (0..<4).map { UInt8(truncatingIfNeeded: sample.bitPattern >> UInt32(8 * $0)) }
    }
    let path = folder.path(of: "tone.wav")
    try ForeignProgram.run(
      "ffmpeg", ["-v", "error", "-f", "f32le", "-ar", "48000", "-ac", "1", "-i", "-", "-c:a", "pcm_f32le", path],
      input: raw)
    let found = try ForeignProgram.text("aubiopitch", ["-i", path, "-B", "8192"]).split(separator: "\n").compactMap {
      $0.split(separator: " ").last.flatMap { Double($0) }
    }.filter { $0 > 0 }.sorted()
    return found.isEmpty ? 1 : found[found.count / 2]
  }

  @Test("In thousands of tones with harmonics no octave is mistaken")
  func mistakesNoOctave() throws {
    var generator = SeededGenerator(seed: 2)
    var memory = leakedBootMemory()
    var detector = try unwrapped(PitchDetector(sampleRateHz: UInt32(Self.rateHz), in: &memory))
    var mistakes = 0
    for _ in 0..<Cases.count(2_000, of: 10_000) {
      let exact = 27.5 * pow(2, Double.random(in: 0..<7.25, using: &generator))
      let samples = Tone(hertz: exact, amplitudes: Self.harmonics(&generator)).samples(&generator, count: 4800)
      let found = detector.period(of: samples.span).map { Double(Self.rateHz) / $0 } ?? 1
      if abs(Self.cents(found, from: exact)) > 50 { mistakes += 1 }
    }
    #expect(mistakes == 0)
  }

  @Test("Other sample rates are as exact", arguments: [8000, 44_100, 96_000, 192_000])
  func takesEveryRate(rateHz: Int) throws {
    var generator = SeededGenerator(seed: 3)
    for exact in [27.5, 82.41, 440, 1318.5] {
      let tone = Tone(hertz: exact, amplitudes: Self.harmonics(&generator), signalToNoiseDecibels: 40)
      let found = try #require(try Self.pitch(tone.samples(&generator, count: rateHz, rateHz: rateHz), rateHz: rateHz))
      #expect(abs(Self.cents(found, from: exact)) <= 0.1, "\(exact) Hz")
    }
  }

  @Test("Silence and noise have no pitch, a missing fundamental and a constant part change none")
  func knowsWhatIsNone() throws {
    var generator = SeededGenerator(seed: 4)
    #expect(try Self.pitch([Float](repeating: 0, count: Self.rateHz)) == nil)
    #expect(try Self.pitch([Float](repeating: 0.5, count: Self.rateHz)) == nil)
    // -77 dBFS.
    #expect(try Self.pitch(Tone(hertz: 440).samples(&generator).map { $0 / 2000 }) == nil)
    for _ in 0..<20 {
      let noise = (0..<Self.rateHz).map { _ in Float.random(in: -0.5...0.5, using: &generator) }
      #expect(try Self.pitch(noise) == nil)
    }
    let missing = Tone(hertz: 110, amplitudes: [0, 1, 0.8, 0.6, 0.4])
    #expect(abs(Self.cents(try #require(try Self.pitch(missing.samples(&generator))), from: 110)) < 0.1)
    let shifted = Tone(hertz: 196).samples(&generator).map { $0 + 0.3 }
    #expect(abs(Self.cents(try #require(try Self.pitch(shifted)), from: 196)) < 0.1)
    #expect(try Self.pitch([Float](repeating: 0.1, count: 100)) == nil)
  }
}
