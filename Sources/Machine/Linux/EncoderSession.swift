import Base
import CLinux
import CVideo4Linux

/// A running encoder, following the kernel's "Memory-to-Memory Stateful Video Encoder Interface": raw pictures go into
/// the device's OUTPUT queue, packets come out of its CAPTURE queue. It stops when the value is destroyed.
// Destroyed with the machine in another module, which must see its deinit.
@usableFromInline @safe struct EncoderSession<Device: CodecDevice & ~Copyable>: ~Copyable {
  private(set) var state = EncoderState.closed
  /// How pictures get into the encoder.
  let input: EncoderInput
  private let device: Device
  private let codec: VideoCodec
  private var pictures: EncoderQueue
  private var packets: EncoderQueue
  /// The slot whose buffer is being written.
  private var acquiredSlot: Int?

  init(_ device: consuming Device, _ request: VideoEncoderRequest) throws(VideoError) {
    let setup = try EncoderSetup(device, request)
    var pictures = EncoderQueue(type: setup.pictureQueue, memory: V4L2_MEMORY_DMABUF.rawValue)
    var packets = EncoderQueue(type: setup.packetQueue, memory: V4L2_MEMORY_MMAP.rawValue)
    let isShared = setup.isShareable && pictures.accepts(request.sharedBuffers, from: device)
    if !isShared { pictures.memory = V4L2_MEMORY_MMAP.rawValue }
    do throws(VideoError) {
      if !isShared { try pictures.map(EncoderLimits.copiedPictures, from: device) }
      try packets.map(EncoderLimits.packetBuffers, from: device)
    } catch {
      pictures.unmap(from: device)
      packets.unmap(from: device)
      throw error
    }
    input = isShared ? .shared : .copied(setup.layout)
    self.pictures = pictures
    self.packets = packets
    self.device = device
    codec = request.codec
    move(on: .configured)
  }

  deinit {
    device.stop(queue: pictures.type)
    device.stop(queue: packets.type)
    pictures.unmap(from: device)
    packets.unmap(from: device)
  }

  /// Submits a picture in another device's memory.
  mutating func submit(slot: Int, descriptor: Int32, byteCount: Int, timestampMicroseconds: UInt64) throws(VideoError) {
    try startIfNeeded()
    var buffer = pictures.buffer(at: slot)
    buffer.descriptor = descriptor
    buffer.byte_count = UInt32(clamping: byteCount)
    buffer.filled_byte_count = UInt32(clamping: byteCount)
    buffer.microseconds = timestampMicroseconds
    try queue(&buffer)
  }

  /// A free slot to write into; nil if all are taken, and while draining.
  @_lifetime(&self)
  mutating func acquireBuffer() -> MutableRawSpan? {
    guard state != .draining, let slot = pictures.freeSlot else { return nil }
    acquiredSlot = slot
    let span = unsafe MutableRawSpan(_unsafeBytes: pictures.memory(at: slot))
    return unsafe _overrideLifetime(span, mutating: &self)
  }

  /// Submits the picture written into the buffer.
  mutating func submitBuffer(timestampMicroseconds: UInt64) throws(VideoError) {
    guard let slot = acquiredSlot.take() else { preconditionFailure("a picture submitted without a buffer for it") }
    try startIfNeeded()
    var buffer = pictures.buffer(at: slot)
    buffer.filled_byte_count = unsafe UInt32(clamping: pictures.memory(at: slot).count)
    buffer.microseconds = timestampMicroseconds
    try queue(&buffer)
  }

  /// A slot whose picture has been read; nil if there is none. Once drained, every slot that is still taken.
  mutating func nextEmptiedSlot() throws(VideoError) -> Int? {
    if state == .drained { return pictures.takeBackAny() }
    guard pictures.hasTaken else { return nil }
    var buffer = pictures.buffer(at: 0)
    guard device.exchange(VIDEO_DEQUEUE_BUFFER, &buffer) else { return try nothingYet("stopped") }
    guard pictures.isTaken(buffer.index) else { throw strangeBuffer() }
    pictures.setTaken(Int(buffer.index), false)
    return Int(buffer.index)
  }

  /// The oldest packet; nil if there is none.
  mutating func nextPacket() throws(VideoError) -> CodedPacket? {
    guard state == .streaming || state == .draining else { return nil }
    var buffer = packets.buffer(at: 0)
    guard device.exchange(VIDEO_DEQUEUE_BUFFER, &buffer) else {
      // After the last packet the driver returns EPIPE.
      guard lastSystemError == EPIPE, state == .draining else { return try nothingYet("returns no packet") }
      finishDraining()
      return nil
    }
    guard packets.isTaken(buffer.index) else { throw strangeBuffer() }
    let index = Int(buffer.index)
    packets.setTaken(index, false)
    if buffer.is_last != 0, state == .draining { finishDraining() }
    guard buffer.filled_byte_count > 0 || buffer.is_damaged != 0 else {
      try release(bufferIndex: index)
      return nil
    }
    let byteCount = min(Int(buffer.filled_byte_count), unsafe packets.memory(at: index).count)
    return CodedPacket(
      bufferIndex: index, byteCount: byteCount, timestampMicroseconds: buffer.microseconds,
      isKeyframe: buffer.is_keyframe != 0 || saysKeyframe(bufferIndex: index, byteCount: byteCount),
      isDamaged: buffer.is_damaged != 0)
  }

