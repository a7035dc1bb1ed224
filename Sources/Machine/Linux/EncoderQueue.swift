import CVideo4Linux

/// One of an encoder's two queues: its buffers, and which of them the device holds.
@safe struct EncoderQueue {
  /// `V4L2_BUF_TYPE_…`
  let type: UInt32
  /// `V4L2_MEMORY_…`
  var memory: UInt32
  private(set) var count = 0
  // Safe: mapped by `map` and unmapped by `unmap`, which the owner of the queue calls when it ends.
  private var mapped = unsafe InlineArray<8, UnsafeMutableRawBufferPointer>(
    repeating: UnsafeMutableRawBufferPointer(start: nil, count: 0))
  /// One bit for each buffer that the device holds.
  private var taken: UInt8 = 0

  init(type: UInt32, memory: UInt32) {
    self.type = type
    self.memory = memory
  }

  /// Whether the device holds any of the buffers.
  var hasTaken: Bool { taken != 0 }

  /// A buffer that the device does not hold; nil if it holds them all.
  var freeSlot: Int? {
    let free = (~taken).trailingZeroBitCount
    return free < count ? free : nil
  }

  /// Whether the device holds this buffer.
  func isTaken(_ index: UInt32) -> Bool { taken & 1 << index != 0 }

  mutating func setTaken(_ index: Int, _ isTaken: Bool) {
    guard index >= 0, index < EncoderLimits.maximumBuffers else { return }
    if isTaken { taken |= 1 << UInt8(index) } else { taken &= ~(1 << UInt8(index)) }
  }

  /// Takes back one of the buffers from a device that has stopped.
  mutating func takeBackAny() -> Int? {
    guard taken != 0 else { return nil }
    let index = taken.trailingZeroBitCount
    setTaken(index, false)
    return index
  }

  func buffer(at index: Int) -> coder_buffer {
    var buffer = coder_buffer()
    buffer.type = type
    buffer.memory = memory
    buffer.index = UInt32(index)
    return buffer
  }

  func memory(at index: Int) -> UnsafeMutableRawBufferPointer {
    precondition(index >= 0 && index < count, "an encoder's buffer asked for that does not exist")
    return unsafe mapped[index]
  }

  /// Finds out whether the device reads a camera's buffers in place.
  /// - Returns: false if it refuses; the queue then has no buffers.
  mutating func accepts(
    _ shared: (count: Int, firstDescriptor: Int32, byteCount: Int)?, from device: borrowing some CodecDevice & ~Copyable
  ) -> Bool {
    guard let shared, let granted = device.requestBuffers(UInt32(shared.count), queue: type, memory: memory) else {
      return false
    }
    var first = buffer(at: 0)
    first.descriptor = shared.firstDescriptor
    first.byte_count = UInt32(clamping: shared.byteCount)
    first.filled_byte_count = first.byte_count
    if granted >= shared.count, device.exchange(VIDEO_QUEUE_BUFFER, &first) {
      device.stop(queue: type)
      count = shared.count
      return true
    }
    _ = device.requestBuffers(0, queue: type, memory: memory)
    return false
  }

  mutating func map(_ wanted: Int, from device: borrowing some CodecDevice & ~Copyable) throws(VideoError) {
    guard let granted = device.requestBuffers(UInt32(wanted), queue: type, memory: memory), granted > 0 else {
      throw VideoError("provides no buffers")
    }
    for index in 0..<min(granted, EncoderLimits.maximumBuffers) {
      var buffer = buffer(at: index)
      guard device.exchange(VIDEO_QUERY_BUFFER, &buffer),
        let memory = unsafe device.map(byteCount: Int(buffer.byte_count), offset: buffer.offset)
      else { throw VideoError("does not export its buffers") }
      unsafe mapped[index] = memory
      count = index + 1
    }
  }

  mutating func stop(on device: borrowing some CodecDevice & ~Copyable) {
    device.stop(queue: type)
    taken = 0
  }

  func unmap(from device: borrowing some CodecDevice & ~Copyable) {
    for index in 0..<count where unsafe mapped[index].baseAddress != nil { unsafe device.unmap(mapped[index]) }
  }
}

enum EncoderLimits {
  /// Buffers that pictures are copied into: one is being coded, one waits, and two more bridge 66 ms at 30 pictures per
  /// second.
  static var copiedPictures: Int { 4 }

  /// Buffers for packets: 200 ms at 30 pictures per second, within which the worker takes them.
  static var packetBuffers: Int { 6 }

  /// The most buffers that a queue may have, whatever a driver grants: as many as a camera's.
  static var maximumBuffers: Int { 8 }

  /// Pixels per byte of a packet's buffer: a keyframe of noise takes about one byte per pixel.
  static var pixelsPerPacketByte: UInt32 { 1 }
}
