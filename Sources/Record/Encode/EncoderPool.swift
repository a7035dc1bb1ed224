import Base
import Media

/// The worker that makes JPEGs of the camera's pictures, and its encoders where several pictures are encoded at the
/// same time.
///
/// Frozen, so that another module may take it apart and give each part its thread.
@frozen package struct EncoderPool: ~Copyable {
  /// Encodes by itself where ``encoders`` is empty.
  package var worker: JPEGWorker
  /// None, or the requested number; the others are nil.
  package var encoders: InlineArray<4, PoolEncoder?>

  /// The most encoders that work at the same time: 30 pictures a second in 1080p would not keep more busy.
  package static var maximumCount: Int { 4 }

  /// - Parameters:
  ///   - count: 1…``maximumCount``; 1 is the worker alone.
  ///   - format: the camera's format.
  ///   - quality: 1…100 on the scale of libjpeg.
  ///   - bells: wake the threads.
  ///   - rawPictures: filled buffers, from the loop.
  ///   - emptiedBuffers: indices of buffers, back to the loop; has space for all of them.
  ///   - encodedPictures: has more than ``PictureCoder/maximumByteCount(format:)`` bytes, or nothing ever fits.
  /// - Throws: as ``PictureCoder``.
  package init(
    count: Int, format: VideoFormat, quality: Int, bells: PoolDoorbells, buffers: CameraBuffers,
    counters: EncoderCounters, rawPictures: consuming QueueConsumer<RawPicture>,
    emptiedBuffers: consuming QueueProducer<UInt16>, encodedPictures: consuming PacketRingProducer<PictureHeader>,
    in memory: inout BootMemory
  ) throws(JPEGEncoderError) {
    precondition((1...Self.maximumCount).contains(count), "1 to 4 encoders")
    var encoders = InlineArray<4, PoolEncoder?> { _ in nil }
    var dispatcher = EncoderDispatcher()
    var coder: PictureCoder?
    if count == 1 {
      coder = try PictureCoder(format: format, quality: quality, in: &memory)
      try buffers.makeStandIn(format, with: &coder!, in: &memory)
    } else {
      for index in 0..<count {
        var poolCoder = try PictureCoder(format: format, quality: quality, in: &memory)
        if index == 0 { try buffers.makeStandIn(format, with: &poolCoder, in: &memory) }
        encoders[index] = try Self.encoder(
          poolCoder, format, bells, index, buffers, counters.times, addedTo: &dispatcher, in: &memory)
      }
    }
    worker = JPEGWorker(
      coder: coder, dispatcher: dispatcher, buffers: buffers, counters: counters, rawPictures: rawPictures,
      emptiedBuffers: emptiedBuffers, encodedPictures: encodedPictures)
    self.encoders = encoders
  }

  private static func encoder(
    _ coder: consuming PictureCoder, _ format: VideoFormat, _ bells: PoolDoorbells, _ index: Int,
    _ buffers: CameraBuffers, _ times: WorkTimes,
    addedTo dispatcher: inout EncoderDispatcher, in memory: inout BootMemory
  ) throws(JPEGEncoderError) -> PoolEncoder {
    let capacity = CameraBuffers.maximumCount + CameraBuffers.standInCount
    guard let raw = Queue<RawPicture>(capacity: capacity, waking: bells.encoders[index], in: &memory),
      let emptied = Queue<UInt16>(capacity: capacity, waking: bells.worker, in: &memory),
      let coded = PacketRing<PictureHeader>(
        capacityPackets: 1, capacityBytes: Self.stagingByteCount(format), waking: bells.worker, in: &memory)
    else { throw .memoryTooSmall }
    dispatcher.add(rawPictures: raw.producer, emptiedBuffers: emptied.consumer, codedPictures: coded.consumer)
    return PoolEncoder(
      coder: coder, buffers: buffers, rawPictures: raw.consumer, emptiedBuffers: emptied.producer,
      codedPictures: coded.producer, times: times)
  }

  /// One picture of the largest size, plus the byte that the ring keeps free.
  private static func stagingByteCount(_ format: VideoFormat) -> Int {
    PictureCoder.maximumByteCount(format: format) + 1
  }
}

/// Wake the threads of a pool.
package struct PoolDoorbells: BitwiseCopyable, Sendable {
  /// The worker's.
  package var worker = Doorbell.silent
  /// Each encoder's.
  package var encoders = InlineArray<4, Doorbell>(repeating: .silent)

  package init() {}
}

/// One of several encoders, each on a thread of its own: it encodes the pictures that it is handed into memory of its
/// own, where a ``JPEGWorker`` or a ``ViewCapture`` collects them.
///
/// It never waits: until the last picture has been collected it has nothing to do.
package struct PoolEncoder: ~Copyable {
  var coder: PictureCoder
  let buffers: CameraBuffers
  var rawPictures: QueueConsumer<RawPicture>
  var emptiedBuffers: QueueProducer<UInt16>
  var codedPictures: PacketRingProducer<PictureHeader>
  /// Nil where what it makes is not recorded.
  var times: WorkTimes?

  /// Call once, before ``step()`` and on the same thread: this may use the heap.
  package mutating func prepareThread() { coder.prepareThread() }

  /// Encodes the next picture.
  /// - Returns: false when there was none, or the last one has not been collected.
  package mutating func step() -> Bool {
    guard let picture = rawPictures.peek(), encode(picture) else { return false }
    _ = rawPictures.pop()
    emptiedBuffers.giveBack(picture.bufferIndex)
    return true
  }

  /// A picture that cannot be encoded becomes an empty packet, to keep its place in the order.
  private mutating func encode(_ picture: RawPicture) -> Bool {
    let start = times?.begin()
    switch codedPictures.append(picture, in: buffers, encodedBy: &coder) {
    case .delivered:
      if let start { times?.end(start) }
      return true
    case .ringFull: return false
    case .unusable:
      guard codedPictures.acquire(maximumByteCount: 0) != nil else { return false }
      codedPictures.commit(picture.header, byteCount: 0)
      return true
    }
  }
}
