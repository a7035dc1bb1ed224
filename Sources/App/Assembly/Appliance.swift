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

/// The facts and settings that are fixed at boot.
package struct ApplianceContext: Sendable {
  /// The settings as read at boot.
  package var settings: Settings
  /// The settings of the configuration file, without those saved on the console.
  package var fileSettings: Settings
  /// A message about the saved settings; nil if there is none.
  package var savedEvent: FixedText<512>?
  /// The time zone for people.
  package var localTime: LocalTime
  /// The device's identity, for files and status.
  package var identity: DeviceIdentity
  /// Name and version, such as `fieldcorder 0.1.0`.
  package var software: StaticString
  /// The language of the console and of the display.
  package var language: Language
  /// What the console's terminal can draw.
  package var looks: TerminalLooks
  /// Whether the console reads a script, which ends at its first error.
  package var endsAtError = false
  /// How many threads can run at the same time, 1 or more.
  package var processorCount: Int
  /// Allocations of the whole process since boot was complete.
  package var heapAllocationCount: @convention(c) () -> UInt64
  /// The clock by which workers time their work; nil if time stands still meanwhile.
  package var workClock: WorkTimes.Clock?

  @export(interface)
  package init(
    settings: Settings, localTime: LocalTime, identity: DeviceIdentity, software: StaticString,
    language: Language = .english, looks: TerminalLooks = TerminalLooks(), processorCount: Int,
    heapAllocationCount: @escaping @convention(c) () -> UInt64, workClock: WorkTimes.Clock? = nil
  ) {
    self.settings = settings
    fileSettings = settings
    self.localTime = localTime
    self.identity = identity
    self.software = software
    self.language = language
    self.looks = looks
    self.processorCount = processorCount
    self.heapAllocationCount = heapAllocationCount
    self.workClock = workClock
  }
}

