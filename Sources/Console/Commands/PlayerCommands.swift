import Base
import Wire

package enum PlayerCommand: Equatable, Sendable {
  /// Opens a file, relative to the data folder or absolute; nil for the chosen one.
  case prepare(FixedText<256>?)
  /// Opens a file in the same way, and plays it.
  case playFile(FixedText<256>)
  /// Opens a stream by its address, and plays it.
  case stream(FixedText<256>)
  /// Stops listening to a Snapcast server.
  case stopListening
  /// Closes the open file.
  case dispose
  /// Starts or continues at an instant of the monotonic clock; nil for now.
  case play(at: Instant?)
  /// Opens the newest take.
  case newest(FileUse)
  /// Opens the file with this number in the last listing.
  case listed(number: UInt32, FileUse)
  case pause
  /// Stops, and returns to the start.
  case stop
  /// Seeks to a position in the file, 0…1,000,000 s.
  case seek(seconds: Double)
  /// Skips this many seconds forward, or back if negative.
  case skip(seconds: Double)
  /// Repeats a section, whose ends are 0…1,000,000 s; nil ends the repetition.
  case section(PlaybackSection?)
  /// Sets the playback rate, 0.5…2; nil prints it.
  case rate(Double?)
  /// Sets the gain, 0…1; nil prints the volume.
  case volume(Double?)
  /// Prints the state of the player.
  case show
  case next, previous
  case showQueue(StatusForm), clearQueue
  /// Sets what follows the last item; nil prints it.
  case repetition(QueueRepeat?)
  /// Turns shuffling of the queue on or off; nil prints it.
  case shuffle(Bool?)
  case tone(ToneAction)
  /// Enters or leaves standby; nil prints the state.
  case standby(Bool?)
  case metronome(MetronomeAction)
  /// Plays the microphone through the speaker or not; nil prints the setting, and the latency.
  case monitor(Bool?)
  case share(ShareOrder)
}

/// What `share` does.
package enum ShareOrder: Equatable, Sendable {
  /// Prints whether listeners hear what is played.
  case show
  /// Plays a file to the listeners.
  case file(FixedText<256>)
  /// Plays the queue to the listeners, from its first item on.
  case queue
  /// Returns the listeners to the microphone.
  case off
}

/// What `tone` does.
package enum ToneAction: Equatable, Sendable {
  /// Prints the present tone.
  case show
  case off
  /// Plays a tone with the current frequency and level.
  case on
  /// Plays a sine of 20…20,000 Hz.
  ///
  /// - Parameter levelDecibels: the peak, −90…0 dBFS; nil for the current level.
  case sine(hertz: Double, levelDecibels: Double?)
}

extension CommandTable {
  static func visitPlayer(_ visit: CommandVisitor) {
    visit(
      "prepare", .play, "[FILE]", "open a file for playback",
      "FILE may contain spaces, and is below the data folder unless it begins with /; a number of the last list will do. If left out: the chosen file, or the newest take.",
      Examples("prepare music/song.flac", "prepare 3"), Command.parsePrepare)
    visit(
      "stream", .listen, "URL", "play a stream from a server",
      "URL is an http or https address of sound or of a playlist, at most 255 bytes. stop ends the connection. prepare and queue also take a URL.",
      Examples("stream http://radio.example/live.mp3"), Command.parseStream)
    visit(
      "listen", .listen, "HOST [PORT]|off", "play another recorder's stream in sync",
      "HOST runs fieldcorder-monitor with a snapcast_port, or another Snapcast server; PORT is 1704 if left out. listen off or stop ends it.",
      Examples("listen studio.local", "listen off"), Command.parseListen)
    visit(
      "share", .listen, "[FILE|N|last|queue|off]", "play to all who listen, in step",
      "Listeners, players in sync and the speaker hear FILE from its beginning instead of the microphone; pause, seek, next and volume act on all. off ends it; alone it shows whether it is on.",
      Examples("share music/song.flac", "share off"), Command.parseShare)
    visit(
      "discover", .listen, "[SECONDS]", "find streams on the network",
      "Each line begins with the command to type. SECONDS is 1 to 60 (3 if left out). Finds recorders that announce themselves through Avahi, as the manual says.",
      Examples("discover 10"), Command.parseDiscover)
    visit(
      "dispose", .play, "", "close the file that is open",
      "Playback ends, and its buffers are freed.", Examples(), { _ in .player(.dispose) })
    visit(
      "play", .play, "[N|last|FILE|at NS]", "play, or resume",
      """
      N is a number of the last takes, list, find or queue; last is the newest take. FILE is as of prepare. NS is when the \
      first sample plays, in nanoseconds of the system's monotonic clock, as clock json tells it.
      """,
      Examples("play last", "play music/song.flac"), Command.parsePlay)
    visit(
      "pause", .play, "", "pause; play resumes",
      "play resumes at the same position.", Examples(), { _ in .player(.pause) })
    visit(
      "stop", .play, "", "stop, and go back to the start",
      "The file stays open; dispose closes it.", Examples(), { _ in .player(.stop) })
    visit(
      "seek", .play, "S", "go to a position in the file",
      "S is 0 to 1000000 seconds from the file's start, with decimals, or minutes as 1:30. +S goes on, and -S back.",
      Examples("seek 1:10.5", "seek +5"), Command.parseSeek)
    visit(
      "loop", .play, "A B|off", "repeat a section of the file",
      "A and B are its start and its end, 0 to 1000000 seconds from the file's start, with decimals.",
      Examples("loop 10 12.5", "loop off"), Command.parseLoop)
    visit(
      "rate", .play, "[X]", "play X times as fast at the same pitch",
      "X is 0.5 to 2.0; without it the current rate is shown.", Examples("rate 0.75"), Command.parseRate)
    visit(
      "volume", .play, "[X]", "set the player's volume",
      "X is 0.0 (silence) to 1.0 (the file as it is); without it the current volume is shown.",
      Examples("volume 0.5"), Command.parseVolume)
    visit(
      "player", .play, "", "show details of the open file",
      "Its length, its packets, the buffers they are read into, and the next packet.", Examples(),
      { _ in .player(.show) })
  }

