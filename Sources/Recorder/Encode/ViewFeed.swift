import Imaging
import Rings
import Values

/// JPEGs for the live views, for use with the machine's encoder, whose packets in the picture ring no view can decode.
public struct ViewFeed: ~Copyable {
  var capture: ViewCapture
  /// Makes the JPEGs, on its own thread.
  var encoder: PoolEncoder

  /// - Parameters:
  ///   - pictures: the ring read by the views.
  ///   - memory: gives ``byteCount(format:)`` bytes.
  init(
    _ pictures: consuming PacketRing<PictureHeader>, format: VideoFormat, quality: Int, buffers: CameraBuffers,
    in memory: inout BootMemory
  ) throws(JPEGEncoderError) {
    guard let raw = Queue<RawPicture>(capacity: 1, in: &memory), let emptied = Queue<UInt16>(capacity: 1, in: &memory)
    else { throw .memoryTooSmall(neededByteCount: Self.byteCount(format: format)) }
    encoder = PoolEncoder(
      coder: try PictureCoder(format: format, quality: quality, in: &memory), buffers: buffers,
      rawPictures: raw.consumer, emptiedBuffers: emptied.producer, codedPictures: pictures.producer)
    capture = ViewCapture(pictures: raw.producer, emptied: emptied.consumer, coded: pictures.consumer)
  }

  /// Bytes of boot memory needed, in addition to the ring.
  public static func byteCount(format: VideoFormat) -> Int {
    PictureCoder.byteCount(format: format) + Queue<RawPicture>.byteCount(capacity: 1)
      + Queue<UInt16>.byteCount(capacity: 1)
  }
}

/// Passes a picture now and then to the live views' encoder; one at a time, so that the camera never lacks more than
/// one buffer because of it.
public struct ViewCapture: ~Copyable {
  private var pictures: QueueProducer<RawPicture>
  private var emptied: QueueConsumer<UInt16>
  private var coded: PacketRingConsumer<PictureHeader>
  private var isEncoderBusy = false
  private var next: Instant = 0
  /// The shortest time from one picture to the next.
  public var periodNanoseconds: UInt64 = 0

  /// - Parameters:
  ///   - pictures: to the encoder.
  ///   - emptied: from the encoder, the index of a buffer that it no longer needs.
  ///   - coded: the encoder's JPEGs, of which the views read the newest.
  public init(
    pictures: consuming QueueProducer<RawPicture>, emptied: consuming QueueConsumer<UInt16>,
    coded: consuming PacketRingConsumer<PictureHeader>
  ) {
    self.pictures = pictures
    self.emptied = emptied
    self.coded = coded
  }

  /// - Parameter encoder: wakes the views' encoder; rung at each picture.
  public mutating func connect(encoder: Doorbell) { pictures.doorbell = encoder }

  /// Offers a picture that goes into the picture ring.
  /// - Returns: whether it was also given to the views' encoder.
  package mutating func take(_ picture: RawPicture) -> Bool {
    let exposure = picture.header.instant
    guard !isEncoderBusy, exposure >= next else { return false }
    let isPassed = pictures.push(picture)
    precondition(isPassed, "the queue to the views' encoder holds the one picture that is being encoded")
    isEncoderBusy = true
    next = exposure + periodNanoseconds
    return true
  }

  /// The buffer returned by the encoder; nil when there is none.
  package mutating func takeEmptied() -> UInt16? {
    guard let index = emptied.pop() else { return nil }
    isEncoderBusy = false
    // A view that is copying an older picture detects that it is gone, and takes the newest.
    if coded.end > coded.first { coded.release(before: coded.end - 1) }
    return index
  }
}