/// The whole recorder, assembled at boot: the loop and its workers. On a device each worker has a thread; in a
/// simulation they run on the loop's thread.
///
/// Frozen, so that the executable can take it apart and give each part its thread.
@frozen package struct Appliance: ~Copyable {
  /// The real-time loop: everything but encoding and writing.
  package var loop: MainLoop
  package var workers: Workers

  /// Opens every device, reports the results, and arms the recorder if the configuration asks for it.
  ///
  /// - Parameters:
  ///   - context: its identity is replaced by the one in the data folder.
  ///   - fresh: for a device that has no identity or no key yet.
  ///   - doorbells: wake the workers' threads.
  ///   - memory: supplies all memory that the recorder ever uses.
  /// - Throws: if the data folder or the memory is refused, without which there is no recorder.
  @export(interface)
  package init(
    machine: consuming Hardware, context: ApplianceContext, newDevice fresh: NewDevice,
    doorbells: Doorbells = Doorbells(), in memory: inout BootMemory
  ) throws(DeviceFailure) {
    let usedBefore = memory.usedByteCount
    var account = MemoryAccount(usedByteCount: usedBefore)
    machine.wakeWorkers(by: doorbells)
    let opened = try OpenedMachine(&machine, context, newDevice: fresh)
    let shared = try Self.makeSharedMemory(machine, opened, doorbells, &account, in: &memory)
    var report = BootReport(opened)
    try self.init(machine, opened, shared, doorbells, account, in: &memory)
    report.usedByteCount = memory.usedByteCount - usedBefore
    report.boot(&loop)
  }

  private static func makeSharedMemory(
    _ machine: borrowing Hardware, _ opened: borrowing OpenedMachine, _ doorbells: Doorbells,
    _ account: inout MemoryAccount, in memory: inout BootMemory
  ) throws(DeviceFailure) -> SharedMemory {
    let context = opened.context
    // Safe: the region stays mapped for the life of the recorder, and is divided only here.
    var viewMemory = unsafe BootMemory(region: Self.memory(of: opened.view))
    var shared = try SharedMemory(
      opened.plan, doorbells, isTerminal: machine.consoleLine.isTerminal, workClock: context.workClock,
      in: &memory, viewedIn: &viewMemory)
    account.note(.media, byteCount: viewMemory.usedByteCount)
    account.note(.queues, memory)
    shared.cells.libraryTime.publish(now: machine.clock.now, unixSeconds: machine.clock.unixSeconds)
    shared.console.language = context.language
    shared.console.looks = context.looks
    shared.console.endsAtError = context.endsAtError
    shared.console.frameByteCount = Limits.frameByteCount(
      bitsPerSecond: context.settings.console.baudRate.bitsPerSecond)
    return shared
  }

  private static func memory(of view: borrowing View) -> UnsafeMutableRawBufferPointer { unsafe view.memory }

  /// Gives the loop and each worker their ends of the shared memory.
  private init(
    _ machine: consuming Hardware, _ opened: consuming OpenedMachine, _ shared: consuming SharedMemory,
    _ doorbells: Doorbells, _ account: MemoryAccount, in memory: inout BootMemory
  ) throws(DeviceFailure) {
    var account = account
    let context = opened.context
    let settings = context.settings
    let plan = opened.plan
    let cells = shared.cells
    let codec = opened.encoder.summary.codec
    let camera = PlannedCamera(format: opened.devices.video, settings: settings.record)
    let sampleTap = shared.media.samples.tap
    let pictureTap = shared.media.pictures.tap
    let rings = RingWatch(
      samples: sampleTap, livePictures: opened.plan.isCodedByMachine ? shared.media.viewTap : nil,
      stills: shared.media.stills.tap)
    let isViewWanted = opened.view.isWanted
    let runsImage = machine.runsImage
    let page = shared.drawing.page
    let kept = KeptServices(
      context, cells.kept, tuner: shared.tuner.client, chords: shared.chords.client, history: shared.history.client,
      timecodes: shared.timecodes.client, &shared.console, in: &opened.store, at: machine.clock.now)
    let seed = UInt64(bitPattern: machine.clock.unixSeconds) ^ machine.clock.now.rawValue
    let dates = BootDates(ClockReading(machine.clock), newestUnixSeconds: opened.journal.newestUnixSeconds)
    let hasSharedBuffers = opened.encoder.summary.input == .shared
    let encode = try Self.makeEncoders(
      opened.encoder, plan, settings, cells, doorbells, camera: shared.camera.worker,
      pictures: shared.media.pictures.producer, viewPictures: shared.media.viewPictures, in: &memory)
    account.note(.encoders, memory)
    let capture = Self.makeCapture(
      settings, cells, samples: shared.media.samples.producer, camera: shared.camera.client,
      stills: shared.stillCamera.client, views: encode.views, hasSharedBuffers: hasSharedBuffers)
    let recording = Self.makeRecording(
      settings, cells, dates, capture: capture, camera: camera, codec: codec, takes: shared.takes.client,
      notes: shared.notes.producer, sheet: kept.sheet, pictures: pictureTap)
    let playback = try unsafe Self.makePlayback(
      settings, opened.speaker, ring: opened.player.ringMemory, decoder: shared.decoder.client,
      shared: shared.media.shared, samples: sampleTap, modes: kept.queueModes, keptIn: cells.kept.queueModes,
      seed: seed, in: &memory)
    account.note(.player, memory)
    memory.presence = .fromFirstUse
    let still = try Self.makeStillWorker(
      plan, settings, cells, camera: shared.stillCamera.worker, stills: shared.media.stills.producer, in: &memory)
    account.note(.stills, memory)
    let library = try Self.makeLibrary(
      settings, opened.media, opened.prober, cells, loop: shared.library.worker,
      moves: shared.takeMoves.consumer,
      artwork: LibraryArtwork(asked: cells.artwork, heard: shared.media.viewArtwork), in: &memory)
    account.note(.library, memory)
    let preview = try Self.makePreviewer(
      plan, tap: shared.media.viewTap, drawings: shared.preview.worker, motions: shared.motions.worker,
      text: shared.drawing, artwork: cells.artwork, in: &memory)
    account.note(.preview, memory)
    let tuner = try Self.makeTuner(
      plan, tap: sampleTap, pitches: shared.tuner.worker, chords: shared.chords.worker, peaks: shared.truePeaks.worker,
      tests: shared.soundTests.worker, triggers: shared.triggers.worker, timecodes: shared.timecodes.worker,
      in: &memory)
    account.note(.tuner, memory)
    memory.presence = .fromNowOn
    let storage = Self.makeStorageWorker(
      opened.store, identityCopy: opened.identityCopy, opened.journal, context, opened.signingKey, cells,
      takes: shared.takes.worker, samples: shared.media.samples.consumer, pictures: shared.media.pictures.consumer,
      stills: StillIntake(stills: shared.media.stills.consumer, reports: shared.stillReports.producer),
      ledgers: LedgerIntake(notes: shared.notes.consumer, texts: shared.ledgerTexts), dated: shared.dated,
      scratch: shared.scratch, encoder: shared.encoder, meter: shared.meter)
    guard let inspector = machine.inspector.take(), let timeService = machine.timeService.take() else {
      preconditionFailure("a machine is used twice")
    }
    let housekeeping = HousekeepingWorker(
      inspector: AskedDevice(inspector, shared.inquiries.worker),
      history: HistoryKeeper(storage: opened.notes, loop: shared.history.worker, buffer: shared.historyBuffer),
      keeper: TakeKeeper(
        folders: opened.takes, loop: shared.keeper.worker, moves: shared.takeMoves.producer, pace: cells.retentionPace,
        publicKey: opened.signingKey.publicKey, buffer: shared.verificationBuffer, table: shared.takeTable),
      pace: cells.retentionPace)
    let view = ViewWorker(
      process: opened.view, news: shared.viewEvents.producer, listeners: shared.listeners.producer,
      orders: shared.orders.producer, searches: shared.searches.worker)
    let decoder = DecoderWorker(
      decoder: opened.player, requests: shared.decoder.worker.requests, reports: shared.decoder.worker.answers)
    workers = Workers(
      encoder: try PlacedWorker(encode.worker, in: &memory), encoders: try Self.place(encode.encoders, in: &memory),
      still: try PlacedWorker(still, in: &memory), storage: try PlacedWorker(storage, in: &memory),
      decoder: try PlacedWorker(decoder, in: &memory), library: try PlacedWorker(library, in: &memory),
      keeper: try PlacedWorker(housekeeping, in: &memory), view: try PlacedWorker(view, in: &memory),
      preview: try PlacedWorker(preview, in: &memory), tuner: try PlacedWorker(tuner, in: &memory),
      microphone: try PlacedWorker(machine.microphone.workerEnd, in: &memory),
      camera: try PlacedWorker(CameraWorker(machine), in: &memory),
      device: try PlacedWorker(
        DeviceWorker(machine, AskedDevice(timeService, shared.timeService.worker)), in: &memory))
    account.note(.queues, memory)
    loop = MainLoop(
      machine: machine,
      services: Services(
        context: context, configuration: ConfigurationService(context, keptIn: cells.kept.settings),
        clock: ClockService(
          Job(shared.timeService.client), dates: dates, localTime: context.localTime, settings: settings.clock),
        schedule: ScheduleService(
          settings.schedule, localTime: context.localTime, isListening: settings.trigger.isScheduled,
          place: kept.position.lastPlace),
        sleep: kept.sleep,
        trigger: TriggerService(settings.trigger, Job(shared.triggers.client), Job(shared.motions.client)),
        timecode: kept.timecode, summary: kept.summary, deployment: kept.deployment, console: shared.console,
        commandLines: kept.commandLines, keptEvents: kept.events, panel: ControlPanel(settings: settings),
        orientation: OrientationService(settings: settings.accelerometer), recording: recording,
        framing: FramingService(camera: camera, settings: settings.view),
        stills: StillService(camera: camera, reports: shared.stillReports.consumer), playback: playback,
        library: LibraryService(
          worker: Job(shared.library.client), time: cells.libraryTime, progress: cells.libraryProgress),
        retention: RetentionService(
          policy: settings.retention, Job(shared.keeper.client), pace: cells.retentionPace,
          localTime: context.localTime),
        applications: kept.applications, heat: HeatService(settings: settings.heat),
        battery: BatteryService(settings: settings.power.battery), position: kept.position,
        identity: IdentityService(opened.identity), levels: LevelsService(Job(shared.truePeaks.client)),
        gain: GainService(decibels: settings.audio.gainDecibels),
        power: PowerService(wishes: settings.power.wishes, isDisplayUsed: isViewWanted),
        inquiries: InquiryService(Job(shared.inquiries.client)), updates: UpdateService(isAvailable: runsImage),
        selfTest: SelfTestService(Job(shared.soundTests.client)), rings: rings, memory: account,
        liveView: LiveViewService(
          cell: shared.media.viewStatus, sheet: shared.media.viewSheet, isWanted: isViewWanted,
          news: shared.viewEvents.consumer, lists: shared.listeners.consumer, orders: shared.orders.consumer,
          hasMonitor: settings.monitor.socket != nil),
        discovery: DiscoveryService(Job(shared.searches.client)),
        preview: PreviewService(
          requests: shared.preview.client.requests, answers: shared.preview.client.answers, page: page,
          hasPictures: plan.preview.hasPictures, camera: camera)))
  }
}

