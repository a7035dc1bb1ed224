import Port
import Encode
import Console
import Imaging
import Library
import Values
import Playback
import Preview
import Rings
import Stills
import Takes
import Text
import Viewing

/// What loop and workers hand each other, cut from memory at boot as ``MemoryPlan`` says.
struct SharedMemory: ~Copyable {
  var samples: SampleRing
  /// From the encoder to the storage worker.
  var pictures: PacketRing<PictureHeader>
  /// What the live views look into where that is not ``pictures``.
  var viewPictures: PacketRing<PictureHeader>?
  /// The ring that the live views look into.
  let viewTap: PacketRingTap<PictureHeader>
  let viewStatus: ViewStatusCell
  /// From the camera to the encoder, and its buffers on their way back.
  var rawPictures: Queue<RawPicture>
  var emptiedBuffers: Queue<UInt16>
  /// From the camera to the still worker, and its buffers on their way back.
  var stillPictures: Queue<StillPicture>
  var stillReceipts: Queue<StillReceipt>
  /// From the still worker to the storage worker, and what that tells the loop of them.
  var stills: PacketRing<StillHeader>
  var stillReports: Queue<StillReport>
  /// From the loop to the storage worker, and what that has to say.
  var orders: Queue<TakeOrder>
  var reports: Queue<TakeReport>
  /// From the loop to the decoder's worker, and what that has to say.
  var decoderRequests: Queue<DecoderRequest>
  var decoderReports: Queue<DecoderReport>
  /// From the loop to the library's worker, and what that answers.
  var libraryQuestions: Queue<LibraryQuestion>
  var libraryAnswers: Queue<LibraryAnswer>
  /// What the display's process says, on its way to the console.
  var viewNews: Queue<FixedText<256>>
  /// From the loop to the worker that draws previews, and what that answers.
  var previewRequests: Queue<PreviewRequest>
  var previewAnswers: Queue<PreviewAnswer>
  let libraryProgress: LibraryProgress
  let libraryTime: LibraryTime
  let timeline: Timeline
  let progress: TakeProgress
  let counters: EncoderCounters
  let codecStatus: CodecStatus
  let buffers: CameraBuffers
  var scratch: FixedBuffer
  var console: ConsoleSession

  /// - Parameters:
  ///   - memory: of the recorder alone.
  ///   - viewMemory: that other processes read.
  init(_ plan: MemoryPlan, isTerminal: Bool, in memory: inout BootMemory, viewedIn viewMemory: inout BootMemory) {
    guard
      let samples = SampleRing(
        capacityBytes: plan.audioRingByteCount, bytesPerFrame: plan.audio.bytesPerFrame, in: &memory),
      let viewed = ViewMemory(plan.viewLayout, in: &viewMemory),
      let rawPictures = Queue<RawPicture>(capacity: Limits.cameraBuffers, in: &memory),
      let emptiedBuffers = Queue<UInt16>(capacity: Limits.cameraBuffers, in: &memory),
      let stillPictures = Queue<StillPicture>(capacity: 1, in: &memory),
      let stillReceipts = Queue<StillReceipt>(capacity: 1, in: &memory),
      let stills = PacketRing<StillHeader>(
        capacityPackets: Limits.stills, capacityBytes: plan.stillRingByteCount, in: &memory),
      let stillReports = Queue<StillReport>(capacity: Limits.stills, in: &memory),
      let orders = Queue<TakeOrder>(capacity: Limits.storageQueue, in: &memory),
      let reports = Queue<TakeReport>(capacity: Limits.storageQueue, in: &memory),
      let decoderRequests = Queue<DecoderRequest>(capacity: PlaybackLimits.requestCapacity, in: &memory),
      let decoderReports = Queue<DecoderReport>(capacity: PlaybackLimits.reportCapacity, in: &memory),
      let libraryQuestions = Queue<LibraryQuestion>(capacity: Limits.libraryQuestions, in: &memory),
      let libraryAnswers = Queue<LibraryAnswer>(capacity: Limits.libraryAnswers, in: &memory),
      let viewNews = Queue<FixedText<256>>(capacity: Limits.viewNews, in: &memory),
      let previewRequests = Queue<PreviewRequest>(capacity: 1, in: &memory),
      let previewAnswers = Queue<PreviewAnswer>(capacity: 1, in: &memory),
      let libraryProgress = LibraryProgress(in: &memory), let libraryTime = LibraryTime(in: &memory),
      let timeline = Timeline(in: &memory), let progress = TakeProgress(in: &memory),
      let counters = EncoderCounters(in: &memory), let codecStatus = CodecStatus(in: &memory),
      let buffers = CameraBuffers(in: &memory),
      let scratch = FixedBuffer(byteCount: TakeLimits.copyByteCount, in: &memory),
      let console = ConsoleSession(isTerminal: isTerminal, in: &memory)
    else { preconditionFailure("the memory plan is too small for what is cut from it") }
    self.samples = samples
    viewTap = viewed.pictures.tap
    viewStatus = viewed.status
    if plan.isCodedByMachine {
      guard
        let pictures = PacketRing<PictureHeader>(
          capacityPackets: plan.pictureRingCapacity, capacityBytes: plan.pictureRingByteCount, in: &memory)
      else { preconditionFailure("the memory plan is too small for the frame ring") }
      self.pictures = pictures
      viewPictures = .some(viewed.pictures)
    } else {
      pictures = viewed.pictures
      viewPictures = nil
    }
    self.rawPictures = rawPictures
    self.emptiedBuffers = emptiedBuffers
    self.stillPictures = stillPictures
    self.stillReceipts = stillReceipts
    self.stills = stills
    self.stillReports = stillReports
    self.orders = orders
    self.reports = reports
    self.decoderRequests = decoderRequests
    self.decoderReports = decoderReports
    self.libraryQuestions = libraryQuestions
    self.libraryAnswers = libraryAnswers
    self.viewNews = viewNews
    self.previewRequests = previewRequests
    self.previewAnswers = previewAnswers
    self.libraryProgress = libraryProgress
    self.libraryTime = libraryTime
    self.timeline = timeline
    self.progress = progress
    self.counters = counters
    self.codecStatus = codecStatus
    self.buffers = buffers
    self.scratch = scratch
    self.console = console
  }
}
