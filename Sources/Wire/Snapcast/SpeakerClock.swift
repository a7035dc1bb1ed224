import Base

/// When a position of the output will be heard, from readings of the speaker: a straight line through the newest ones,
/// because a reading is as often early as late.
package struct SpeakerClock: BitwiseCopyable, Sendable {
  private struct Look: BitwiseCopyable {
    var position: Int64 = 0
    var delay: Int64 = 0
  }

  /// Twelve seconds at ten readings a second: the error of a single one hardly counts.
  private static var lookCount: Int { 128 }
  /// Over a shorter span the slope would reflect the readings' errors, not the clocks.
  private static var leastSpanNanoseconds: Int64 { 1_000_000_000 }
  /// Two consecutive readings farther from the line than this mean that the speaker stalled or restarted.
  private static var toleratedNanoseconds: Double { 5_000_000 }

  private var looks = InlineArray<128, Look>(repeating: Look())
  private var count = 0
  private var newest = 0
  private var isDoubting = false
  /// Where the line is most precise, the delay there, and its change per nanosecond.
  private var middle: Int64 = 0
  private var delay = 0.0
  private var slope = 0.0

  package init() {}

  /// Takes a reading.
  /// - Parameters:
  ///   - position: what is heard, in nanoseconds of the stream.
  ///   - instant: when it is heard.
  package mutating func note(position: Int64, at instant: Instant) {
    let look = Look(position: position, delay: Int64(clamping: instant.rawValue) - position)
    if count > 0, (Double(look.delay) - delay(at: position)).magnitude > Self.toleratedNanoseconds {
      guard isDoubting else {
        isDoubting = true
        return
      }
      self = SpeakerClock()
    }
    isDoubting = false
    newest = count < Self.lookCount ? count : (newest + 1) % Self.lookCount
    count = min(count + 1, Self.lookCount)
    looks[newest] = look
    drawLine()
  }

  /// When a position of the stream is heard; nil before the first reading.
  package func instant(of position: Int64) -> Instant? {
    guard count > 0 else { return nil }
    return Instant(UInt64(clamping: position + Int64(delay(at: position).rounded())))
  }

  private func delay(at position: Int64) -> Double { delay + slope * Double(position - middle) }

  /// Fits the line by least squares.
  private mutating func drawLine() {
    let base = looks[newest]
    var positions = 0.0
    var delays = 0.0
    var earliest: Int64 = 0
    for index in 0..<count {
      positions += Double(looks[index].position - base.position)
      delays += Double(looks[index].delay - base.delay)
      earliest = min(earliest, looks[index].position - base.position)
    }
    let meanPosition = positions / Double(count)
    middle = base.position + Int64(meanPosition)
    delay = Double(base.delay) + delays / Double(count)
    slope = 0
    guard -earliest >= Self.leastSpanNanoseconds else { return }
    var products = 0.0
    var squares = 0.0
    for index in 0..<count {
      let distance = Double(looks[index].position - base.position) - meanPosition
      products += distance * Double(looks[index].delay - base.delay)
      squares += distance * distance
    }
    slope = max(-SnapcastLimits.largestSkew, min(SnapcastLimits.largestSkew, products / squares))
  }
}

/// The course of another clock relative to the local one: a straight line.
package struct ClockEstimate: BitwiseCopyable, Sendable {
  /// Where the line is most precise, by the local clock.
  let middle: Int64
  /// How far ahead the other clock is there.
  let offsetNanoseconds: Double
  /// The other clock's excess rate: 10⁻⁶ is one part per million.
  package let skew: Double

  /// How far ahead the other clock is at an instant of the local one.
  package func offsetNanoseconds(at own: Instant) -> Double {
    offsetNanoseconds + skew * Double(Int64(clamping: own.rawValue) - middle)
  }

  package func other(at own: Instant) -> Int64 {
    Int64(clamping: own.rawValue) + Int64(offsetNanoseconds(at: own).rounded())
  }

  /// The local time at which the other clock shows `other`; the local zero if that is earlier.
  package func own(at other: Int64) -> Instant {
    let sinceMiddle = (Double(other - middle) - offsetNanoseconds) / (1 + skew)
    return Instant(UInt64(clamping: middle + Int64(sinceMiddle.rounded())))
  }
}

/// Compares this machine's clock with a server's by time exchanges ("Client joining process", "Time").
///
/// The offset is midway between two bounds: no request arrives before it is sent, and no answer either. Each bound is a
/// line over time. Both have the same slope, chosen so that they lie farthest apart (Moon, Skelly and Towsley,
/// "Estimation and removal of clock skew from network delay measurements", 1999, here for both ways at once). So only
/// the quickest messages count, each way by itself: a quick request is useful even if its answer was slow. An asymmetry
/// of the network cannot be detected.
package struct ClockComparison {
  /// Bounds that contradict each other by more than this mean that a clock was set.
  private static var toleratedNanoseconds: Double { 2_000_000 }

  /// The line moves little between exchanges, and costs some 10,000 multiplications.
  private static var exchangesPerEstimate: Int { 8 }

  private var questions = DelayEdge()
  private var answers = DelayEdge()
  private var skew = 0.0
  /// The number of exchanges since the beginning, or since the clock was set.
  package private(set) var exchangeCount = 0
  /// Nil before the first exchange.
  package private(set) var estimate: ClockEstimate?

  package init() {}

  /// Takes one exchange.
  /// - Parameters:
  ///   - toServer: arrival of the request by the server's clock, minus its sending by the local clock; nanoseconds.
  ///   - fromServer: arrival of the answer by the local clock, minus its sending by the server's; nanoseconds.
  package mutating func note(toServer: Int64, fromServer: Int64, sent: Instant, received: Instant) {
    questions.note(DelayEdge.Point(instant: Int64(clamping: sent.rawValue), delay: toServer), slope: skew)
    answers.note(DelayEdge.Point(instant: Int64(clamping: received.rawValue), delay: fromServer), slope: -skew)
    exchangeCount += 1
    if exchangeCount % Self.exchangesPerEstimate == 0 || !questions.hasSlope { estimateAnew() }
  }

  private mutating func estimateAnew() {
    let middle = questions.middle / 2 + answers.middle / 2
    let above = questions.base
    let below = answers.base
    var best = 0.0
    if questions.hasSlope {
      best = steepest { slope in
        questions.height(slope: slope, at: middle, over: above) + answers.height(slope: -slope, at: middle, over: below)
      }
    }
    let upper = questions.height(slope: best, at: middle, over: above)
    let lower = answers.height(slope: -best, at: middle, over: below)
    guard Double(above + below) + upper + lower > -Self.toleratedNanoseconds else {
      self = ClockComparison()
      return
    }
    skew = best
    estimate = ClockEstimate(middle: middle, offsetNanoseconds: (Double(above - below) + upper - lower) / 2, skew: best)
  }
}
