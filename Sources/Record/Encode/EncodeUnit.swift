import Base
import Machine
import Media

/// Encodes the camera's pictures: the machine's own encoder, or as many of its processors as can be spared.
///
/// Frozen, so that another module may take it apart and give each part its thread.
@frozen package struct EncodeUnit: ~Copyable {
  /// Fills the picture ring.
  package var worker: PictureWorker
  /// The encoders that work for the worker or for the live views; all nil where the worker encodes alone.
  package var encoders: InlineArray<4, PoolEncoder?>
  /// Passes pictures to the live views' encoder; nil where there is none.
  package var views: ViewCapture?

  /// - Parameters:
  ///   - encoder: the machine's, opened for `format`; nil where the pictures become JPEGs.
  ///   - format: the camera's format.
  ///   - count: how many encoders make JPEGs at the same time, 1…``EncoderPool/maximumCount``.
  ///   - quality: 1…100 on the scale of libjpeg.
  ///   - bells: wake the threads.
  ///   - pictures: the picture ring.
  ///   - viewPictures: the live views' ring where it is not `pictures`, which is the case with the machine's encoder.
  /// - Throws: when the camera's pictures cannot be encoded.
  package init(
    _ encoder: consuming VideoEncoder?, format: VideoFormat, count: Int, quality: Int, bells: PoolDoorbells,
    _ buffers: CameraBuffers,
    _ counters: EncoderCounters, _ status: CodecStatus, rawPictures: consuming QueueConsumer<RawPicture>,
    emptiedBuffers: consuming QueueProducer<UInt16>, pictures: consuming PacketRingProducer<PictureHeader>,
    viewPictures: consuming PacketRing<PictureHeader>?, in memory: inout BootMemory
  ) throws(JPEGEncoderError) {
    guard let encoder = encoder.take() else {
      let pool = try EncoderPool(
        count: count, format: format, quality: quality, bells: bells, buffers: buffers, counters: counters,
        rawPictures: rawPictures, emptiedBuffers: emptiedBuffers, encodedPictures: pictures, in: &memory)
      self.init(worker: .jpeg(pool.worker), encoders: pool.encoders, views: nil)
      return
    }
    var substitute = try PictureCoder(format: format, quality: quality, in: &memory)
    try buffers.makeStandIn(format, with: &substitute, in: &memory)
    guard let zoomer = PictureZoomer(from: format, to: encoder.input.layout(of: format), in: &memory) else {
      throw .formatNotEncodable(format)
    }
    let worker = CodecWorker(
      encoder: encoder, zoomer: zoomer, substitute: substitute, buffers: buffers, counters: counters, status: status,
      rawPictures: rawPictures, emptiedBuffers: emptiedBuffers, codedPictures: pictures)
    var encoders = InlineArray<4, PoolEncoder?> { _ in nil }
    guard let viewPictures else { preconditionFailure("no ring was planned for the live views") }
    let feed = try ViewFeed(
      viewPictures, format: format, quality: quality, waking: bells.encoders[0], buffers: buffers, in: &memory)
    encoders[0] = .some(feed.encoder)
    self.init(worker: .codec(worker), encoders: encoders, views: .some(feed.capture))
  }

  private init(
    worker: consuming PictureWorker, encoders: consuming InlineArray<4, PoolEncoder?>,
    views: consuming ViewCapture?
  ) {
    self.worker = worker
    self.encoders = encoders
    self.views = views
  }
}
