import Base
import Console
import Kit
import Machine
import Playback
import Record
import Wire

extension PlaybackService {
  /// Adds playback to the status of the live views.
  func describe(in status: inout ViewStatus) {
    status.sharedEpoch = sharingStatus?.epoch
    guard player.state != .none, !player.state.isPreparing else { return }
    let now = player.status
    guard let item = now.item else { return }
    status.player.state = now.state == .playing ? .playing : .paused
    status.player.positionMilliseconds = UInt64(max(0, now.positionSeconds) * 1000)
    status.player.durationMilliseconds = UInt64(max(0, now.durationSeconds) * 1000)
    let label = item.label
    status.player.title = FixedText(label.bytes)
  }

  /// Prints the reply of `player`: one line per property, each beginning with its name. Programs read it, so it is the
  /// same in every language.
  func report(_ console: inout ConsoleSession) {
    let status = player.status
    console.quote("state \(status.state.name)" as FixedText<32>)
    if let item = status.item { report(item, status, &console) }
    console.quote("rate \(status.rate, decimals: 3)" as FixedText<32>)
    console.quote("volume \(status.volume, decimals: 3)" as FixedText<32>)
    console.quote("underruns \(status.underrunCount)" as FixedText<32>)
    if status.queueCount > 0 {
      console.quote("queue \(status.queueIndex + 1) of \(status.queueCount)" as FixedText<64>)
    }
    if let sharing = sharingStatus, sharing.isOn {
      if let late = sharing.lateNanoseconds {
        console.quote("shared, speaker \(late) ns late" as FixedText<64>)
      } else {
        console.quote("shared, speaker silent" as FixedText<64>)
      }
    }
    if let cue = status.cue { console.quote("begins at \(cue.rawValue)" as FixedText<64>) }
    if let error = status.startErrorNanoseconds { console.quote("began \(error) ns late" as FixedText<64>) }
    console.complete()
  }

  private func report(_ item: MediaItem, _ status: PlayerStatus, _ console: inout ConsoleSession) {
    console.quote("file \(item.shownPath)" as FixedText<264>)
    console.quote("item \(item.label)" as FixedText<280>)
    guard let file = status.properties else { return }
    console.quote("format \(file.codecName), \(file.sampleRateHz) Hz, \(file.channelCount) channels" as FixedText<80>)
    console.quote("duration \(status.durationSeconds, decimals: 3) s" as FixedText<64>)
    console.quote("position \(status.positionSeconds, decimals: 3) s" as FixedText<64>)
    console.quote("frames \(file.frameCount)" as FixedText<64>)
    console.quote("largest packet \(file.largestPacketByteCount) bytes" as FixedText<64>)
    console.quote("buffer \(file.bufferByteCount) bytes" as FixedText<64>)
    console.quote("packets a read \(file.packetsPerRead)" as FixedText<64>)
    console.quote("next packet \(status.reading.nextPacket)" as FixedText<64>)
    console.quote("reads \(status.reading.readCount)" as FixedText<64>)
    console.quote("empty reads \(status.reading.emptyReadCount)" as FixedText<64>)
    if item.isStream {
      let held = status.reading.held
      console.quote(
        "in use \(held.bufferCount) buffers, \(held.packetCount) packets, \(held.bytes) bytes" as FixedText<80>)
    }
    if item.isSynced {
      if let late = status.lateNanoseconds {
        console.quote("sync \(late) ns late" as FixedText<48>)
      } else {
        console.quote("sync silent" as FixedText<48>)
      }
    }
    console.quote(file.packetsVary ? "packets vary" : "packets do not vary" as FixedText<32>)
    console.quote(line(of: status.section))
  }

  private func line(of section: SectionMarking) -> FixedText<80> {
    switch section {
    case .off: "loop off"
    case .begun(let seconds): "loop from \(seconds, decimals: 3) s"
    case .looping(let section):
      "loop from \(section.startSeconds, decimals: 3) s to \(section.endSeconds, decimals: 3) s"
    }
  }

  /// The reply of `tone`.
  var toneLine: FixedText<256> {
    guard let tone = player.status.tone else { return "tone off" }
    return "tone \(tone.hertz, decimals: 2) Hz, \(tone.levelDecibels, decimals: 1) dBFS"
  }

