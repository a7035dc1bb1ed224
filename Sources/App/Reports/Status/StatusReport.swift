import Base
import Console
import Machine
import Media
import Playback
import Record

/// The content of `status`, collected from all services.
struct StatusReport {
  let state: RecorderState
  let orientation: Orientation
  let identity: DeviceIdentity
  var zoomFactor = 1.0
  /// Empty before the first take.
  var path: FixedText<128> = ""
  var byteCount: UInt64 = 0
  var seconds = 0.0
  var audioFrames: UInt64 = 0
  var videoFrames: UInt64 = 0
  /// The losses of the newest take; before the first one, since boot.
  var losses = Losses()
  var prerollSeconds = 0.0
  var driftPartsPerMillion = 0.0
  var freeByteCount: UInt64 = 0
  /// How long the card lasts; nil while nothing is known of what would be recorded.
  var room: RoomEstimate?
  let loop: LoopSummary
  let heapAllocationCount: UInt64
  let clockSource: ClockSource
  /// For people.
  let clockLine: FixedText<128>
  /// The same for the dates of files, if they are other ones.
  let datesLine: FixedText<64>?
  let player: PlayerStatus
  let heat: HeatReport
  let diagnosis: Diagnosis

  func reply(_ form: StatusForm, _ console: inout ConsoleSession) {
    switch form {
    case .lines: replyInLines(&console)
    case .json: console.reply(json)
    }
    console.complete()
  }

  private func replyInLines(_ console: inout ConsoleSession) {
    diagnosis.replyWorst(&console)
    console.reply(stateLine)
    if let takeLine { console.reply(takeLine) }
    console.reply(prerollLine)
    console.reply(
      "lost         \(grouped: losses.pictures) frames, \(grouped: losses.audioOverruns) audio gaps")
    if losses.leftOutPictures > 0 {
      console.reply("left out     \(grouped: losses.leftOutPictures) frames, for heat")
    }
    console.reply("zoom         \(zoomFactor, decimals: 2)")
    if let item = player.item {
      console.reply(
        """
        player       \(player.state.name) \(item.label): \(grouped: player.positionSeconds, decimals: 1) of \
        \(grouped: player.durationSeconds, decimals: 1) s
        """ as FixedText<360>)
    }
    console.reply(roomLine)
    if let temperatureLine { console.reply(temperatureLine) }
    if let reasons, !reasons.isEmpty { console.reply("firmware     \(reasons)") }
    console.reply(clockLine)
    if let datesLine { console.reply(datesLine) }
  }

  var stateLine: FixedText<256> { "state        \(state.name), \(orientation.name)" }

  /// Nil before the first take.
  var takeLine: FixedText<256>? {
    path.isEmpty ? nil : "take         \(path): \(grouped: seconds, decimals: 1) s, \(size: byteCount)"
  }

  var prerollLine: FixedText<256> { "pre-roll     \(prerollSeconds, decimals: 1) s" }

  /// Nil without a sensor.
  var temperatureLine: FixedText<256>? {
    heat.milliCelsius.map { "temperature  \(Double($0) / 1000, decimals: 1) °C" }
  }

  var roomLine: FixedText<128> {
    var line: FixedText<128> = "card         \(size: freeByteCount) free"
    if let room {
      let least: StaticString = room.isMeasured ? "" : "at least "
      line.append(", \(least)\(duration: room.seconds) of recording" as FixedText<64>)
    }
    return line
  }

  /// One JSON object (RFC 8259). Only the player's file name needs escaping: other paths, names and numbers are our
  /// own.
  var json: FixedText<3000> {
    "{\(takeMembers),\(deviceMembers)\(heatMembers),\(playerMember),\(loopMembers)}"
  }

  private var takeMembers: FixedText<560> {
    let quote: StaticString = path.isEmpty ? "" : "\""
    let take: FixedText<128> = path.isEmpty ? "null" : path
    return """
      "state":"\(state.name)","take":\(quote)\(take)\(quote),"bytes":\(byteCount),"seconds":\(seconds, decimals: 3),\
      "audio_frames":\(audioFrames),"video_frames":\(videoFrames),"dropped_video_frames":\(losses.pictures),\
      "left_out_video_frames":\(losses.leftOutPictures),"audio_overruns":\(losses.audioOverruns),"preroll_seconds":\(prerollSeconds, decimals: 3)
      """
  }

  private var deviceMembers: FixedText<512> {
    """
    "orientation":"\(orientation.name)","zoom":\(zoomFactor, decimals: 3),"disk_free_bytes":\(freeByteCount),\
    "drift_ppm":\(driftPartsPerMillion, decimals: 2),"uuid":"\(identity.text)","clock":"\(clockSource.name)"
    """
  }

  /// Each with a comma before it, and only where there is a sensor, or a firmware that says it.
  private var heatMembers: FixedText<256> {
    var members = FixedText<256>()
    if let milliCelsius = heat.milliCelsius {
      members.append(",\"temperature_celsius\":\(Double(milliCelsius) / 1000, decimals: 1)" as FixedText<64>)
    }
    if let reasons { members.append(",\"throttling\":\"\(reasons)\"" as FixedText<128>) }
    return members
  }

  /// The firmware's reasons for holding the processor back, separated by commas.
  private var reasons: FixedText<96>? {
    guard let flags = heat.throttling else { return nil }
    var reasons = FixedText<96>()
    for index in 0..<UInt8(ThrottlingReason.count) {
      guard let reason = ThrottlingReason(rawValue: index), flags.contains(reason) else { continue }
      if !reasons.isEmpty { reasons.append(", ") }
      reasons.append(reason.name)
    }
    return reasons
  }

  /// The file's name comes from outside, and is escaped.
  private var playerMember: FixedText<1800> {
    var file: FixedText<1600> = "null"
    if let item = player.item { file = "\"\(json: item.path)\"" }
    return """
      "player":{"state":"\(player.state.name)","file":\(file),"position_seconds":\(player.positionSeconds, decimals: 3),\
      "duration_seconds":\(player.durationSeconds, decimals: 3),"volume":\(player.volume, decimals: 3),\
      "rate":\(player.rate, decimals: 3),"underruns":\(player.underrunCount)}
      """
  }

  private var loopMembers: FixedText<320> {
    """
    "loop":{"ticks":\(loop.tickCount),"missed":\(loop.missedCount),\
    "wake_p50_us":\(loop.wakeMicroseconds[0]),"wake_p99_us":\(loop.wakeMicroseconds[1]),\
    "wake_p999_us":\(loop.wakeMicroseconds[2]),"work_p999_us":\(loop.workMicroseconds)},\
    "heap_allocations_since_boot_complete":\(heapAllocationCount)
    """
  }
}
