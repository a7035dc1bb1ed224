import Base
import CMath

extension HeardChirp {
  /// The decimation of the search: `sampleRateHz` divided by it is between ``PitchLimits/chirpRateHz`` and twice that.
  private static func decimation(_ sampleRateHz: UInt32) -> Int {
    max(1, Int(sampleRateHz) / PitchLimits.chirpRateHz)
  }

  /// Finds the place where the sound is most like a chirp, whatever its phase.
  /// - Parameter window: at least ``windowFrames(sampleRateHz:)`` numbers; its contents are lost.
  /// - Returns: nil if the ring does not hold the whole range to search.
  init?(_ tap: SampleRingTap, _ format: AudioFormat, from start: TimelinePosition, _ window: inout FixedBuffer) {
    let decimation = Self.decimation(format.sampleRateHz)
    let rateHz = Double(format.sampleRateHz) / Double(decimation)
    let plan = ChirpPlan(rateHz: rateHz)
    let frameCount = (plan.lagCount + plan.chirpFrames) * decimation
    guard tap.bytesPerFrame == format.bytesPerFrame, tap.end >= start + UInt64(frameCount) else { return nil }
    var bytes = window.mutableBytes
    // Safe: every bit pattern is a Float, and the buffer is aligned to a cache line.
    var samples = unsafe bytes._unsafeMutableView(as: Float.self)
    guard samples.count >= plan.windowFrames else { return nil }
    for index in 0..<plan.windowFrames { samples[index] = 0 }
    Self.take(tap, format, from: start, frameCount: frameCount, decimation, &samples)
    guard tap.holds(start) else { return nil }
    Self.draw(plan, format, decimation, &samples)
    self = Self.search(plan, &samples)
  }

  /// The numbers that a search needs.
  static func windowFrames(sampleRateHz: UInt32) -> Int {
    ChirpPlan(rateHz: Double(sampleRateHz) / Double(decimation(sampleRateHz))).windowFrames
  }

  /// Averages each group of frames, and all channels, into one sample.
  private static func take(
    _ tap: SampleRingTap, _ format: AudioFormat, from start: TimelinePosition, frameCount: Int, _ decimation: Int,
    _ samples: inout MutableSpan<Float>
  ) {
    let scale = 1 / Float(decimation * Int(format.channelCount))
    let end = start + UInt64(frameCount)
    var count = 0
    while count < frameCount {
      let frames = tap.frames(from: start + UInt64(count), to: end)
      let pieceFrames = frames.byteCount / format.bytesPerFrame
      for frame in 0..<pieceFrames {
        var sum: Float = 0
        for channel in 0..<Int(format.channelCount) {
          let offset = frame * format.bytesPerFrame + channel * format.sampleFormat.bytesPerSample
          let sample = format.sampleFormat.fraction(at: offset, in: frames)
          if !sample.isNaN { sum += sample }
        }
        samples[(count + frame) / decimation] += sum * scale
      }
      count += pieceFrames
    }
  }

  /// Writes the chirp after the sound, and again with its phase advanced by a quarter turn, both decimated in the same
  /// way as the sound.
  private static func draw(
    _ plan: ChirpPlan, _ format: AudioFormat, _ decimation: Int, _ samples: inout MutableSpan<Float>
  ) {
    let scale = 1 / Float(decimation)
    for frame in 0..<plan.chirpFrames * decimation {
      let seconds = Double(frame) / Double(format.sampleRateHz)
      let amplitude = scale * Chirp.envelope(atSeconds: seconds)
      let angle = Chirp.angle(atSeconds: seconds)
      samples[plan.sineStart + frame / decimation] += amplitude * Float(sin(angle))
      samples[plan.cosineStart + frame / decimation] += amplitude * Float(cos(angle))
    }
  }