extension Appliance {
  private static func place(
    _ encoders: consuming InlineArray<4, PoolEncoder?>, in memory: inout BootMemory
  ) throws(DeviceFailure) -> InlineArray<4, PlacedWorker<PoolEncoder>?> {
    var placed = InlineArray<4, PlacedWorker<PoolEncoder>?>(repeating: nil)
    for index in placed.indices {
      guard let encoder = encoders[index].take() else { break }
      placed[index] = try PlacedWorker(encoder, in: &memory)
    }
    return placed
  }

  private static func makeEncoders(
    _ opened: consuming OpenedEncoder, _ plan: MemoryPlan, _ settings: Settings,
    _ cells: SharedCells, _ doorbells: Doorbells, camera: consuming WorkerEnd<RawPicture, UInt16>,
    pictures: consuming PacketRingProducer<PictureHeader>, viewPictures: consuming PacketRing<PictureHeader>?,
    in memory: inout BootMemory
  ) throws(DeviceFailure) -> EncodeUnit {
    do throws(JPEGEncoderError) {
      return try EncodeUnit(
        opened.encoder, format: plan.video, count: plan.encoderCount, quality: Int(settings.video.jpegQuality),
        bells: doorbells.pool, cells.buffers, cells.counters, cells.codecStatus, rawPictures: camera.requests,
        emptiedBuffers: camera.answers, pictures: pictures, viewPictures: viewPictures, in: &memory)
    } catch {
      throw memory.refusedByteCount == nil ? .cannotEncode(settings) : memory.refusal
    }
  }

