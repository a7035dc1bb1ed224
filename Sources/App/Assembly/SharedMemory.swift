import Base
import Catalog
import Console
import Kit
import Machine
import Media
import Playback
import Record
import Wire

/// Every queue, ring and cell that the loop shares with its workers, each allocated where it is declared.
struct SharedMemory: ~Copyable {
  var media: MediaRings
  /// Filled buffers from the camera to the encoder, and back.
  var camera: Channel<RawPicture, UInt16>
  /// The same for the still worker.
  var stillCamera: Channel<StillPicture, StillReceipt>
  /// The queues to and from the storage worker.
  var takes: Channel<TakeOrder, TakeReport>
  /// The events of a take, for the storage worker. They are not urgent: the worker is not woken.
  var notes: Queue<TakeNote>
  var ledgerTexts: LedgerTexts
  /// Reports on stills from the storage worker.
  var stillReports: Queue<StillReport>
  var decoder: Channel<DecoderRequest, DecoderReport>
  var library: JobChannel<LibraryRequest, LibraryReply>
  var keeper: JobChannel<KeeperRequest, KeeperReply>
  var inquiries: JobChannel<InspectorRequest, DeviceResult<InspectorReply>>
  var timeService: JobChannel<TimeServiceRequest, DeviceResult<TimeServiceReply>>
  /// Takes that went into the bin or came out of it, from the keeper to the library.
  var takeMoves: Queue<FixedText<128>>
  var history: JobChannel<HistoryRequest, HistoryReply>
  var preview: Channel<PreviewRequest, PreviewAnswer>
  var tuner: JobChannel<TunerRequest, TunerReply>
  var chords: JobChannel<ChordRequest, ChordReply>
  var truePeaks: JobChannel<TruePeakRequest, TruePeakReply>
  var soundTests: JobChannel<SoundTestRequest, SoundTestReply>
  var triggers: JobChannel<TriggerRequest, TriggerReply>
  var timecodes: JobChannel<TimecodeRequest, TimecodeReply>
  var motions: JobChannel<MotionRequest, MotionReply>
  /// Lines of the display's process for the console.
  var viewEvents: Queue<FixedText<256>>
  /// The network listeners.
  var listeners: Queue<ListenerList>
  /// What listeners want.
  var orders: Queue<FixedText<256>>
  /// Searches for servers on the network.
  var searches: JobChannel<SearchRequest, SearchEvent>
  let cells: SharedCells
  /// The files that the storage worker has recorded since boot.
  var dated: DatedFiles
  var encoder: FLACEncoder
  var meter: LoudnessMeter
  /// The storage worker builds headers here.
  var scratch: FixedBuffer
  /// The keeper reads takes into this buffer.
  var verificationBuffer: FixedBuffer
  /// The keeper's table of the takes that it finds.
  var takeTable: TakeTable
  /// The history of calculations is read into this buffer.
  var historyBuffer: FixedBuffer
  /// The preview worker's drawing.
  var drawing: DrawingText
  var console: ConsoleSession
}

