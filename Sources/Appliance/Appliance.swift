import Board
import Capture
import Configuration
import Console
import Imaging
import Media
import Rings
import Takes
import Text
import Trace

/// The whole recorder, put together at boot: the loop, and the two workers that have a thread each on a device and take
/// turns with the loop in a simulation.
///
/// Frozen, so that the executable may take it apart and give each its thread.
@frozen public struct Appliance<Machine: Hardware & ~Copyable>: ~Copyable {
  /// The real-time thread's part.
  public var loop: MainLoop<Machine>
  /// The encoder thread's part.
  public var encoder: EncoderWorker
  /// The storage thread's part.
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
    let ledger = try TakeLedger(from: &store)
    let opened = OpenedDevices(&machine, settings: context.settings)
    let plan = MemoryPlan(
      settings: context.settings, audio: opened.audio ?? context.settings.requestedAudioFormat, video: opened.video)
    var memory = try mapMemory(plan.byteCount)
    guard
      let sampleRing = SampleRing(
        capacityBytes: plan.audioRingByteCount, bytesPerFrame: plan.audio.bytesPerFrame, in: &memory),
      let pictureRing = PacketRing<PictureHeader>(
        capacityPackets: plan.pictureRingCapacity, capacityBytes: plan.pictureRingByteCount, in: &memory),
      let rawPictures = Queue<RawPicture>(capacity: Limits.cameraBuffers, in: &memory),
      let emptiedBuffers = Queue<UInt16>(capacity: Limits.cameraBuffers, in: &memory),
      let orders = Queue<TakeOrder>(capacity: Limits.storageQueue, in: &memory),
      let reports = Queue<TakeReport>(capacity: Limits.storageQueue, in: &memory),
      let timeline = Timeline(in: &memory), let progress = TakeProgress(in: &memory),
      let counters = EncoderCounters(in: &memory), let buffers = CameraBuffers(in: &memory),
      let scratch = FixedBuffer(byteCount: TakeLimits.copyByteCount, in: &memory),
      let console = ConsoleSession(isTerminal: machine.consoleLine.isTerminal, in: &memory)
    else { preconditionFailure("the memory plan is too small for what is cut from it") }

    encoder = EncoderWorker(
      format: plan.video, encoder: try Self.makeEncoder(plan, context.settings, in: &memory), buffers: buffers,
      counters: counters, rawPictures: rawPictures.consumer, emptiedBuffers: emptiedBuffers.producer,
      encodedPictures: pictureRing.producer)
    storage = StorageWorker(
      storage: store, orders: orders.consumer, reports: reports.producer,
      tracks: RecordedTracks(samples: sampleRing.consumer, pictures: pictureRing.consumer, timeline: timeline),
      progress: progress,
      settings: context.settings.writingSettings(identity: context.identity, software: context.software),
      ledger: ledger, scratch: scratch)
    let capture = CaptureUnit(
      audio: AudioCapture(ring: sampleRing.producer),
      video: VideoCapture(pictures: rawPictures.producer, emptied: emptiedBuffers.consumer), timeline: timeline,
      limits: CaptureLimits(
        audioFramesPerTick: Limits.audioFramesPerTick, picturesPerTick: Limits.picturesPerTick))
    let recorder = Recorder(
      orders: orders.producer, reports: reports.consumer, staysArmed: context.settings.record.arming == .atBoot)
    loop = MainLoop(
      machine: machine, context: context, capture: capture, recorder: recorder, console: console, progress: progress,
      encoderCounters: counters, cameraBuffers: buffers)
    loop.boot(opened, plan)
  }

  /// The encoder for a camera that delivers raw pictures; nil for one that encodes by itself.
  private static func makeEncoder(
    _ plan: MemoryPlan, _ settings: Settings, in memory: inout BootMemory
  ) throws(DeviceFailure) -> JPEGEncoder? {
    guard plan.video.pixelFormat != .mjpeg else { return nil }
    do throws(JPEGEncoderError) {
      return try JPEGEncoder(format: plan.video, quality: Int(settings.video.jpegQuality), in: &memory)
    } catch {
      throw DeviceFailure(
        device: .camera, kind: .unsupported, subject: settings.video.deviceName,
        problem: "delivers pictures that cannot be encoded", remedy: "set another [video] format, width or height")
    }
  }
}