  private static func makeCapture(
    _ settings: Settings, _ cells: SharedCells, samples: consuming SampleRingProducer,
    camera: consuming ClientEnd<RawPicture, UInt16>, stills: consuming ClientEnd<StillPicture, StillReceipt>,
    views: consuming ViewCapture?, hasSharedBuffers: Bool
  ) -> CaptureUnit {
    CaptureUnit(
      audio: AudioCapture(ring: samples),
      video: VideoCapture(
        pictures: camera.requests, emptied: camera.answers,
        stills: StillCapture(pictures: stills.requests, receipts: stills.answers), views: views,
        offsetMilliseconds: Int(settings.video.offsetMilliseconds),
        // An encoder that reads the camera's own buffers has nothing to read once they are gone.
        standInByteCount: hasSharedBuffers ? 0 : cells.buffers.standInByteCount),
      zoom: CameraZoom(settings.restingZoom), timeline: cells.timeline,
      limits: CaptureLimits(
        audioFramesPerTick: Limits.audioFramesPerTick, picturesPerTick: Limits.picturesPerTick,
        microphonePatienceNanoseconds: settings.microphonePatienceNanoseconds,
        cameraPatienceNanoseconds: settings.cameraPatienceNanoseconds, scalesPictures: !hasSharedBuffers))
  }

  private static func makeRecording(
    _ settings: Settings, _ cells: SharedCells, _ dates: BootDates, capture: consuming CaptureUnit,
    camera: PlannedCamera, codec: VideoCodec, takes: consuming ClientEnd<TakeOrder, TakeReport>,
    notes: consuming QueueProducer<TakeNote>, sheet: KeptSheet, pictures: PacketRingTap<PictureHeader>
  ) -> RecordingService {
    RecordingService(
      capture: capture,
      recorder: Recorder(
        orders: takes.requests, reports: takes.answers, staysArmed: settings.record.arming == .atBoot),
      ledger: LedgerNotes(notes: notes), sheet: sheet, progress: cells.progress, settings: settings, camera: camera,
      cameraBuffers: cells.buffers, encoderCounters: cells.counters, codecStatus: cells.codecStatus, pictures: pictures,
      codec: codec, scheduleWish: TriggerService.wish(settings), unixOffsetNanoseconds: dates.offset)
  }

