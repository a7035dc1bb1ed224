import Base
import Configuration
import Console
import Machine
import Record

/// The configuration as changed on the console: tried, confirmed, saved or reverted.
struct ConfigurationService: ~Copyable {
  private let place = StaysInPlace()
  /// The file that keeps saved changes across restarts.
  private let kept: KeptText
  /// Whether part of the file could not be used: the file is set aside when it is next written.
  private var isKeptDamaged: Bool
  /// The values of the configuration file.
  let file: Settings
  /// The values at boot.
  let boot: Settings
  /// The values at the next boot.
  private(set) var saved: Settings
  /// The values that return if nobody confirms the changes.
  private(set) var confirmed: Settings
  /// The values as last set.
  private(set) var current: Settings
  private var trial = SettingsTrial.settled
  /// The progress of `config`.
  var printing = SettingsPrinting()

  init(_ context: ApplianceContext, keptIn kept: KeptText) {
    self.kept = kept
    isKeptDamaged = context.savedEvent != nil
    file = context.fileSettings
    boot = context.settings
    saved = context.settings
    confirmed = context.settings
    current = context.settings
  }

  /// Runs `config KEY VALUE`: checks it as the configuration file is checked, and says when it takes effect.
  /// - Returns: the settings to apply now.
  mutating func set(_ words: FixedText<256>, _ console: inout ConsoleSession, at now: Instant) -> LiveSettings {
    var changed = current
    do throws(SettingsProblem) {
      var rest = QuotedWords(words.bytes)
      while true {
        var name: FixedText<256>?
        var value: FixedText<256>?
        do throws(QuotedWords.Problem) {
          name = try rest.next()
          value = try rest.next()
        } catch {
          console.refuse("config: a quote is not closed")
          return LiveSettings()
        }
        guard let name else { break }
        guard let value else {
          console.refuse("config also needs a value for \(FixedText<64>(name.bytes))" as FixedText<128>)
          return LiveSettings()
        }
        let isSet = try set(name.bytes, to: FixedText(value.bytes), in: &changed, &console)
        guard isSet else { return LiveSettings() }
      }
      if let problem = changed.disagreement { throw problem }
    } catch {
      console.refuse("config: \(error.line)" as FixedText<500>)
      return LiveSettings()
    }
    // Comparing the settings themselves would take 8 kB of code, for this alone.
    var isChanged = false
    changed.forEachDifference(from: current) { _ in isChanged = true }
    guard isChanged else {
      console.answer("nothing to change: it has that value already")
      return LiveSettings()
    }
    let before = current
    current = changed
    trial.begin(at: now, seconds: Limits.confirmationSeconds)
    let live = tell(changesFrom: before, &console)
    console.reply("config confirm, or config save, within \(Limits.confirmationSeconds) s: or the old value returns")
    console.complete()
    return live
  }

  /// - Returns: false if the setting was refused.
  private func set(
    _ name: Span<UInt8>, to value: FixedText<200>, in settings: inout Settings, _ console: inout ConsoleSession
  ) throws(SettingsProblem) -> Bool {
    var dot = 0
    while dot < name.count, name[dot] != UInt8(ascii: ".") { dot += 1 }
    var section = FixedText<64>(name.extracting(first: dot))
    var key = FixedText<64>(name.extracting(droppingFirst: min(dot + 1, name.count)))
    if dot == name.count {
      key = section
      let found = SettingsTable(settings).sections(of: key)
      guard found.count > 0 else {
        console.refuse("there is no setting \(key): config lists all" as FixedText<128>)
        return false
      }
      guard found.count == 1 else {
        console.refuse("there are several \(key): name one, such as \(found.first).\(key)" as FixedText<256>)
        return false
      }
      section = found.first
    }
    var value = value
    // As in `config diff`, the default is the value without a configuration file.
    if value == "default", let usual = SettingsTable(Settings()).value(of: key, in: section) {
      value = FixedText(usual.bytes)
    }
    let place = try settings.set(key, of: section, to: value)
    guard place.effect != .onlyInFile else {
      console.refuse(
        "config: [\(place.section)] \(place.key) is for another program: set it in the configuration file"
          as FixedText<256>)
      return false
    }
    return true
  }

