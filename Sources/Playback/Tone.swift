/// A sine for aligning levels, or as a sign of life.
package struct Tone: BitwiseCopyable, Equatable, Sendable {
  /// 20…20,000 Hz, below half of the card's rate.
  package var hertz: Double
  /// Its peak, -120…0 dBFS.
  package var levelDecibels: Double

  /// A tone of this frequency and level.
  package init(hertz: Double, levelDecibels: Double) {
    self.hertz = hertz
    self.levelDecibels = levelDecibels
  }
}

/// Which tone sounds: the one that was set, or the standby tone while in standby.
struct ToneSettings: BitwiseCopyable {
  /// Its level is used only until a tone was set.
  let standby: Tone
  /// The tone that was set; nil when it is off.
  var tone: Tone?
  var isStandby = false

  init(standby: Tone) { self.standby = standby }

  /// Nil: silence.
  var sounding: Tone? {
    guard isStandby else { return tone }
    return Tone(hertz: standby.hertz, levelDecibels: tone?.levelDecibels ?? standby.levelDecibels)
  }
}