extension SharedMemory {
  /// - Parameters:
  ///   - memory: the recorder's own memory.
  ///   - viewMemory: the memory that other processes read.
  init(
    _ plan: MemoryPlan, _ doorbells: Doorbells, isTerminal: Bool, workClock: WorkTimes.Clock?,
    in memory: inout BootMemory, viewedIn viewMemory: inout BootMemory
  ) throws(DeviceFailure) {
    self.init(
      media: try MediaRings(plan, doorbells, in: &memory, viewedIn: &viewMemory),
      camera: try memory.channel(
        Limits.picturesToEncoder, answers: Limits.picturesToEncoder, waking: doorbells[.encoder]),
      stillCamera: try memory.channel(1, answers: 1, waking: doorbells[.still]),
      takes: try memory.channel(Limits.storageQueue, answers: Limits.storageQueue, waking: doorbells[.storage]),
      notes: try memory.cut { Queue(capacity: TakeLimits.notes, in: &$0) },
      ledgerTexts: try memory.cut { LedgerTexts(in: &$0) },
      stillReports: try memory.cut { Queue(capacity: Limits.stills, in: &$0) },
      decoder: try memory.channel(
        PlaybackLimits.requestCapacity, answers: PlaybackLimits.reportCapacity, waking: doorbells[.decoder]),
      library: try memory.channel(
        Limits.libraryQuestions, answers: Limits.libraryAnswers, waking: doorbells[.library]),
      keeper: try memory.channel(
        Limits.keeperRequests, answers: Limits.keeperReplies, waking: doorbells[.keeper]),
      inquiries: try memory.channel(
        Limits.inquiries, answers: Limits.inquiries, waking: doorbells[.keeper]),
      timeService: try memory.channel(1, answers: 1, waking: doorbells[.device]),
      takeMoves: try memory.cut { Queue(capacity: Limits.takeMoves, waking: doorbells[.library], in: &$0) },
      history: try memory.channel(
        Limits.historyOrders, answers: Limits.historyReports, waking: doorbells[.keeper]),
      preview: try memory.channel(1, answers: 1, waking: doorbells[.preview]),
      tuner: try memory.channel(1, answers: 2, waking: doorbells[.tuner]),
      chords: try memory.channel(1, answers: 2, waking: doorbells[.tuner]),
      truePeaks: try memory.channel(1, answers: 2, waking: doorbells[.tuner]),
      soundTests: try memory.channel(1, answers: 2, waking: doorbells[.tuner]),
      triggers: try memory.channel(1, answers: 2, waking: doorbells[.tuner]),
      timecodes: try memory.channel(1, answers: 2, waking: doorbells[.tuner]),
      motions: try memory.channel(1, answers: 2, waking: doorbells[.preview]),
      viewEvents: try memory.cut { Queue(capacity: Limits.viewEvents, in: &$0) },
      listeners: try memory.cut { Queue(capacity: 1, in: &$0) },
      orders: try memory.cut { Queue(capacity: Limits.orders, in: &$0) },
      searches: try memory.channel(
        Limits.searchRequests, answers: Limits.searchAnswers, waking: doorbells[.view]),
      cells: try SharedCells(workClock: workClock, doorbells, in: &memory),
      dated: try memory.cut { DatedFiles(in: &$0) },
      encoder: try memory.cut { memory in
        // Most recorders never need it, and the storage worker may wait for a page.
        memory.presence = .fromFirstUse
        defer { memory.presence = .fromNowOn }
        return FLACEncoder(in: &memory)
      },
      meter: try memory.cut { memory in
        memory.presence = .fromFirstUse
        defer { memory.presence = .fromNowOn }
        return LoudnessMeter(in: &memory)
      },
      scratch: try memory.cut { FixedBuffer(byteCount: TakeLimits.copyByteCount, in: &$0) },
      verificationBuffer: try memory.cut { FixedBuffer(byteCount: TakeVerification.bufferByteCount, in: &$0) },
      takeTable: try memory.cut { TakeTable(in: &$0) },
      historyBuffer: try memory.cut { FixedBuffer(byteCount: HistoryLimits.pieceByteCount, in: &$0) },
      drawing: try memory.cut { DrawingText(byteCount: PreviewPlan.textByteCount, in: &$0) },
      console: try memory.cut { ConsoleSession(isTerminal: isTerminal, in: &$0) })
  }
}

/// Recorded data on its way to the card.
///
/// The rings do not wake the storage worker: waking at each push would be far more often than it writes. The loop wakes
/// it when the position that the worker waits for is reached.
struct MediaRings: ~Copyable {
  var samples: SampleRing
  /// The played sound, for network listeners.
  var shared: SampleRing
  /// Pictures from the encoder.
  var pictures: PacketRing<PictureHeader>
  /// The live views' ring, unless they use ``pictures``.
  var viewPictures: PacketRing<PictureHeader>?
  /// The live views' tap.
  let viewTap: PacketRingTap<PictureHeader>
  let viewStatus: ViewStatusCell
  let viewArtwork: ArtworkCell
  let viewSheet: ViewSheetCell
  var stills: PacketRing<StillHeader>
}

extension MediaRings {
  init(
    _ plan: MemoryPlan, _ doorbells: Doorbells, in memory: inout BootMemory, viewedIn viewMemory: inout BootMemory
  ) throws(DeviceFailure) {
    let viewed = try viewMemory.cut { ViewMemory(plan.viewLayout, bytesPerFrame: plan.audio.bytesPerFrame, in: &$0) }
    let viewTap = viewed.pictures.tap
    let viewStatus = viewed.status
    let viewArtwork = viewed.artwork
    let viewSheet = viewed.sheet
    let stills: PacketRing<StillHeader> = try memory.cut {
      PacketRing(
        capacityPackets: Limits.stills, capacityBytes: plan.stillRingByteCount, waking: doorbells[.storage], in: &$0)
    }
    guard plan.isCodedByMachine else {
      self.init(
        samples: viewed.samples, shared: viewed.shared, pictures: viewed.pictures, viewPictures: nil, viewTap: viewTap,
        viewStatus: viewStatus, viewArtwork: viewArtwork, viewSheet: viewSheet, stills: stills)
      return
    }
    let pictures: PacketRing<PictureHeader> = try memory.cut {
      PacketRing(capacityPackets: plan.pictureRingCapacity, capacityBytes: plan.pictureRingByteCount, in: &$0)
    }
    self.init(
      samples: viewed.samples, shared: viewed.shared, pictures: pictures, viewPictures: .some(viewed.pictures),
      viewTap: viewTap, viewStatus: viewStatus, viewArtwork: viewArtwork, viewSheet: viewSheet, stills: stills)
  }
}

