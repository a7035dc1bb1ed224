import Base
import Catalog
import Configuration
import Console
import Kit
import Machine
import Media
import Playback
import Record
import Wire

/// The services of the loop. None accesses another: each is given what it works with. A service that needs something
/// from another returns an ``Effect``, which is routed here.
struct Services: ~Copyable {
  private let place = StaysInPlace()
  let context: ApplianceContext
  var configuration: ConfigurationService
  var clock: ClockService
  var schedule: ScheduleService
  var sleep: SleepService
  var trigger: TriggerService
  var timecode: TimecodeService
  var summary: SummaryService
  var deployment: DeploymentService
  var console: ConsoleSession
  var commandLines: KeptCommandLines
  var keptEvents: KeptEvents
  var panel: ControlPanel
  /// The LEDs that were to be lit at the last tick.
  var litLEDs = LEDSet()
  var orientation: OrientationService
  var recording: RecordingService
  var framing: FramingService
  var stills: StillService
  var lapse = Lapse()
  var playback: PlaybackService
  var library: LibraryService
  var retention: RetentionService
  var applications: Applications
  var heat: HeatService
  var battery: BatteryService
  var position: PositionService
  var identity: IdentityService
  var levels: LevelsService
  var gain: GainService
  var power: PowerService
  var inquiries: InquiryService
  var updates: UpdateService
  var selfTest: SelfTestService
  var top = TopService()
  var watch = WatchService()
  var health = HealthWatch()
  var timing = TimingService()
  var rings: RingWatch
  let memory: MemoryAccount
  var liveView: LiveViewService
  var discovery: DiscoveryService
  var preview: PreviewService
  /// Until when another `quit` at a terminal ends the take that is being recorded.
  var quitAgainEnd: Instant = 0

  mutating func stepLiveView(_ clock: borrowing Clock, at now: Instant) {
    var status = ViewStatus()
    status.language = context.language
    recording.describe(in: &status, at: now)
    framing.describe(in: &status, orientation.current, at: now)
    status.zoomFactor = Float(recording.capture.zoom.motion.factor(at: now))
    status.peakDecibels = recording.capture.readMeter(at: now)
    status.clipCounts = recording.capture.clipCounts
    followTop(at: now)
    levels.warn(of: recording.capture.levels, &console, at: now)
    playback.describe(in: &status)
    status.application = application(status, clock)
    status.orderCount = liveView.orderCount
    recording.sheet.show(recording.take?.verdict ?? .neither, in: liveView.sheet, console)
    liveView.step(status, heat.report.level, &recording.capture.video.views, &console)
    serveListener(at: now)
    if liveView.isWanted, let path = playback.heardPath, library.tell(.heard(path: path), &console) {
      playback.heardPath = nil
    }
  }

  mutating func stepClock(_ machine: borrowing Hardware) {
    let reading = machine.clock.now >= clock.nextLook ? ClockReading(machine.clock) : nil
    if let order = clock.step(reading, takesOrders: recording.takesOrders, &console) { recording.send(order) }
    recording.unixOffsetNanoseconds = clock.dates.offset
  }

  mutating func run(_ order: IdentityOrder, _ clock: borrowing Clock) {
    let takeOrder = identity.run(
      order, isRecording: recording.hasOpenTake, takesOrders: recording.takesOrders, clock,
      context.localTime, &console)
    if let takeOrder { recording.send(takeOrder) }
  }

  mutating func stepHeat(_ thermometer: borrowing SharedDevice<some ThermometerDriver & ~Copyable>, at now: Instant) {
    let position = recording.capture.isClosed ? nil : recording.capture.position(at: now)
    heat.step(thermometer, &recording.ledger, at: position, &console, at: now)
    recording.follow(heat.report, at: now)
  }

  mutating func stepGain() {
    let isOpen = recording.capture.microphone == .running
    gain.step(isMicrophoneOpen: isOpen, context.settings.audio.deviceName, &inquiries.system, &console)
  }