  private func saysKeyframe(bufferIndex: Int, byteCount: Int) -> Bool {
    guard codec == .fwht else { return false }
    let whole = unsafe UnsafeRawBufferPointer(packets.memory(at: bufferIndex))
    return unsafe FWHTPacket.isKeyframe(UnsafeRawBufferPointer(rebasing: whole[..<byteCount]))
  }

  /// Copies a packet's bytes to the start of `buffer`, which must be large enough.
  func copy(_ packet: CodedPacket, into buffer: inout MutableRawSpan) {
    let whole = unsafe UnsafeRawBufferPointer(packets.memory(at: packet.bufferIndex))
    unsafe buffer.withUnsafeMutableBytes { target in
      unsafe target.copyMemory(from: UnsafeRawBufferPointer(rebasing: whole[..<packet.byteCount]))
    }
  }

  /// Lets the device refill a packet's buffer; if no stream is running, the next start does so.
  mutating func release(bufferIndex: Int) throws(VideoError) {
    guard state == .streaming || state == .draining else { return }
    var buffer = packets.buffer(at: bufferIndex)
    guard device.exchange(VIDEO_QUEUE_BUFFER, &buffer) else { throw refusal("does not accept its buffer back") }
    packets.setTaken(bufferIndex, true)
  }

  func requestKeyframe() { device.setControl(video_control_keyframe(), 1) }

  /// Starts to flush the pictures in the encoder.
  mutating func drain() throws(VideoError) {
    guard state == .streaming else { return }
    guard device.stopEncoding() else { throw refusal("does not finish encoding") }
    move(on: .stopOrdered)
  }

  func wait(milliseconds: Int32) { device.wait(milliseconds: milliseconds) }

  private mutating func queue(_ buffer: inout coder_buffer) throws(VideoError) {
    guard device.exchange(VIDEO_QUEUE_BUFFER, &buffer) else { throw refusal("does not accept a frame") }
    pictures.setTaken(Int(buffer.index), true)
  }

  /// Restarts both streams, with every packet buffer empty.
  private mutating func startIfNeeded() throws(VideoError) {
    guard state == .configured || state == .drained else { return }
    packets.stop(on: device)
    for index in 0..<packets.count {
      var buffer = packets.buffer(at: index)
      guard device.exchange(VIDEO_QUEUE_BUFFER, &buffer) else { throw refusal("does not accept its buffers") }
      packets.setTaken(index, true)
    }
    guard device.start(queue: pictures.type), device.start(queue: packets.type) else {
      throw refusal("does not start")
    }
    move(on: .started)
  }

  /// Stops the picture queue at once, so that it holds no picture back; packets still in use stay mapped.
  private mutating func finishDraining() {
    move(on: .lastPacketCame)
    device.stop(queue: pictures.type)
  }

  private mutating func nothingYet<Found>(_ problem: StaticString) throws(VideoError) -> Found? {
    if lastSystemError == EAGAIN { return nil }
    throw refusal(problem)
  }

  /// For a buffer that the device returns without holding it: a worker may be reading it.
  private mutating func strangeBuffer() -> VideoError {
    move(on: .failed)
    return VideoError(implausible: "returns a buffer that was not queued")
  }

  private mutating func refusal(_ problem: StaticString) -> VideoError {
    let error = VideoError(problem)
    move(on: .failed)
    return error
  }

  private mutating func move(on event: EncoderEvent) {
    guard let next = state.after(event) else { preconditionFailure("an encoder event in the wrong state") }
    state = next
  }
}

/// Reads the packets of `vicodec`, whose driver does not mark keyframes: the packet itself does (Linux,
/// `struct fwht_cframe_hdr`, and `V4L2_FWHT_FL_I_FRAME` of `v4l2-controls.h`).
enum FWHTPacket {
  private static let headerByteCount = 44
  private static let flagsOffset = 20
  private static let intraFrame: UInt32 = 1 << 10

  /// Whether the picture can be decoded without earlier ones.
  static func isKeyframe(_ packet: UnsafeRawBufferPointer) -> Bool {
    guard packet.count >= headerByteCount else { return false }
    let flags = unsafe UInt32(bigEndian: packet.loadUnaligned(fromByteOffset: flagsOffset, as: UInt32.self))
    return flags & intraFrame != 0
  }
}
