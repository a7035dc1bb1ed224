import Port
import Capture
import Encode
import Configuration
import Console
import Controls
import Imaging
import Library
import Values
import Playback
import Rings
import Stills
import Takes
import Text
import Trace

/// The appliance's one real-time thread: it wakes at absolute instants, takes what has come from every device, steps
/// the state machines, and never waits for a disk, a codec or a person.
public struct MainLoop<Machine: Hardware & ~Copyable>: ~Copyable {
  /// The board that it drives.
  public var machine: Machine
  let context: ApplianceContext
  var capture: CaptureUnit
  var recorder: Recorder
  var console: ConsoleSession
  var player: Player
  var library: LibraryDesk
  var liveView: LiveView
  var preview: PreviewDesk
  let libraryTime: LibraryTime
  let progress: TakeProgress
  let encoderCounters: EncoderCounters
  let codecStatus: CodecStatus
  var encoderSummary: EncoderSummary
  let cameraBuffers: CameraBuffers
  var panel: ControlPanel
  /// Which way up pictures were when that was looked at last.
  var followedOrientation = Orientation.landscapeLeft
  /// When that changed last, and which way up they were before; nil while it has not.
  var lastTurn: TakeTurn?
  var metrics = LoopMetrics()
  var events = EventLog()
  var take: TakeStatus?
  var viewfinder = Viewfinder()
  var stills = StillDesk()
  var stillReports: QueueConsumer<StillReport>
  /// What the camera delivered at boot: memory and encoder are made for that.
  var plannedVideo: VideoFormat?
  /// A press that waits until the devices can be opened again.
  var keptPressNanoseconds: UInt64?
  /// A console command that is answered later: when this instant has come.
  var waitEndNanoseconds: UInt64?
  /// The console waits for a file to be opened.
  var opening = OpeningAnswer.answered
  /// The item of the queue that the console's `queue` shows next; nil while it shows none.
  var shownQueueIndex: Int?
  /// `quit` is answered once the take is finished.
  var isQuitUnanswered = false
  /// A press that waits until the one before it has been let go.
  var heldPress: HeldPress?
  /// From when on each button can be pressed again by the console.
  var buttonsFreeNanoseconds = InlineArray<6, UInt64>(repeating: 0)
  private(set) var phase = LoopPhase.running
  /// The record button is down, and until this instant nothing behind the press is written.
  private var holdEndNanoseconds: UInt64?
  private var metronome: Metronome
  private var shownLights = Lights()

  init(
    machine: consuming Machine, context: ApplianceContext, capture: consuming CaptureUnit,
    recorder: consuming Recorder, stillReports: consuming QueueConsumer<StillReport>, console: consuming ConsoleSession,
    player: consuming Player, library: consuming LibraryDesk, liveView: consuming LiveView,
    preview: consuming PreviewDesk, libraryTime: LibraryTime, progress: TakeProgress,
    encoderCounters: EncoderCounters, codecStatus: CodecStatus, encoderSummary: EncoderSummary,
    cameraBuffers: CameraBuffers
  ) {
    let now = machine.clock.monotonicNanoseconds
    metronome = Metronome(
      periodNanoseconds: UInt64(context.settings.loop.tickMilliseconds) * 1_000_000, startingAtNanoseconds: now)
    panel = ControlPanel(settings: context.settings)
    self.machine = machine
    self.context = context
    self.capture = capture
    self.recorder = recorder
    self.stillReports = stillReports
    self.console = console
    self.player = player
    self.library = library
    self.liveView = liveView
    self.preview = preview
    self.libraryTime = libraryTime
    self.progress = progress
    self.encoderCounters = encoderCounters
    self.codecStatus = codecStatus
    self.encoderSummary = encoderSummary
    self.cameraBuffers = cameraBuffers
  }

  /// Serves one tick: sleeps until it is due, then does its bounded work.
  /// - Returns: false once the appliance has come to its end.
  public mutating func tick() -> Bool {
    if metrics.tickCount == 0 { metronome.restart(atNanoseconds: machine.clock.monotonicNanoseconds) }
    machine.clock.sleep(untilMonotonicNanoseconds: metronome.nextNanoseconds)
    let now = machine.clock.monotonicNanoseconds
    let latency = now - min(now, metronome.nextNanoseconds)
    let missedTicks = metronome.advance(atNanoseconds: now)
    metrics.recordWake(latencyNanoseconds: latency, missedTicks: missedTicks)
    work(atNanoseconds: now)
    metrics.recordWork(nanoseconds: machine.clock.monotonicNanoseconds - now)
    return phase != .stopped
  }

