import Base

/// When what is put into a stream will be heard, from looks at the speaker: a straight line through the newest of them,
/// because a look is as often early as it is late.
package struct SpeakerClock: BitwiseCopyable, Sendable {
  private struct Look: BitwiseCopyable {
    var position: Int64 = 0
    var delay: Int64 = 0
  }

  /// At ten looks a second those of twelve seconds: what each is wrong by hardly counts.
  private static var lookCount: Int { 128 }
  /// In less the line's slope would be that of the looks, not of the clocks.
  private static var leastSpanNanoseconds: Int64 { 1_000_000_000 }
  /// Two looks in a row that are farther from the line tell that the speaker has stood still, or has started over.
  private static var toleratedNanoseconds: Double { 5_000_000 }

  private var looks = InlineArray<128, Look>(repeating: Look())
  private var count = 0
  private var newest = 0
  private var isDoubting = false
  /// Where the line is known best, how late it is there, and by how much more at each nanosecond after it.
  private var middle: Int64 = 0
  private var delay = 0.0
  private var slope = 0.0

  package init() {}

  /// Takes a look.
  /// - Parameters:
  ///   - position: of what is heard, in nanoseconds of the stream.
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

  /// When a position of the stream is heard; nil before the first look.
  package func instant(of position: Int64) -> Instant? {
    guard count > 0 else { return nil }
    return Instant(UInt64(clamping: position + Int64(delay(at: position).rounded())))
  }

  private func delay(at position: Int64) -> Double { delay + slope * Double(position - middle) }

  /// By least squares.
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

/// How another clock runs, as seen from this one: a straight line.
package struct ClockEstimate: BitwiseCopyable, Sendable {
  /// Where the line is known best, by the own clock.
  let middle: Int64
  /// By how much the other clock is ahead there.
  let offsetNanoseconds: Double
  /// How much faster the other clock runs: 10⁻⁶ is one part in a million.
  package let skew: Double

  /// By how much the other clock is ahead at an instant of the own.
  package func offsetNanoseconds(at own: Instant) -> Double {
    offsetNanoseconds + skew * Double(Int64(clamping: own.rawValue) - middle)
  }

  package func other(at own: Instant) -> Int64 {
    Int64(clamping: own.rawValue) + Int64(offsetNanoseconds(at: own).rounded())
  }

  /// When the other clock shows `other`, by the own clock; before its zero it is the zero.
  package func own(at other: Int64) -> Instant {
    let sinceMiddle = (Double(other - middle) - offsetNanoseconds) / (1 + skew)
    return Instant(UInt64(clamping: middle + Int64(sinceMiddle.rounded())))
  }
}

/// Compares this machine's clock with a server's by exchanges of the time ("Client joining process", "Time").
///
/// The difference is the middle between two bounds: no question arrives before it is sent, and no answer either. Each
/// bound is a line over time, both of one slope, and that slope is chosen which lets them lie farthest apart (Moon,
/// Skelly and Towsley, "Estimation and removal of clock skew from network delay measurements", 1999, for both ways at
/// once). So only the quickest exchanges count, and each way by itself: a question that was quick is of use though its
/// answer was late. What a network takes longer one way than the other cannot be seen by anybody.
package struct ClockComparison {
  /// Bounds that contradict each other by more than this are those of a clock that was set.
  private static var toleratedNanoseconds: Double { 2_000_000 }

  /// The line moves little from one exchange to the next, and costs some 10,000 multiplications.
  private static var exchangesPerEstimate: Int { 8 }

  private var questions = DelayEdge()
  private var answers = DelayEdge()
  private var skew = 0.0
  /// How many exchanges are known, since the beginning or since the clock was set.
  package private(set) var exchangeCount = 0
  /// Nil before the first exchange.
  package private(set) var estimate: ClockEstimate?

  package init() {}

  /// Takes one exchange.
  /// - Parameters:
  ///   - toServer: when the question arrived, by the server's clock, less when it was sent, by the own; nanoseconds.
  ///   - fromServer: when the answer arrived, by the own clock, less when it was sent, by the server's.
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
    estimate = ClockEstimate(
      middle: middle, offsetNanoseconds: (Double(above - below) + upper - lower) / 2, skew: best)
  }
}
