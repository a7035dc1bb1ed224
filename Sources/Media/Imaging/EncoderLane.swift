import Values
import Rings

/// An encoder beside others: it codes the pictures that it is handed, each into room of its own, where whoever handed
/// it, such as an ``EncoderWorker``, fetches it when its turn has come.
///
/// It never waits: while the picture before is not fetched it has nothing to do.
public struct EncoderLane: ~Copyable {
  private let buffers: CameraBuffers
  private var coder: PictureCoder
  private var rawPictures: QueueConsumer<RawPicture>
  private var emptiedBuffers: QueueProducer<UInt16>
  private var codedPictures: PacketRingProducer<PictureHeader>
  private var worker = Doorbell.silent

  /// - Parameters:
  ///   - coder: made for what the camera delivers.
  ///   - rawPictures: filled buffers.
  ///   - emptiedBuffers: indices of the same buffers; holds as many as `rawPictures`.
  ///   - codedPictures: has more than ``PictureCoder/maximumByteCount(format:)`` bytes, or nothing ever fits.
  public init(
    coder: consuming PictureCoder, buffers: CameraBuffers, rawPictures: consuming QueueConsumer<RawPicture>,
    emptiedBuffers: consuming QueueProducer<UInt16>, codedPictures: consuming PacketRingProducer<PictureHeader>
  ) {
    self.coder = coder
    self.buffers = buffers
    self.rawPictures = rawPictures
    self.emptiedBuffers = emptiedBuffers
    self.codedPictures = codedPictures
  }

  /// - Parameter worker: wakes the one that fetches what is coded here.
  public mutating func connect(worker: Doorbell) { self.worker = worker }

  /// To be called once by the thread that is to call ``step()``, before that: it may use the heap.
  public mutating func prepareThread() { coder.prepareThread() }

  /// Codes the next picture.
  /// - Returns: false when there was none, or the one before has not been fetched.
  public mutating func step() -> Bool {
    guard let picture = rawPictures.peek(), code(picture) else { return false }
    _ = rawPictures.pop()
    let isGivenBack = emptiedBuffers.push(picture.bufferIndex)
    precondition(isGivenBack, "the queue of emptied buffers holds fewer than the camera has")
    worker.ring()
    return true
  }

  private mutating func code(_ picture: RawPicture) -> Bool {
    let buffers = buffers
    guard let bytes = buffers[Int(picture.bufferIndex), byteCount: picture.byteCount] else {
      return Self.giveUp(picture, in: &codedPictures)
    }
    return Self.code(bytes, picture, with: &coder, into: &codedPictures)
  }

  /// A picture that cannot be coded is a packet without bytes: it keeps its place in the order.
  private static func giveUp(_ picture: RawPicture, in pictures: inout PacketRingProducer<PictureHeader>) -> Bool {
    guard pictures.acquire(maximumByteCount: 0) != nil else { return false }
    pictures.commit(picture.header, byteCount: 0)
    return true
  }

  private static func code(
    _ bytes: RawSpan, _ picture: RawPicture, with coder: inout PictureCoder,
    into pictures: inout PacketRingProducer<PictureHeader>
  ) -> Bool {
    let roomByteCount = coder.roomByteCount(picture: bytes, zoomFactor: picture.zoomFactor)
    guard var room = pictures.acquire(maximumByteCount: roomByteCount) else { return false }
    let byteCount = try? coder.code(picture: bytes, zoomFactor: picture.zoomFactor, into: &room)
    pictures.commit(picture.header, byteCount: byteCount ?? 0)
    return true
  }
}
