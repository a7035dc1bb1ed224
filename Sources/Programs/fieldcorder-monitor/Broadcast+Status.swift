import Base
import Wire

extension Broadcast {
  /// The content of `/status.json`: one object (RFC 8259).
  var status: FixedText<2048> {
    var text: FixedText<2048> = "{\"recorder\":\(recorder != nil)"
    if let reader = recorder?.reader, let status = reader.status.read() {
      text.append(
        """
        ,"recording":\(status.isRecording),"take_seconds":\(seconds(status.takeMilliseconds), decimals: 1),\
        "peak_dbfs":[\(Double(status.peakDecibels[0]), decimals: 1),\(Double(status.peakDecibels[1]), decimals: 1)],\
        "clips":[\(status.clipCounts[0]),\(status.clipCounts[1])],"zoom":\(Double(status.zoomFactor), decimals: 2),\
        "free_bytes":\(status.freeByteCount)
        """ as FixedText<512>)
      if let room = status.roomSeconds { text.append(",\"room_seconds\":\(room)" as FixedText<48>) }
      appendFaults(status.faults, to: &text)
      appendPlayer(status.player, to: &text)
      text.append(
        ",\"picture\":[\(reader.layout.widthPixels),\(reader.layout.heightPixels)]" as FixedText<64>)
    }
    if let format = sound.format {
      text.append(
        ",\"sound\":{\"rate\":\(format.sampleRateHz),\"channels\":\(format.channelCount),\"bits\":\(format.sampleFormat.bitsPerSample)}"
          as FixedText<96>)
    }
    switch file.state {
    case .none, .opening: break
    case .ready(let kind): text.append(",\"file\":\"\(kind.path.name)\"" as FixedText<32>)
    case .ended(let problem): text.append(",\"file_problem\":\"\(problem.words)\"" as FixedText<128>)
    }
    text.append(
      ",\"listeners\":\(listeners.streamCount),\"lost_frames\":\(sound.lostFrameCount),\"ended_streams\":\(endedCount)}\n"
        as FixedText<160>)
    return text
  }

  private func seconds(_ milliseconds: UInt64) -> Double { Double(milliseconds) / 1000 }

  private func appendFaults(_ faults: UInt32, to text: inout FixedText<2048>) {
    text.append(",\"faults\":[")
    var isFirst = true
    for number in 0..<UInt32(32) {
      guard faults & 1 << number != 0, let fault = ViewFault(rawValue: number) else { continue }
      text.append(isFirst ? "\"" : ",\"")
      text.append(fault.words)
      text.append("\"")
      isFirst = false
    }
    text.append("]")
  }

  private func appendPlayer(_ player: ViewPlayer, to text: inout FixedText<2048>) {
    let state: StaticString =
      switch player.state {
      case .none: "none"
      case .playing: "playing"
      case .paused: "paused"
      }
    text.append(
      ",\"player\":{\"state\":\"\(state)\",\"title\":\"\(json: player.title)\",\"position_seconds\":\(seconds(player.positionMilliseconds), decimals: 1)}"
        as FixedText<768>)
  }
}