  /// Runs `config confirm`.
  /// - Returns: the settings that waited for the confirmation.
  mutating func confirm(_ console: inout ConsoleSession) -> LiveSettings {
    guard trial.end() else {
      console.refuse("there is nothing to confirm")
      return LiveSettings()
    }
    var needsRestart = false
    current.forEachDifference(from: confirmed) { if $0.effect == .afterRestart { needsRestart = true } }
    if needsRestart {
      console.reply("it is in force after a restart, and a restart forgets it: type config save")
    } else {
      console.reply("it stays until the next start; config save keeps it longer")
    }
    console.complete()
    return settle()
  }

  /// Runs `config save`, which also confirms.
  /// - Parameter isElsewhere: whether the card has failed and the fallback folder is written to.
  /// - Returns: the settings that waited for the confirmation.
  mutating func save(isElsewhere: Bool, _ console: inout ConsoleSession) -> LiveSettings {
    trial.end()
    let text: KeptText.Content = current.text(over: file)
    if isElsewhere {
      console.refuse("the card has failed: nothing is saved, but the new value stays until the next start")
    } else if kept.isBeingWritten {
      console.refuse("the card has not answered yet: try again in a moment")
    } else if text.isTruncated {
      console.refuse(
        "more than \(KeptText.Content.capacity) bytes differ from the configuration file: move some into it"
          as FixedText<128>)
    } else {
      kept.write(text, keepsOld: isKeptDamaged)
      isKeptDamaged = false
      console.pending = .configuration
    }
    return settle()
  }

  /// At each tick while `config save` waits for the card.
  mutating func answerSaving(_ console: inout ConsoleSession) {
    guard !kept.isBeingWritten else { return }
    if let failure = kept.failure { return console.refuse(failure.line) }
    saved = current
    console.answer("saved: the next start begins with it")
  }

  /// Runs `config revert`.
  /// - Returns: the settings to apply.
  mutating func revert(_ console: inout ConsoleSession) -> LiveSettings {
    guard trial.end() else {
      console.refuse("there is nothing to revert: confirmed values stay")
      return LiveSettings()
    }
    let live = takeBack { console.reply("reverted: \($0.heading) \($0.line)" as FixedText<256>) }
    console.complete()
    return live
  }

  /// At each tick.
  /// - Returns: the settings to apply because changes were reverted.
  mutating func step(isLineThere: Bool, _ console: inout ConsoleSession, at now: Instant) -> LiveSettings {
    guard let reason = trial.look(isLineThere: isLineThere, at: now) else { return LiveSettings() }
    return takeBack { change in
      switch reason {
      case .timeIsOver:
        console.announce("\(change.heading) \(change.line) again: it was not confirmed" as FixedText<256>)
      case .lineIsLost:
        console.announce("\(change.heading) \(change.line) again: the console was disconnected" as FixedText<256>)
      }
    }
  }

  /// The completions of a word of `config`.
  /// - Parameter before: the words between the command and this one.
  static func words(beginningWith typed: FixedText<256>, after before: FixedText<256>) -> WordCompletion {
    var rest = before.bytes
    var name: FixedText<64>?
    while let word = rest.takeWord() { name = name == nil ? FixedText(word) : nil }
    var words = Settings.words(beginningWith: typed, valuesOf: name)
    guard before.isEmpty else { return words }
    words.offer(("confirm" as StaticString).utf8Bytes, for: typed.bytes)
    words.offer(("save" as StaticString).utf8Bytes, for: typed.bytes)
    words.offer(("revert" as StaticString).utf8Bytes, for: typed.bytes)
    return words
  }

  /// Keeps the settings as set.
  private mutating func settle() -> LiveSettings {
    var waiting = LiveSettings()
    current.forEachDifference(from: confirmed) { row in
      if case .live(let setting) = row.effect, setting.start == .confirmation { waiting.insert(setting) }
    }
    confirmed = current
    return waiting
  }

