import Base
import Media
import Synchronization

/// The worker that makes JPEGs from the camera's pictures, and its encoders if several pictures are encoded
/// simultaneously.
///
/// Frozen, so that another module may consume its parts and give each its own thread.
@frozen package struct EncoderPool: ~Copyable {
  /// Encodes alone if ``encoders`` is empty.
  package var worker: JPEGWorker
  /// None, or the requested number; the rest are nil.
  package var encoders: InlineArray<4, PoolEncoder?>

  /// The most encoders that work simultaneously: 30 pictures a second in 1080p would not keep more busy.
  package static var maximumCount: Int { 4 }

  /// How many encoders there are.
  /// - Parameters:
  ///   - wanted: the configured number; nil for one that suits the machine.
  ///   - processorCount: how many threads can run simultaneously. The loop and the storage worker need one.
  package static func count(wanted: UInt8?, processorCount: Int) -> Int {
    wanted.map { Int($0) } ?? min(max(processorCount - 1, 1), maximumCount)
  }

  /// - Parameters:
  ///   - count: 1…``maximumCount``; 1 is the worker alone.
  ///   - format: the camera's format.
  ///   - quality: 1…100 on the scale of libjpeg.
  ///   - bells: wake the threads.
  ///   - rawPictures: filled buffers, from the loop.
  ///   - emptiedBuffers: buffer indices, back to the loop; has room for all of them.
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

/// The doorbells of a pool's threads.
package struct PoolDoorbells: BitwiseCopyable, Sendable {
  /// Wakes the worker.
  package var worker = Doorbell.silent
  /// Wakes each encoder.
  package var encoders = InlineArray<4, Doorbell>(repeating: .silent)

  package init() {}
}

/// One of several encoders, each on its own thread: it encodes pictures into its own memory, from which a
/// ``JPEGWorker`` or a ``ViewCapture`` collects them.
///
/// It never blocks: until its last picture has been collected it has nothing to do.
package struct PoolEncoder: ~Copyable {
  var coder: PictureCoder
  let buffers: CameraBuffers
  var rawPictures: QueueConsumer<RawPicture>
  var emptiedBuffers: QueueProducer<UInt16>
  var codedPictures: PacketRingProducer<PictureHeader>
  /// Nil if its output is not recorded.
  var times: WorkTimes?

  /// Call once, before ``step()`` and on the same thread: this may use the heap.
  package mutating func prepareThread() { coder.prepareThread() }

  /// Whether a picture is waiting.
  package var hasPicture: Bool { rawPictures.count > 0 }

  /// Encodes the next picture.
  /// - Returns: false if there was none, or the last one has not been collected.
  @export(interface)
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

/// How many pictures are encoded simultaneously.
package struct EncoderCount: Equatable {
  /// When the camera's pictures must be encoded.
  package enum Need: Sendable {
    case always
    /// The camera encodes; its pictures are encoded again only while the recorder zooms.
    case whileZoomed
    case never
  }

  /// 1…``EncoderPool/maximumCount``.
  package let count: Int
  package let need: Need

  /// - Parameters:
  ///   - wanted: as for ``EncoderPool/count(wanted:processorCount:)``.
  ///   - processorCount: likewise.
  ///   - video: the camera's format; nil without a camera.
  ///   - cameraZooms: whether the camera zooms by itself.
  ///   - isCodedByMachine: whether the machine has an encoder for the pictures; its substitute takes one processor.
  package init(
    wanted: UInt8?, processorCount: Int, video: VideoFormat?, cameraZooms: Bool, isCodedByMachine: Bool = false
  ) {
    need =
      switch video?.pixelFormat {
      case nil: .never
      case _ where isCodedByMachine: .never
      case .mjpeg: cameraZooms ? .never : .whileZoomed
      default: .always
      }
    count = need == .never ? 1 : EncoderPool.count(wanted: wanted, processorCount: processorCount)
  }

  /// For the boot message; nil if there is nothing to report.
  package var line: FixedText<64>? {
    guard need != .never else { return nil }
    let occasion: StaticString = need == .always ? "" : " while zoomed"
    return "encoding on \(count: count, "processor")\(occasion)"
  }
}

/// Counts the fates of pictures that reached the encoder. The encoder's thread counts; any thread may read.
@safe package struct EncoderCounters: @unchecked Sendable {
  // Safe: boot memory outlives every thread, and contains only atomics here.
  private let counts: UnsafePointer<Counts>
  /// The times taken to make each JPEG.
  package let times: WorkTimes

  /// - Parameter clock: times the encoding.
  /// - Returns: nil if `memory` is used up.
  package init?(in memory: inout BootMemory, clock: WorkTimes.Clock? = nil) {
    guard let counts = unsafe memory.place(Counts()), let times = WorkTimes(in: &memory, clock: clock) else {
      return nil
    }
    self.times = times
    unsafe self.counts = UnsafePointer(counts)
  }

  /// Pictures that were put into the ring.
  package var deliveredPictureCount: UInt64 { unsafe counts.pointee.delivered.load(ordering: .acquiring) }

  /// Pictures lost because the ring was full.
  package var droppedPictureCount: UInt64 { unsafe counts.pointee.dropped.load(ordering: .acquiring) }

  /// Pictures lost because they could not be encoded, or were not in the camera's format.
  package var failedPictureCount: UInt64 { unsafe counts.pointee.failed.load(ordering: .acquiring) }

  /// The number of pictures that were delivered, dropped or lost.
  package var settledPictureCount: UInt64 { deliveredPictureCount + droppedPictureCount + failedPictureCount }

  func countDelivered() {
    unsafe counts.pointee.delivered.wrappingAdd(1, ordering: .releasing)
  }

  func countDropped() {
    unsafe counts.pointee.dropped.wrappingAdd(1, ordering: .releasing)
  }

  func countFailed() {
    unsafe counts.pointee.failed.wrappingAdd(1, ordering: .releasing)
  }

  private struct Counts: ~Copyable {
    let delivered = Atomic<UInt64>(0)
    let dropped = Atomic<UInt64>(0)
    let failed = Atomic<UInt64>(0)
  }
}

/// Hands pictures to a pool's encoders in rotation and collects them in the same order, whichever finishes first.
struct EncoderDispatcher: ~Copyable {
  /// The queues to and from one ``PoolEncoder``.
  private struct Channel: ~Copyable {
    var rawPictures: QueueProducer<RawPicture>
    var emptiedBuffers: QueueConsumer<UInt16>
    var codedPictures: PacketRingConsumer<PictureHeader>
  }

  private var channels: InlineArray<4, Channel?>
  private var encoderCount: UInt64 = 0
  private var handedOutCount: UInt64 = 0
  private var collectedCount: UInt64 = 0

  /// Creates a dispatcher without encoders.
  init() { channels = InlineArray { _ in nil } }

  /// Adds an encoder by its queues. Only before the first picture.
  mutating func add(
    rawPictures: consuming QueueProducer<RawPicture>, emptiedBuffers: consuming QueueConsumer<UInt16>,
    codedPictures: consuming PacketRingConsumer<PictureHeader>
  ) {
    channels[Int(encoderCount)] = Channel(
      rawPictures: rawPictures, emptiedBuffers: emptiedBuffers, codedPictures: codedPictures)
    encoderCount += 1
  }

  /// Whether a picture has been handed out and not collected.
  var isAwaitingEncoders: Bool { collectedCount < handedOutCount }

  /// Hands a picture to the next encoder.
  mutating func hand(_ picture: RawPicture) {
    let index = Int(handedOutCount % encoderCount)
    let isPassed = channels[index]!.rawPictures.push(picture)
    precondition(isPassed, "an encoder's queue holds every buffer of the camera")
    handedOutCount += 1
  }

  /// A buffer that an encoder no longer needs, in any order; nil if there is none.
  mutating func takeEmptied() -> UInt16? {
    for index in 0..<Int(encoderCount) {
      if let buffer = channels[index]!.emptiedBuffers.pop() { return buffer }
    }
    return nil
  }

  /// Puts the next picture in order into the picture ring, and lets its encoder continue.
  /// - Returns: nil while its encoder is still working on it.
  mutating func collect(
    into encodedPictures: inout PacketRingProducer<PictureHeader>
  ) -> (outcome: PictureOutcome, header: PictureHeader)? {
    guard isAwaitingEncoders,
      let collected = Self.collect(&channels[Int(collectedCount % encoderCount)]!, into: &encodedPictures)
    else { return nil }
    collectedCount += 1
    return collected
  }

  private static func collect(
    _ channel: inout Channel, into encodedPictures: inout PacketRingProducer<PictureHeader>
  ) -> (outcome: PictureOutcome, header: PictureHeader)? {
    let sequence = channel.codedPictures.first
    guard sequence < channel.codedPictures.end else { return nil }
    let header = channel.codedPictures.header(at: sequence)
    let outcome = encodedPictures.append(channel.codedPictures.bytes(at: sequence), header)
    channel.codedPictures.release(before: sequence + 1)
    channel.rawPictures.doorbell.ring()
    return (outcome, header)
  }
}
