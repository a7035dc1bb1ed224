import Board
import Capture
import Configuration
import Console
import Imaging
import Media
import Takes
import Text

extension MainLoop where Machine: ~Copyable {
  /// What the record button means: begin a take, or end it. Devices that are closed are opened first.
  /// - Parameter pressedAt: the instant of the press, a little back: that is where the take begins or ends.
  mutating func pressRecord(atNanoseconds pressedAt: UInt64) {
    guard recorder.takesOrders else {
      return console.announce("the card does not answer: this press of record is not served")
    }
    arm()
    switch recorder.handle(.recordPressed) {
    case .beginTake: beginTake(atNanoseconds: pressedAt)
    case .endTake: endTake(atNanoseconds: pressedAt)
    case .nothing, .openDevices, .closeDevices: break
    }
  }

  /// Opens the devices, where they are not open, and lets the pre-roll fill.
  /// - Parameter afterOpening: false at boot, which has just tried and said what came of it.
  mutating func arm(afterOpening: Bool = true) {
    guard recorder.handle(.arm) == .openDevices else { return }
    if afterOpening, !capture.isDelivering { openDevices() }
    _ = recorder.handle(capture.isDelivering ? .devicesOpened : .devicesAbsent)
  }

  private mutating func openDevices() {
    let opened = OpenedDevices(&machine, settings: context.settings)
    if let failure = opened.microphoneFailure { announce(failure) }
    if let failure = opened.cameraFailure { announce(failure) }
    start(opened)
  }

  /// Takes over microphone and camera that have just been opened.
  mutating func start(_ opened: OpenedDevices) {
    for index in 0..<machine.camera.bufferCount {
      unsafe cameraBuffers.set(index, to: machine.camera.bufferMemory(at: index))
    }
    capture.start(
      audioFormat: opened.audio, videoFormat: opened.video, atNanoseconds: machine.clock.monotonicNanoseconds)
    recorder.send(.arm(StreamFormats(audio: opened.audio, video: opened.video)))
  }

  private mutating func beginTake(atNanoseconds pressedAt: UInt64) {
    let position = capture.position(atNanoseconds: pressedAt)
    let preroll = UInt64(context.settings.record.prerollSeconds) * UInt64(capture.timelineRateHz)
    let secondsSincePress = Int64((machine.clock.monotonicNanoseconds - pressedAt) / 1_000_000_000)
    recorder.send(
      .begin(
        TakeStart(
          startPosition: max(position, preroll) - preroll, pressPosition: position,
          pressUnixSeconds: machine.clock.unixSeconds - secondsSincePress, orientation: panel.orientation)))
    take = TakeStatus(pressPosition: position, lossesBefore: losses)
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
    case .opened(let path, let position):
      take?.began(path: path, atPosition: position)
      console.announce("take \(path) began")
    case .split(let summary):
      announce(summary)
    case .finished(let summary):
      take?.finalByteCount = summary.byteCount
      announce(summary)
      if recorder.handle(.takeFinished) == .closeDevices { closeDevices() }
    case .repaired(let path):
      console.announce("take \(path) was left open by an interruption, and is complete now")
    case .failed(let failure):
      announce(failure)
      _ = recorder.handle(.takeFailed)
    }
  }

  private mutating func announce(_ summary: TakeSummary) {
    let seconds = Double(summary.timelineFrames) / Double(capture.timelineRateHz)
    console.announce("take \(summary.path) is complete: \(seconds, decimals: 1) s, \(summary.byteCount) bytes")
  }

  private mutating func closeDevices() {
    capture.requestStop()
    recorder.send(.disarm)
  }
}
