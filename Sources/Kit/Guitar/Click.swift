import CMath

/// A short cosine that dies away: a click of the metronome, or the beep of a slate. Its first sample is its loudest, so
/// that it begins with that.
package struct Click: BitwiseCopyable, Sendable {
  /// What it stands for.
  package enum Kind: BitwiseCopyable, Sendable {
    /// The first beat of a bar.
    case accent
    /// Another beat.
    case beat
    /// A part of a beat.
    case between
    /// The beep that is looked for in a take, and in those of other devices.
    case slate

    /// An octave between accent and beat, so that they are told apart through a small speaker.
    var hertz: Double {
      switch self {
      case .accent: 1760
      case .beat, .between: 880
      case .slate: 1000
      }
    }

    /// 1 at full scale.
    var level: Float {
      switch self {
      case .accent: 0.7
      case .beat: 0.5
      case .between: 0.2
      case .slate: 0.9
      }
    }

    var milliseconds: Int { self == .slate ? GuitarLimits.slateMilliseconds : GuitarLimits.clickMilliseconds }
  }

  private let sampleRateHz: Int
  private var frameCount = 0
  private var level: Float = 0
  private var framesLeft = 0
  /// The last two samples of the cosine, by which the next is computed, and the factor for that.
  private var last: Float = 0
  private var secondLast: Float = 0
  private var factor: Float = 0

  /// Silent.
  /// - Parameter sampleRateHz: 8,000…192,000.
  package init(sampleRateHz: Int) { self.sampleRateHz = sampleRateHz }

  /// Whether there are samples left.
  package var isSounding: Bool { framesLeft > 0 }

  /// Begins with the next frame that is rendered.
  package mutating func begin(_ kind: Kind) {
    let cosine = Float(cos(2 * Double.pi * kind.hertz / Double(sampleRateHz)))
    factor = 2 * cosine
    last = cosine
    secondLast = 1
    level = kind.level
    frameCount = sampleRateHz * kind.milliseconds / 1000
    framesLeft = frameCount
  }

  /// Adds the next frames to a part of `samples`.
  package mutating func render(into samples: inout MutableSpan<Float>, _ range: Range<Int>) {
    var index = range.lowerBound
    while framesLeft > 0, index < range.upperBound {
      let fade = Float(framesLeft) / Float(frameCount)
      samples[index] += level * fade * fade * secondLast
      let next = factor * last - secondLast
      secondLast = last
      last = next
      framesLeft -= 1
      index += 1
    }
  }
}
