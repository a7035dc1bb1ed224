import Base
import Catalog
import Configuration
import Console
import Kit
import Machine
import Media
import Record
import Wire

/// Takes, from the record button to the report that the file is complete.
struct RecordingService: ~Copyable {
  private let place = StaysInPlace()
  var capture: CaptureUnit
  /// What was lost between devices and rings since boot.
  private(set) var captureLosses = CaptureLosses()
  /// When a take that had begun failed before it was ended; nil if none did.
  var lossOfTake: Instant?
  var recorder: Recorder
  /// The events of takes, on their way to the ledger.
  var ledger: LedgerNotes
  /// What people have entered about the takes.
  var sheet: KeptSheet
  /// The newest take; nil before the first.
  var take: TakeStatus?
  let progress: TakeProgress
  let settings: Settings
  /// When the next take continues in a new file, as changed on the console; nil for the configured setting.
  private(set) var changedSplit: SplitSettings?
  /// What the next take holds, as changed on the console; nil for the configured setting.
  private(set) var changedForm: TakeForm?
  let camera: PlannedCamera
  let cameraBuffers: CameraBuffers
  let encoderCounters: EncoderCounters
  let codecStatus: CodecStatus
  /// The ring of the take's pictures.
  let pictures: PacketRingTap<PictureHeader>
  /// The codec of the pictures in the ring.
  var codec: VideoCodec
  /// A press to be handled once the devices are open.
  var keptPress: Instant?
  /// The schedule's reason for that press; nil for a person's.
  var keptCause: TakeCause?
  /// Whether the devices are closed until the machine is awake.
  var isAsleep = false
  /// A missed wake, for the ledger of the next take; empty for none.
  var missedWake: FixedText<96> = ""
  /// What the schedule wants, which decides about a take that was interrupted before boot.
  var scheduleWish = ScheduleWish.anything
  /// The devices that are being opened; nil while none are.
  var opening: DevicesOpening?
  /// When to give up on devices that do not close.
  var closingEnd: Instant = 0
  /// Set while the record button is down: until this instant nothing after the press is written.
  private(set) var commitLimitEnd: Instant?
  /// Whether the open take grows; nil while there is none.
  var growth: GrowthWatch?
  /// How often an open take has stopped growing since boot.
  var stallCount: UInt64 = 0
  /// Whether takes are written into the fallback folder, because the card has failed.
  var hasFallenBack = false
  /// Whether the fallback folder could not be used when it was last tried.
  var lacksFallback = false
  var cardTest = CardTestState.none
  /// Whether the line of `[power]` is active.
  var isPowerFailing = false
  /// How long the card lasts for the newest take.
  var room = RoomWatch()
  /// The announced fault of the microphone's sound.
  var soundTrouble: SoundTrouble?
  /// The announced fault of the camera's pictures.
  var pictureTrouble: PictureTrouble?
  /// The lost sound that has not been announced yet.
  var soundLosses = LossRun(milliseconds: Limits.lossEventMilliseconds)
  /// The machine's temperature, and its firmware's flags.
  var heat = HeatReport()
  /// Which timecode each sample has; nil for none.
  var timecode: TimecodeLine?
  /// How full the battery is.
  var battery = BatteryReport()
  /// Where the recorder is, by a receiver; nil without a fix.
  var fix: GeoPoint?
  /// Its altitude, in tenths of a metre.
  var altitudeDecimetres: Int32?
  /// The deployment's name; empty without one.
  var deployment = DeploymentName()
  /// Where the battery is next entered in the ledger.
  var nextBatteryNote: TimelinePosition = 0
  /// The pictures left out because of heat that are already in the ledger.
  var notedLeftOutCount: UInt64 = 0
  /// Where the camera was lost; nil while it is not.
  var pictureGapStart: TimelinePosition?
  /// The orientation of pictures.
  private(set) var orientation = Orientation.landscapeLeft
  /// Unix time minus boot clock, by which takes are dated.
  var unixOffsetNanoseconds: Int64 = 0
  /// When lost devices are next reopened.
  var nextReopening: Instant = 0
  /// The interrupted file that the next take continues; empty if there is none.
  var continued: FixedText<128> = ""
  /// What began that file's take.
  var continuedBeginner = TakeBeginner.person
  /// Whether it was announced that a camera that was missing at boot is there.
  var hasToldOfNewCamera = false
  /// The take in which it was announced that a device that it lacks is there; 0 for none.
  var takeOfFoundDevice: UInt32 = 0
  /// Until when the continuation waits for missing devices.
  var resumptionEnd: Instant = 0
  /// When the orientation last changed, and what it was before; nil while it has not.
  var lastRotation: TakeTurn?
  /// From the contact of the record button to the first sample after it.
  var firstSample = FirstSampleWatch()
  /// Why the open take is going to end.
  private(set) var ending = TakeEnding.stopped

