import Base
import Media

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
