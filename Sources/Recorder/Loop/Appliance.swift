import Port
import Capture
import Encode
import Configuration
import Console
import Imaging
import Library
import Values
import Playback
import Rings
import Stills
import Takes
import Text
import Trace
import Preview

/// The whole recorder, put together at boot: the loop, and the two workers that have a thread each on a device and take
/// turns with the loop in a simulation.
///
/// Frozen, so that the executable may take it apart and give each its thread.
@frozen public struct Appliance<Machine: Hardware & ~Copyable>: ~Copyable {
  /// The real-time loop: everything but coding and writing.
  public var loop: MainLoop<Machine>
  /// Codes raw pictures, and puts all pictures into their ring.
  public var encoder: PictureWorker<Machine.BoardVideoEncoder>
  /// Those that encode for it where several pictures are encoded at the same time, or for the live views beside the
  /// machine's encoder; else nil.
  public var lanes: InlineArray<4, PoolEncoder?>
  /// Makes stills.
  public var still: StillWorker
  /// Speaks with the process that decodes what is played.
  public var decoder: DecoderWorker<Machine.BoardDecoder>
  /// Knows the files on the card.
  public var library: LibraryWorker<Machine.BoardMediaFolders, Machine.BoardDecoder>
  /// Keeps the live view's process.
  public var view: ViewWorker<Machine.BoardView>
  /// Draws what the camera sees on the console.
  public var previewer: PreviewWorker
  /// Writes takes.
  public var storage: StorageWorker<Machine.BoardStorage>

  /// Takes hold of every device, says what came of each, and arms the recorder where the configuration asks for it.
  ///
  /// - Parameters:
  ///   - context: whatever identity it has is replaced by the one in the data folder.
  ///   - fresh: the identity of a device that has none yet.
  ///   - mapMemory: gives so many bytes, zeroed, for the life of the process; called once.
  /// - Throws: when the data folder or the memory is refused: then there is no recorder.
  public init(
    machine: consuming Machine, context: ApplianceContext, freshIdentity fresh: DeviceIdentity,
    mapMemory: (_ byteCount: Int) throws(DeviceFailure) -> BootMemory
  ) throws(DeviceFailure) {
    var context = context
    var store = try machine.openStorage()
    context.identity = try IdentityFile.load(from: &store, orMake: fresh)
    let journal = try TakeJournal(from: &store)
    let opened = OpenedDevices(&machine, settings: context.settings)
    let speaker = OpenedSpeaker(&machine, settings: context.settings)
    let openedEncoder = OpenedEncoder(machine, settings: context.settings, video: opened.video)
    let summary = openedEncoder.summary
    let encoders = EncoderCount(
      wanted: context.settings.video.encoderCount, processorCount: context.processorCount, video: opened.video,
      cameraZooms: machine.camera.maximumZoom != nil, isCodedByMachine: summary.input != nil)
    let plan = MemoryPlan(
      settings: context.settings, audio: opened.audio ?? context.settings.requestedAudioFormat, video: opened.video,
      encoderCount: encoders.count, isCodedByMachine: summary.input != nil, speaker: speaker.format,
      libraryByteCount: Self.libraryByteCount(context.settings))
    let playing = try machine.openDecoder(
      DecoderSetup(format: speaker.format, ringByteCount: PlaybackLimits.leastRingByteCount(speaker.format)))
    let probing = try machine.openDecoder(DecoderSetup(format: speaker.format, ringByteCount: 0))
    let folders = try machine.openMediaFolders()
    let view = try machine.openView(
      ViewSetup(
        byteCount: plan.viewLayout.byteCount, widthPixels: plan.video.widthPixels,
        heightPixels: plan.video.heightPixels))
    var memory = try mapMemory(plan.byteCount)
    // Sound: mapped for the life of the recorder, and cut up here alone.
    var viewMemory = unsafe BootMemory(region: view.memory)
    let shared = SharedMemory(
      plan, isTerminal: machine.consoleLine.isTerminal, in: &memory, viewedIn: &viewMemory)
    let encode: EncodeUnit<Machine.BoardVideoEncoder>
    do throws(JPEGEncoderError) {
      encode = try EncodeUnit(
        openedEncoder.encoder, format: plan.video, count: plan.encoderCount,
        quality: Int(context.settings.video.jpegQuality), shared.buffers, shared.counters, shared.codecStatus,
        rawPictures: shared.rawPictures.consumer, emptiedBuffers: shared.emptiedBuffers.producer,
        pictures: shared.pictures.producer, viewPictures: shared.viewPictures, in: &memory)
    } catch {
      throw .cannotEncode(context.settings)
    }
    let stillCoder = try Self.makeStillCoder(plan, context.settings, in: &memory)
    encoder = encode.worker
    lanes = encode.encoders
    still = StillWorker(
      coder: stillCoder, maximumByteCount: StillCoder.maximumByteCount(format: plan.video), buffers: shared.buffers,
      pictures: shared.stillPictures.consumer, receipts: shared.stillReceipts.producer,
      stills: shared.stills.producer)
    storage = StorageWorker(
      storage: store, orders: shared.orders.consumer, reports: shared.reports.producer,
      tracks: RecordedTracks(
        samples: shared.samples.consumer, pictures: shared.pictures.consumer, timeline: shared.timeline),
      stills: StillIntake(stills: shared.stills.consumer, reports: shared.stillReports.producer),
      progress: shared.progress,
      settings: context.settings.writingSettings(identity: context.identity, software: context.software),
      journal: journal, scratch: shared.scratch)
    let capture = CaptureUnit(
      audio: AudioCapture(ring: shared.samples.producer),
      video: VideoCapture(
        pictures: shared.rawPictures.producer, emptied: shared.emptiedBuffers.consumer,
        stills: StillCapture(pictures: shared.stillPictures.producer, receipts: shared.stillReceipts.consumer),
        views: encode.views),
      zoom: CameraZoom(context.settings.restingZoom), timeline: shared.timeline,
      limits: CaptureLimits(
        audioFramesPerTick: Limits.audioFramesPerTick, picturesPerTick: Limits.picturesPerTick))
    let recorder = Recorder(
      orders: shared.orders.producer, reports: shared.reports.consumer,
      staysArmed: context.settings.record.arming == .atBoot)
    let player = unsafe Self.makePlayer(
      context.settings, speaker, ring: playing.ringMemory, requests: shared.decoderRequests.producer,
      reports: shared.decoderReports.consumer, in: &memory)
    decoder = DecoderWorker(
      decoder: playing, requests: shared.decoderRequests.consumer, reports: shared.decoderReports.producer)
    shared.libraryTime.publish(
      monotonicNanoseconds: machine.clock.monotonicNanoseconds, unixSeconds: machine.clock.unixSeconds)
    library = Self.makeLibrary(
      context.settings, folders: folders, prober: probing,
      questions: shared.libraryQuestions.consumer, answers: shared.libraryAnswers.producer,
      progress: shared.libraryProgress, time: shared.libraryTime, in: &memory)
    let desk = LibraryDesk(questions: shared.libraryQuestions.producer, answers: shared.libraryAnswers.consumer)
    let liveView = LiveView(status: shared.viewStatus, isWanted: view.isWanted, news: shared.viewNews.consumer)
    self.view = ViewWorker(process: view, news: shared.viewNews.producer)
    guard let text = DrawingText(byteCount: PreviewPlan.textByteCount, in: &memory) else {
      preconditionFailure("the memory plan is too small for the preview")
    }
    let preview = PreviewDesk(
      requests: shared.previewRequests.producer, answers: shared.previewAnswers.consumer, page: text.page,
      hasPictures: plan.preview.hasPictures)
    previewer = Self.makePreviewer(
      tap: shared.viewTap, plan.preview, requests: shared.previewRequests.consumer,
      answers: shared.previewAnswers.producer, text: text, in: &memory)
    loop = MainLoop(
      machine: machine, context: context, capture: capture, recorder: recorder,
      stillReports: shared.stillReports.consumer, console: shared.console, player: player, library: desk,
      liveView: liveView, preview: preview, libraryTime: shared.libraryTime, progress: shared.progress,
      encoderCounters: shared.counters, codecStatus: shared.codecStatus, encoderSummary: summary,
      cameraBuffers: shared.buffers)
    loop.boot(opened, encoders, speaker, plan, rotation: journal.rotation)
  }

