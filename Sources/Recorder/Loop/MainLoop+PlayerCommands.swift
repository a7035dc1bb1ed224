import Port
import Configuration
import Console
import Decoding
import Library
import Values
import Playback
import Text

extension MainLoop where Machine: ~Copyable {
  /// Serves a command of the player's.
  /// - Returns: false when it is another's.
  mutating func serveForPlayer(_ command: Command) -> Bool {
    switch command {
    case .prepare(let path): prepare(path, for: .console)
    case .dispose: order(for: .console) { player throws(PlayerRefusal) in try player.dispose() }
    case .play(let instant): play(atNanoseconds: instant, for: .console)
    case .pause: order(for: .console) { player throws(PlayerRefusal) in try player.pause() }
    case .stop: order(for: .console) { player throws(PlayerRefusal) in try player.stop() }
    case .seek(let seconds): order(for: .console) { player throws(PlayerRefusal) in try player.seek(seconds: seconds) }
    case .section(let section):
      order(for: .console) { player throws(PlayerRefusal) in try player.setSection(section) }
    case .rate(let rate): serveRate(rate)
    case .volume(let volume): serveVolume(volume)
    case .player: reportPlayer()
    default: return serveForLibrary(command) || serveForTone(command)
    }
    return true
  }

  private mutating func serveForLibrary(_ command: Command) -> Bool {
    switch command {
    case .list(let kind): askLibrary(.list(kind), for: .show)
    case .find(let field, let text): askLibrary(.find(field, text), for: .show)
    case .queue(.files(let words)): askLibrary(.enqueue(words: words), for: .queue)
    case .queue(.artist(let name)): askLibrary(.enqueueArtist(name), for: .queue)
    case .queue(.clear): order(for: .console) { player throws(PlayerRefusal) in try player.clearQueue() }
    case .queue(.show): shownQueueIndex = 0
    case .next: order(for: .console) { player throws(PlayerRefusal) in try player.goToNext() }
    case .previous: order(for: .console) { player throws(PlayerRefusal) in try player.goToPrevious() }
    default: return false
    }
    return true
  }

  private mutating func serveForTone(_ command: Command) -> Bool {
    let settings = context.settings.tone
    switch command {
    case .tone(.show):
      reportTone()
    case .tone(.off): order(for: .console) { player throws(PlayerRefusal) in player.toneOff() }
    case .tone(.on): sound(hertz: settings.frequencyHz, levelDecibels: nil)
    case .tone(.sine(let hertz, let level)): sound(hertz: hertz, levelDecibels: level)
    case .standby(let isStandby?):
      order(for: .console) { player throws(PlayerRefusal) in player.setStandby(isStandby) }
    case .standby(nil):
      console.reply(player.status.isStandby ? "standby on" : "standby off" as FixedText<16>)
      console.complete()
    default: return false
    }
    return true
  }

  private mutating func sound(hertz: Double, levelDecibels: Double?) {
    let level = levelDecibels ?? context.settings.tone.levelDecibels
    order(for: .console) { player throws(PlayerRefusal) in
      try player.setTone(hertz: hertz, levelDecibels: level)
    }
  }

  private mutating func serveRate(_ rate: Double?) {
    if let rate { return order(for: .console) { player throws(PlayerRefusal) in try player.setRate(rate) } }
    console.reply("rate \(player.status.rate, decimals: 3)" as FixedText<32>)
    console.complete()
  }

  private mutating func serveVolume(_ volume: Double?) {
    if let volume { return order(for: .console) { player throws(PlayerRefusal) in try player.setVolume(volume) } }
    console.reply("volume \(player.status.volume, decimals: 3)" as FixedText<32>)
    console.complete()
  }

  /// Shows more of the queue, as far as the console has room for it.
  mutating func showQueue() {
    guard var index = shownQueueIndex else { return }
    let isBrokenOff = console.takeInterrupt()
    while !isBrokenOff, let item = player.queue.item(at: index) {
      guard console.canReply else {
        shownQueueIndex = index
        return
      }
      console.reply(queueLine(item, number: index + 1, isCurrent: index == player.queue.index))
      index += 1
    }
    shownQueueIndex = nil
    console.complete()
  }

  private func queueLine(_ item: MediaItem, number: Int, isCurrent: Bool) -> FixedText<600> {
    var line: FixedText<600> = "\(number)\(isCurrent ? " >" : "  " as StaticString) \(item.label)"
    if !item.title.isEmpty { line.append(", \(item.path)" as FixedText<264>) }
    return line
  }
}
