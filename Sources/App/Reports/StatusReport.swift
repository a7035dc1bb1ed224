import Base
import Configuration
import Console
import Kit
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
  /// What people have entered about the takes.
  var sheet = TakeSheet()
  var byteCount: UInt64 = 0
  var seconds = 0.0
  var audioFrames: UInt64 = 0
  var videoFrames: UInt64 = 0
  /// The losses of the newest take, or, before the first take, since boot.
  var losses = Losses()
  var prerollSeconds = 0.0
  /// The format of the camera's pictures in takes; nil without a camera.
  var videoFormat: VideoFormat?
  var driftPartsPerMillion = 0.0
  var freeByteCount: UInt64 = 0
  /// How long the card lasts; nil while the data rate is unknown.
  var room: RoomEstimate?
  let loop: LoopSummary
  let heapAllocationCount: UInt64
  let clockSource: ClockSource
  /// The clock's state, as text for people.
  let clockLine: FixedText<256>
  /// The same for the clock that dates files, if it is a different one.
  let datesLine: FixedText<256>?
  let player: PlayerStatus
  let heat: HeatReport
  let battery: BatteryReport
  let position: PositionService
  let power: PowerService
  let diagnosis: Diagnosis
  let trigger: StaticString
  /// The present timecode; empty for none.
  let timecode: FixedText<16>
  let sleep: StaticString
  /// Its name; empty for none.
  let deployment: DeploymentName

  func report(_ form: StatusForm, _ console: inout ConsoleSession) {
    console.beginReport(form)
    if form == .lines { diagnosis.replyWorst(&console) }
    console.line(stateLine)
    if let takeLine { console.line(takeLine) }
    if let sceneLine = sheet.sceneLine(isTakeOpen: state == .recording) { console.line(sceneLine) }
    console.line(prerollLine)
    console.line("lost         \(count: losses.pictures, "frame"), \(count: losses.audioOverruns, "audio gap")")
    if losses.leftOutPictures > 0 {
      console.line("left out     \(count: losses.leftOutPictures, "frame"), for heat")
    }
    reportTake(&console)
    console.member("orientation", .name(orientation.name))
    if let cameraLine { console.line(cameraLine) }
    console.line("zoom         \(zoomFactor, decimals: 2)")
    console.member("zoom", .decimal(zoomFactor, decimals: 3))
    console.member("disk_free_bytes", .size(freeByteCount))
    console.member("drift_ppm", .decimal(driftPartsPerMillion, decimals: 2))
    console.member("uuid", text: identity.text.bytes)
    console.member("clock", .name(clockSource.name))
    console.member("trigger", .name(trigger))
    console.member("timecode", text: timecode.bytes, emptyIsNull: true)
    console.member("sleep", .name(sleep))
    console.member("deployment", text: deployment.bytes, emptyIsNull: true)
    // Only with a sensor, and with firmware that reports throttling.
    if let celsius { console.member("temperature_celsius", .decimal(celsius, decimals: 1)) }
    if let reasons { console.member("throttling", text: reasons.bytes) }
    reportPlayer(form, &console)
    console.line(roomLine)
    if let temperatureLine { console.line(temperatureLine) }
    if let reasons, !reasons.isEmpty { console.line("firmware     \(reasons)") }
    reportBattery(&console)
    position.reportStatus(&console)
    power.reportStatus(&console)
    console.line(clockLine)
    if let datesLine { console.line(datesLine) }
    reportLoop(&console)
    console.endReport()
  }

  private func reportTake(_ console: inout ConsoleSession) {
    console.member("state", .name(state.name))
    console.member("take", text: path.bytes, emptyIsNull: true)
    console.member("project", text: sheet.project.bytes, emptyIsNull: true)
    console.member("scene", text: sheet.scene.bytes, emptyIsNull: true)
    console.member("scene_take", .count(sheet.takeNumber(isTakeOpen: state == .recording)))
    console.member("tape", text: sheet.tape.bytes, emptyIsNull: true)
    console.member("bytes", .size(byteCount))
    console.member("seconds", .decimal(seconds, decimals: 3))
    console.member("audio_frames", .count(audioFrames))
    console.member("video_frames", .count(videoFrames))
    console.member("dropped_video_frames", .count(losses.pictures))
    console.member("left_out_video_frames", .count(losses.leftOutPictures))
    console.member("audio_overruns", .count(losses.audioOverruns))
    console.member("preroll_seconds", .decimal(prerollSeconds, decimals: 3))
  }

  private func reportPlayer(_ form: StatusForm, _ console: inout ConsoleSession) {
    let item = player.item
    if form == .lines, let item {
      console.reply(
        """
        player       \(player.state.name) \(item.label): \(grouped: player.positionSeconds, decimals: 1) of \
        \(grouped: player.durationSeconds, decimals: 1) s
        """ as FixedText<360>)
    }
    console.beginObject("player")
    console.member("state", .name(player.state.name))
    console.member("file", text: (item?.shownPath ?? "").bytes, emptyIsNull: true)
    console.member("position_seconds", .decimal(player.positionSeconds, decimals: 3))
    console.member("duration_seconds", .decimal(player.durationSeconds, decimals: 3))
    console.member("volume", .decimal(player.volume, decimals: 3))
    console.member("rate", .decimal(player.rate, decimals: 3))
    console.member("underruns", .count(player.underrunCount))
    console.endObject()
  }

  private func reportLoop(_ console: inout ConsoleSession) {
    console.beginObject("loop")
    console.member("ticks", .count(loop.tickCount))
    console.member("missed", .count(loop.missedCount))
    console.member("wake_p50_us", .count(loop.wakeMicroseconds[0]))
    console.member("wake_p99_us", .count(loop.wakeMicroseconds[1]))
    console.member("wake_p999_us", .count(loop.wakeMicroseconds[2]))
    console.member("work_p999_us", .count(loop.workMicroseconds))
    console.endObject()
    console.member("heap_allocations_since_boot_complete", .count(heapAllocationCount))
  }

  var stateLine: FixedText<256> { "state        \(state.name), \(orientation.name)" }

  /// Nil before the first take.
  var takeLine: FixedText<256>? {
    path.isEmpty ? nil : "take         \(path): \(grouped: seconds, decimals: 1) s, \(size: byteCount)"
  }

  var prerollLine: FixedText<256> { "pre-roll     \(prerollSeconds, decimals: 1) s" }

  /// The size of the pictures, with the preset that it is.
  private var cameraLine: FixedText<256>? {
    guard let videoFormat else { return nil }
    let (size, rate) = (videoFormat.size, videoFormat.frameRate.framesPerSecond)
    let text: FixedText<32> = "\(size.widthPixels) x \(size.heightPixels)"
    var rawValue: UInt8 = 0
    while let preset = VideoPreset(rawValue: rawValue) {
      if preset.size == size {
        return "camera       \(text), \(rate, decimals: 2) frames a second, preset \(preset.name)"
      }
      rawValue += 1
    }
    return "camera       \(text), \(rate, decimals: 2) frames a second, no preset"
  }

  /// Only with a gauge that can be read.
  private func reportBattery(_ console: inout ConsoleSession) {
    guard let reading = battery.reading else { return }
    console.beginObject("battery")
    console.member("gauge", text: reading.name.bytes)
    console.member("state", .name(battery.level.name))
    console.member("volts", .decimal(reading.volts, decimals: 3))
    console.member("amperes", .decimal(reading.amperes, decimals: 3))
    console.member("percent", .decimal(battery.percent, decimals: 1))
    console.member("hours_left", .decimal(battery.hoursLeft, decimals: 1))
    console.endObject()
    if let hours = battery.hoursLeft {
      console.line("battery      \(battery.text), \(hours, decimals: 1) h left")
    } else {
      console.line("battery      \(battery.text)")
    }
  }

  private var celsius: Double? { heat.milliCelsius.map { Double($0) / 1000 } }

  /// Nil without a sensor.
  var temperatureLine: FixedText<256>? {
    celsius.map { "temperature  \($0, decimals: 1) °C" }
  }

  var roomLine: FixedText<256> {
    var line: FixedText<256> = "card         \(size: freeByteCount) free"
    if let room {
      let least: StaticString = room.isMeasured ? "" : "at least "
      line.append(", \(least)\(duration: room.seconds) of recording" as FixedText<64>)
    }
    return line
  }

  /// The firmware's reasons for throttling the processor, separated by commas.
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
}
