/// What `tone` is to do.
public enum ToneAction: Equatable, Sendable {
  /// Tells what sounds.
  case show
  case off
  /// Sounds the frequency and level that are set.
  case on
  /// Sounds a sine of 20…20,000 Hz.
  ///
  /// - Parameter levelDecibels: of its peak, −90…0 dBFS; nil for the level that is set.
  case sine(hertz: Double, levelDecibels: Double?)
}