  private mutating func takeBack(_ tell: (SettingRow) -> Void) -> LiveSettings {
    var live = LiveSettings()
    confirmed.forEachDifference(from: current) { row in
      tell(row)
      if case .live(let setting) = row.effect, setting.start != .confirmation { live.insert(setting) }
    }
    current = confirmed
    return live
  }

  /// Whether a setting differs from its value at boot and is not in force.
  func waitsForRestart(_ row: SettingRow) -> Bool {
    switch row.effect {
    case .afterRestart: true
    // Memory for pictures is allocated at boot.
    case .live(.takeContent): boot.record.content == .audio
    case .live, .onlyInFile: false
    }
  }

  /// - Returns: the settings to apply now.
  private func tell(changesFrom before: Settings, _ console: inout ConsoleSession) -> LiveSettings {
    var live = LiveSettings()
    current.forEachDifference(from: before) { row in
      let text: FixedText<224> = "\(row.heading) \(row.line), \(row.otherText) before"
      guard case .live(let setting) = row.effect, !waitsForRestart(row) else {
        return console.reply("\(text): in force after a restart, once it is saved" as FixedText<256>)
      }
      if setting.start != .confirmation { live.insert(setting) }
      switch setting.start {
      case .atOnce: console.reply("\(text): in force now" as FixedText<256>)
      case .nextTake: console.reply("\(text): in force from the next take on" as FixedText<256>)
      case .confirmation: console.reply("\(text): in force once it is confirmed" as FixedText<256>)
      }
    }
    return live
  }
}

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

  /// At each tick: reverts changes that nobody has confirmed.
  /// - Parameter isLineThere: whether somebody can still type.
  mutating func stepConfiguration(isLineThere: Bool, at now: Instant) {
    apply(configuration.step(isLineThere: isLineThere, &console, at: now))
  }

  /// Passes changed settings to the services. The compiler checks that every setting that can change live is handled.
  private mutating func apply(_ changed: LiveSettings) {
    var rest = changed
    while let setting = rest.removeFirst() {
      switch setting {
      case .volume: playback.setVolume(configuration.current.player.volume)
      case .tone: playback.follow(configuration.current.tone)
      case .view: framing.settings = configuration.current.view
      case .retention: retention.policy = configuration.current.retention
      case .trigger:
        trigger.follow(configuration.current.trigger)
        schedule.isListening = trigger.settings.isScheduled
      case .timecode:
        timecode.follow(configuration.current.timecode)
        recording.form = configuration.current.takeForm
      case .power: power.follow(configuration.current.power.wishes)
      case .battery: battery.follow(configuration.current.power.battery)
      case .heat: heat.follow(configuration.current.heat)
      case .accelerometer: orientation.follow(configuration.current.accelerometer)
      case .hangulClock: applications.follow(configuration.current.clock)
      case .split: recording.split = configuration.current.record.split
      case .takeContent, .audioContainer, .loudness, .interval: recording.form = configuration.current.takeForm
      }
    }
  }
}

extension SettingRow {
  /// The line of the setting's section.
  var heading: FixedText<66> { "[\(section)]" }
}

extension Settings {
  fileprivate func forEachDifference(from old: Settings, _ visit: (SettingRow) -> Void) {
    let table = SettingsTable(self, comparedWith: old)
    for index in 0..<table.count where table[index].differs { visit(table[index]) }
  }
}

extension Span where Element == UInt8 {
  /// Removes and returns the next word; nil if there is none.
  @_lifetime(copy self)
  fileprivate mutating func takeWord() -> Span<UInt8>? {
    var start = 0
    while start < count, self[start] == UInt8(ascii: " ") || self[start] == UInt8(ascii: "\t") { start += 1 }
    var end = start
    while end < count, self[end] != UInt8(ascii: " "), self[end] != UInt8(ascii: "\t") { end += 1 }
    let word = extracting(start..<end)
    self = extracting(droppingFirst: end)
    return word.isEmpty ? nil : word
  }
}

extension Limits {
  /// How long changes of the configuration last without a confirmation: time to see their effect and to type one.
  static var confirmationSeconds: UInt64 { 60 }
}
