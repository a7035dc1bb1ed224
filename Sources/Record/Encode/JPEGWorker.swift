import Base
import Machine
import Media

/// Takes the camera's pictures in order, puts them into the picture ring as JPEGs, and returns their buffers.
///
/// Alone, it encodes each picture straight into the ring. With a pool of encoders, it hands the pictures out and copies
/// the JPEGs into the ring in order. It never blocks: a picture that finds the ring full is dropped and counted.
package struct JPEGWorker: ~Copyable {
  /// Nil if there is a pool, whose encoders have their own.
  var coder: PictureCoder?
  var dispatcher = EncoderDispatcher()
  let buffers: CameraBuffers
  let counters: EncoderCounters
  /// Filled buffers, from the loop.
  var rawPictures: QueueConsumer<RawPicture>
  /// Buffer indices, back to the loop; has room for one per buffer.
  var emptiedBuffers: QueueProducer<UInt16>
  /// Has more than ``PictureCoder/maximumByteCount(format:)`` bytes, or nothing ever fits.
  var encodedPictures: PacketRingProducer<PictureHeader>

  /// Call once, before ``step()`` and on the same thread: this may use the heap.
  package mutating func prepareThread() {
    if coder != nil { coder!.prepareThread() }
  }

  /// Handles the next picture, or the result of an earlier one.
  /// - Returns: false if there was nothing to do.
  package mutating func step() -> Bool {
    guard coder == nil else { return encodeNext() }
    let hasGivenBack = giveBuffersBack()
    let hasCollected = collectNext()
    return handOutNext() || hasCollected || hasGivenBack
  }

  /// Whether the pool still has pictures to deliver, before which the worker must not end.
  package var isAwaitingEncoders: Bool { dispatcher.isAwaitingEncoders }

  /// Whether it has pictures that it has not finished.
  var isAwaitingPictures: Bool { isAwaitingEncoders || rawPictures.count > 0 }

  private func count(_ outcome: PictureOutcome, _ header: PictureHeader) {
    switch outcome {
    case .delivered: counters.countDelivered()
    case .ringFull: counters.countDropped()
    case .unusable: counters.countFailed()
    }
  }

  private mutating func encodeNext() -> Bool {
    guard let picture = rawPictures.pop() else { return false }
    let start = counters.times.begin()
    let outcome = encodedPictures.append(picture, in: buffers, encodedBy: &coder!)
    if outcome == .delivered { counters.times.end(start) }
    count(outcome, picture.header)
    emptiedBuffers.giveBack(picture.bufferIndex)
    return true
  }

  private mutating func handOutNext() -> Bool {
    guard let picture = rawPictures.pop() else { return false }
    dispatcher.hand(picture)
    return true
  }

  private mutating func giveBuffersBack() -> Bool {
    var hasGivenBack = false
    while let index = dispatcher.takeEmptied() {
      emptiedBuffers.giveBack(index)
      hasGivenBack = true
    }
    return hasGivenBack
  }

  private mutating func collectNext() -> Bool {
    guard let (outcome, header) = dispatcher.collect(into: &encodedPictures) else { return false }
    count(outcome, header)
    return true
  }
}

/// What happened to a picture that reached the encoder.
enum PictureOutcome {
  case delivered
  case ringFull
  /// It could not be encoded, or was not in the camera's format.
  case unusable
}

extension PacketRingProducer<PictureHeader> {
  /// Encodes a picture straight into the ring. A stand-in is encoded already.
  mutating func append(
    _ picture: RawPicture, in buffers: CameraBuffers, encodedBy coder: inout PictureCoder
  ) -> PictureOutcome {
    guard let bytes = buffers[Int(picture.bufferIndex), byteCount: picture.byteCount] else { return .unusable }
    guard !picture.header.isStandIn else { return append(bytes, picture.header) }
    let format = buffers.format
    let maximum = coder.maximumByteCount(picture: bytes, zoomFactor: picture.zoomFactor, of: format)
    guard var space = acquire(maximumByteCount: maximum) else { return .ringFull }
    guard let byteCount = try? coder.code(picture: bytes, zoomFactor: picture.zoomFactor, of: format, into: &space)
    else {
      return .unusable
    }
    commit(picture.header, byteCount: byteCount)
    return .delivered
  }

  /// Copies a picture made by an encoder of the pool. If it is empty, it could not be encoded.
  mutating func append(_ jpeg: RawSpan, _ header: PictureHeader) -> PictureOutcome {
    guard !jpeg.isEmpty else { return .unusable }
    guard var space = acquire(maximumByteCount: jpeg.byteCount) else { return .ringFull }
    space.copy(jpeg)
    commit(header, byteCount: jpeg.byteCount)
    return .delivered
  }
}

extension QueueProducer<UInt16> {
  /// Returns one of the camera's buffers.
  mutating func giveBack(_ bufferIndex: UInt16) {
    let isGivenBack = push(bufferIndex)
    precondition(isGivenBack, "the queue of emptied buffers holds fewer than the camera has")
  }
}

/// Encodes the camera's pictures with the machine's encoder, or to JPEG on its processors.
@frozen package enum PictureWorker: ~Copyable {
  /// Uses the machine's encoder, as long as it works.
  case codec(CodecWorker)
  /// Uses the machine's processors.
  case jpeg(JPEGWorker)

  /// Call once, before ``step()`` and on the same thread: this may use the heap.
  package mutating func prepareThread() {
    switch consume self {
    case .codec(var worker):
      worker.prepareThread()
      self = .codec(worker)
    case .jpeg(var worker):
      worker.prepareThread()
      self = .jpeg(worker)
    }
  }

  /// Whether the pool still has pictures to deliver, before which the worker must not end.
  package var isAwaitingEncoders: Bool {
    switch self {
    case .codec: false
    case .jpeg(let worker): worker.isAwaitingEncoders
    }
  }

  /// Whether it has pictures that it has not finished.
  package var isAwaitingPictures: Bool {
    switch self {
    case .codec: true
    case .jpeg(let worker): worker.isAwaitingPictures
    }
  }

  /// Does the next bounded piece of work.
  /// - Returns: false if there was none.
  @export(interface)
  package mutating func step() -> Bool {
    switch consume self {
    case .codec(var worker):
      if worker.isReplaced {
        self = .jpeg(worker.intoJPEGWorker())
        return true
      }
      let hasWorked = worker.step()
      self = .codec(worker)
      return hasWorked
    case .jpeg(var worker):
      let hasWorked = worker.step()
      self = .jpeg(worker)
      return hasWorked
    }
  }
}