/// Single words and small tables that one thread writes and any thread may read.
struct SharedCells {
  let timeline: Timeline
  let progress: TakeProgress
  let counters: EncoderCounters
  let codecStatus: CodecStatus
  let buffers: CameraBuffers
  let libraryProgress: LibraryProgress
  let libraryTime: LibraryTime
  let retentionPace: KeeperPace
  let kept: KeptTexts
  /// The artwork of the file that was last asked for, for the console.
  let artwork: ArtworkCell

  init(workClock: WorkTimes.Clock?, _ doorbells: Doorbells, in memory: inout BootMemory) throws(DeviceFailure) {
    timeline = try memory.cut { Timeline(in: &$0) }
    progress = try memory.cut { TakeProgress(in: &$0, clock: workClock) }
    counters = try memory.cut { EncoderCounters(in: &$0, clock: workClock) }
    codecStatus = try memory.cut { CodecStatus(in: &$0) }
    buffers = try memory.cut { CameraBuffers(in: &$0) }
    libraryProgress = try memory.cut { LibraryProgress(in: &$0) }
    libraryTime = try memory.cut { LibraryTime(in: &$0) }
    retentionPace = try memory.cut { KeeperPace(in: &$0) }
    kept = try memory.cut { KeptTexts(waking: doorbells[.storage], in: &$0) }
    artwork = try memory.cut { ArtworkCell(in: &$0) }
  }
}

extension BootMemory {
  /// Allocates the value that `make` makes.
  /// - Throws: if the machine has too little memory.
  mutating func cut<Value: ~Copyable>(_ make: (inout BootMemory) -> Value?) throws(DeviceFailure) -> Value {
    guard let value = make(&self) else { throw refusal }
    return value
  }

  /// Allocates the queues to a worker and back.
  mutating func channel<Request: BitwiseCopyable, Answer: BitwiseCopyable>(
    _ requestCapacity: Int, answers answerCapacity: Int, waking worker: Doorbell
  ) throws(DeviceFailure) -> Channel<Request, Answer> {
    try cut { Channel(requestCapacity: requestCapacity, answerCapacity: answerCapacity, waking: worker, in: &$0) }
  }

  /// Why an allocation failed.
  package var refusal: DeviceFailure { .memoryRefused(byteCount: refusedByteCount ?? usedByteCount) }
}

extension Limits {
  /// The queues to and from the encoder hold the camera's buffers, and the stand-ins while it is lost: 12.
  static var picturesToEncoder: Int { cameraBuffers + CameraBuffers.standInCount }

  /// Orders and reports between loop and storage worker. A take needs two or three of each: during a stall of the card
  /// twenty presses are queued before one is refused.
  package static var storageQueue: Int { 64 }

  /// Requests that the library has not taken yet: eight that expect an answer, and as many notices of takes that began
  /// or ended in the meantime.
  package static var libraryQuestions: Int { 16 }

  /// Answers of the library that the loop has not taken yet. The worker looks every ``libraryMilliseconds`` while it
  /// has something to answer: a list of 10,000 files takes a second, if the console keeps up.
  package static var libraryAnswers: Int { 64 }

  /// Requests that the keeper has not taken yet: the daily pass, and commands one at a time.
  static var keeperRequests: Int { 8 }

  /// Unanswered questions to the system: one of the console, one for the gain or the self-test, and one that nobody
  /// waits for any more.
  static var inquiries: Int { 3 }

  /// Moved takes that the library has not looked at yet: a person moves one at a time.
  static var takeMoves: Int { 8 }

  /// Replies of the keeper that the loop has not taken yet: it waits when the queue is full.
  static var keeperReplies: Int { 32 }

  /// Calculations on their way into the history: ten seconds of typing during a stall of the card.
  static var historyOrders: Int { 8 }

  /// Lines of the history that the loop has not taken yet: 10,000 take 6 s, if the console keeps up.
  static var historyReports: Int { 32 }

  /// Pictures for the live views if the take's ring holds none that they can decode: the newest, the one before, which
  /// a view may be copying, and the one being encoded.
  package static var viewPictures: Int { 3 }

  /// Lines of the display's process that the console has not printed yet: more than ``ReportedLines`` lets through.
  package static var viewEvents: Int { 32 }

  /// Orders of listeners that the loop has not taken yet: those of a monitor that was started again, too.
  static var orders: Int { 2 * MonitorMessage.mostOrders }

  /// Search requests that the worker has not taken yet: each search has a begin and an end.
  static var searchRequests: Int { 4 }

  /// Servers that a search has found and the loop has not printed yet: the rest wait in the link.
  static var searchAnswers: Int { 8 }
}
