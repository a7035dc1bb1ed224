import Base
import Drawing
import Machine
import Media

/// Encodes the camera's pictures with the machine's own encoder, or on as many of its processors as can be spared.
///
/// Frozen, so that another module may consume its parts and give each its own thread.
@frozen package struct EncodeUnit: ~Copyable {
  /// Fills the picture ring.
  package var worker: PictureWorker
  /// The encoders that serve the worker or the live views; all nil if the worker encodes alone.
  package var encoders: InlineArray<4, PoolEncoder?>
  /// Passes pictures to the live views' encoder; nil if there is none.
  package var views: ViewCapture?

  /// - Parameters:
  ///   - encoder: the machine's, opened for `format`; nil if the pictures become JPEGs.
  ///   - format: the camera's format.
  ///   - count: how many encoders make JPEGs simultaneously, 1…``EncoderPool/maximumCount``.
  ///   - quality: 1…100 on the scale of libjpeg.
  ///   - bells: wake the threads.
  ///   - pictures: the picture ring.
  ///   - viewPictures: the live views' ring if it is not `pictures`, which is the case with the machine's encoder.
  /// - Throws: if the camera's pictures cannot be encoded.
  @export(interface)
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

/// The headers of the pictures in the encoder, found by the timestamps that the encoder passes through.
struct PicturesInFlight {
  private struct Entry: BitwiseCopyable {
    var timestampMicroseconds: UInt64 = 0
    var header = PictureHeader(samplePosition: 0, instant: 0, cameraSequence: 0)
  }

  private var entries = InlineArray<32, Entry>(repeating: Entry())
  private var firstIndex = 0
  private(set) var count = 0
  private var lastTimestampMicroseconds: UInt64 = 0

  var isFull: Bool { count == CodingLimits.picturesInFlight }

  /// - Returns: the timestamp for the encoder: the picture's own, made unique.
  mutating func append(_ header: PictureHeader) -> UInt64 {
    let timestamp = max(header.instant.rawValue / 1000, lastTimestampMicroseconds + 1)
    lastTimestampMicroseconds = timestamp
    entries[(firstIndex + count) % CodingLimits.picturesInFlight] = Entry(
      timestampMicroseconds: timestamp, header: header)
    count += 1
    return timestamp
  }

  /// Removes the picture with this timestamp, and earlier ones, which will not come out any more.
  /// - Returns: nil, with nothing removed, for an unknown timestamp.
  mutating func take(timestampMicroseconds: UInt64) -> (header: PictureHeader, missingCount: Int)? {
    for offset in 0..<count {
      let entry = entries[(firstIndex + offset) % CodingLimits.picturesInFlight]
      guard entry.timestampMicroseconds == timestampMicroseconds else { continue }
      firstIndex = (firstIndex + offset + 1) % CodingLimits.picturesInFlight
      count -= offset + 1
      return (entry.header, offset)
    }
    return nil
  }

  /// - Returns: how many pictures there were.
  mutating func removeAll() -> Int {
    defer { count = 0 }
    return count
  }
}

extension Sign {
  /// The stand-in for the camera's pictures while it is lost.
  static var noPicture: Sign {
    let words: StaticString = "NO PICTURE"
    return Sign(columnCount: words.utf8CodeUnitCount * Glyph.advance - 1) { column, row in
      let (letter, column) = column.quotientAndRemainder(dividingBy: Glyph.advance)
      return column < Glyph.width && Glyph.hasInk(words.utf8Bytes[letter], column: column, row: row)
    }
  }
}

extension CameraBuffers {
  /// Encodes the stand-in, once at boot. There is none for pictures that cannot be encoded.
  /// - Throws: `memoryTooSmall`.
  func makeStandIn(
    _ format: VideoFormat, with coder: inout PictureCoder, in memory: inout BootMemory
  ) throws(JPEGEncoderError) {
    guard let piece = unsafe memory.cut(byteCount: PictureCoder.signByteCount(format: format)) else {
      throw .memoryTooSmall
    }
    coder.prepareThread()
    // Safe: boot memory outlives every thread, and is written only here.
    var room = unsafe MutableRawSpan(_unsafeBytes: piece)
    guard let byteCount = coder.code(.noPicture, into: &room) else { return }
    unsafe setStandIn(UnsafeRawBufferPointer(rebasing: piece[..<byteCount]))
  }
}
