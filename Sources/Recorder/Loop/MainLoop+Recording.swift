import Port
import Capture
import Encode
import Configuration
import Console
import Imaging
import Library
import Values
import Takes
import Text

extension MainLoop where Machine: ~Copyable {
  /// What the record button means: begin a take, or end it. Devices that are closed are opened first.
  /// - Parameter pressedAt: the instant of the press, a little back: that is where the take begins or ends.
  mutating func pressRecord(atNanoseconds pressedAt: UInt64) {
    guard recorder.takesOrders else {
      return console.announce("the card does not answer: this press of record is not served")
    }
    if recorder.handle(.arm) == .openDevices { arm(with: capture.isClosed ? reopenedDevices() : nil) }
    switch recorder.handle(.recordPressed) {
    case .beginTake: beginTake(atNanoseconds: pressedAt)
    case .endTake: endTake(atNanoseconds: pressedAt)
    case .keepPress: keptPressNanoseconds = keptPressNanoseconds == nil ? pressedAt : nil
    default: break
    }
  }

  /// Lets the pre-roll fill.
  /// - Parameter opened: devices to be taken over; nil when those that are held are to go on.
  mutating func arm(with opened: OpenedDevices?) {
    if let opened { start(opened) }
    _ = recorder.handle(capture.isClosed ? .devicesAbsent : .devicesOpened)
  }

  private mutating func reopenedDevices() -> OpenedDevices {
    var opened = OpenedDevices(&machine, settings: context.settings)
    if opened.video != nil, opened.video != plannedVideo { opened.refuseCamera(&machine, settings: context.settings) }
    announceFailures(of: opened)
    return opened
  }

  /// Takes over microphone and camera that have just been opened.
  private mutating func start(_ opened: OpenedDevices) {
    listCameraBuffers()
    codecStatus.replace()
    capture.start(
      audioFormat: opened.audio, videoFormat: opened.video, maximumZoom: machine.camera.maximumZoom,
      atNanoseconds: machine.clock.monotonicNanoseconds)
    guard !capture.isClosed else { return }
    recorder.send(.arm(StreamFormats(audio: opened.audio, video: opened.video, codec: encoderSummary.codec)))
  }

  private mutating func listCameraBuffers() {
    cameraBuffers.removeAll()
    for index in 0..<machine.camera.bufferCount + machine.camera.spareBufferCount {
      unsafe cameraBuffers.set(
        index, to: machine.camera.bufferMemory(at: index), descriptor: machine.camera.bufferDescriptor(at: index),
        isSpare: index >= machine.camera.bufferCount)
    }
  }

  private mutating func beginTake(atNanoseconds pressedAt: UInt64) {
    let position = capture.position(atNanoseconds: pressedAt)
    let preroll = UInt64(context.settings.record.prerollSeconds) * UInt64(capture.timelineRateHz)
    let secondsSincePress = Int64((machine.clock.monotonicNanoseconds - pressedAt) / 1_000_000_000)
    let start = max(position, capture.startPosition + preroll) - preroll
    let turn = turn(inPrerollFrom: start)
    recorder.send(
      .begin(
        TakeStart(
          startPosition: start, pressPosition: position,
          pressUnixSeconds: machine.clock.unixSeconds - secondsSincePress,
          orientation: turn?.orientation ?? panel.orientation)))
    if let turn { recorder.send(.turn(TakeTurn(position: turn.position, orientation: panel.orientation))) }
    take = TakeStatus(pressPosition: position, lossesBefore: losses)
  }

  private mutating func endTake(atNanoseconds pressedAt: UInt64) {
    let position = capture.position(atNanoseconds: pressedAt)
    take?.endPosition = position
    recorder.send(.end(position: position))
  }

  /// After a take whose devices were opened for it: once they are closed the rings are emptied, then a press that came
  /// meanwhile is served.
  mutating func advanceClosing() {
    // Buffers come back before their pictures are in the ring.
    guard recorder.state == .closing, capture.isClosed,
      encoderCounters.settledPictureCount == capture.video.pictureCount
    else { return }
    if recorder.handle(.devicesClosed) == .emptyRings { recorder.send(.disarm) }
  }

  /// Where the devices are to run all the time, they were closed only for a coder that is gone.
  private mutating func goOnWithEmptyRings() {
    if context.settings.record.arming == .atBoot { arm(with: reopenedDevices()) }
    serveKeptPress()
  }

  private mutating func serveKeptPress() {
    guard let pressedAt = keptPressNanoseconds else { return }
    keptPressNanoseconds = nil
    pressRecord(atNanoseconds: pressedAt)
  }

  /// Takes in what the storage worker has done since the last tick.
  mutating func serveReports() {
    while let report = recorder.nextReport() { serve(report) }
  }

  private mutating func serve(_ report: TakeReport) {
    switch report {
    case .opened(let path, let position):
      if isOfNewestTake { take?.began(path: path, atPosition: position) }
      library.tell(.growing(path: "\(path)"))
      console.announce("take \(path) began")
    case .split(let summary):
      announce(summary)
    case .finished(let summary):
      let lost = losses
      if isOfNewestTake { take?.ended(byteCount: summary.byteCount, losses: lost) }
      announce(summary)
      if recorder.handle(.takeFinished) == .closeDevices { capture.requestStop() }
    case .repaired(let summary):
      if summary.byteCount == 0 { return announce(summary) }
      console.announce("take \(summary.path) was left open by an interruption, and is complete now")
    case .failed(let failure):
      announce(failure)
      _ = recorder.handle(.takeFailed)
    case .completionFailed(let failure), .picturesRefused(let failure):
      announce(failure)
    case .disarmed:
      if recorder.handle(.ringsEmptied) == .servePress { goOnWithEmptyRings() }
    }
  }

  /// Whether a report is of the take that `status` tells of: while an earlier one is unfinished, it is of that one.
  private var isOfNewestTake: Bool { recorder.unfinishedTakeCount == 1 }

  private mutating func announce(_ summary: TakeSummary) {
    library.tell(.complete(path: "\(summary.path)"))
    guard summary.byteCount > 0 else { return console.announce("take \(summary.path) held nothing and was removed") }
    let seconds = Double(summary.timelineFrames) / Double(capture.timelineRateHz)
    console.announce("take \(summary.path) is complete: \(seconds, decimals: 1) s, \(summary.byteCount) bytes")
  }
}
