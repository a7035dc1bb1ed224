import Port
import Formats
import Values
import Playback
import Takes
import Text
import Trace

/// What `status` tells.
struct StatusReport {
  var state: RecorderState
  var orientation: Orientation
  var identity: DeviceIdentity
  var zoomFactor = 1.0
  /// Empty while there was no take.
  var path: FixedText<128> = ""
  var byteCount: UInt64 = 0
  var seconds = 0.0
  var audioFrames: UInt64 = 0
  var videoFrames: UInt64 = 0
  /// Of the newest take; before the first one, since boot.
  var losses = Losses()
  var prerollSeconds = 0.0
  var driftPartsPerMillion = 0.0
  var freeByteCount: UInt64 = 0
  var metrics = LoopMetrics()
  var heapAllocationCount: UInt64 = 0
  var clockSource = ClockSource.unset
  /// Nil only before it is asked.
  var player: PlayerStatus?

  init(state: RecorderState, orientation: Orientation, identity: DeviceIdentity) {
    self.state = state
    self.orientation = orientation
    self.identity = identity
  }

  /// One JSON object (RFC 8259). Nothing in it needs escaping: paths, names and numbers are our own.
  var json: FixedText<3000> {
    "{\(takeMembers),\(deviceMembers),\(playerMember),\(loopMembers)}"
  }

  private var takeMembers: FixedText<512> {
    let quote: StaticString = path.isEmpty ? "" : "\""
    let take: FixedText<128> = path.isEmpty ? "null" : path
    return """
      "state":"\(state.name)","take":\(quote)\(take)\(quote),"bytes":\(byteCount),"seconds":\(seconds, decimals: 3),\
      "audio_frames":\(audioFrames),"video_frames":\(videoFrames),"dropped_video_frames":\(losses.pictures),\
      "audio_overruns":\(losses.audioOverruns),"preroll_seconds":\(prerollSeconds, decimals: 3)
      """
  }

  private var deviceMembers: FixedText<512> {
    """
    "orientation":"\(orientation.name)","zoom":\(zoomFactor, decimals: 3),"disk_free_bytes":\(freeByteCount),\
    "drift_ppm":\(driftPartsPerMillion, decimals: 2),"uuid":"\(identity.text)","clock":"\(clockSource.name)"
    """
  }

  /// The file's name is a person's, and is escaped.
  private var playerMember: FixedText<1800> {
    guard let player else { return "\"player\":null" }
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
    "loop":{"ticks":\(metrics.tickCount),"missed":\(metrics.missedCount),\
    "wake_p50_us":\(metrics.wakeLatency.percentile(permille: 500)),\
    "wake_p99_us":\(metrics.wakeLatency.percentile(permille: 990)),\
    "wake_p999_us":\(metrics.wakeLatency.percentile(permille: 999)),\
    "work_p999_us":\(metrics.work.percentile(permille: 999))},\
    "heap_allocations_since_boot_complete":\(heapAllocationCount)
    """
  }
}
