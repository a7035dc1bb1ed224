import Port
import Capture
import Encode
import Configuration
import Imaging
import Values
import Rings

/// Whoever codes the camera's pictures: the machine's own encoder, or as many processors as are to spare.
struct PictureCrew<Encoder: VideoEncoder & ~Copyable>: ~Copyable {
  var worker: PictureWorker<Encoder>
  /// Those that encode for the worker, or for the live views; all nil where it is alone.
  var lanes: InlineArray<4, EncoderLane?>
  /// The way to the lane that encodes for the live views; nil where there is none.
  var views: ViewCapture?

  /// - Parameter viewPictures: what the live views look into where that is not `pictures`, beside the machine's encoder.
  /// - Throws: when the camera's pictures cannot be encoded.
  init(
    _ opened: consuming OpenedEncoder<Encoder>, _ plan: MemoryPlan, _ settings: Settings, _ buffers: CameraBuffers,
    _ counters: EncoderCounters, _ status: CodecStatus, rawPictures: consuming QueueConsumer<RawPicture>,
    emptiedBuffers: consuming QueueProducer<UInt16>, pictures: consuming PacketRingProducer<PictureHeader>,
    viewPictures: consuming PacketRing<PictureHeader>?, in memory: inout BootMemory
  ) throws(DeviceFailure) {
    let quality = Int(settings.video.jpegQuality)
    do throws(JPEGEncoderError) {
      guard let encoder = opened.encoder.take() else {
        let crew = try EncoderCrew(
          count: plan.encoderCount, format: plan.video, quality: quality, buffers: buffers, counters: counters,
          rawPictures: rawPictures, emptiedBuffers: emptiedBuffers, encodedPictures: pictures, in: &memory)
        self.init(worker: .jpeg(crew.worker), lanes: crew.lanes, views: nil)
        return
      }
      let substitute = try PictureCoder(format: plan.video, quality: quality, in: &memory)
      guard let zoomer = PictureZoomer(from: plan.video, to: encoder.input.layout(of: plan.video), in: &memory) else {
        throw .formatNotEncodable(plan.video)
      }
      let worker = CodecWorker(
        encoder: encoder, zoomer: zoomer, substitute: substitute, buffers: buffers, counters: counters, status: status,
        rawPictures: rawPictures, emptiedBuffers: emptiedBuffers, codedPictures: pictures)
      var lanes = InlineArray<4, EncoderLane?> { _ in nil }
      guard let viewPictures else { preconditionFailure("no ring was planned for the live views") }
      let feed = try ViewFeed(viewPictures, format: plan.video, quality: quality, buffers: buffers, in: &memory)
      lanes[0] = .some(feed.lane)
      self.init(worker: .codec(worker), lanes: lanes, views: .some(feed.capture))
    } catch {
      throw .cannotEncode(settings)
    }
  }

  private init(
    worker: consuming PictureWorker<Encoder>, lanes: consuming InlineArray<4, EncoderLane?>,
    views: consuming ViewCapture?
  ) {
    self.worker = worker
    self.lanes = lanes
    self.views = views
  }
}

extension DeviceFailure {
  /// What the camera delivers is none of the formats that can be encoded.
  static func cannotEncode(_ settings: Settings) -> DeviceFailure {
    DeviceFailure(
      device: .camera, kind: .unsupported, subject: settings.video.deviceName,
      problem: "delivers pictures that cannot be encoded", remedy: "set another [video] format, width or height")
  }
}