  /// When the next take continues in a new file.
  var split: SplitSettings {
    get { changedSplit ?? settings.record.split }
    set { changedSplit = newValue }
  }

  /// What the next take holds.
  var form: TakeForm {
    get { changedForm ?? settings.takeForm }
    set {
      if newValue.lapse != form.lapse { room.forget() }
      changedForm = newValue
    }
  }

  /// Arms the recorder with the devices opened at boot, or closes them if they are opened for each take.
  mutating func boot(
    _ opened: OpenedDevices, _ orientation: Orientation, _ machine: inout Hardware,
    _ console: inout ConsoleSession
  ) {
    self.orientation = orientation
    switch settings.record.arming {
    case .atBoot:
      _ = recorder.handle(.arm)
      start(opened, &machine)
    case .atPress:
      if opened.audio != nil { machine.microphone.device.close() }
      if opened.video != nil { machine.camera.device.close() }
    }
    console.announce(
      recorder.state == .failed
        ? "failed: there is nothing to record from, help lists the commands"
        : "\(recorder.state.name): the record button begins a take, help lists the commands",
      as: recorder.state == .failed ? .fault : .note)
  }

  /// At each exchange: reads the devices.
  mutating func exchange(
    _ machine: inout Hardware, _ console: inout ConsoleSession, at now: Instant
  ) {
    let (microphone, camera) = (capture.microphone, capture.camera)
    let isResting = capture.hasRestingCamera
    let failures = capture.step(&machine, at: now, counting: &captureLosses)
    let isCut = capture.timeline.reachesAwaited()
    watchFirstSample(at: now)
    if let failure = failures.microphone { console.announce(failure) }
    if let failure = failures.camera { console.announce(failure) }
    noteDevices(microphone, isResting ? .closed : camera, &console, at: now, isCut: isCut)
    if isCut { recorder.wakeWorker() }
    if camera == .missing, capture.camera == .returning {
      listCameraBuffers(machine.camera.device, capture.otherVideoFormat)
    }
    openDevices(&machine, &console, at: now)
    seekDevices(machine, &console, at: now)
    goOn(&machine, &console, at: now)
    watchGrowth(&console, at: now)
    watchRoom(&console)
    watchSound(&console)
    watchPictures(&console)
    watchPictureGap(&console, at: now)
  }

  /// Handles a gesture of the record button.
  mutating func serve(
    _ gesture: Gesture, _ machine: inout Hardware, _ console: inout ConsoleSession
  ) -> Effect? {
    switch gesture {
    case .pressed(let instant):
      if recorder.state != .recording { firstSample.contact = instant }
      let debounceMilliseconds = UInt64(settings.buttons.debounceMilliseconds)
      commitLimitEnd = instant + (TakeLimits.pressMilliseconds + debounceMilliseconds) * 1_000_000
      capture.timeline.hold(behind: capture.position(at: instant))
      return nil
    case .short(let pressedAt): press(&machine, &console, at: pressedAt)
    case .long, .released, .double: break
    }
    liftCommitLimit()
    // A long press takes a still; a short one begins or ends a take.
    if case .long = gesture { return .takeStill }
    return nil
  }

  mutating func run(
    _ action: RecordAction, _ machine: inout Hardware, _ console: inout ConsoleSession,
    at now: Instant
  ) {
    let isRecording = isTakeOpen || keptPress != nil
    let newestTake = recorder.newestTake
    switch action {
    case .start where isRecording: return console.refuse("a take is being recorded already")
    case .start where isPowerFailing: return console.refuse("the power is failing")
    case .start where battery.refusesPress: return console.refuse("the battery is below [power] finish_volts")
    case .stop where !isRecording: return console.refuse("no take is being recorded")
    case .start where !takesOrders, .stop where !takesOrders:
      return console.refuse("the card does not answer: try again in a moment")
    case .start, .stop: press(&machine, &console, at: now)
    }
    guard action == .start else { return console.complete() }
    console.pending = .record(take: newestTake + 1, until: now + Limits.takeAnswerMilliseconds * 1_000_000)
  }

