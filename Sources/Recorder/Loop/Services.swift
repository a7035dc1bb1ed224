import Capture
import Configuration
import Console
import Controls
import Port
import Text
import Viewing

/// The services of the loop. None reaches into another one: each is given what it works with, and returns an ``Effect``
/// where it wants something of another, which is passed on here.
struct Services: ~Copyable {
  let context: ApplianceContext
  var capture: CaptureUnit
  var console: ConsoleSession
  var panel: ControlPanel
  var lights = Lights()
  var orientation: OrientationService
  var recording: RecordingService
  var framing: FramingService
  var stills: StillService
  var playback: PlaybackService
  var library: LibraryService
  var liveView: LiveViewService
  var preview: PreviewService

  mutating func stepCapture(_ machine: inout some Hardware & ~Copyable, atNanoseconds now: UInt64) {
    if let failure = capture.step(&machine, atNanoseconds: now, into: &recording.events) { console.announce(failure) }
  }

  mutating func stepLiveView(atNanoseconds now: UInt64) {
    var status = ViewStatus()
    recording.describe(in: &status, capture, atNanoseconds: now)
    framing.describe(in: &status, orientation.current)
    status.zoomFactor = Float(capture.zoom.motion.factor(atNanoseconds: now))
    status.peakDecibels = capture.readMeter(atNanoseconds: now)
    liveView.step(status, &capture.video.views, &console)
  }

  mutating func followOrientation(atNanoseconds now: UInt64) {
    recording.follow(orientation.current, capture, &console, atNanoseconds: now)
  }

  mutating func serveGestures(_ machine: inout some Hardware & ~Copyable, atNanoseconds now: UInt64) {
    for index in ControlPanel.order.indices {
      let button = ControlPanel.order[index]
      guard let gesture = panel.gesture(of: button, atNanoseconds: now) else { continue }
      route(serve(gesture, of: button, &machine, atNanoseconds: now), &machine, atNanoseconds: now)
    }
  }

  private mutating func serve(
    _ gesture: Gesture, of button: Button, _ machine: inout some Hardware & ~Copyable, atNanoseconds now: UInt64
  ) -> Effect? {
    switch button {
    case .record: return recording.serve(gesture, &machine, &capture, &console)
    case .prepare, .play, .stop: return playback.serve(gesture, of: button, &console)
    case .rotate: return orientation.serve(gesture, canKeep: recording.takesOrders, &console)
    case .zoom: framing.serve(gesture, &capture.zoom.motion, &console, atNanoseconds: now)
    }
    return nil
  }

  mutating func stepRecording(_ machine: inout some Hardware & ~Copyable, atNanoseconds now: UInt64) {
    while let effect = recording.step(&machine, &capture, &console, atNanoseconds: now) {
      route(effect, &machine, atNanoseconds: now)
    }
  }

  mutating func stepStills(_ machine: inout some Hardware & ~Copyable, atNanoseconds now: UInt64) {
    while let effect = stills.step(&capture.video.stills, &console, atNanoseconds: now) {
      route(effect, &machine, atNanoseconds: now)
    }
  }

  mutating func stepLibrary(_ machine: inout some Hardware & ~Copyable, atNanoseconds now: UInt64) {
    while let effect = library.step(&console) { route(effect, &machine, atNanoseconds: now) }
  }

  mutating func showLights(_ indicators: inout some Indicators & ~Copyable) {
    let state = recording.recorder.state
    lights.show(record: state == .recording, fault: state == .failed, on: &indicators, &console)
  }

  /// Once the appliance was asked to end.
  /// - Returns: whether the take that grew is finished, or the deadline has passed.
  mutating func finish(
    by deadline: UInt64, _ machine: inout some Hardware & ~Copyable, atNanoseconds now: UInt64
  ) -> Bool {
    guard recording.finish(by: deadline, &machine, &capture, &console, atNanoseconds: now) else { return false }
    if case .quit = console.pending { console.complete() }
    return true
  }

  /// Passes on what one service wants of another.
  mutating func route(
    _ effect: Effect?, _ machine: inout some Hardware & ~Copyable, atNanoseconds now: UInt64
  ) {
    switch effect {
    case nil: break
    case .takeStill: stills.order(nil, orientation.current, for: .button, &capture, &console, at: machine.clock)
    case .keep(let rotation, let origin):
      recording.keep(rotation)
      followOrientation(atNanoseconds: now)
      orientation.confirm(for: origin, &console)
    case .tellLibrary(let word): library.tell(word)
    case .find(let question, let use, let origin): library.find(question, for: use, origin, &console)
    case .open(let item, let use, let origin): playback.open(item, for: use, origin, &console)
    case .append(let item): playback.append(item, &console)
    case .endAppending(let count): playback.endAppending(wantedCount: count, &console)
    }
  }
}
