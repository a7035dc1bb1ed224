import Base
import Foundation
import TestSupport
import Testing

@testable import Kit

/// Timecode: its arithmetic, and reading it out of sound.
@Suite struct TimecodeTests {
  static let rates: [TimecodeRate] = [
    .film23, .film24, .video25, .video29, .video29Drop, .video30, .video30Drop,
  ]

  @Test("Every frame of a day has its timecode, and every timecode its frame", arguments: rates)
  func countsADay(rate: TimecodeRate) {
    var wrongCount = 0
    var before = Timecode(number: -1, rate)
    for number in 0..<rate.framesPerDay {
      let timecode = Timecode(number: number, rate)
      let isNext = timecode.frames == before.frames + 1 || (timecode.frames < 3 && timecode.seconds != before.seconds)
      if timecode.number(rate) != number || !timecode.isValid(rate) || !isNext { wrongCount += 1 }
      before = timecode
    }
    #expect(wrongCount == 0)
    #expect(Timecode(number: rate.framesPerDay, rate) == Timecode(hours: 0, minutes: 0, seconds: 0, frames: 0))
  }

  @Test("Drop-frame leaves out two numbers in each minute but every tenth")
  func dropsNumbers() {
    let rate = TimecodeRate.video29Drop
    #expect("\(Timecode(number: 1_799, rate).text(rate))" == "00:00:59;29")
    #expect("\(Timecode(number: 1_800, rate).text(rate))" == "00:01:00;02")
    #expect("\(Timecode(number: 17_982, rate).text(rate))" == "00:10:00;00")
    #expect(!Timecode(hours: 1, minutes: 1, seconds: 0, frames: 1).isValid(rate))
    #expect(Timecode(hours: 1, minutes: 0, seconds: 0, frames: 0).number(rate) == 107_892)
  }

  @Test("A place in a ledger is read as it was written", arguments: rates)
  func writesPlaces(rate: TimecodeRate) {
    let place = TimecodePlace(number: 90_000, samples: 345, rate: rate)
    let text = place.text
    let read = TimecodePlace(text.bytes)
    #expect(read == place, "\(text)")
    let wrong = [
      "", "10:00:00:12", "10:00:00:30 at 25, 0 samples", "10:00:00:00 at 26, 0 samples", "25:00:00:00 at 25, 0 s",
    ]
    for text in wrong {
      let bytes = Array(text.utf8)
      let read = TimecodePlace(bytes.span)
      #expect(read == nil, "\(text)")
    }
  }

  @Test("Samples are counted from midnight by the exact rate")
  func countsSamples() {
    let hour = TimecodePlace(number: 107_892, samples: 7, rate: .video29Drop)
    // 107,892 x 1001 / 30,000 s.
    #expect(hour.samplesSinceMidnight(sampleRateHz: 48_000) == 172_799_827 + 7)
    let film = TimecodePlace(number: 24, samples: 0, rate: .film23)
    #expect(film.samplesSinceMidnight(sampleRateHz: 48_000) == 48_048)
  }

