import Base
import Wire

extension Broadcast {
  /// The content of `/status.json`: one object.
  var status: FixedText<2048> {
    var json = JSONWriter<2047>()
    json.add("recorder", recorder != nil)
    if let reader = recorder?.reader, let status = reader.status.read() {
      json.add("recording", status.isRecording)
      json.add("take_seconds", seconds(status.takeMilliseconds), decimals: 1)
      json.beginList("peak_dbfs")
      for channel in 0..<2 { json.add(nil, Double(status.peakDecibels[channel]), decimals: 1) }
      json.endList()
      json.beginList("clips")
      for channel in 0..<2 { json.add(nil, status.clipCounts[channel]) }
      json.endList()
      json.add("zoom", Double(status.zoomFactor), decimals: 2)
      json.add("free_bytes", status.freeByteCount)
      if let room = status.roomSeconds { json.add("room_seconds", room) }
      add(status.faults, to: &json)
      add(status.player, to: &json)
      json.beginList("picture")
      json.add(nil, reader.layout.widthPixels)
      json.add(nil, reader.layout.heightPixels)
      json.endList()
    }
    if let format = sound.format {
      json.beginObject("sound")
      json.add("rate", format.sampleRateHz)
      json.add("channels", format.channelCount)
      json.add("bits", format.sampleFormat.bitsPerSample)
      json.endObject()
    }
    switch file.state {
    case .none, .opening: break
    case .ready(let kind): json.add("file", name: kind.path.name)
    case .ended(let problem): json.add("file_problem", name: problem.words)
    }
    json.add("listeners", listeners.streamCount)
    json.add("lost_frames", sound.lostFrameCount)
    json.add("ended_streams", endedCount)
    json.endObject()
    return "\(json.text)\n"
  }

  private func seconds(_ milliseconds: UInt64) -> Double { Double(milliseconds) / 1000 }

  private func add(_ faults: UInt32, to json: inout JSONWriter<2047>) {
    json.beginList("faults")
    for number in 0..<UInt32(32) {
      guard faults & 1 << number != 0, let fault = ViewFault(rawValue: number) else { continue }
      json.add(nil, name: fault.words)
    }
    json.endList()
  }

  private func add(_ player: ViewPlayer, to json: inout JSONWriter<2047>) {
    let state: StaticString =
      switch player.state {
      case .none: "none"
      case .playing: "playing"
      case .paused: "paused"
      }
    json.beginObject("player")
    json.add("state", name: state)
    json.add("title", text: player.title.bytes)
    json.add("position_seconds", seconds(player.positionMilliseconds), decimals: 1)
    json.endObject()
  }
}
