import Media
import Rings

/// Takes the camera's pictures in order, puts them into the frame ring as JPEG, and gives their buffers back.
///
/// It never waits: a picture that finds the ring full is dropped and counted.
public struct EncoderWorker: ~Copyable {
  private let buffers: CameraBuffers
  private let counters: EncoderCounters
  private var coder: PictureCoder
  private var rawPictures: QueueConsumer<RawPicture>
  private var emptiedBuffers: QueueProducer<UInt16>
  private var encodedPictures: PacketRingProducer<PictureHeader>

  /// - Parameters:
  ///   - coder: made for what the camera delivers.
  ///   - rawPictures: filled buffers, from the loop.
  ///   - emptiedBuffers: indices of buffers, back to the loop; holds as many as there are buffers.
  ///   - encodedPictures: has more than ``PictureCoder/maximumByteCount(format:)`` bytes, or nothing ever fits.
  public init(
    coder: consuming PictureCoder, buffers: CameraBuffers, counters: EncoderCounters,
    rawPictures: consuming QueueConsumer<RawPicture>, emptiedBuffers: consuming QueueProducer<UInt16>,
    encodedPictures: consuming PacketRingProducer<PictureHeader>
  ) {
    self.coder = coder
    self.buffers = buffers
    self.counters = counters
    self.rawPictures = rawPictures
    self.emptiedBuffers = emptiedBuffers
    self.encodedPictures = encodedPictures
  }

  /// To be called once by the thread that is to call ``step()``, before that: it may use the heap.
  public mutating func prepareThread() { coder.prepareThread() }

  /// Deals with the next picture.
  /// - Returns: false when there was none.
  public mutating func step() -> Bool {
    guard let picture = rawPictures.pop() else { return false }
    switch deliver(picture) {
    case .delivered: counters.countDelivered()
    case .ringFull: counters.countDropped(samplePosition: picture.header.samplePosition)
    case .unusable: counters.countFailed()
    }
    let isGivenBack = emptiedBuffers.push(picture.bufferIndex)
    precondition(isGivenBack, "the queue of emptied buffers holds fewer than the camera has")
    return true
  }

  private enum Outcome {
    case delivered
    case ringFull
    case unusable
  }

  private mutating func deliver(_ picture: RawPicture) -> Outcome {
    let buffers = buffers
    guard let bytes = buffers[Int(picture.bufferIndex), byteCount: picture.byteCount] else { return .unusable }
    return Self.code(bytes, picture, with: &coder, into: &encodedPictures)
  }

  private static func code(
    _ bytes: RawSpan, _ picture: RawPicture, with coder: inout PictureCoder,
    into encodedPictures: inout PacketRingProducer<PictureHeader>
  ) -> Outcome {
    let roomByteCount = coder.roomByteCount(picture: bytes, zoomFactor: picture.zoomFactor)
    guard var room = encodedPictures.acquire(maximumByteCount: roomByteCount) else { return .ringFull }
    guard let byteCount = try? coder.code(picture: bytes, zoomFactor: picture.zoomFactor, into: &room) else {
      return .unusable
    }
    encodedPictures.commit(picture.header, byteCount: byteCount)
    return .delivered
  }
}
