import Capture
import Configuration
import Imaging
import Values
import Rings

/// JPEGs for the live views, for where the machine's encoder fills the frame ring with what no view can decode.
struct ViewFeed: ~Copyable {
  var capture: ViewCapture
  /// Makes the JPEGs, on a thread of its own.
  var lane: EncoderLane

  /// - Parameters:
  ///   - pictures: the ring that the views look into.
  ///   - memory: gives ``byteCount(format:)`` bytes.
  init(
    _ pictures: consuming PacketRing<PictureHeader>, format: VideoFormat, quality: Int, buffers: CameraBuffers,
    in memory: inout BootMemory
  ) throws(JPEGEncoderError) {
    guard let raw = Queue<RawPicture>(capacity: 1, in: &memory), let emptied = Queue<UInt16>(capacity: 1, in: &memory)
    else { throw .memoryTooSmall(neededByteCount: Self.byteCount(format: format)) }
    lane = EncoderLane(
      coder: try PictureCoder(format: format, quality: quality, in: &memory), buffers: buffers,
      rawPictures: raw.consumer, emptiedBuffers: emptied.producer, codedPictures: pictures.producer)
    capture = ViewCapture(pictures: raw.producer, emptied: emptied.consumer, coded: pictures.consumer)
  }

  /// What it takes of boot memory, besides the ring.
  static func byteCount(format: VideoFormat) -> Int {
    PictureCoder.byteCount(format: format) + Queue<RawPicture>.byteCount(capacity: 1)
      + Queue<UInt16>.byteCount(capacity: 1)
  }
}
