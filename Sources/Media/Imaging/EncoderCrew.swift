import Values
import Rings

/// The worker that the camera's pictures go to and, where several are to be coded at the same time, the lanes that code
/// for it.
///
/// Frozen, so that another module may take it apart and give each its thread.
@frozen public struct EncoderCrew: ~Copyable {
  /// Codes by itself where there are no lanes.
  public var worker: EncoderWorker
  /// None, or as many as were asked for; the others are nil.
  public var lanes: InlineArray<4, EncoderLane?>

  /// The most that work at the same time: 30 pictures a second of 1080p would not keep more busy.
  public static var maximumCount: Int { 4 }

  /// What `count` encoders take of boot memory.
  public static func byteCount(count: Int, format: VideoFormat) -> Int {
    let coder = PictureCoder.byteCount(format: format)
    guard count > 1 else { return coder }
    return count
      * (coder + Queue<RawPicture>.byteCount(capacity: CameraBuffers.maximumCount)
        + Queue<UInt16>.byteCount(capacity: CameraBuffers.maximumCount)
        + PacketRing<PictureHeader>.byteCount(capacityPackets: 1, capacityBytes: stagingByteCount(format)))
  }

  /// - Parameters:
  ///   - count: 1…``maximumCount``; one needs no lane.
  ///   - format: what the camera delivers.
  ///   - quality: 1…100 on the scale of libjpeg.
  ///   - rawPictures: filled buffers, from the loop.
  ///   - emptiedBuffers: indices of buffers, back to the loop; holds as many as there are buffers.
  ///   - encodedPictures: has more than ``PictureCoder/maximumByteCount(format:)`` bytes, or nothing ever fits.
  ///   - memory: gives ``byteCount(count:format:)`` bytes for the life of the process.
  /// - Throws: as ``PictureCoder``.
  public init(
    count: Int, format: VideoFormat, quality: Int, buffers: CameraBuffers, counters: EncoderCounters,
    rawPictures: consuming QueueConsumer<RawPicture>, emptiedBuffers: consuming QueueProducer<UInt16>,
    encodedPictures: consuming PacketRingProducer<PictureHeader>, in memory: inout BootMemory
  ) throws(JPEGEncoderError) {
    precondition((1...Self.maximumCount).contains(count), "1 to 4 encoders")
    var lanes = InlineArray<4, EncoderLane?> { _ in nil }
    var rota = EncoderRota()
    var coder: PictureCoder?
    if count == 1 {
      coder = try PictureCoder(format: format, quality: quality, in: &memory)
    } else {
      for index in 0..<count {
        let laneCoder = try PictureCoder(format: format, quality: quality, in: &memory)
        lanes[index] = try Self.lane(laneCoder, format, buffers, joining: &rota, in: &memory)
      }
    }
    worker = EncoderWorker(
      coder: coder, rota: rota, buffers: buffers, counters: counters, rawPictures: rawPictures,
      emptiedBuffers: emptiedBuffers, encodedPictures: encodedPictures)
    self.lanes = lanes
  }

  private static func lane(
    _ coder: consuming PictureCoder, _ format: VideoFormat, _ buffers: CameraBuffers, joining rota: inout EncoderRota,
    in memory: inout BootMemory
  ) throws(JPEGEncoderError) -> EncoderLane {
    guard let raw = Queue<RawPicture>(capacity: CameraBuffers.maximumCount, in: &memory),
      let emptied = Queue<UInt16>(capacity: CameraBuffers.maximumCount, in: &memory),
      let coded = PacketRing<PictureHeader>(
        capacityPackets: 1, capacityBytes: Self.stagingByteCount(format), in: &memory)
    else { throw .memoryTooSmall(neededByteCount: byteCount(count: 2, format: format)) }
    rota.join(
      EncoderLaneLink(rawPictures: raw.producer, emptiedBuffers: emptied.consumer, codedPictures: coded.consumer))
    return EncoderLane(
      coder: coder, buffers: buffers, rawPictures: raw.consumer, emptiedBuffers: emptied.producer,
      codedPictures: coded.producer)
  }

  /// One picture of the largest size; the ring keeps one byte free.
  private static func stagingByteCount(_ format: VideoFormat) -> Int {
    PictureCoder.maximumByteCount(format: format) + 1
  }
}
