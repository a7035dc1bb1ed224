import CFFmpeg
import Decoding

/// An item's three buffers, between reader and decoder. A reading thread refills them; in step, the decoding thread does.
@safe struct PacketStore: ~Copyable {
  /// Shared by both threads, at a fixed address; accessed with the lock held.
  private struct Shared {
    /// Buffers to be refilled, from `firstDue` on; the others are full, in order.
    var dueCount = 0
    var firstDue = 0
    var inUse = 0
    var isReading = false
    var isPaused = true
    var reading = PacketReading()
  }

  static var bufferCount: Int { 3 }
  /// The most frames of PCM that are decoded at once.
  private static var frameLimit: Int { 1024 }

  // Sound: owned by the store. The reading thread owns the reader and the first due buffer while `isReading`, else the
  // decoding thread does; the lock orders the changes of ownership.
  private let shared: UnsafeMutablePointer<Shared>
  private let reader: UnsafeMutablePointer<PacketReader>
  private let buffers: UnsafeMutablePointer<PacketBuffer>
  private let lock: ReadingLock?

  /// - Parameter lock: of the reading thread; nil: in step.
  init(_ reader: consuming PacketReader, lock: ReadingLock?) {
    let layout = reader.layout
    unsafe shared = Heap.place(Shared())
    unsafe self.reader = Heap.place(reader)
    self.lock = lock
    unsafe buffers = Heap.array(PacketBuffer.self, count: Self.bufferCount)
    for index in 0..<Self.bufferCount { unsafe (buffers + index).initialize(to: PacketBuffer(layout)) }
  }

  deinit {
    unsafe Heap.remove(shared)
    unsafe Heap.remove(reader)
    unsafe buffers.deinitialize(count: Self.bufferCount)
    unsafe av_free(buffers)
  }

  var layout: PacketLayout { unsafe reader.pointee.layout }

  /// The codec's parameters. Requires that the store is paused.
  var parameters: UnsafeMutablePointer<AVCodecParameters> { unsafe reader.pointee.parameters }

  /// How far packets have been read.
  var reading: PacketReading {
    lock?.acquire()
    defer { lock?.release() }
    return unsafe shared.pointee.reading
  }

  /// Fills all buffers on the calling thread. Requires that the store is paused.
  func prime() {
    unsafe shared.pointee.inUse = 0
    unsafe shared.pointee.firstDue = 0
    unsafe shared.pointee.dueCount = 0
    for index in 0..<Self.bufferCount { unsafe reader.pointee.fill(&buffers[index]) }
    unsafe shared.pointee.reading = reader.pointee.reading
  }

  /// Seeks, and fills all buffers from there. Requires that the store is paused.
  func seek(toFrame frame: Int64, time: Int64) throws(DecoderRefusal) -> PacketReader.Landing {
    let landing = unsafe try reader.pointee.seek(toFrame: frame, time: time)
    prime()
    return landing
  }

  /// Takes the next packet; false at the end of the file. Waits for the reading thread.
  func take(into packet: UnsafeMutablePointer<AVPacket>) -> Bool {
    lock?.acquire()
    defer { lock?.release() }
    while unsafe shared.pointee.dueCount == Self.bufferCount { lock?.waitForRead() }
    let buffer = unsafe buffers + shared.pointee.inUse
    guard unsafe !buffer.pointee.isUsedUp else {
      // The end is reported once all buffers have reached it.
      while unsafe !shared.pointee.isPaused && shared.pointee.dueCount > 0 { lock?.waitForRead() }
      return false
    }
    unsafe buffer.pointee.take(into: packet, atMost: Self.frameLimit)
    if unsafe buffer.pointee.isUsedUp { refill() }
    return true
  }

  /// Has the buffer in use refilled.
  private func refill() {
    if unsafe shared.pointee.dueCount == 0 { unsafe shared.pointee.firstDue = shared.pointee.inUse }
    unsafe shared.pointee.inUse = (shared.pointee.inUse + 1) % Self.bufferCount
    unsafe shared.pointee.dueCount += 1
    if let lock, unsafe !shared.pointee.isPaused { lock.announceWork() } else { readOne() }
  }

  /// Returns when the reading thread does not use the store any more.
  func pause() {
    lock?.acquire()
    unsafe shared.pointee.isPaused = true
    while unsafe shared.pointee.isReading { lock?.waitForRead() }
    lock?.release()
  }

  func resume() {
    lock?.acquire()
    unsafe shared.pointee.isPaused = false
    lock?.announceWork()
    lock?.release()
  }

  /// Whether a buffer is to be refilled; called with the lock held.
  var hasWork: Bool { unsafe !shared.pointee.isPaused && shared.pointee.dueCount > 0 && !shared.pointee.isReading }

  /// Refills the buffer that has been due for longest; called with the lock held, which is released meanwhile.
  func readOne() {
    let first = unsafe shared.pointee.firstDue
    unsafe shared.pointee.isReading = true
    lock?.release()
    unsafe reader.pointee.fill(&buffers[first])
    lock?.acquire()
    unsafe shared.pointee.reading = reader.pointee.reading
    unsafe shared.pointee.firstDue = (first + 1) % Self.bufferCount
    unsafe shared.pointee.dueCount -= 1
    unsafe shared.pointee.isReading = false
    lock?.announceRead()
  }
}
