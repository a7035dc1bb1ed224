import CFFmpeg
import Decoding
import Values
import Posix

/// Follows the orders: what is open, where it is, and how it comes into the ring.
@safe struct DecodeSession: ~Copyable {
  /// What is to be done before the next frame is decoded.
  private enum Phase {
    case decoding
    /// The stretch has ended; the converter still holds some of it.
    case flushing
    /// What the rate changer holds comes next, and then another stretch.
    case turning
    /// Nothing comes any more.
    case ended
  }

  private let socket: OrderSocket
  // Sound: lives as long as the process.
  private let thread: UnsafeMutablePointer<ReadingThread>?
  private var ring: PCMRing
  private var converter: SampleConverter
  private var changer: RateChanger
  private let format: AudioFormat
  private var current: OpenItem?
  /// Without a reading thread; with one, it has the item.
  private var next: OpenItem?
  private var section: PlaybackSection?
  private var phase = Phase.ended
  /// Where in the item the converter's stretch began.
  private var stretchSeconds = 0.0
  /// The mark of what is written now.
  private var mark = StreamMark(ringFrame: 0, ticket: 0, positionSeconds: 0, rate: 1)
  /// Whether what the rate changer still holds is of another rate than what follows it.
  private var owesMark = false
  // Sound: frames of the converter or the rate changer, which give no others before these are written.
  private var pending: UnsafeRawPointer?
  private var pendingCount = 0
  private var turnsWithoutFrames = 0

  init(
    socket: consuming OrderSocket, ring: consuming PCMRing, thread: UnsafeMutablePointer<ReadingThread>?,
    format: AudioFormat
  ) {
    self.socket = socket
    self.ring = ring
    unsafe self.thread = thread
    self.format = format
    converter = SampleConverter(target: format)
    changer = RateChanger(format: format)
  }

  /// Follows orders until the recorder has gone.
  mutating func run() {
    socket.send(.ready)
    while let received = socket.receive() {
      let order = received.order
      Sandbox.renewTime()
      follow(order, received.file)
    }
  }
  private mutating func follow(_ order: DecoderOrder, _ file: consuming FileDescriptor?) {
    switch order {
    case .open(let ticket, let ringFrame): open(file, ticket, at: ringFrame)
    case .openNext(let ticket): openNext(file, ticket)
    case .forgetNext: forgetNext()
    case .seek(let seconds, let ringFrame): seek(to: seconds, at: ringFrame)
    case .setSection(let section):
      self.section = section
      turnsWithoutFrames = 0
    case .setRate(let rate): setRate(rate)
    case .fill(let endFrame): fill(until: endFrame)
    case .close: close()
    case .probe(let ticket): socket.send(ItemProbe.answer(file, ticket: ticket))
    }
  }

  private mutating func open(_ file: consuming FileDescriptor?, _ ticket: UInt32, at ringFrame: UInt64) {
    close()
    ring.nextFrame = ringFrame
    let opened = unsafe OpenItem.answering(file, ticket: ticket, .full, lock: thread?.pointee.lock, socket: socket) {
      unsafe thread?.pointee.add($0)
    }
    guard let item = opened else { return }
    current = consume item
    begin(atSeconds: 0)
  }

  private mutating func openNext(_ file: consuming FileDescriptor?, _ ticket: UInt32) {
    forgetNext()
    if let thread = unsafe thread {
      unsafe thread.pointee.open(file, ticket: ticket)
    } else {
      next = unsafe OpenItem.answering(file, ticket: ticket, .hurry, lock: nil, socket: socket) { _ in }
    }
  }

  private mutating func forgetNext() {
    if let item = takeNext() { dispose(item) }
  }

  /// What follows, waited for while it is being opened.
  private mutating func takeNext() -> OpenItem? {
    if let thread = unsafe thread { return unsafe thread.pointee.takeOpened() }
    return next.take()
  }

  private func dispose(_ item: consuming OpenItem) {
    unsafe item.store.pointee.pause()
    unsafe thread?.pointee.remove(item.store)
  }

  private mutating func close() {
    forgetNext()
    if let item = current.take() { dispose(item) }
    section = nil
    phase = .ended
    forgetFrames()
  }

  /// Forgets what was decoded and is not in the ring.
  private mutating func forgetFrames() {
    pendingCount = 0
    owesMark = false
    changer.clear()
    converter.begin()
  }

  /// Begins a stretch of the open item at the ring's next frame.
  private mutating func begin(atSeconds seconds: Double) {
    converter.begin()
    stretchSeconds = seconds
    phase = .decoding
    sendMark(atSeconds: seconds)
  }

  private mutating func sendMark(atSeconds seconds: Double) {
    owesMark = false
    mark = StreamMark(
      ringFrame: ring.nextFrame, ticket: current?.ticket ?? 0, positionSeconds: min(1e7, max(0, seconds)),
      rate: changer.rate)
    socket.send(.mark(mark))
  }

