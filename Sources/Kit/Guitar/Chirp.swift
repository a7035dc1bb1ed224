import CMath

/// A sine that rises evenly from one frequency to another: the sound by which the way from the speaker to the microphone
/// is measured.
///
/// A sweep of 1,500 Hz is like itself only within 0.7 ms, so that its place in a recording is known that well. Small
/// speakers play all of it, and a microphone at 8 kHz hears all of it.
package struct Chirp: BitwiseCopyable, Sendable {
  /// Its peak, 1 at full scale: 6 dB are left for what sounds beside it.
  package static var level: Float { 0.5 }
  private static var lowestHertz: Double { 500 }
  private static var highestHertz: Double { 2000 }
  /// How long it fades in, and out: without a click.
  private static var fadeSeconds: Double { 0.01 }

  private let sampleRateHz: Int
  private var frame = 0
  private var framesLeft = 0

  /// Silent.
  /// - Parameter sampleRateHz: 8,000…192,000.
  package init(sampleRateHz: Int) { self.sampleRateHz = sampleRateHz }

  /// Whether there are samples left.
  package var isSounding: Bool { framesLeft > 0 }

  /// Begins with the next frame that is rendered.
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

  /// Its phase in radians, so many seconds after its beginning.
  package static func angle(atSeconds seconds: Double) -> Double {
    let rise = (highestHertz - lowestHertz) / (2 * Double(GuitarLimits.chirpMilliseconds) / 1000)
    return 2 * Double.pi * (lowestHertz + rise * seconds) * seconds
  }

  /// Its amplitude there, 0…1 of ``level``.
  package static func envelope(atSeconds seconds: Double) -> Float {
    let left = Double(GuitarLimits.chirpMilliseconds) / 1000 - seconds
    return Float(min(max(min(seconds, left) / fadeSeconds, 0), 1))
  }
}