  /// The origin of the take's command, as long as it is not known whether the take began.
  func origin(ofTake number: UInt32, _ pending: PendingCommand?) -> Origin {
    if case .record(number, _) = pending { .console } else { .button }
  }

  /// At each tick: handles the storage worker's reports, and closes devices that are no longer needed.
  /// - Returns: a notice for the library; call again until nil.
  mutating func step(
    _ machine: inout Hardware, _ console: inout ConsoleSession, at now: Instant
  ) -> Effect? {
    if let end = commitLimitEnd, now >= end { liftCommitLimit() }
    while let report = recorder.nextReport() {
      if let effect = serve(report, &machine, &console, at: now) { return effect }
    }
    watchCodec(&console, at: now)
    advanceClosing(machine, at: now)
    return nil
  }

  /// At each tick, and after a choice: notes a rotation during a take, and splits the take if it must stay upright.
  mutating func follow(_ orientation: Orientation, _ console: inout ConsoleSession, at now: Instant) {
    guard orientation != self.orientation else { return }
    defer { self.orientation = orientation }
    // Without devices there is no timeline on which the rotation could have a position.
    guard !capture.isClosed else { return lastRotation = nil }
    let position = capture.position(at: now)
    lastRotation = TakeTurn(position: position, orientation: self.orientation)
    guard isTakeOpen, let take, hasPictures(take.form) else { return }
    let seconds = Double(position.distance(since: take.startPosition)) / Double(capture.timelineRateHz)
    console.announce("turned to \(orientation.name) \(seconds, decimals: 1) s into the take" as FixedText<96>)
    ledger.note("turned to \(orientation.name)", at: position)
    guard take.split.isOnRotate, recorder.takesOrders else { return }
    ledger.noteLosses(at: nil)
    recorder.send(.turn(TakeTurn(position: position, orientation: orientation)))
  }

  /// Passes another service's order to the storage worker. Call it only while ``takesOrders``.
  mutating func send(_ order: TakeOrder) { recorder.send(order) }

  /// Has the storage worker store the chosen rotation. Call it only while ``takesOrders``.
  mutating func keep(_ rotation: Rotation) { recorder.send(.keep(rotation)) }

  /// Has the storage worker forget the take that was interrupted before boot.
  mutating func dropInterruption() { recorder.send(.dropInterruption) }

  /// Whether the storage worker's queue has space for the orders of a press or a choice.
  var takesOrders: Bool { recorder.takesOrders }

  /// Whether a press of the record button is being handled, or its first sample awaited.
  var isServingPress: Bool { commitLimitEnd != nil || keptPress != nil || firstSample.contact != nil }

  /// Whether neither the recorder nor its devices are about to change.
  var isSteady: Bool {
    switch recorder.state {
    case .idle, .preparing, .recording, .failed: opening == nil && capture.isSteady
    case .opening, .finishing, .closing, .emptying: false
    }
  }

  /// Whether a take is being recorded.
  var isTakeOpen: Bool { recorder.state == .recording }

  /// Whether a take is being recorded or completed.
  var hasOpenTake: Bool { isTakeOpen || recorder.state == .finishing }

  /// At each tick while the appliance stops: ends the open take.
  /// - Returns: whether there is nothing left to wait for.
  mutating func finish(
    by deadline: Instant, _ machine: inout Hardware, _ console: inout ConsoleSession,
    at now: Instant
  ) -> Bool {
    switch recorder.state {
    case .recording where now < deadline:
      ending = .quit
      if recorder.takesOrders { press(&machine, &console, at: now) }
      return false
    case .finishing where now < deadline: return false
    default: return true
    }
  }

  private mutating func liftCommitLimit() {
    commitLimitEnd = nil
    capture.timeline.hold(behind: nil)
    recorder.wakeWorker()
  }

