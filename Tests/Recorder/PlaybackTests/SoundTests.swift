import Base
import Foundation
import Machine
import TestSupport
import Testing
import Wire

@testable import Playback

@Suite struct SoundTests {
  private static let formats: [AudioFormat] = [
    AudioFormat(sampleRateHz: 48_000, channelCount: 2, sampleFormat: .int16),
    AudioFormat(sampleRateHz: 44_100, channelCount: 1, sampleFormat: .int24),
    AudioFormat(sampleRateHz: 96_000, channelCount: 2, sampleFormat: .float32),
    AudioFormat(sampleRateHz: 8000, channelCount: 1, sampleFormat: .int16),
  ]

  /// The first channel's samples; full scale is 1.
  private func samples(_ bytes: [UInt8], _ format: AudioFormat) -> [Double] {
    stride(from: 0, to: bytes.count, by: format.bytesPerFrame).map { offset in
      switch format.sampleFormat {
      case .int16: Double(Int16(bytes[offset]) | Int16(bitPattern: UInt16(bytes[offset + 1]) << 8)) / 32_767
      case .int24:
        Double(
          Int32(bytes[offset]) | Int32(bytes[offset + 1]) << 8 | Int32(Int8(bitPattern: bytes[offset + 2])) << 16)
          / 8_388_607
      case .float32:
        Double(Float(bitPattern: (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[offset + $1]) << (8 * $1) }))
      }
    }
  }

  private func shape(_ shaper: inout SoundShaper, _ bytes: inout [UInt8], _ format: AudioFormat) {
    var elements = bytes.mutableSpan
    var span = unsafe elements.mutableBytes
    shaper.shape(&span, frameCount: span.byteCount / format.bytesPerFrame)
  }

  @Test("Oscillator and level agree with the C library's sine and power")
  func mathematics() {
    for step in 0..<10_000 {
      let turns = Double(step) / 10_000
      #expect(abs(Oscillator.sine(cycles: turns) - sin(2 * .pi * turns)) < 1e-12)
    }
    for decibels in stride(from: -120.0, through: 0, by: 0.7) {
      let amplitude = Oscillator.amplitude(decibels: decibels)
      #expect(abs(amplitude / pow(10, decibels / 20) - 1) < 1e-12)
    }
  }

  @Test("Samples of every format survive a round trip", arguments: [SampleFormat.int16, .int24, .float32])
  func roundTrip(format: SampleFormat) {
    var random = SeededGenerator(seed: 5)
    var bytes = [UInt8](repeating: 0, count: format.bytesPerSample)
    for _ in 0..<5000 {
      for index in bytes.indices { bytes[index] = UInt8.random(in: 0...255, using: &random) }
      if format == .float32 {
        let sample = Float.random(in: -1...1, using: &random)
        for index in 0..<4 { bytes[index] = UInt8(truncatingIfNeeded: sample.bitPattern >> (8 * UInt32(index))) }
      }
      let before = bytes
      var elements = bytes.mutableSpan
      var span = unsafe elements.mutableBytes
      let sample = format.load(from: span.bytes, at: 0)
      format.store(sample, into: &span, at: 0)
      #expect(bytes == before)
    }
  }

  @Test("Samples are rounded to the nearest integer and clipped")
  func rounding() {
    var bytes: [UInt8] = [0, 0]
    func stored(_ value: Double) -> Int16 {
      var elements = bytes.mutableSpan
      var span = unsafe elements.mutableBytes
      SampleFormat.int16.store(value, into: &span, at: 0)
      return Int16(bytes[0]) | Int16(bitPattern: UInt16(bytes[1]) << 8)
    }
    #expect([0.49, 0.5, -0.5, -0.49, 1.5, 40_000, -40_000, .nan].map(stored) == [0, 1, -1, 0, 2, 32_767, -32_768, 0])
  }

  @Test("A change of volume takes 20 ms and never jumps by more than the ramp's slope", arguments: formats)
  func volumeRamp(format: AudioFormat) {
    let frameCount = Int(format.sampleRateHz) / 10
    var constant = [UInt8](repeating: 0, count: frameCount * format.bytesPerFrame)
    var elements = constant.mutableSpan
    var span = unsafe elements.mutableBytes
    for sample in 0..<frameCount * Int(format.channelCount) {
      let offset = sample * format.sampleFormat.bytesPerSample
      format.sampleFormat.store(format.sampleFormat.fullScale * 0.9, into: &span, at: offset)
    }
    var shaper = SoundShaper(format: format, volume: 1)
    let rampFrames = Int(format.sampleRateHz) / 50
    let step = 1.0 / (format.sampleFormat == .int16 ? 32_767 : 8_388_607)
    for (from, to) in [(1.0, 0.0), (0, 0.7), (0.7, 0.2), (0.2, 1)] {
      shaper.set(volume: to, isHeard: true)
      var bytes = constant
      shape(&shaper, &bytes, format)
      let heard = samples(bytes, format)
      let slope = abs(to - from) * 0.9 / Double(rampFrames) + step
      #expect(abs(heard[0] - from * 0.9) <= slope)
      for index in 1..<heard.count where abs(heard[index] - heard[index - 1]) > slope {
        Issue.record("a jump of \(heard[index] - heard[index - 1]) at frame \(index)")
        break
      }
      #expect(abs(heard[rampFrames - 1] - to * 0.9) <= step)
      #expect(abs(heard[rampFrames - 2] - to * 0.9) > abs(to - from) * 0.8 / Double(rampFrames))
      #expect(heard[rampFrames...].allSatisfy { abs($0 - to * 0.9) <= step })
    }
    #expect(shaper.isTransparent)
  }

  @Test("A fade of two seconds takes two seconds, and has its easing's shape", arguments: formats)
  func longFade(format: AudioFormat) {
    let easing = Easing.curved(.sine, .both)
    var shaper = SoundShaper(format: format, volume: 1, fade: Fade(milliseconds: 2000, easing: easing))
    let frameCount = Int(format.sampleRateHz) * 2
    var bytes = [UInt8](repeating: 0, count: frameCount * format.bytesPerFrame)
    shaper.set(tone: Tone(hertz: 1000, levelDecibels: -6))
    shape(&shaper, &bytes, format)
    let heard = samples(bytes, format)
    let amplitude = Oscillator.amplitude(decibels: -6)
    for part in 1..<40 {
      let frame = frameCount * part / 40
      let loudest = heard[frame - frameCount / 200..<frame + frameCount / 200].map(abs).max() ?? 0
      #expect(abs(loudest - amplitude * easing.value(at: Double(part) / 40)) < 0.02)
    }
  }

  @Test("A card that accepts only a part of each write plays the same as one that accepts all")
  func partialWrites() throws {
    let rig = try PlayerRig()
    rig.card.largestWriteFrames = 997
    try rig.player.setTone(hertz: 1234, levelDecibels: -6)
    rig.exchange(50)
    let whole = try PlayerRig()
    try whole.player.setTone(hertz: 1234, levelDecibels: -6)
    whole.exchange(50)
    let count = min(rig.card.heard.count, whole.card.heard.count)
    #expect(count > 150_000)
    #expect(rig.card.heard.prefix(count) == whole.card.heard.prefix(count))
  }

  /// The largest second difference of a sine: its amplitude times the square of its angle per frame.
  private func largestBend(hertz: Double, amplitude: Double, _ format: AudioFormat) -> Double {
    let angle = 2 * Double.pi * hertz / Double(format.sampleRateHz)
    return amplitude * (2 - 2 * cos(angle))
  }

  private func bends(_ samples: [Double]) -> [Double] {
    guard samples.count > 2 else { return [] }
    return (2..<samples.count).map { (index: Int) -> Double in
      let before: Double = samples[index - 1] - samples[index - 2]
      return samples[index] - samples[index - 1] - before
    }
  }

  @Test("A tone's phase never jumps, however its frequency changes, across all buffers", arguments: formats)
  func tone(format: AudioFormat) throws {
    var random = SeededGenerator(seed: 11)
    let rig = try PlayerRig(format: format, bufferMilliseconds: 150)
    try rig.player.setTone(hertz: 200, levelDecibels: -6)
    rig.exchange(20)
    let start = rig.card.heardFrames
    for _ in 0..<40 {
      try rig.player.setTone(hertz: Double.random(in: 20...400, using: &random), levelDecibels: -6)
      rig.player.setStandby(Bool.random(using: &random))
      rig.exchange(Int.random(in: 1...9, using: &random))
    }
    let heard = Array(samples(rig.card.heard, format)[start...])
    let amplitude = pow(10, -6.0 / 20)
    // At a change of frequency the slope changes too, at most by the difference of the two angles per frame.
    let kink = amplitude * 2 * .pi * 523.25 / Double(format.sampleRateHz)
    let rounding = 4.0 / (format.sampleFormat == .int16 ? 32_767 : 8_388_607)
    let limit = largestBend(hertz: 523.25, amplitude: amplitude, format) + kink + rounding
    #expect((bends(heard).map(abs).max() ?? 1) <= limit)
    #expect(heard.max()! > amplitude * 0.95)
    #expect(rig.card.beginnings.count == 1)
  }

  @Test("A tone of one frequency equals that sine to the last bit, and fades in and out within 20 ms")
  func steadyTone() throws {
    let format = PlayerRig.frames
    let rig = try PlayerRig()
    try rig.player.setTone(hertz: 880, levelDecibels: -12)
    rig.exchange(100)
    rig.player.toneOff()
    rig.exchange(30)
    let heard = samples(rig.card.heard, format)
    let amplitude = pow(10, -12.0 / 20)
    let ramp = 960
    let end = heard.count - (heard.reversed().firstIndex { abs($0) > 1e-4 } ?? 0)
    for frame in ramp..<end - ramp - 10 {
      let expected = amplitude * sin(2 * .pi * 880 * Double(frame) / 48_000)
      guard abs(heard[frame] - expected) > 0.51 / 32_767 else { continue }
      Issue.record("frame \(frame) is \(heard[frame]), not \(expected)")
      break
    }
    #expect(end > 90_000)
    let bend = largestBend(hertz: 880, amplitude: amplitude, format)
    let slope = 2 * amplitude / Double(ramp) * 2 * .pi * 880 / 48_000 + amplitude / Double(ramp)
    #expect((bends(heard).map(abs).max() ?? 1) <= bend + slope + 3.0 / 32_767)
    #expect(rig.card.beginnings.count == 1)
    #expect(rig.player.status.tone == nil)
  }

  @Test("Standby plays its own frequency 20 dB below the tone and restores it, and tone off ends both")
  func standby() throws {
    let rig = try PlayerRig()
    rig.player.setStandby(true)
    #expect(rig.player.status.tone == Tone(hertz: 523.25, levelDecibels: -40))
    rig.player.setStandby(false)
    #expect(rig.player.status.tone == nil)
    try rig.player.setTone(hertz: 880, levelDecibels: -30)
    rig.player.setStandby(true)
    #expect(rig.player.status.tone == Tone(hertz: 523.25, levelDecibels: -50))
    rig.player.toneOff()
    #expect(rig.player.status.tone == nil && !rig.player.status.isStandby)
    try rig.player.setTone(hertz: 1000, levelDecibels: -30)
    rig.player.setStandby(false)
    #expect(rig.player.status.tone == Tone(hertz: 1000, levelDecibels: -30))
    for hertz in [19.9, 20_001, .nan, -440] {
      #expect(throws: PlayerRefusal.toneOutside) { try rig.player.setTone(hertz: hertz, levelDecibels: -20) }
    }
    for level in [0.1, -121, .nan] {
      #expect(throws: PlayerRefusal.levelOutside) { try rig.player.setTone(hertz: 440, levelDecibels: level) }
    }
    let low = try PlayerRig(format: Self.formats[3])
    #expect(throws: PlayerRefusal.toneOutside) { try low.player.setTone(hertz: 4000, levelDecibels: -20) }
  }

  @Test("The tone is mixed into playback, of which nothing is lost at the tone's end or in a pause")
  func mixed() throws {
    let rig = try PlayerRig()
    try rig.player.prepare(rig.file("a.wav", seconds: 1))
    // Below half of the last bit: it passes through the mixer without changing a sample.
    try rig.player.setTone(hertz: 440, levelDecibels: -100)
    try rig.player.play()
    rig.exchange(20)
    try rig.player.pause()
    rig.exchange(20)
    try rig.player.play()
    #expect(rig.exchange(until: .stopped))
    rig.exchange(20)
    #expect(rig.heardDifference(from: Array(1...48_000)) == nil)
  }

  @Test("At volume 0 it is silent, at 1 it is bit for bit again")
  func volumeEnds() throws {
    let rig = try PlayerRig()
    try rig.player.setVolume(0)
    try rig.player.prepare(rig.file("a.wav", seconds: 2))
    try rig.player.play()
    rig.exchange(30)
    #expect(rig.heard.isEmpty)
    #expect(rig.card.heardFrames > 20_000)
    try rig.player.setVolume(1)
    #expect(rig.exchange(until: .stopped))
    #expect(rig.heard.suffix(48_000) == Array(48_001...96_000)[...])
    #expect(rig.eventLines.filter { $0.hasPrefix("player volume") } == ["player volume 0.000", "player volume 1.000"])
    #expect(throws: PlayerRefusal.volumeOutside) { try rig.player.setVolume(1.01) }
    #expect(throws: PlayerRefusal.volumeOutside) { try rig.player.setVolume(.nan) }
  }
}
