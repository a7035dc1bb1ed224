import Base
import Media
import TestSupport

@testable import Record

/// An encoder worker with the loop's ends of its queues, the file's end of its ring, and camera buffers filled by the
/// test.
@safe struct WorkerRig: ~Copyable {
  var worker: JPEGWorker
  var rawPictures: QueueProducer<RawPicture>
  var emptiedBuffers: QueueConsumer<UInt16>
  var encodedPictures: PacketRingConsumer<PictureHeader>
  let counters: EncoderCounters
  // Safe: never freed, and large enough for all buffers of `bufferByteCount`.
  private let bufferMemory: UnsafeMutableRawBufferPointer
  private let bufferByteCount: Int

  /// - Parameter bufferCount: 1 to 8.
  init(
    format: VideoFormat, bufferCount: Int = 4, bufferByteCount: Int,
    capacityPackets: Int = 8, capacityBytes: Int
  ) throws {
    var memory = leakedBootMemory(byteCount: capacityBytes + 1 << 16)
    let raw = try unwrapped(Queue<RawPicture>(capacity: bufferCount, in: &memory))
    let emptied = try unwrapped(Queue<UInt16>(capacity: bufferCount, in: &memory))
    let encoded = try unwrapped(
      PacketRing<PictureHeader>(capacityPackets: capacityPackets, capacityBytes: capacityBytes, in: &memory))
    let counters = try unwrapped(EncoderCounters(in: &memory))
    let buffers = try unwrapped(CameraBuffers(in: &memory))
    var coderMemory = leakedBootMemory()
    let coder = try PictureCoder(format: format, quality: 85, in: &coderMemory)
    self.counters = counters
    unsafe bufferMemory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: bufferCount * bufferByteCount, alignment: 4096)
    self.bufferByteCount = bufferByteCount
    for index in 0..<bufferCount {
      let range = index * bufferByteCount..<(index + 1) * bufferByteCount
      unsafe buffers.set(index, to: UnsafeRawBufferPointer(rebasing: bufferMemory[range]))
    }
    worker = JPEGWorker(
      coder: coder, buffers: buffers, counters: counters,
      rawPictures: raw.consumer, emptiedBuffers: emptied.producer, encodedPictures: encoded.producer)
    rawPictures = raw.producer
    emptiedBuffers = emptied.consumer
    encodedPictures = encoded.consumer
  }

  /// Fills a buffer as the camera would, and passes it to the worker.
  mutating func deliver(_ bytes: [UInt8], buffer: Int, sequence: UInt32) throws {
    for (index, byte) in bytes.enumerated() { unsafe bufferMemory[buffer * bufferByteCount + index] = byte }
    try deliver(byteCount: bytes.count, buffer: buffer, sequence: sequence)
  }

  /// Passes a buffer for which the driver reports `byteCount` bytes.
  mutating func deliver(byteCount: Int, buffer: Int, sequence: UInt32) throws {
    let picture = RawPicture(
      bufferIndex: UInt16(buffer), byteCount: byteCount, header: Self.header(sequence: sequence))
    guard rawPictures.push(picture) else { throw NothingThere() }
  }

  static func header(sequence: UInt32) -> PictureHeader {
    PictureHeader(
      samplePosition: TimelinePosition(UInt64(sequence) * 1600 + 5), instant: Instant(UInt64(sequence) * 33_366_667),
      cameraSequence: sequence)
  }

  /// The oldest packet, which is then released; nil if there is none.
  mutating func next() -> (header: PictureHeader, bytes: [UInt8])? {
    let sequence = encodedPictures.first
    guard sequence < encodedPictures.end else { return nil }
    let packet = (encodedPictures.header(at: sequence), bytes(at: sequence))
    encodedPictures.release(before: sequence + 1)
    return packet
  }

  private func bytes(at sequence: PictureNumber) -> [UInt8] {
    unsafe encodedPictures.bytes(at: sequence).withUnsafeBytes { unsafe Array($0) }
  }
}