  @Test(
    "Whatever rate, speed, level, polarity, offset and noise: every frame is read, and the line is right to the sample",
    arguments: 0..<UInt64(Cases.count(24, of: 240)))
  func reads(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let rate = Self.rates[Int(seed) % Self.rates.count]
    let sampleRateHz = [16_000, 44_100, 48_000, 96_000][Int.random(in: 0..<4, using: &random)]
    var generator = TimecodeGenerator(rate: rate, sampleRateHz: sampleRateHz, number: rate.framesPerDay - 40)
    generator.partsPerMillion = Double.random(in: -50...50, using: &random)
    generator.peak = pow(10, Double.random(in: -2...0, using: &random)) * (Bool.random(using: &random) ? 1 : -1)
    let offset = Double.random(in: -0.1...0.1, using: &random)
    let noise = abs(generator.peak) / Double.random(in: 5...50, using: &random)
    var decoder = LTCDecoder(sampleRateHz: UInt32(sampleRateHz))
    decoder.restart(at: 0)
    var fit = TimecodeFit(sampleRateHz: UInt32(sampleRateHz), wanted: nil)
    var count = 0
    for index in 0..<10 * sampleRateHz {
      let sample = generator.sample(index) + offset + Double.random(in: -noise...noise, using: &random)
      guard let frame = decoder.hear(Float(sample)) else { continue }
      fit.add(frame)
      count += 1
    }
    #expect(count >= 10 * Int(rate.hertz) - 5, "\(rate.name) at \(sampleRateHz): \(count)")
    let line = try #require(fit.line)
    #expect(line.rate == rate)
    #expect(abs(line.partsPerMillion - generator.partsPerMillion) < 4, "\(rate.name): \(line.partsPerMillion)")
    // A minute after its end, still within a frame's edge; a second of the generator has less than a sample of error.
    #expect(abs(line.length - generator.frameLength) * rate.hertz < 0.1)
    let later = Double(sampleRateHz) * 20
    let place = line.place(at: TimelinePosition(UInt64(later)))
    let expected = later / generator.frameLength
    let error =
      (Double(place.number) + Double(place.samples) / line.length
        - (expected + Double(generator.number)).truncatingRemainder(dividingBy: Double(rate.framesPerDay)))
    #expect(abs(error) * generator.frameLength < 3, "\(rate.name) at \(sampleRateHz): \(error)")
  }

  @Test("Timecode a tenth faster or slower is read if its rate is set", arguments: [0.9, 0.95, 1.05, 1.1], rates)
  func readsOtherSpeeds(speed: Double, rate: TimecodeRate) throws {
    var generator = TimecodeGenerator(rate: rate, sampleRateHz: 48_000, number: 1_700)
    generator.partsPerMillion = (speed - 1) * 1e6
    var decoder = LTCDecoder(sampleRateHz: 48_000)
    decoder.restart(at: 0)
    var fit = TimecodeFit(sampleRateHz: 48_000, wanted: rate)
    for index in 0..<5 * 48_000 {
      if let frame = decoder.hear(Float(generator.sample(index))) { fit.add(frame) }
    }
    let line = try #require(fit.line)
    #expect(line.rate == rate)
    #expect(abs(line.length - generator.frameLength) < 0.05)
  }

  @Test(
    "Drop-frame timecode does not jump at the minute if its rate is set without drop-frame",
    arguments: zip([TimecodeRate.video29, .video30], [TimecodeRate.video29Drop, .video30Drop]))
  func followsDropFlag(wanted: TimecodeRate, sent: TimecodeRate) {
    var generator = TimecodeGenerator(rate: sent, sampleRateHz: 48_000, number: 1_700)
    var decoder = LTCDecoder(sampleRateHz: 48_000)
    decoder.restart(at: 0)
    var fit = TimecodeFit(sampleRateHz: 48_000, wanted: wanted)
    var (lineCount, wrongCount) = (0, 0)
    for index in 0..<8 * 48_000 {
      guard let frame = decoder.hear(Float(generator.sample(index))) else { continue }
      fit.add(frame)
      if let line = fit.line {
        lineCount += 1
        if line.rate != sent { wrongCount += 1 }
      } else if lineCount > 0 {
        wrongCount += 1
      }
    }
    #expect(lineCount > 150 && wrongCount == 0, "\(lineCount) lines, \(wrongCount) wrong or lost")
  }

  @Test("A wave is read by the decoder, each edge where it should be to a tenth of a sample", arguments: rates)
  func writesWaves(rate: TimecodeRate) {
    let first = Double(rate.framesPerDay - 40) + 0.37
    let length = 48_000 / rate.hertz
    var decoder = LTCDecoder(sampleRateHz: 48_000)
    decoder.restart(at: 0)
    var (count, wrongCount) = (0, 0)
    for index in 0..<4 * 48_000 {
      let place = first + Double(index) / length
      let whole = place.rounded(.down)
      let wave = TimecodeWave(Timecode(number: Int(whole), rate), rate)
      let level = wave.level(at: place - whole, sampleRateHz: 48_000, hertz: rate.hertz)
      guard let frame = decoder.hear(Float(level / 4)) else { continue }
      let expected = first + frame.start / length
      let isRight = Timecode(number: Int(expected.rounded()), rate) == frame.timecode && frame.isDrop == rate.isDrop
      if !isRight || abs(expected - expected.rounded()) * length > 0.1 { wrongCount += 1 }
      count += 1
    }
    #expect(count >= Int(4 * rate.hertz) - 2 && wrongCount == 0, "\(count) frames, \(wrongCount) wrong")
  }