  /// Writes the power of each place over the sample that no later place needs.
  private static func search(_ plan: ChirpPlan, _ samples: inout MutableSpan<Float>) -> HeardChirp {
    var best = 0
    for lag in 0..<plan.lagCount {
      var (sine, cosine) = (Float(0), Float(0))
      for index in 0..<plan.chirpFrames {
        let sample = samples[lag + index]
        sine += sample * samples[plan.sineStart + index]
        cosine += sample * samples[plan.cosineStart + index]
      }
      samples[lag] = sine * sine + cosine * cosine
      if samples[lag] > samples[best] { best = lag }
    }
    var energy: Float = 0
    for index in plan.sineStart..<plan.windowFrames { energy += samples[index] * samples[index] / 2 }
    let mean = plan.meanPower(of: samples, apartFrom: best)
    let power = samples[best]
    return HeardChirp(
      seconds: Double(best) / plan.rateHz, level: energy > 0 ? power.squareRoot() / energy : 0,
      clarity: mean > 0 ? Double(power) / mean : power > 0 ? .infinity : 0)
  }
}

/// The layout of a search's window: the sound, the chirp, and the chirp advanced by a quarter turn.
private struct ChirpPlan {
  let rateHz: Double
  let chirpFrames: Int
  /// The number of places where the chirp may begin.
  let lagCount: Int

  init(rateHz: Double) {
    self.rateHz = rateHz
    chirpFrames = Int(rateHz * Double(GuitarLimits.chirpMilliseconds) / 1000)
    lagCount = Int(rateHz * PitchLimits.chirpSearchSeconds)
  }

  var sineStart: Int { lagCount + chirpFrames }
  var cosineStart: Int { sineStart + chirpFrames }
  var windowFrames: Int { cosineStart + chirpFrames }

  /// The mean power of the places outside the chirp's own.
  func meanPower(of samples: borrowing MutableSpan<Float>, apartFrom best: Int) -> Double {
    let own = Int(rateHz * PitchLimits.chirpOwnSeconds)
    var (sum, count) = (0.0, 0)
    for lag in 0..<lagCount where lag < best - own || lag > best + own {
      sum += Double(samples[lag])
      count += 1
    }
    return sum / Double(max(count, 1))
  }
}

/// A linear sweep from one frequency to another, which measures the path from the speaker to the microphone.
///
/// The autocorrelation of a sweep over 1,500 Hz is 0.7 ms wide, which is how precisely its place in a recording is
/// known. Small speakers play all of it, and a microphone at 8 kHz picks up all of it.
package struct Chirp: BitwiseCopyable, Sendable {
  /// Its peak level; full scale is 1. It leaves 6 dB for other sounds.
  package static var level: Float { 0.5 }
  private static var lowestHertz: Double { 500 }
  private static var highestHertz: Double { 2000 }
  /// The length of its fade-in and fade-out, which prevent clicks.
  private static var fadeSeconds: Double { 0.01 }

  private let sampleRateHz: Int
  private var frame = 0
  private var framesLeft = 0

  /// A silent chirp.
  /// - Parameter sampleRateHz: 8,000…192,000.
  package init(sampleRateHz: Int) { self.sampleRateHz = sampleRateHz }

  /// Whether any samples are left.
  package var isSounding: Bool { framesLeft > 0 }

  /// Begins at the next rendered frame.
  package mutating func begin() {
    frame = 0
    framesLeft = sampleRateHz * GuitarLimits.chirpMilliseconds / 1000
  }

  /// Adds the next frames to a part of `samples`.
  package mutating func render(into samples: inout MutableSpan<Float>, _ range: Range<Int>) {
    var index = range.lowerBound
    while framesLeft > 0, index < range.upperBound {
      let seconds = Double(frame) / Double(sampleRateHz)
      let angle = Self.angle(atSeconds: seconds)
      samples[index] += Self.level * Self.envelope(atSeconds: seconds) * Float(sin(angle))
      frame += 1
      framesLeft -= 1
      index += 1
    }
  }

  /// Its phase in radians, at a time after its start.
  package static func angle(atSeconds seconds: Double) -> Double {
    let rise = (highestHertz - lowestHertz) / (2 * Double(GuitarLimits.chirpMilliseconds) / 1000)
    return 2 * Double.pi * (lowestHertz + rise * seconds) * seconds
  }

  /// Its amplitude at a time after its start, 0…1 of ``level``.
  package static func envelope(atSeconds seconds: Double) -> Float {
    let left = Double(GuitarLimits.chirpMilliseconds) / 1000 - seconds
    return Float(min(max(min(seconds, left) / fadeSeconds, 0), 1))
  }
}
