import Values
import Rings

/// Takes the camera's pictures in order, puts them into the frame ring as JPEG, and gives their buffers back.
///
/// Alone it codes each picture straight into the ring. With lanes it hands the pictures out and copies what they made of
/// them, in order. It never waits: a picture that finds the ring full is dropped and counted.
public struct EncoderWorker: ~Copyable {
  private let buffers: CameraBuffers
  private let counters: EncoderCounters
  /// Nil: the lanes of the rota have theirs.
  private var coder: PictureCoder?
  private var rota: EncoderRota
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
    self.init(
      coder: coder, rota: EncoderRota(), buffers: buffers, counters: counters, rawPictures: rawPictures,
      emptiedBuffers: emptiedBuffers, encodedPictures: encodedPictures)
  }

  init(
    coder: consuming PictureCoder?, rota: consuming EncoderRota, buffers: CameraBuffers, counters: EncoderCounters,
    rawPictures: consuming QueueConsumer<RawPicture>, emptiedBuffers: consuming QueueProducer<UInt16>,
    encodedPictures: consuming PacketRingProducer<PictureHeader>
  ) {
    self.coder = coder
    self.rota = rota
    self.buffers = buffers
    self.counters = counters
    self.rawPictures = rawPictures
    self.emptiedBuffers = emptiedBuffers
    self.encodedPictures = encodedPictures
  }

  /// - Parameters:
  ///   - index: of a lane that there is.
  ///   - lane: wakes that lane's thread.
  public mutating func connect(lane: Doorbell, at index: Int) { rota.connect(lane: lane, at: index) }

  /// To be called once by the thread that is to call ``step()``, before that: it may use the heap.
  public mutating func prepareThread() {
    if coder != nil { coder!.prepareThread() }
  }

  /// Deals with the next picture, or with what has become of one.
  /// - Returns: false when there was nothing to do.
  public mutating func step() -> Bool {
    guard coder == nil else { return codeNext() }
    let hasGivenBack = giveBuffersBack()
    let hasFetched = fetchNext()
    return handOutNext() || hasFetched || hasGivenBack
  }

  /// Whether lanes have pictures that are still to come: whoever ends the worker waits for them.
  public var isAwaitingLanes: Bool { rota.isAwaitingLanes }

  private func count(_ outcome: PictureOutcome, _ header: PictureHeader) {
    switch outcome {
    case .delivered: counters.countDelivered()
    case .ringFull: counters.countDropped(samplePosition: header.samplePosition)
    case .unusable: counters.countFailed()
    }
  }

  private mutating func giveBack(_ bufferIndex: UInt16) {
    let isGivenBack = emptiedBuffers.push(bufferIndex)
    precondition(isGivenBack, "the queue of emptied buffers holds fewer than the camera has")
  }

  private mutating func codeNext() -> Bool {
    guard let picture = rawPictures.pop() else { return false }
    count(deliver(picture), picture.header)
    giveBack(picture.bufferIndex)
    return true
  }

  private mutating func deliver(_ picture: RawPicture) -> PictureOutcome {
    let buffers = buffers
    guard let bytes = buffers[Int(picture.bufferIndex), byteCount: picture.byteCount] else { return .unusable }
    return Self.code(bytes, picture, with: &coder!, into: &encodedPictures)
  }

  private static func code(
    _ bytes: RawSpan, _ picture: RawPicture, with coder: inout PictureCoder,
    into encodedPictures: inout PacketRingProducer<PictureHeader>
  ) -> PictureOutcome {
    let roomByteCount = coder.roomByteCount(picture: bytes, zoomFactor: picture.zoomFactor)
    guard var room = encodedPictures.acquire(maximumByteCount: roomByteCount) else { return .ringFull }
    guard let byteCount = try? coder.code(picture: bytes, zoomFactor: picture.zoomFactor, into: &room) else {
      return .unusable
    }
    encodedPictures.commit(picture.header, byteCount: byteCount)
    return .delivered
  }

  private mutating func handOutNext() -> Bool {
    guard let picture = rawPictures.pop() else { return false }
    rota.hand(picture)
    return true
  }

  private mutating func giveBuffersBack() -> Bool {
    var hasGivenBack = false
    while let index = rota.takeEmptied() {
      giveBack(index)
      hasGivenBack = true
    }
    return hasGivenBack
  }

  private mutating func fetchNext() -> Bool {
    guard let (outcome, header) = rota.fetch(into: &encodedPictures) else { return false }
    count(outcome, header)
    return true
  }
}
