import CFFmpeg
import Wire

/// An item's three buffers between reader and decoder. The reading thread refills them, if there is one; otherwise the
/// decoding thread does.
///
/// A stream's buffers are filled packet by packet, as these arrive. A full buffer is handed on; so is a partly filled
/// one if no other is left and it holds half a second, or if the stream ends. While no buffer is due nothing is read,
/// which holds the server back. If another program keeps the stream in sync, each buffer holds one packet, and all are
/// filled before the first is played.
@safe struct PacketStore: ~Copyable {
  /// Shared by both threads, at a fixed address; accessed with the lock held.
  private struct Shared {
    /// The number of buffers to be refilled, from `firstDue` on; the others are full, in order.
    var dueCount = 0
    var firstDue = 0
    var inUse = 0
    var isReading = false
    var isPaused = true
    /// Whether all of a stream was read.
    var hasEnded = false
    var reading = PacketReading()
  }

  enum Taking {
    case packet
    /// None now: a stream's server has not sent it yet.
    case nothingYet
    case end
  }

  static var bufferCount: Int { 3 }
  /// The most frames of PCM that are decoded at once: as many as are converted at once.
  private static var frameLimit: Int { 4096 }

  // Safe: owned by the store. The reading thread owns the reader and the first due buffer while `isReading`, otherwise
  // the decoding thread does; the lock orders the changes of ownership.
  private let shared: UnsafeMutablePointer<Shared>
  private let reader: UnsafeMutablePointer<PacketReader>
  private let buffers: UnsafeMutablePointer<PacketBuffer>
  private let lock: ReadingLock?

