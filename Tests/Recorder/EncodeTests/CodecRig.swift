import Base
import Machine
import Media
import Record
import TestSupport

/// A worker with a scripted encoder, the loop's ends of its queues and the file's end of its ring.
@safe struct CodecRig: ~Copyable {
  static let format = VideoFormat(
    widthPixels: 16, heightPixels: 16, pixelFormat: .yuv420, bytesPerRow: 16, frameRate: FrameRate(frames: 30))
  static let pictureByteCount = 16 * 16 * 3 / 2
  /// The camera's own buffers; higher numbers are spare ones.
  static let cameraBufferCount = 6

  let script: EncoderScript
  let counters: EncoderCounters
  let status: CodecStatus
  private let buffers: CameraBuffers
  var worker: PictureWorker
  var rawPictures: QueueProducer<RawPicture>
  var emptiedBuffers: QueueConsumer<UInt16>
  var packets: PacketRingConsumer<PictureHeader>

  init(_ script: EncoderScript = EncoderScript(), capacityPackets: Int = 64, hasSpares: Bool = true) throws {
    var memory = leakedBootMemory(byteCount: 1 << 20)
    let coder = try PictureCoder(format: Self.format, quality: 85, in: &memory)
    let zoomer = try unwrapped(PictureZoomer(from: Self.format, to: script.input.layout(of: Self.format), in: &memory))
    let raw = try unwrapped(Queue<RawPicture>(capacity: 8, in: &memory))
    let emptied = try unwrapped(Queue<UInt16>(capacity: 8, in: &memory))
    let coded = try unwrapped(
      PacketRing<PictureHeader>(
        capacityPackets: capacityPackets, capacityBytes: 2 * PictureCoder.maximumByteCount(format: Self.format),
        in: &memory))
    let counters = try unwrapped(EncoderCounters(in: &memory))
    let status = try unwrapped(CodecStatus(in: &memory))
    let buffers = try unwrapped(CameraBuffers(in: &memory))
    Self.fill(buffers, hasSpares: hasSpares)
    self.buffers = buffers
    self.script = script
    self.counters = counters
    self.status = status
    worker = .codec(
      CodecWorker(
        encoder: ScriptedVideoEncoder(script),
        zoomer: zoomer,
        substitute: coder, buffers: buffers, counters: counters, status: status, rawPictures: raw.consumer,
        emptiedBuffers: emptied.producer,
        codedPictures: coded.producer))
    rawPictures = raw.producer
    emptiedBuffers = emptied.consumer
    packets = coded.consumer
    worker.prepareThread()
  }

  private static func fill(_ buffers: CameraBuffers, hasSpares: Bool) {
    for index in 0..<8 {
      let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: pictureByteCount, alignment: 16)
      for byte in 0..<pictureByteCount {
        unsafe piece.storeBytes(
          of: UInt8(truncatingIfNeeded: byte * 37 + index * 11), toByteOffset: byte, as: UInt8.self)
      }
      unsafe buffers.set(
        index, to: UnsafeRawBufferPointer(piece), descriptor: Int32(100 + index),
        isSpare: hasSpares && index >= cameraBufferCount)
    }
  }

  static func header(_ sequence: UInt32) -> PictureHeader {
    PictureHeader(
      samplePosition: TimelinePosition(UInt64(sequence) * 1600 + 5),
      instant: Instant((UInt64(sequence) + 1) * 33_366_667),
      cameraSequence: sequence)
  }

  /// The bytes of one of the camera's buffers, or of a spare one.
  func bytes(ofBuffer index: Int) throws -> [UInt8] {
    guard let bytes = buffers[index, byteCount: Self.pictureByteCount] else { throw NothingThere() }
    return unsafe bytes.withUnsafeBytes { unsafe Array($0) }
  }

  /// Closes the camera, which removes its buffers.
  func closeCamera() { buffers.removeAll() }

  /// The visible part of one of the camera's buffers.
  func zoomed(buffer index: Int, by factor: Double) throws -> [UInt8] {
    var memory = leakedBootMemory()
    var zoomer = try unwrapped(PictureZoomer(from: Self.format, to: Self.format, in: &memory))
    var shown = [UInt8](repeating: 0, count: Self.pictureByteCount)
    let picture = try bytes(ofBuffer: index)
    var bytes = shown.mutableSpan
    var buffer = unsafe bytes.mutableBytes
    guard unsafe zoomer.zoom(picture.span.bytes, by: factor, into: &buffer) else { throw NothingThere() }
    return shown
  }

  mutating func deliver(_ sequence: UInt32, buffer: Int, zoomFactor: Double = 1) throws {
    let picture = RawPicture(
      bufferIndex: UInt16(buffer), byteCount: Self.pictureByteCount, header: Self.header(sequence),
      zoomFactor: zoomFactor)
    guard rawPictures.push(picture) else { throw NothingThere() }
  }

  /// Lets the worker do all pending work.
  mutating func work() { for _ in 0..<2000 where worker.step() {} }

  /// The buffers returned since the last call.
  mutating func buffersBack() -> [Int] {
    var buffers: [Int] = []
    while let index = emptiedBuffers.pop() { buffers.append(Int(index)) }
    return buffers
  }

  /// The packets received since the last call, which are then released.
  mutating func packetsCome() -> [(header: PictureHeader, bytes: [UInt8])] {
    var come: [(header: PictureHeader, bytes: [UInt8])] = []
    for sequence in packets.first..<packets.end {
      let bytes = unsafe packets.bytes(at: sequence).withUnsafeBytes { unsafe Array($0) }
      come.append((packets.header(at: sequence), bytes))
    }
    packets.release(before: packets.end)
    return come
  }
}
