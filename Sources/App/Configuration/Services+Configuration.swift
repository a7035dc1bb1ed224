import Base
import Configuration
import Console

extension Services {
  mutating func run(_ order: ConfigOrder, at now: Instant) {
    switch order {
    case .show(let choice, let form): configuration.print(choice, form, &console)
    case .set(let words): apply(configuration.set(words, &console, at: now))
    case .confirm: apply(configuration.confirm(&console))
    case .revert: apply(configuration.revert(&console))
    case .save: apply(configuration.save(isElsewhere: recording.hasFallenBack, &console))
    }
  }

  /// At each tick: takes back what nobody has confirmed.
  /// - Parameter isLineThere: whether somebody can still type.
  mutating func stepConfiguration(isLineThere: Bool, at now: Instant) {
    apply(configuration.step(isLineThere: isLineThere, &console, at: now))
  }

  /// Gives services what was changed. The compiler asks here for what can be changed without a restart.
  private mutating func apply(_ changed: LiveSettings) {
    var rest = changed
    while let setting = rest.removeFirst() {
      switch setting {
      case .volume: playback.setVolume(configuration.current.player.volume)
      case .tone: playback.tone = configuration.current.tone
      case .view: framing.settings = configuration.current.view
      case .retention: retention.policy = configuration.current.retentionPolicy
      case .heat: heat.follow(configuration.current.heat)
      case .accelerometer: orientation.follow(configuration.current.accelerometer)
      case .hangulClock: applications.follow(configuration.current.clock)
      case .split: recording.split = TakeSplit(configuration.current.record)
      }
    }
  }
}