  /// - Parameter lock: that of the reading thread; nil if the calling thread reads.
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
    var reading = unsafe shared.pointee.reading
    if layout.isStream { reading.held = held }
    return reading
  }

  /// The packets in the buffers; called with the lock held.
  private var held: HeldPackets {
    var held = HeldPackets()
    for index in 0..<Self.bufferCount {
      let count = unsafe buffers[index].leftCount
      if count > 0 { held.bufferCount += 1 }
      held.packetCount += UInt32(count)
      held.bytes += unsafe UInt32(buffers[index].byteCount)
    }
    return held
  }

  /// How much sound of a stream is buffered, and whether its server is held back or done.
  var fill: (seconds: Double, isHeldBack: Bool) {
    lock?.acquire()
    defer { lock?.release() }
    var seconds = 0.0
    for index in 0..<Self.bufferCount { seconds += self.seconds(in: index) }
    return unsafe (seconds, shared.pointee.dueCount == 0 || shared.pointee.hasEnded)
  }

  private func seconds(in index: Int) -> Double {
    let duration = unsafe Double(buffers[index].duration)
    return duration * Double(layout.timeBase.num) / Double(max(1, layout.timeBase.den))
  }

  /// Fills all buffers on the calling thread; of a stream with a reading thread only the first, unless another program
  /// keeps it in sync. Requires that the store is paused.
  func prime() {
    if layout.isStream, lock != nil { return primeFirst() }
    unsafe shared.pointee.inUse = 0
    unsafe shared.pointee.firstDue = 0
    unsafe shared.pointee.dueCount = 0
    for index in 0..<Self.bufferCount { unsafe reader.pointee.fill(&buffers[index]) }
    unsafe shared.pointee.reading = reader.pointee.reading
  }

  private func primeFirst() {
    lock?.acquire()
    unsafe shared.pointee.dueCount = Self.bufferCount
    let leftCount = layout.isSynced ? 0 : Self.bufferCount - 1
    while unsafe shared.pointee.dueCount > leftCount && !shared.pointee.hasEnded { readPacket() }
    lock?.release()
  }

  /// Seeks, and fills all buffers from there. Requires that the store is paused.
  func seek(toFrame frame: Int64, time: Int64) throws(DecoderRefusal) -> PacketReader.Landing {
    let landing = unsafe try reader.pointee.seek(toFrame: frame, time: time)
    prime()
    return landing
  }

  /// Takes the next packet. Waits for the reading thread, but not for a server.
  func take(into packet: UnsafeMutablePointer<AVPacket>) -> Taking {
    lock?.acquire()
    defer { lock?.release() }
    if layout.isStream, lock != nil, unsafe shared.pointee.dueCount == Self.bufferCount {
      guard unsafe !shared.pointee.hasEnded else { return .end }
      guard unsafe seconds(in: shared.pointee.firstDue) >= BufferPlan.streamLeastSeconds else { return .nothingYet }
      handOn()
    }
    while unsafe shared.pointee.dueCount == Self.bufferCount { lock?.waitForRead() }
    let buffer = unsafe buffers + shared.pointee.inUse
    guard unsafe !buffer.pointee.isUsedUp else {
      // The end is reported once all buffers have reached it.
      while unsafe !shared.pointee.isPaused && shared.pointee.dueCount > 0 { lock?.waitForRead() }
      return .end
    }
    unsafe buffer.pointee.take(into: packet, atMost: Self.frameLimit)
    if unsafe buffer.pointee.isUsedUp { refill() }
    return .packet
  }

  /// Makes the first due buffer available to the decoder, after those before it; called with the lock held.
  private func handOn() {
    unsafe shared.pointee.firstDue = (shared.pointee.firstDue + 1) % Self.bufferCount
    unsafe shared.pointee.dueCount -= 1
    unsafe reader.pointee.noteRead()
  }

  /// Has the buffer in use refilled.
  private func refill() {
    if unsafe shared.pointee.dueCount == 0 { unsafe shared.pointee.firstDue = shared.pointee.inUse }
    unsafe shared.pointee.inUse = (shared.pointee.inUse + 1) % Self.bufferCount
    unsafe shared.pointee.dueCount += 1
    if layout.isStream { unsafe buffers[(shared.pointee.inUse + 2) % Self.bufferCount].clear() }
    if let lock, unsafe !shared.pointee.isPaused { lock.announceWork() } else { readOne() }
  }

  /// Returns once the reading thread no longer uses the store.
  func pause() {
    // A stream is never resumed: it is paused only at its end.
    if layout.isStream { unsafe reader.pointee.giveUp() }
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
  var hasWork: Bool {
    unsafe !shared.pointee.isPaused && shared.pointee.dueCount > 0 && !shared.pointee.isReading
      && !shared.pointee.hasEnded
  }

  /// Refills the buffer that has been due for longest; called with the lock held, which is released meanwhile.
  func readOne() {
    guard !layout.isStream || lock == nil else { return readPacket() }
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

  /// Reads a packet of a stream into the first due buffer; called with the lock held, which is released during the
  /// wait. Requires that a buffer is due.
  private func readPacket() {
    unsafe shared.pointee.isReading = true
    lock?.release()
    let hasPacket = unsafe reader.pointee.holdNext()
    lock?.acquire()
    unsafe shared.pointee.isReading = false
    if hasPacket { place() } else { end() }
    unsafe shared.pointee.reading = reader.pointee.reading
    lock?.announceRead()
  }

  /// Puts the held packet into a buffer. If no buffer is left, the packet stays held until one is due.
  private func place() {
    while unsafe shared.pointee.dueCount > 0 {
      let first = unsafe shared.pointee.firstDue
      let isPlaced = unsafe reader.pointee.give(to: &buffers[first])
      if unsafe !isPlaced || buffers[first].isFull || buffers[first].byteCount >= layout.bufferByteCount { handOn() }
      if isPlaced { return }
    }
  }

  /// The last buffer is played too, however little it holds.
  private func end() {
    if unsafe buffers[shared.pointee.firstDue].leftCount > 0 { handOn() }
    unsafe shared.pointee.hasEnded = true
  }
}