  mutating func stepRetention(_ machine: borrowing Hardware) {
    let state = recording.recorder.state
    let isRecording = state == .recording || state == .finishing
    retention.step(
      machine.clock, freeByteCount: recording.progress.freeByteCount, isRecording: isRecording, &console)
  }

  mutating func serveGestures(_ machine: inout Hardware, at now: Instant) {
    for index in ControlPanel.order.indices {
      let button = ControlPanel.order[index]
      guard let gesture = panel.gesture(of: button, at: now) else { continue }
      sleep.noteNeed(at: now)
      route(serve(gesture, of: button, &machine, at: now), machine, at: now)
    }
  }

  private mutating func serve(
    _ gesture: Gesture, of button: Button, _ machine: inout Hardware, at now: Instant
  ) -> Effect? {
    if let button = ApplicationButton(button), let served = applications.serve(gesture, of: button, &console) {
      return served.effect
    }
    if button == .stop, case .long = gesture, playback.leavesLongStop {
      callFalse(at: now)
      return nil
    }
    switch button {
    case .power: recording.notePower(gesture, &machine, &console)
    case .record: return recording.serve(gesture, &machine, &console)
    case .stop where recording.isTakeOpen && !playback.usesStop:
      guard case .short(let pressedAt) = gesture else { return playback.serve(gesture, of: button, &console) }
      recording.mark("", for: .button, &console, at: pressedAt)
    case .prepare, .play, .stop: return playback.serve(gesture, of: button, &console)
    case .rotate: return orientation.serve(gesture, canKeep: recording.takesOrders, &console)
    case .zoom: framing.serve(gesture, &recording.capture.zoom.motion, &console, at: now)
    }
    return nil
  }

  /// Updates the LEDs when one of them has changed.
  mutating func showLEDs(_ leds: inout some LEDDriver & ~Copyable) {
    var lit = LEDSet()
    for index in LED.all.indices { lit[LED.all[index]] = isLit(LED.all[index]) }
    lit = selfTest.leds(at: console.now) ?? lit
    guard lit != litLEDs else { return }
    litLEDs = lit
    do throws(DeviceFailure) { try leds.show(lit) } catch { console.announce(error) }
  }

  /// Whether an LED is lit, leaving self-tests aside.
  private func isLit(_ led: LED) -> Bool {
    let state = recording.recorder.state
    return switch led {
    case .record: state == .recording
    case .fault: state == .failed || recording.hasAlarm || levels.showsClip
    }
  }

  /// Called once the appliance has been asked to stop.
  /// - Returns: whether the open take is finished, or the deadline has passed.
  mutating func finish(
    by deadline: Instant, _ machine: inout Hardware, at now: Instant
  ) -> Bool {
    guard recording.finish(by: deadline, &machine, &console, at: now), !applications.isKeeping(at: now),
      recording.sheet.isKept || now >= deadline,
      power.finish(&inquiries.system, &console), finishSummary(machine.clock, at: now)
    else { return false }
    if case .quit = console.pending { console.complete() }
    return true
  }

  /// Passes one service's request on to another.
  mutating func route(
    _ effect: Effect?, _ machine: borrowing Hardware, at now: Instant
  ) {
    switch effect {
    case nil: break
    case .takeStill: takeStill(.whole, for: .button, machine.clock)
    case .keep(let rotation, let origin):
      recording.keep(rotation)
      recording.follow(orientation.current, &console, at: now)
      orientation.confirm(for: origin, &console)
    case .tellIdentity(let failure, let copyFailure):
      identity.serve(failure, copyFailure: copyFailure, &console)
    case .tellLibrary(let word):
      library.tell(word, &console)
      retention.note(word, machine.clock)
    case .find(let request, let use, let origin): library.find(request, for: use, origin, &console)
    case .open(let item, let use, let origin): playback.open(item, for: use, origin, &console)
    case .drawArtwork: preview.drawArtwork(previewView(machine), &console, at: now)
    case .append(let item, let replaces): playback.append(item, replaces: replaces)
    case .strum(let shape, let tuning): playback.strum(shape, tuning)
    case .countIn(let rhythm): playback.countIn(rhythm)
    case .endAppending(let count): playback.endAppending(wantedCount: count, &console)
    }
  }