  static func visitTone(_ visit: CommandVisitor) {
    visit(
      "tone", .play, "[HZ [DB]|on|off]", "play a sine tone, to align levels",
      "HZ is 20 to 20000, DB its peak level, -90 to 0 dBFS; on uses the configured ones; alone it shows the current tone.",
      Examples("tone 440 -20", "tone off"), Command.parseTone)
    visit(
      "standby", .play, "[on|off]", "play the standby tone, or the tone of use",
      "Both frequencies are set in the configuration; alone it shows the current tone.",
      Examples("standby on"), Command.parseStandby)
    visit(
      "monitor", .listen, "[on|off]", "hear the microphone through the speaker",
      "For headphones: with a speaker it feeds back. Alone it shows the delay. While a file plays, the file is heard instead.",
      Examples("monitor on"), Command.parseMonitor)
  }
}

extension Command {
  private static let longestSeconds = 1e6

  static func parseMonitor(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard let word = arguments.next() else { return .player(.monitor(nil)) }
    return .player(.monitor(try isOn(word, "monitor")))
  }

  static func parseShare(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard let file = arguments.takeRest() else { return .player(.share(.show)) }
    if file.equals("off") { return .player(.share(.off)) }
    if file.equals("queue") { return .player(.share(.queue)) }
    if file.equals("last") { return .player(.newest(.share)) }
    if let number = file.parseInteger(as: UInt32.self) { return .player(.listed(number: number, .share)) }
    return .player(.share(.file(try text(file.withoutQuotes(), "share", "a file"))))
  }

  static func parsePrepare(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard let file = arguments.takeRest() else { return .player(.prepare(nil)) }
    if let number = file.parseInteger(as: UInt32.self) { return .player(.listed(number: number, .prepare)) }
    return .player(.prepare(try text(file.withoutQuotes(), "prepare", "a file")))
  }

  static func parseStream(_ arguments: inout Arguments) throws(CommandError) -> Command {
    let word = arguments.nextQuoted()?.withoutQuotes().trimmed
    let address: FixedText<256> = try text(word, "stream", "an address")
    guard address.isStreamAddress, address.byteCount < 256 else {
      throw wrong(word, "stream", "an address such as http://radio.example/live.mp3")
    }
    return .player(.stream(address))
  }

  /// Builds the address here, so that it is the same everywhere.
  static func parseListen(_ arguments: inout Arguments) throws(CommandError) -> Command {
    let word = arguments.next()
    let host: FixedText<200> = try text(word, "listen", "a host, or off")
    guard host != "off" else { return .player(.stopListening) }
    let portWord = arguments.next()
    let port = portWord == nil ? 1704 : portWord?.parseInteger(as: UInt16.self)
    guard let port, port > 0 else { throw wrong(portWord, "listen", "a port of 1…65535") }
    var hasColon = false
    for index in host.bytes.indices {
      let byte = host.bytes[index]
      if byte == UInt8(ascii: ":") { hasColon = true }
      guard byte != UInt8(ascii: "/"), byte != UInt8(ascii: "@") else { throw wrong(word, "listen", "a host, or off") }
    }
    // An IPv6 address.
    let isBare = hasColon && host.bytes.removingPrefix("[") == nil
    return .player(.stream(isBare ? "snapcast://[\(host)]:\(port)" : "snapcast://\(host):\(port)"))
  }

