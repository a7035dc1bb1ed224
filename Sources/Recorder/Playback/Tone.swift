/// A sine to line up levels by, or as a sign of life.
public struct Tone: BitwiseCopyable, Equatable, Sendable {
  /// 20…20,000 Hz, below half of the card's rate.
  public var hertz: Double
  /// Its peak, -120…0 dBFS.
  public var levelDecibels: Double

  /// A tone of all that it is made of.
  public init(hertz: Double, levelDecibels: Double) {
    self.hertz = hertz
    self.levelDecibels = levelDecibels
  }
}