  /// The metronome as the display shows it; nil while it is off.
  var metronome: MetronomeReading? {
    guard let rhythm = player.rhythm else { return nil }
    return MetronomeReading(
      tempo: Float(rhythm.beatsPerMinute), beatCount: UInt8(rhythm.beats), beat: UInt8(player.beat))
  }

  /// The reply of `metronome`.
  var metronomeLine: FixedText<256> {
    guard let rhythm = player.rhythm else { return "metronome off" }
    let decimals = rhythm.hundredthsPerMinute % 100 == 0 ? 0 : 2
    var line: FixedText<256> =
      "metronome \(rhythm.beatsPerMinute, decimals: decimals) a minute, \(rhythm.beats) to a bar"
    if rhythm.subdivisions > 1 { line.append(", \(rhythm.subdivisions) clicks to a beat" as FixedText<32>) }
    return line
  }

  /// Reports an item of the queue.
  func report(_ item: MediaItem, at index: Int, _ form: StatusForm, _ console: inout ConsoleSession) {
    let isMarked = index == player.markedIndex
    guard form == .json else {
      return console.quote("\(index + 1)\(isMarked ? " >" : "  " as StaticString) \(named(item))" as FixedText<600>)
    }
    console.beginReport(.json)
    console.member("number", .count(index + 1))
    console.member("playing", .flag(isMarked && player.state == .playing))
    item.report(&console)
    console.endPart()
  }

  /// An item's label and path.
  func named(_ item: MediaItem) -> FixedText<560> {
    var name: FixedText<560> = "\(item.label)"
    if !item.title.isEmpty { name.append(", \(item.shownPath)" as FixedText<264>) }
    return name
  }

  /// The modes in which the queue is played.
  var modesLine: FixedText<256> {
    "repeat \(player.repetition.name), shuffle \(player.isShuffled ? "on" : "off" as StaticString)"
  }
}

/// The modes of the queue, as kept across restarts: `repeat all` and `shuffle on`, one line each.
struct QueueModes {
  var repetition = QueueRepeat.off
  var isShuffled = false

  init(repetition: QueueRepeat = .off, isShuffled: Bool = false) {
    self.repetition = repetition
    self.isShuffled = isShuffled
  }

  /// Reads the kept modes. If the file cannot be read, or a line is not understood, only that mode is lost.
  init(_ file: KeptText, in storage: inout Storage) {
    file.readOrSetAside(from: &storage) { text in
      var isUnderstood = true
      text.forEachLine { line in if !take(line) { isUnderstood = false } }
      return isUnderstood
    }
  }

  private mutating func take(_ line: Span<UInt8>) -> Bool {
    if let word = line.removingPrefix("repeat "), let mode = QueueRepeat(name: word) {
      repetition = mode
      return true
    }
    if line.equals("shuffle on") { isShuffled = true }
    return line.equals("shuffle on") || line.equals("shuffle off")
  }

  /// The text to be read again.
  var text: KeptText.Content {
    "repeat \(repetition.name)\nshuffle \(isShuffled ? "on" : "off" as StaticString)\n"
  }
}

extension Services {
  /// Runs `slate`: a beep, and a mark where it begins. Either both are made, or the command is refused.
  mutating func slate(_ text: FixedText<56>, at now: Instant) {
    guard recording.isTakeOpen else { return markSlate(text, at: now) }
    if let reason = playback.beginSlate() { return console.refuse(reason) }
    console.pending = .slate(text, end: now + Limits.slateSeconds * 1_000_000_000)
  }

  /// At each tick: sets the mark once the card has the beep.
  mutating func advanceSlate(_ text: FixedText<56>, by end: Instant, at now: Instant) {
    if let instant = playback.takeSlateInstant() { return markSlate(text, at: instant) }
    guard now >= end || console.takeInterrupt() else { return }
    playback.cancelSlate()
    console.refuse("the speaker does not answer: no beep, and no mark" as FixedText<64>)
  }

  private mutating func markSlate(_ text: FixedText<56>, at instant: Instant) {
    let separator: StaticString = text.isEmpty ? "" : " "
    recording.mark("slate\(separator)\(text)", for: .console, &console, at: instant)
  }
}

extension Limits {
  /// How long `slate` waits for the speaker: a closed card opens within one, and may be busy at first.
  static var slateSeconds: UInt64 { 2 }
}