  static func parseDiscover(_ arguments: inout Arguments) throws(CommandError) -> Command {
    var seconds: UInt8 = 3
    var form = StatusForm.lines
    while let word = arguments.next() {
      if word.equals("json") {
        form = .json
      } else if let number = word.parseInteger(as: UInt8.self), (1...60).contains(number) {
        seconds = number
      } else {
        throw wrong(word, "discover", "1…60 seconds, json or nothing")
      }
    }
    return .discover(seconds: seconds, form)
  }

  static func parsePlay(_ arguments: inout Arguments) throws(CommandError) -> Command {
    let words = arguments
    guard let word = arguments.next() else { return .player(.play(at: nil)) }
    if let number = word.parseInteger(as: UInt32.self) { return .player(.listed(number: number, .play(at: nil))) }
    if word.equals("last") { return .player(.newest(.play(at: nil))) }
    guard word.equals("at") else {
      arguments = words
      return .player(.playFile(try text(arguments.takeRest()?.withoutQuotes(), "play", "a file")))
    }
    let instant = arguments.next()
    guard let nanoseconds = instant?.parseInteger(as: UInt64.self) else {
      throw wrong(instant, "play at", "nanoseconds of the monotonic clock")
    }
    return .player(.play(at: Instant(nanoseconds)))
  }

  static func parseSeek(_ arguments: inout Arguments) throws(CommandError) -> Command {
    let word = arguments.next()
    let isBack = word?[0] == UInt8(ascii: "-")
    let isRelative = isBack || word?[0] == UInt8(ascii: "+")
    guard let seconds = word?.extracting(droppingFirst: isRelative ? 1 : 0).parsePosition(), seconds <= longestSeconds
    else {
      throw wrong(word, "seek", "0…1000000 seconds, or minutes as 1:30, or + or - with them")
    }
    guard isRelative else { return .player(.seek(seconds: seconds)) }
    return .player(.skip(seconds: isBack ? -seconds : seconds))
  }

  static func parseLoop(_ arguments: inout Arguments) throws(CommandError) -> Command {
    let word = arguments.next()
    if let word, word.equals("off") { return .player(.section(nil)) }
    let start = try number(word, 0...longestSeconds, "loop", "two instants of 0…1000000 seconds, or off")
    let endWord = arguments.next()
    let end = try number(endWord, 0...longestSeconds, "loop", "an end of 0…1000000 seconds")
    guard start < end else { throw wrong(endWord, "loop", "an end after its start") }
    return .player(.section(PlaybackSection(startSeconds: start, endSeconds: end)))
  }

  static func parseRate(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard let word = arguments.next() else { return .player(.rate(nil)) }
    return .player(.rate(try number(word, 0.5...2, "rate", "0.5…2.0")))
  }

  static func parseVolume(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard let word = arguments.next() else { return .player(.volume(nil)) }
    return .player(.volume(try number(word, 0...1, "volume", "0.0…1.0")))
  }

  static func parseTone(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard let word = arguments.next() else { return .player(.tone(.show)) }
    if word.equals("off") { return .player(.tone(.off)) }
    if word.equals("on") { return .player(.tone(.on)) }
    let hertz = try number(word, 20...20_000, "tone", "20…20000 Hz, on or off")
    guard let level = arguments.next() else { return .player(.tone(.sine(hertz: hertz, levelDecibels: nil))) }
    let decibels = try number(level, -90...0, "tone", "a level of -90…0 dBFS")
    return .player(.tone(.sine(hertz: hertz, levelDecibels: decibels)))
  }

  static func parseStandby(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard let word = arguments.next() else { return .player(.standby(nil)) }
    return .player(.standby(try isOn(word, "standby")))
  }

  static func isOn(_ word: Span<UInt8>, _ command: StaticString) throws(CommandError) -> Bool {
    if word.equals("on") { return true }
    guard word.equals("off") else { throw wrong(word, command, "on, off or nothing") }
    return false
  }

  private static func number(
    _ word: Span<UInt8>?, _ range: ClosedRange<Double>, _ command: StaticString, _ expected: StaticString
  ) throws(CommandError) -> Double {
    guard let number = word?.parseDecimal(), range.contains(number) else { throw wrong(word, command, expected) }
    return number
  }
}

extension Span where Element == UInt8 {
  /// Seconds with decimals, optionally preceded by minutes and hours: `90.5`, `1:30.5`, `1:02:03`; nil otherwise.
  fileprivate func parsePosition() -> Double? {
    var seconds = 0.0
    var start = 0
    for end in 0...count where end == count || self[end] == UInt8(ascii: ":") {
      let part = extracting(start..<end)
      let number: Double? =
        if end == count { part.parseDecimal() } else { part.parseInteger(as: UInt16.self).map { Double($0) } }
      guard let number, number.sign == .plus, start == 0 || number < 60 else { return nil }
      seconds = seconds * 60 + number
      start = end + 1
    }
    return seconds
  }
}
