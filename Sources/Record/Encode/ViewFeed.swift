import Base
import Media

/// JPEGs for the live views when the machine's encoder is used, whose packets in the picture ring no view can decode.
package struct ViewFeed: ~Copyable {
  var capture: ViewCapture
  /// Makes the JPEGs, on its own thread.
  var encoder: PoolEncoder

  /// - Parameters:
  ///   - pictures: the ring that the views read.
  ///   - doorbell: wakes the encoder's thread.
  init(
    _ pictures: consuming PacketRing<PictureHeader>, format: VideoFormat, quality: Int, waking doorbell: Doorbell,
    buffers: CameraBuffers, in memory: inout BootMemory
  ) throws(JPEGEncoderError) {
    guard let raw = Queue<RawPicture>(capacity: 1, waking: doorbell, in: &memory),
      let emptied = Queue<UInt16>(capacity: 1, in: &memory)
    else { throw .memoryTooSmall }
    encoder = PoolEncoder(
      coder: try PictureCoder(format: format, quality: quality, in: &memory), buffers: buffers,
      rawPictures: raw.consumer, emptiedBuffers: emptied.producer, codedPictures: pictures.producer)
    capture = ViewCapture(pictures: raw.producer, emptied: emptied.consumer, coded: pictures.consumer)
  }
}

/// Passes an occasional picture to the live views' encoder; one at a time, so that it never takes more than one buffer
/// from the camera.
package struct ViewCapture: ~Copyable {
  var pictures: QueueProducer<RawPicture>
  var emptied: QueueConsumer<UInt16>
  var coded: PacketRingConsumer<PictureHeader>
  var isEncoderBusy = false
  var nextExposure: Instant = 0
  /// The shortest time from one picture to the next.
  package var periodNanoseconds: UInt64 = 0

  /// Offers a picture that goes into the picture ring.
  /// - Returns: whether it was also given to the views' encoder.
  package mutating func take(_ picture: RawPicture) -> Bool {
    let exposure = picture.header.instant
    guard !isEncoderBusy, exposure >= nextExposure else { return false }
    let isPassed = pictures.push(picture)
    precondition(isPassed, "the queue to the views' encoder holds the one picture that is being encoded")
    isEncoderBusy = true
    nextExposure = exposure + periodNanoseconds
    return true
  }

  /// The buffer returned by the encoder; nil if there is none.
  package mutating func takeEmptied() -> UInt16? {
    guard let index = emptied.pop() else { return nil }
    isEncoderBusy = false
    // A view that is copying an older picture detects that it is gone, and takes the newest.
    if coded.end > coded.first { coded.release(before: coded.end - 1) }
    return index
  }
}