  private static func makeStillCoder(
    _ plan: MemoryPlan, _ settings: Settings, in memory: inout BootMemory
  ) throws(DeviceFailure) -> StillCoder {
    do throws(JPEGEncoderError) {
      return try StillCoder(format: plan.video, quality: Int(settings.photo.jpegQuality), in: &memory)
    } catch {
      throw .cannotEncode(settings)
    }
  }

  private static func libraryByteCount(_ settings: Settings) -> Int {
    LibraryWorker<Machine.BoardMediaFolders, Machine.BoardDecoder>.byteCount(capacity: Int(settings.library.capacity))
  }

  private static func makePlayer(
    _ settings: Settings, _ speaker: OpenedSpeaker, ring: UnsafeRawBufferPointer,
    requests: consuming QueueProducer<DecoderRequest>, reports: consuming QueueConsumer<DecoderReport>,
    in memory: inout BootMemory
  ) -> Player {
    guard
      let player = unsafe Player(
        requests: requests, reports: reports, ring: ring, format: speaker.format,
        speaker: settings.playerSpeakerRequest, isSpeakerOpen: speaker.isOpen, standbyTone: settings.standbyTone,
        volume: settings.player.volume, queueCapacity: Int(settings.player.queueCapacity), in: &memory)
    else { preconditionFailure("the memory plan is too small for the player") }
    return player
  }

  private static func makeLibrary(
    _ settings: Settings, folders: consuming Machine.BoardMediaFolders, prober: consuming Machine.BoardDecoder,
    questions: consuming QueueConsumer<LibraryQuestion>, answers: consuming QueueProducer<LibraryAnswer>,
    progress: LibraryProgress, time: LibraryTime, in memory: inout BootMemory
  ) -> LibraryWorker<Machine.BoardMediaFolders, Machine.BoardDecoder> {
    guard
      let library = LibraryWorker(
        folders: folders, prober: prober, questions: questions, answers: answers, progress: progress, time: time,
        capacity: Int(settings.library.capacity), rescanSeconds: settings.library.rescanSeconds, in: &memory)
    else { preconditionFailure("the memory plan is too small for the library") }
    return library
  }

  private static func makePreviewer(
    tap: PacketRingTap<PictureHeader>, _ plan: PreviewPlan, requests: consuming QueueConsumer<PreviewRequest>,
    answers: consuming QueueProducer<PreviewAnswer>, text: consuming DrawingText, in memory: inout BootMemory
  ) -> PreviewWorker {
    do throws(JPEGDecoderError) {
      return try PreviewWorker(
        tap: tap, plan: plan, requests: requests, answers: answers, text: text, in: &memory)
    } catch {
      preconditionFailure("the memory plan is too small for the preview")
    }
  }
}