  @Test("One frame that is read wrongly does not end a line")
  func forgivesAFrame() throws {
    var fit = TimecodeFit(sampleRateHz: 48_000, wanted: nil)
    for index in 0..<60 {
      var frame = LTCFrame(
        timecode: Timecode(number: 100 + index, .video25), isDrop: false, start: Double(index) * 1_920, length: 1_920)
      if index == 50 { frame.timecode.hours = 13 }
      fit.add(frame)
    }
    #expect(fit.count == 59)
    let line = try #require(fit.line)
    #expect(line.place(at: 0).number == 100)
  }

  @Test("A jump begins anew, and what is no timecode gives none", arguments: 0..<4)
  func followsJumps(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var decoder = LTCDecoder(sampleRateHz: 48_000)
    decoder.restart(at: 0)
    var fit = TimecodeFit(sampleRateHz: 48_000, wanted: nil)
    for _ in 0..<96_000 {
      if let frame = decoder.hear(Float.random(in: -1...1, using: &random)) { fit.add(frame) }
    }
    #expect(fit.line == nil)
    for number in [100, 90_000] {
      var generator = TimecodeGenerator(rate: .video25, sampleRateHz: 48_000, number: number)
      for index in 0..<96_000 {
        if let frame = decoder.hear(Float(generator.sample(index))) { fit.add(frame) }
      }
      let line = try #require(fit.line)
      #expect((number..<number + 51).contains(line.number), "\(line)")
    }
  }
}

/// Linear timecode as a square wave that is only as exact as its samples.
struct TimecodeGenerator {
  let rate: TimecodeRate
  let sampleRateHz: Int
  /// The frame at sample 0.
  let number: Int
  var partsPerMillion = 0.0
  var peak = 0.1
  private var frame = -1
  private var bits: [Bool] = []
  private var halfCount = 0
  private var isHigh = false

  init(rate: TimecodeRate, sampleRateHz: Int, number: Int) {
    self.rate = rate
    self.sampleRateHz = sampleRateHz
    self.number = number
  }

  var frameLength: Double { Double(sampleRateHz) / rate.hertz / (1 + partsPerMillion / 1e6) }

  /// Call it for each sample in turn.
  mutating func sample(_ index: Int) -> Double {
    let halves = Int((Double(index) / frameLength * 160).rounded(.down)) + 1
    while halfCount < halves {
      if halfCount / 160 != frame {
        frame = halfCount / 160
        bits = Self.bits(Timecode(number: number + frame, rate), isDrop: rate.isDrop)
      }
      if halfCount % 2 == 0 || bits[halfCount % 160 / 2] { isHigh.toggle() }
      halfCount += 1
    }
    return isHigh ? peak : -peak
  }

  private static func bits(_ timecode: Timecode, isDrop: Bool) -> [Bool] {
    var bits = [Bool](repeating: false, count: 80)
    let numbers = [timecode.frames, timecode.seconds, timecode.minutes, timecode.hours]
    for (index, number) in numbers.enumerated() {
      for bit in 0..<4 {
        bits[16 * index + bit] = (number % 10) >> UInt8(bit) & 1 == 1
        bits[16 * index + 8 + bit] = bits[16 * index + 8 + bit] || (number / 10) >> UInt8(bit) & 1 == 1
      }
    }
    bits[10] = bits[10] || isDrop
    for bit in 66...77 { bits[bit] = true }
    bits[79] = true
    return bits
  }
}