  /// Handles the record button: begins or ends a take. Closed devices are opened first.
  /// - Parameters:
  ///   - pressedAt: the backdated instant of the press, where the take begins or ends.
  ///   - cause: the schedule's reason to begin a take; nil for a person's press.
  mutating func press(
    _ machine: inout Hardware, _ console: inout ConsoleSession, at pressedAt: Instant, for cause: TakeCause? = nil
  ) {
    guard recorder.takesOrders else {
      return console.announce("the card does not answer: this press of record is ignored", as: .fault)
    }
    if let loss = lossOfTake, recorder.state == .failed, pressedAt < loss + Limits.unseenFailureMilliseconds * 1_000_000
    {
      return console.announce("this press of record came as the take failed: it is ignored", as: .fault)
    }
    guard !isPowerFailing || isTakeOpen else {
      return console.announce("power is failing: this press of record is ignored", as: .fault)
    }
    guard !battery.refusesPress || isTakeOpen else {
      return console.announce("battery below finish_volts: this press of record is ignored", as: .fault)
    }
    arm(at: machine.clock.now)
    switch recorder.handle(.recordPressed) {
    case .beginTake: beginTake(machine.clock, at: pressedAt, for: cause)
    case .endTake: endTake(&console, at: pressedAt)
    case .keepPress:
      keptPress = keptPress == nil ? pressedAt : nil
      keptCause = cause
    case .nothing, .openDevices, .closeDevices, .emptyRings, .servePress: break
    }
  }

  private mutating func beginTake(_ clock: borrowing Clock, at pressedAt: Instant, for cause: TakeCause?) {
    let position = capture.position(at: pressedAt)
    let preroll = UInt64(settings.record.prerollSeconds) * UInt64(capture.timelineRateHz)
    let start = max(position.earlier(by: preroll), capture.startPosition)
    let rotation = rotation(inPrerollFrom: start)
    var order = TakeStart(
      number: recorder.newestTake, startPosition: start, pressPosition: position,
      pressUnixNanoseconds: Int64(clamping: pressedAt.rawValue) &+ unixOffsetNanoseconds,
      unixOffsetNanoseconds: unixOffsetNanoseconds, orientation: rotation?.orientation ?? orientation,
      resumes: !continued.isEmpty, split: split, form: form, beginner: cause.beginner)
    order.place = placeText
    recorder.send(.begin(order))
    if let rotation { recorder.send(.turn(TakeTurn(position: rotation.position, orientation: orientation))) }
    take = TakeStatus(
      pressPosition: position, continues: continued, lossesBefore: losses, split: split, form: form, cause: cause)
    sheet.remarks.removeAll()
    if let cause { note(cause, at: position) }
    if !missedWake.isEmpty {
      ledger.note(missedWake, at: position)
      missedWake.removeAll()
    }
    // A take that goes on after an interruption is the same one.
    if continued.isEmpty { sheet.countTake() }
    enterSheet(at: position)
    enterTimecode(at: position)
    enterPlace(at: position)
    enterHeat(at: position)
    enterBattery(at: position)
    growth = GrowthWatch(startPosition: start, confirmed: progress.confirmedPosition, at: clock.now)
    room.begin(form.lapse)
    continued.removeAll()
  }

  /// A rotation within a take's pre-roll, with the orientation before it, for takes whose files must be upright.
  private func rotation(inPrerollFrom startPosition: TimelinePosition) -> TakeTurn? {
    guard split.isOnRotate, hasPictures(form) else { return nil }
    return lastRotation.flatMap { $0.position > startPosition ? $0 : nil }
  }

  /// Whether a take has pictures, and thus an orientation.
  private func hasPictures(_ form: TakeForm) -> Bool { capture.videoFormat != nil && form.content == .video }

  private mutating func endTake(_ console: inout ConsoleSession, at pressedAt: Instant) {
    let position = capture.position(at: pressedAt)
    reportPictureGap(&console, upTo: position)
    take?.endPosition = position
    ledger.noteLosses(at: nil)
    announceLostSound(&console, at: nil)
    noteLeftOut(at: position.earlier(by: 1))
    enterBattery(at: position.earlier(by: 1))
    recorder.send(.end(position: position, as: ending))
  }
}

extension Limits {
  /// How long `record start` waits to learn whether the take began: a card answers in milliseconds, a camera opened for
  /// the take delivers within a second. A card that stalls longer may still answer: its failure is an event.
  static var takeAnswerMilliseconds: UInt64 { 2000 }

  /// A press this soon after a take has failed was meant to end it: nobody sees the fault and reacts within a second.
  static var unseenFailureMilliseconds: UInt64 { 1000 }
}
