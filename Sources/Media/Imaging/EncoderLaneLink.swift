import Values
import Rings

/// A worker's ends of the ways to and from an ``EncoderLane``.
struct EncoderLaneLink: ~Copyable {
  private var rawPictures: QueueProducer<RawPicture>
  private var emptiedBuffers: QueueConsumer<UInt16>
  private var codedPictures: PacketRingConsumer<PictureHeader>
  var lane = Doorbell.silent

  init(
    rawPictures: consuming QueueProducer<RawPicture>, emptiedBuffers: consuming QueueConsumer<UInt16>,
    codedPictures: consuming PacketRingConsumer<PictureHeader>
  ) {
    self.rawPictures = rawPictures
    self.emptiedBuffers = emptiedBuffers
    self.codedPictures = codedPictures
  }

  mutating func hand(_ picture: RawPicture) {
    let isPassed = rawPictures.push(picture)
    precondition(isPassed, "a lane's queue has room for every buffer of the camera")
    lane.ring()
  }

  /// A buffer that the lane is done with; nil when there is none.
  mutating func takeEmptied() -> UInt16? { emptiedBuffers.pop() }

  /// Puts the oldest picture that is coded into the frame ring, and lets the lane go on.
  /// - Returns: nil when none is coded yet.
  mutating func fetch(
    into encodedPictures: inout PacketRingProducer<PictureHeader>
  ) -> (outcome: PictureOutcome, header: PictureHeader)? {
    let sequence = codedPictures.first
    guard sequence < codedPictures.end else { return nil }
    let header = codedPictures.header(at: sequence)
    let outcome = Self.copy(codedPictures.bytes(at: sequence), header, into: &encodedPictures)
    codedPictures.release(before: sequence + 1)
    lane.ring()
    return (outcome, header)
  }

  private static func copy(
    _ jpeg: RawSpan, _ header: PictureHeader, into encodedPictures: inout PacketRingProducer<PictureHeader>
  ) -> PictureOutcome {
    guard !jpeg.isEmpty else { return .unusable }
    guard var room = encodedPictures.acquire(maximumByteCount: jpeg.byteCount) else { return .ringFull }
    room.copy(jpeg)
    encodedPictures.commit(header, byteCount: jpeg.byteCount)
    return .delivered
  }
}
