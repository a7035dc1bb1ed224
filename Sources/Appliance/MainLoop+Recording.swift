import Board
import Media
import Takes
import Text

extension MainLoop {
  /// What the record button means: begin a take, or end it.
  /// - Parameter pressedAt: the instant of the press, a little back: that is where the take begins or ends.
  mutating func pressRecord(atNanoseconds pressedAt: UInt64) {
    if recorder.state == .idle || recorder.state == .failed { arm() }
    switch recorder.handle(.recordPressed) {
    case .beginTake: beginTake(atNanoseconds: pressedAt)
    case .endTake: endTake(atNanoseconds: pressedAt)
    case .nothing, .openDevices, .closeDevices: break
    }
  }

  /// Opens the devices, where they are not open, and lets the pre-roll fill.
  mutating func arm() {
    guard recorder.handle(.arm) == .openDevices else { return }
    let isDelivering = capture.isDelivering || openDevices()
    _ = recorder.handle(isDelivering ? .devicesOpened : .devicesAbsent)
  }

  private mutating func beginTake(atNanoseconds pressedAt: UInt64) {
    let position = capture.position(atNanoseconds: pressedAt)
    let preroll = UInt64(settings.record.prerollSeconds) * UInt64(capture.timelineRateHz)
    let secondsSincePress = Int64((board.clock.monotonicNanoseconds - pressedAt) / 1_000_000_000)
    recorder.send(
      .begin(
        TakeStart(
          startPosition: max(position, preroll) - preroll, pressPosition: position,
          pressUnixSeconds: board.clock.unixSeconds - secondsSincePress, orientation: panel.orientation)))
    take = TakeStatus(path: "", prerollFrames: 0, pressPosition: position)
  }

  private mutating func endTake(atNanoseconds pressedAt: UInt64) {
    let position = capture.position(atNanoseconds: pressedAt)
    take?.endPosition = position
    recorder.send(.end(position: position))
  }

  /// Takes in what the storage worker has done since the last tick.
  mutating func serveReports() {
    while let report = recorder.nextReport() { serve(report) }
  }

  private mutating func serve(_ report: TakeReport) {
    switch report {
    case .opened(let path, let prerollFrames):
      take?.path = path
      take?.prerollFrames = prerollFrames
      console.say("take \(path) began")
    case .split(let summary):
      tell(of: summary)
    case .finished(let summary):
      tell(of: summary)
      if recorder.handle(.takeFinished) == .closeDevices { closeDevices() }
    case .repaired(let path):
      console.say("take \(path) was left open by a power cut, and is complete now")
    case .failed(let failure):
      tell(failure)
      _ = recorder.handle(.takeFailed)
    }
  }

  private mutating func tell(of summary: TakeSummary) {
    let seconds = Double(summary.timelineFrames) / Double(capture.timelineRateHz)
    console.say("take \(summary.path) is complete: \(seconds, decimals: 1) s, \(summary.byteCount) bytes")
  }

  mutating func tell(_ failure: DeviceFailure) {
    console.say("\(failure.line)")
  }
}
