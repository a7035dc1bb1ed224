import Base
import Media
import Record
import TestSupport

/// A worker with a pool, the loop's ends of its queues, the file's end of its ring, and camera buffers filled by the
/// test.
@safe struct PoolRig: ~Copyable {
  static let bufferCount = 8

  var worker: JPEGWorker
  var encoders: InlineArray<4, PoolEncoder?>
  var camera: PoolCamera
  var reader: PacketRingConsumer<PictureHeader>
  let counters: EncoderCounters

  init(
    encoderCount: Int, format: VideoFormat, bufferByteCount: Int, capacityPackets: Int, capacityBytes: Int,
    bells: PoolDoorbells = PoolDoorbells()
  ) throws {
    var memory = leakedBootMemory()
    let raw = try unwrapped(Queue<RawPicture>(capacity: Self.bufferCount, in: &memory))
    let emptied = try unwrapped(Queue<UInt16>(capacity: Self.bufferCount, in: &memory))
    let encoded = try unwrapped(
      PacketRing<PictureHeader>(capacityPackets: capacityPackets, capacityBytes: capacityBytes, in: &memory))
    let counters = try unwrapped(EncoderCounters(in: &memory))
    let buffers = try unwrapped(CameraBuffers(in: &memory))
    let camera = try PoolCamera(
      buffers: buffers, bufferByteCount: bufferByteCount, pictures: raw.producer, emptied: emptied.consumer,
      in: &memory)
    var poolMemory = leakedBootMemory()
    let pool = try EncoderPool(
      count: encoderCount, format: format, quality: 85, bells: bells, buffers: buffers, counters: counters,
      rawPictures: raw.consumer,
      emptiedBuffers: emptied.producer, encodedPictures: encoded.producer, in: &poolMemory)
    self.counters = counters
    self.camera = camera
    worker = pool.worker
    encoders = pool.encoders
    reader = encoded.consumer
  }
}

/// The camera's side: fills free buffers with pictures of known bytes, and takes them back.
@safe struct PoolCamera: ~Copyable {
  private var pictures: QueueProducer<RawPicture>
  private var emptied: QueueConsumer<UInt16>
  // Safe: leaked memory, `bufferByteCount` for each buffer, written only while the camera has the buffer.
  private let memory: UnsafeMutableRawBufferPointer
  private let bufferByteCount: Int
  private(set) var freeBuffers = Array(0..<PoolRig.bufferCount)
  private(set) var pictureCount: UInt32 = 0
  private(set) var strayBufferCount = 0

  init(
    buffers: CameraBuffers, bufferByteCount: Int, pictures: consuming QueueProducer<RawPicture>,
    emptied: consuming QueueConsumer<UInt16>, in boot: inout BootMemory
  ) throws {
    unsafe memory = try unwrapped(boot.cut(byteCount: PoolRig.bufferCount * bufferByteCount))
    self.bufferByteCount = bufferByteCount
    self.pictures = pictures
    self.emptied = emptied
    for index in 0..<PoolRig.bufferCount {
      unsafe buffers.set(index, to: UnsafeRawBufferPointer(buffer(index)))
    }
  }

  private func buffer(_ index: Int) -> UnsafeMutableRawBufferPointer {
    let start = index * bufferByteCount
    return unsafe UnsafeMutableRawBufferPointer(rebasing: memory[start..<start + bufferByteCount])
  }

  /// Puts the next picture into the `choice`th free buffer, whatever it held before.
  /// - Returns: false if no buffer is free.
  mutating func deliver(_ bytes: (_ sequence: UInt32) -> [UInt8], choice: UInt64 = 0) -> Bool {
    takeBack()
    guard !freeBuffers.isEmpty else { return false }
    let index = freeBuffers.remove(at: Int(choice % UInt64(freeBuffers.count)))
    let bytes = bytes(pictureCount)
    unsafe buffer(index).copyBytes(from: bytes)
    let header = WorkerRig.header(sequence: pictureCount)
    pictureCount += 1
    return pictures.push(RawPicture(bufferIndex: UInt16(index), byteCount: bytes.count, header: header))
  }

  mutating func takeBack() {
    while let index = emptied.pop() {
      if freeBuffers.contains(Int(index)) { strayBufferCount += 1 }
      freeBuffers.append(Int(index))
      // If the worker still reads a returned buffer, this value shows in the picture.
      unsafe buffer(Int(index)).initializeMemory(as: UInt8.self, repeating: 0xEE)
    }
  }
}