  mutating func takeStill(_ framing: StillFraming, for origin: Origin, _ clock: borrowing Clock) {
    let crop = framing == .viewfinder ? self.framing.crop(orientation.current) : nil
    stills.order(
      crop, orientation.current, for: origin, &recording.capture, &console, self.clock.dates, at: clock.now)
  }
}

/// What one service asks of another. The service returns it, and only the loop routes it.
enum Effect {
  /// Take a still: a long press of the record button.
  case takeStill
  /// Store the chosen rotation for the next boot, and report it as in force.
  case keep(Rotation, Origin)
  /// Report that the identity was replaced, or was not; the second failure concerns its copy.
  case tellIdentity(DeviceFailure?, copyFailure: DeviceFailure?)
  /// Inform the library of a file.
  case tellLibrary(LibraryRequest)
  /// Let the library find the requested file.
  case find(LibraryRequest, FileUse, Origin)
  /// Let the player open a file that the library found.
  case open(MediaItem, FileUse, Origin)
  /// Draw the picture that the library found.
  case drawArtwork
  /// Let the player append an item to its queue, or start a new queue with it.
  case append(MediaItem, replaces: Bool)
  /// Let the player play a chord.
  case strum(ChordShape, Tuning)
  /// Let the player count in a bar; nil ends the count-in.
  case countIn(Rhythm?)
  /// All items to be appended have arrived.
  case endAppending(wantedCount: UInt32)
}

extension Services {
  /// How soon the loop must look again. What is not considered here is found at the next exchange: late, never lost.
  func pace(_ machine: borrowing Hardware, at now: Instant) -> LoopPace {
    let isMoving =
      panel.isBusy(machine.buttons, at: now) || recording.isServingPress || !recording.capture.zoom.motion.isResting
      || framing.isMoving(at: now) || stills.isAwaited || applications.isBusy || console.pending?.wantsEachTick == true
    if isMoving { return .everyTick }
    let isFollowed =
      liveView.isFollowed || !recording.isSteady || console.pending?.wantsEachExchange == true || !console.isDrained
      || console.isHearing
    if isFollowed { return .everyExchange }
    guard playback.isBusy else { return isIdle ? .idle : .atRest }
    return playback.patienceNanoseconds.map { .everyFeed(nanoseconds: $0) } ?? .everyExchange
  }

  /// Whether nothing is recorded, and nothing has to be known at the moment at which that changes.
  private var isIdle: Bool {
    recording.recorder.state == .idle && recording.capture.isClosed && !sleep.isChanging && !position.seeksTime
      && (sleep.isIdle || recording.form.content == .audio || !orientation.isFollowed)
  }

  /// When something is next due that an exchange does not cover; the far future if nothing is.
  var nextInstant: Instant {
    var next = min(sleep.isIdle ? .max : orientation.nextReading ?? .max, schedule.nextChange)
    if case .wait(let end) = console.pending { next = min(next, end) }
    return next
  }
}

extension PendingCommand {
  /// Whether the command waits for something that a worker or a service will do soon.
  fileprivate var wantsEachTick: Bool {
    switch self {
    case .wait, .top, .watch, .followedEvents, .hangul, .trigger: false
    default: true
    }
  }

  /// Whether the command redraws changing content until a key is pressed.
  fileprivate var wantsEachExchange: Bool {
    switch self {
    case .top, .watch, .followedEvents, .hangul, .trigger: true
    default: false
    }
  }
}
