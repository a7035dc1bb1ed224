import Values
import Rings

/// Hands pictures to lanes in turn and fetches them in the same turn, so that they stay in order whoever is done first.
struct EncoderRota: ~Copyable {
  private var links: InlineArray<4, EncoderLaneLink?>
  private var laneCount: UInt64 = 0
  private var handedOutCount: UInt64 = 0
  private var fetchedCount: UInt64 = 0

  /// Without lanes.
  init() { links = InlineArray { _ in nil } }

  /// Before the first picture.
  mutating func join(_ link: consuming EncoderLaneLink) {
    links[Int(laneCount)] = consume link
    laneCount += 1
  }

  /// - Parameters:
  ///   - index: below the number of lanes.
  ///   - lane: wakes that lane's thread.
  mutating func connect(lane: Doorbell, at index: Int) { links[index]!.lane = lane }

  /// Whether a picture was handed out that has not been fetched.
  var isAwaitingLanes: Bool { fetchedCount < handedOutCount }

  mutating func hand(_ picture: RawPicture) {
    links[Int(handedOutCount % laneCount)]!.hand(picture)
    handedOutCount += 1
  }

  /// A buffer that some lane is done with, in whatever order; nil when there is none.
  mutating func takeEmptied() -> UInt16? {
    for index in 0..<Int(laneCount) {
      if let buffer = links[index]!.takeEmptied() { return buffer }
    }
    return nil
  }

  /// Puts the picture that comes next into the frame ring.
  /// - Returns: nil while its lane is not done with it.
  mutating func fetch(
    into encodedPictures: inout PacketRingProducer<PictureHeader>
  ) -> (outcome: PictureOutcome, header: PictureHeader)? {
    guard isAwaitingLanes,
      let fetched = links[Int(fetchedCount % laneCount)]!.fetch(into: &encodedPictures)
    else { return nil }
    fetchedCount += 1
    return fetched
  }
}