  /// Asks the appliance to end, as `quit` and a signal do: an open take is finished first.
  public mutating func stop() {
    guard phase == .running else { return }
    let deadline = machine.clock.monotonicNanoseconds + Limits.finishingSeconds * 1_000_000_000
    phase = .stopping(deadlineNanoseconds: deadline)
  }

  /// Whether this tick is one of those on which something is done that need not be done on each.
  func isDue(everyMilliseconds milliseconds: UInt64) -> Bool {
    let ticks = max(milliseconds / UInt64(context.settings.loop.tickMilliseconds), 1)
    return metrics.tickCount % ticks == 0
  }

  /// After the last tick: tells what the workers have still done, for as long as somebody takes it.
  public mutating func sayGoodbye() {
    leavePreview()
    serveReports()
    serveStills(atNanoseconds: machine.clock.monotonicNanoseconds)
    let end = machine.clock.monotonicNanoseconds + Limits.goodbyeMilliseconds * 1_000_000
    repeat {
      console.exchange(with: &machine.consoleLine)
      machine.clock.sleep(untilMonotonicNanoseconds: machine.clock.monotonicNanoseconds + 1_000_000)
    } while !console.isDrained && machine.clock.monotonicNanoseconds < end
  }

  private mutating func work(atNanoseconds now: UInt64) {
    if isDue(everyMilliseconds: Limits.exchangeMilliseconds) {
      if let failure = capture.step(&machine, atNanoseconds: now, into: &events) { announce(failure) }
      stepPlayer(atNanoseconds: now)
      libraryTime.publish(monotonicNanoseconds: now, unixSeconds: machine.clock.unixSeconds)
      serveView(atNanoseconds: now)
    }
    if preview.isSending || isDue(everyMilliseconds: Limits.exchangeMilliseconds) {
      console.exchange(with: &machine.consoleLine)
    }
    if let failure = panel.poll(&machine, atNanoseconds: now) { announce(failure) }
    followTurn(atNanoseconds: now)
    serveGestures(atNanoseconds: now)
    stepZoom(atNanoseconds: now)
    if let end = holdEndNanoseconds, now >= end { endHold() }
    serveReports()
    watchCodec()
    serveStills(atNanoseconds: now)
    advanceClosing()
    serveLibrary()
    showQueue()
    stepPreview(atNanoseconds: now)
    serveConsole(atNanoseconds: now)
    showLights()
    advanceStop(atNanoseconds: now)
  }

  private mutating func serveGestures(atNanoseconds now: UInt64) {
    if let gesture = panel.gesture(of: .record, atNanoseconds: now) { serve(gesture) }
    serveGesture(of: .prepare, atNanoseconds: now)
    serveGesture(of: .play, atNanoseconds: now)
    serveGesture(of: .stop, atNanoseconds: now)
    if let gesture = panel.gesture(of: .zoom, atNanoseconds: now) { serveZoom(gesture, atNanoseconds: now) }
    if let gesture = panel.gesture(of: .rotate, atNanoseconds: now) { serveRotate(gesture, atNanoseconds: now) }
  }

  private mutating func serveGesture(of button: Button, atNanoseconds now: UInt64) {
    if let gesture = panel.gesture(of: button, atNanoseconds: now) { serve(gesture, of: button) }
  }

  private mutating func serve(_ gesture: Gesture) {
    switch gesture {
    case .pressed(let instant):
      holdEndNanoseconds = instant + TakeLimits.pressMilliseconds * 1_000_000
      capture.timeline.hold(behind: capture.position(atNanoseconds: instant))
    case .short(let pressedAt):
      pressRecord(atNanoseconds: pressedAt)
      endHold()
    // A long press belongs to the still picture; a take begins and ends with a short one.
    case .long:
      takeStill(.whole, for: .button)
      endHold()
    case .released, .double:
      endHold()
    }
  }

  private mutating func endHold() {
    holdEndNanoseconds = nil
    capture.timeline.hold(behind: nil)
  }

  private mutating func showLights() {
    let lights = Lights(record: recorder.state == .recording, fault: recorder.state == .failed)
    guard lights != shownLights else { return }
    shownLights = lights
    do throws(DeviceFailure) {
      try machine.indicators.show(record: lights.record, fault: lights.fault)
    } catch {
      announce(error)
    }
  }

  private mutating func advanceStop(atNanoseconds now: UInt64) {
    guard case .stopping(let deadline) = phase else { return }
    switch recorder.state {
    case .recording where now < deadline:
      if recorder.takesOrders { pressRecord(atNanoseconds: now) }
    case .finishing where now < deadline: break
    default:
      phase = .stopped
      if isQuitUnanswered { console.complete() }
    }
  }

  /// Says what went wrong, unasked.
  public mutating func announce(_ failure: DeviceFailure) { console.announce(failure.line) }
}