  private mutating func seek(to seconds: Double, at ringFrame: UInt64) {
    forgetFrames()
    ring.nextFrame = ringFrame
    let longest = current?.properties.durationSeconds ?? 0
    leap(toSeconds: longest > 0 ? min(seconds, longest) : seconds)
  }

  private mutating func leap(toSeconds seconds: Double) {
    guard let frame = current?.frame(atSeconds: seconds) else { return }
    let start = current?.seconds(atFrame: frame) ?? 0
    do throws(DecoderRefusal) {
      try current?.seek(toFrame: frame)
      begin(atSeconds: start)
    } catch {
      begin(atSeconds: start)
      phase = .ended
    }
  }

  private mutating func setRate(_ rate: Double) {
    let heard = Double(ring.nextFrame &- mark.ringFrame) / Double(format.sampleRateHz) * mark.rate
    let position = mark.positionSeconds + heard
    let wasActive = changer.isActive
    if wasActive, rate == 1 { changer.flush() }
    changer.set(rate: rate)
    if !wasActive, rate != 1, pendingCount > 0, let frames = unsafe pending {
      // What waits is not in the ring yet, so that the new rate begins with it.
      unsafe changer.write(frames, frameCount: pendingCount)
      pendingCount = 0
    }
    sendMark(atSeconds: position)
    // What the changer holds is still of the old rate; behind it the position is exact again.
    owesMark = wasActive && rate == 1
  }

  private mutating func fill(until endFrame: UInt64) {
    while ring.nextFrame < endFrame {
      if pendingCount > 0, let frames = unsafe pending {
        let count = Int(min(UInt64(pendingCount), endFrame - ring.nextFrame))
        unsafe ring.write(frames, frameCount: count)
        pendingCount -= count
        unsafe pending = frames + count * bytesPerPendingFrame
      } else if !produce() {
        socket.send(.ended(ringFrame: ring.nextFrame, reading))
        return
      }
    }
    socket.send(.filled(endFrame: endFrame, reading))
  }

  private var reading: PacketReading {
    switch current {
    case .some(let item): item.reading
    case nil: PacketReading()
    }
  }

  /// 24 bits lie in four bytes until they are in the ring.
  private var bytesPerPendingFrame: Int {
    Int(format.channelCount) * (format.sampleFormat == .int16 ? 2 : 4)
  }

  /// Takes a step towards the next frames.
  /// - Returns: false when there are none any more.
  private mutating func produce() -> Bool {
    if changer.availableFrameCount > 0 {
      let count = changer.read()
      unsafe pending = changer.frames
      pendingCount = count
      return true
    }
    if owesMark { sendMark(atSeconds: stretchSeconds + convertedSeconds) }
    switch phase {
    case .decoding: decode()
    case .flushing: flush()
    case .turning: turn()
    case .ended: return false
    }
    return true
  }

  private var convertedSeconds: Double { Double(converter.producedFrameCount) / Double(format.sampleRateHz) }

  private mutating func decode() {
    guard let item = current.take() else {
      phase = .ended
      return
    }
    current = .some(decode(item))
  }

  /// Converts the next frames of the item, up to the section's end.
  private mutating func decode(_ given: consuming OpenItem) -> OpenItem {
    var item = given
    guard item.advance() else {
      phase = .flushing
      return item
    }
    var count = min(item.frameCount, converter.inputLimit(sampleRateHz: item.sampleRateHz))
    if let section {
      count = Int(min(Int64(count), item.frame(atSeconds: section.endSeconds) - item.position))
    }
    guard count > 0 else {
      phase = .flushing
      return item
    }
    if unsafe converter.needsFlush(before: item.decoded) {
      let left = converter.flush()
      if left > 0 {
        emit(left)
        return item
      }
    }
    let produced = unsafe converter.convert(item.decoded, from: item.firstFrame, count: count)
    item.consume(count)
    emit(produced)
    return item
  }

  private mutating func emit(_ frameCount: Int) {
    guard frameCount > 0 else { return }
    turnsWithoutFrames = 0
    if changer.isActive {
      unsafe changer.write(converter.frames, frameCount: frameCount)
    } else {
      unsafe pending = converter.frames
      pendingCount = frameCount
    }
  }

  private mutating func flush() {
    let count = converter.flush()
    if count > 0 {
      emit(count)
    } else {
      if changer.isActive { changer.flush() }
      phase = .turning
    }
  }

  /// Goes on at the section's start, or with the next item.
  private mutating func turn() {
    if let section, turnsWithoutFrames < 2 {
      turnsWithoutFrames += 1
      leap(toSeconds: section.startSeconds)
    } else if let item = takeNext() {
      if let old = current.take() { dispose(old) }
      current = consume item
      section = nil
      begin(atSeconds: 0)
    } else {
      phase = .ended
    }
  }
}