  private static func makePlayback(
    _ settings: Settings, _ speaker: OpenedSpeaker, ring: UnsafeRawBufferPointer,
    decoder: consuming ClientEnd<DecoderRequest, DecoderReport>, shared: consuming SampleRing, samples: SampleRingTap,
    modes: QueueModes, keptIn text: KeptText, seed: UInt64, in memory: inout BootMemory
  ) throws(DeviceFailure) -> PlaybackService {
    guard
      let player = unsafe Player(
        requests: decoder.requests, reports: decoder.answers, ring: ring, format: speaker.format,
        speaker: settings.playerSpeakerRequest, isSpeakerOpen: speaker.isOpen, standbyTone: settings.tone.standby,
        volume: settings.player.volume, fade: settings.fade, queueCapacity: Int(settings.player.queueCapacity),
        seed: seed, in: &memory)
    else { throw memory.refusal }
    // Nil if nobody can listen, or nothing can be played.
    let sharing =
      settings.canShare
      ? try SoundSharing(
        shared, speaker.format, speaker: settings.playerSpeakerRequest,
        delayMilliseconds: UInt32(settings.monitor.snapcastBufferMilliseconds), in: &memory) : nil
    return PlaybackService(
      player: player, sharing: sharing, samples: samples, settings: settings, modes: modes, keptIn: text)
  }

  private static func makeStillWorker(
    _ plan: MemoryPlan, _ settings: Settings, _ cells: SharedCells,
    camera: consuming WorkerEnd<StillPicture, StillReceipt>, stills: consuming PacketRingProducer<StillHeader>,
    in memory: inout BootMemory
  ) throws(DeviceFailure) -> StillWorker {
    do throws(JPEGEncoderError) {
      return StillWorker(
        coder: try StillCoder(format: plan.video, quality: Int(settings.photo.jpegQuality), in: &memory),
        maximumByteCount: StillCoder.maximumByteCount(format: plan.video), buffers: cells.buffers,
        pictures: camera.requests, receipts: camera.answers, stills: stills)
    } catch {
      throw memory.refusedByteCount == nil ? .cannotEncode(settings) : memory.refusal
    }
  }

  private static func makeStorageWorker(
    _ store: consuming Storage, identityCopy: consuming Storage?, _ journal: TakeJournal, _ context: ApplianceContext,
    _ signingKey: SigningKey, _ cells: SharedCells,
    takes: consuming WorkerEnd<TakeOrder, TakeReport>, samples: consuming SampleRingConsumer,
    pictures: consuming PacketRingConsumer<PictureHeader>,
    stills: consuming StillIntake, ledgers: consuming LedgerIntake, dated: consuming DatedFiles,
    scratch: consuming FixedBuffer, encoder: consuming FLACEncoder, meter: consuming LoudnessMeter
  ) -> StorageWorker {
    StorageWorker(
      storage: store, identityCopy: identityCopy, orders: takes.requests, reports: takes.answers,
      tracks: RecordedTracks(samples: samples, pictures: pictures, timeline: cells.timeline), stills: stills,
      ledgers: ledgers, progress: cells.progress,
      settings: context.settings.writingSettings(
        identity: context.identity, signingKey: signingKey, software: context.software, localTime: context.localTime),
      journal: journal, dated: dated, scratch: scratch, encoder: encoder, meter: meter, kept: cells.kept)
  }

  private static func makeLibrary(
    _ settings: Settings, _ folders: consuming Storage, _ prober: consuming Decoder,
    _ cells: SharedCells, loop: consuming JobWorkerEnd<LibraryRequest, LibraryReply>,
    moves: consuming QueueConsumer<FixedText<128>>, artwork: LibraryArtwork,
    in memory: inout BootMemory
  ) throws(DeviceFailure) -> LibraryWorker {
    guard
      let library = LibraryWorker(
        folders: folders, prober: prober, loop: loop, moves: moves, progress: cells.libraryProgress,
        time: cells.libraryTime, capacity: Int(settings.library.capacity),
        rescanSeconds: settings.library.rescanSeconds, crossesDevices: settings.library.crossesDevices,
        artwork: artwork, in: &memory)
    else { throw memory.refusal }
    return library
  }

