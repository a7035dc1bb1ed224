import Board
import Formats
import Media
import Takes
import Text
import Trace

/// What `status` tells.
struct StatusReport {
  var state: RecorderState
  var orientation: Orientation
  var identity: DeviceIdentity
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

  init(state: RecorderState, orientation: Orientation, identity: DeviceIdentity) {
    self.state = state
    self.orientation = orientation
    self.identity = identity
  }

  /// One JSON object (RFC 8259). Nothing in it needs escaping: paths, names and numbers are our own.
  var json: FixedText<1400> {
    "{\(takeMembers),\(deviceMembers),\(loopMembers)}"
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
    "orientation":"\(orientation.name)","zoom":1.0,"player":{"state":"none","file":null,"position_seconds":0,\
    "duration_seconds":0,"volume":1.0},"disk_free_bytes":\(freeByteCount),\
    "drift_ppm":\(driftPartsPerMillion, decimals: 2),"uuid":"\(identity.text)","clock":"\(clockSource.name)"
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
