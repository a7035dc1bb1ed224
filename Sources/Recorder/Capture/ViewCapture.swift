import Values
import Rings

/// Passes a picture now and then to a lane that makes JPEGs for the live views, where the frame ring holds what they
/// cannot decode; one at a time, so that the camera never lacks more than one buffer for it.
public struct ViewCapture: ~Copyable {
  private var pictures: QueueProducer<RawPicture>
  private var emptied: QueueConsumer<UInt16>
  private var coded: PacketRingConsumer<PictureHeader>
  private var isLaneBusy = false
  private var nextNanoseconds: UInt64 = 0
  /// From one picture to the next, at least.
  public var periodNanoseconds: UInt64 = 0

  /// - Parameters:
  ///   - pictures: to the lane.
  ///   - emptied: from the lane, the index of the buffer that it is done with.
  ///   - coded: what the lane has made; the views look at the newest of it.
  public init(
    pictures: consuming QueueProducer<RawPicture>, emptied: consuming QueueConsumer<UInt16>,
    coded: consuming PacketRingConsumer<PictureHeader>
  ) {
    self.pictures = pictures
    self.emptied = emptied
    self.coded = coded
  }

  /// - Parameter encoder: wakes whoever makes the JPEGs; rung at each picture.
  public mutating func connect(encoder: Doorbell) { pictures.doorbell = encoder }

  /// Shows a picture that the encoder was given.
  /// - Returns: whether the lane was given it as well.
  mutating func take(_ picture: RawPicture) -> Bool {
    let exposure = picture.header.monotonicNanoseconds
    guard !isLaneBusy, exposure >= nextNanoseconds else { return false }
    let isPassed = pictures.push(picture)
    precondition(isPassed, "the queue to the view's lane has room for the one picture that is being made")
    isLaneBusy = true
    nextNanoseconds = exposure + periodNanoseconds
    return true
  }

  /// The buffer that the lane is done with; nil when it still works, or does not.
  mutating func takeEmptied() -> UInt16? {
    guard let index = emptied.pop() else { return nil }
    isLaneBusy = false
    // A view that copies the one before is told that it is gone, and takes the newest.
    if coded.end > coded.first { coded.release(before: coded.end - 1) }
    return index
  }
}