  private static func makeTuner(
    _ plan: MemoryPlan, tap: SampleRingTap, pitches: consuming JobWorkerEnd<TunerRequest, TunerReply>,
    chords: consuming JobWorkerEnd<ChordRequest, ChordReply>,
    peaks: consuming JobWorkerEnd<TruePeakRequest, TruePeakReply>,
    tests: consuming JobWorkerEnd<SoundTestRequest, SoundTestReply>,
    triggers: consuming JobWorkerEnd<TriggerRequest, TriggerReply>,
    timecodes: consuming JobWorkerEnd<TimecodeRequest, TimecodeReply>, in memory: inout BootMemory
  ) throws(DeviceFailure) -> TunerWorker {
    guard
      let tuner = TunerWorker(
        tap: tap, sampleRateHz: plan.audio.sampleRateHz, pitches: pitches, chords: chords, peaks: peaks, tests: tests,
        triggers: triggers, timecodes: timecodes, in: &memory)
    else { throw memory.refusal }
    return tuner
  }

  private static func makePreviewer(
    _ plan: MemoryPlan, tap: PacketRingTap<PictureHeader>, drawings: consuming WorkerEnd<PreviewRequest, PreviewAnswer>,
    motions: consuming JobWorkerEnd<MotionRequest, MotionReply>, text: consuming DrawingText, artwork: ArtworkCell,
    in memory: inout BootMemory
  ) throws(DeviceFailure) -> PreviewWorker {
    do throws(JPEGDecoderError) {
      return try PreviewWorker(
        tap: tap, plan: plan.preview, requests: drawings.requests, answers: drawings.answers, motions: motions,
        text: text, artwork: artwork, in: &memory)
    } catch {
      throw memory.refusal
    }
  }
}

/// The services that go on with what the card kept, in the order in which it is read.
private struct KeptServices: ~Copyable {
  let applications: Applications
  let sheet: KeptSheet
  let queueModes: QueueModes
  let commandLines: KeptCommandLines
  let events: KeptEvents
  let summary: SummaryService
  let deployment: DeploymentService
  let position: PositionService
  let timecode: TimecodeService
  let sleep: SleepService

  init(
    _ context: ApplianceContext, _ texts: KeptTexts, tuner: consuming JobClientEnd<TunerRequest, TunerReply>,
    chords: consuming JobClientEnd<ChordRequest, ChordReply>,
    history: consuming JobClientEnd<HistoryRequest, HistoryReply>,
    timecodes: consuming JobClientEnd<TimecodeRequest, TimecodeReply>, _ console: inout ConsoleSession,
    in storage: inout Storage, at now: Instant
  ) {
    let settings = context.settings
    let guitar = GuitarService(texts.guitar, in: &storage)
    applications = Applications(
      tuner: TunerService(Job(tuner)),
      practice: PracticeService(KeptPractice(texts.practice, in: &storage), Job(chords)), guitar: guitar,
      hangul: HangulClockService(settings: settings.clock, localTime: context.localTime),
      calculator: CalculatorService(Job(history)))
    sheet = KeptSheet(texts.sheet, in: &storage)
    queueModes = QueueModes(texts.queueModes, in: &storage)
    commandLines = KeptCommandLines(texts.commandLines, of: &console, in: &storage)
    events = KeptEvents(texts.events, in: &storage)
    summary = SummaryService(texts.summary, texts.today, in: &storage, at: now)
    deployment = DeploymentService(texts.deployment, in: &storage)
    position = PositionService(settings: settings.receiver, texts.place, in: &storage)
    timecode = TimecodeService(settings.timecode, Job(timecodes), texts.timecode, in: &storage)
    sleep = SleepService(
      settings.schedule, prerollSeconds: Int64(settings.record.prerollSeconds), localTime: context.localTime,
      texts.sleep, in: &storage, at: now)
  }
}

extension Limits {
  /// The most sound read per tick: 100 ms at 192 kHz. At 48 kHz that is 80 ticks' worth, so a loop that was delayed by
  /// 400 ms has caught up one tick later.
  package static var audioFramesPerTick: Int { 19_200 }

  /// The most pictures per tick: a 120 Hz camera fills fewer in 20 ms, the longest tick.
  package static var picturesPerTick: Int { 4 }

  /// The most buffers a camera may have.
  package static var cameraBuffers: Int { 8 }
}
