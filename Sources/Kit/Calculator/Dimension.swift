import Base

/// What a quantity measures, as powers of the two things that units are made of.
package struct Dimension: BitwiseCopyable, Equatable, Sendable {
  /// The power of an amount of data.
  var data: Int
  /// The power of a time.
  var time: Int

  static var number: Dimension { Dimension(data: 0, time: 0) }
  static var data: Dimension { Dimension(data: 1, time: 0) }
  static var time: Dimension { Dimension(data: 0, time: 1) }
  static var frequency: Dimension { Dimension(data: 0, time: -1) }
  static var rate: Dimension { Dimension(data: 1, time: -1) }
  /// `48000*24bit*2*3h`: a sample rate that was given without its Hz.
  static var dataOverTime: Dimension { Dimension(data: 1, time: 1) }

  static func + (left: Dimension, right: Dimension) -> Dimension {
    Dimension(data: left.data + right.data, time: left.time + right.time)
  }

  static func - (left: Dimension, right: Dimension) -> Dimension {
    Dimension(data: left.data - right.data, time: left.time - right.time)
  }

  /// As a part of a sentence.
  var name: FixedText<48> {
    switch self {
    case .number: "a number"
    case .data, .dataOverTime: "an amount of data"
    case .time: "a time"
    case .frequency: "a frequency"
    case .rate: "a data rate"
    default: "data^\(data) time^\(time)"
    }
  }
}
