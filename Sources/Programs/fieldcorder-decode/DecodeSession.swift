import Base
import CFFmpeg
import Machine
import Wire

/// Executes the recorder's orders: decodes the open item into the ring.
@safe struct DecodeSession: ~Copyable {
  private enum Phase {
    case decoding
    /// The item or section has ended; the converter still holds some frames.
    case flushing
    /// Once the rate changer is empty: continue at the section's start, or with the next item.
    case goingOn
    /// There are no more frames.
    case ended
  }

  private enum Step {
    case taken
    /// The stream's server has not sent the next packet.
    case nothingYet
    case end
  }

  /// How often a stream's progress is reported while it fills its buffers and nothing is decoded.
  private static var readingMilliseconds: Int32 { 500 }
  /// How often a starved stream is polled.
  private static var starvingMilliseconds: Int32 { 20 }
  /// How often starvation is reported: well within the recorder's timeout for a sign of life.
  private static var signNanoseconds: UInt64 { 400_000_000 }
  /// How often the process's time is renewed: a small part of what an order may take.
  private static var renewalNanoseconds: UInt64 { 1_000_000_000 }
  /// How often a stream is adjusted to the fill level of its buffers.
  private static var steeringSeconds: Double { 1 }

  private let socket: OrderSocket
  // Safe: lives as long as the process.
  private let thread: UnsafeMutablePointer<ReadingThread>?
  private var ring: PCMRing
  private var converter: SampleConverter
  private var changer: RateChanger
  private let format: AudioFormat
  private var current: OpenItem?
  /// Used only if there is no reading thread; otherwise the thread owns the next item.
  private var next: OpenItem?
  private var section: PlaybackSection?
  private var phase = Phase.ended
  /// Whether the open part of the file has ended, and not only the section.
  private var hasReachedEnd = false
  /// The position in the item of the converter's first output frame.
  private var runSeconds = 0.0
  /// The mark of the frames being written now.
  private var mark = StreamMark(ringFrame: 0, requestID: 0, positionSeconds: 0, rate: 1)
  /// Whether the rate changer still holds frames of another rate than those that follow.
  private var owesMark = false
  // Safe: frames of the converter or the rate changer, which produce no others before these are written.
  private var pending: UnsafeRawPointer?
  private var pendingCount = 0
  private var loopsWithoutFrames = 0
  /// The ring position up to which frames are still owed by a starved stream.
  private var owedEnd: UInt64?
  /// The ring position last reported for a stream that owes frames.
  private var reportedEnd: UInt64 = 0
  /// What was last reported while no order was pending.
  private var reportedReading = PacketReading()
  private var signDue: Instant = 0
  /// When the time that the process may take is next renewed.
  private var renewalDue: Instant = 0
  private var steering = FillSteering()
  /// The converter's frame count when the stream was last adjusted.
  private var steeredFrameCount: Int64 = 0

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

  mutating func run() {
    socket.send(.ready)
    while true {
      if let owedEnd, !socket.waits(milliseconds: Self.starvingMilliseconds) {
        fill(until: owedEnd)
        continue
      }
      if unsafe thread != nil, !socket.waits(milliseconds: Self.readingMilliseconds) {
        tellReading()
        continue
      }
      guard let received = socket.receive() else { return }
      let order = received.order
      renewTime()
      follow(order, received.file)
    }
  }

  private mutating func renewTime() {
    let now = Instant.now
    guard now >= renewalDue else { return }
    renewalDue = now + Self.renewalNanoseconds
    Sandbox.renewTime()
  }

  private mutating func follow(_ order: DecoderOrder, _ file: consuming FileDescriptor?) {
    switch order {
    case .open(let requestID, let ringFrame, let isSynced): open(file, requestID, at: ringFrame, isSynced)
    case .openNext(let requestID): openNext(file, requestID)
    case .forgetNext: forgetNext()
    case .seek(let seconds, let ringFrame): seek(to: seconds, at: ringFrame)
    case .setSection(let section):
      self.section = section
      loopsWithoutFrames = 0
    case .setRate(let rate): setRate(rate)
    case .fill(let endFrame): fill(until: endFrame)
    case .close: close()
    case .probe(let requestID): socket.send(ItemProbe.answer(file, requestID: requestID))
    case .extract: break
    }
  }

  private mutating func open(
    _ file: consuming FileDescriptor?, _ requestID: UInt32, at ringFrame: UInt64, _ isSynced: Bool
  ) {
    close()
    ring.nextFrame = ringFrame
    let opened = unsafe OpenItem.answering(
      file, requestID: requestID, .full, lock: thread?.pointee.lock, socket: socket, isSynced: isSynced
    ) { unsafe thread?.pointee.add($0) }
    guard let item = opened else { return }
    current = consume item
    begin(atSeconds: 0)
  }

  private mutating func openNext(_ file: consuming FileDescriptor?, _ requestID: UInt32) {
    forgetNext()
    if let thread = unsafe thread {
      unsafe thread.pointee.open(file, requestID: requestID)
    } else {
      next = unsafe OpenItem.answering(file, requestID: requestID, .quick, lock: nil, socket: socket) { _ in }
    }
  }

  private mutating func forgetNext() {
    if let item = takeNext() { dispose(item) }
  }

  /// Takes the next item; waits while it is being opened.
  private mutating func takeNext() -> OpenItem? {
    if let thread = unsafe thread { return unsafe thread.pointee.takeOpened() }
    return next.take()
  }

  /// Must be called before an open item is destroyed.
  private func dispose(_ item: borrowing OpenItem) {
    unsafe item.store.pointee.pause()
    unsafe thread?.pointee.remove(item.store)
  }

  private mutating func close() {
    forgetNext()
    if let item = current.take() { dispose(item) }
    section = nil
    phase = .ended
    owedEnd = nil
    forgetFrames()
  }

  /// Drops frames that were decoded but are not in the ring yet.
  private mutating func forgetFrames() {
    pendingCount = 0
    owesMark = false
    changer.clear()
    converter.begin()
  }

  /// Continues decoding from a position in the open item into the ring's next frame.
  private mutating func begin(atSeconds seconds: Double) {
    converter.begin()
    steering = FillSteering()
    steeredFrameCount = 0
    runSeconds = seconds
    hasReachedEnd = false
    phase = .decoding
    sendMark(atSeconds: seconds)
  }

  private mutating func sendMark(atSeconds seconds: Double) {
    owesMark = false
    mark = StreamMark(
      ringFrame: ring.nextFrame, requestID: current?.requestID ?? 0, positionSeconds: min(1e7, max(0, seconds)),
      rate: changer.rate)
    socket.send(.mark(mark))
  }

  private mutating func seek(to seconds: Double, at ringFrame: UInt64) {
    forgetFrames()
    ring.nextFrame = ringFrame
    let longest = current?.properties.durationSeconds ?? 0
    jump(toSeconds: longest > 0 ? min(seconds, longest) : seconds)
  }

  private mutating func jump(toSeconds seconds: Double) {
    guard openPart(atSeconds: seconds), let frame = current?.frame(atSeconds: seconds) else { return }
    let start = current?.seconds(atFrame: frame) ?? 0
    do throws(DecoderRefusal) {
      try current?.seek(toFrame: frame)
      begin(atSeconds: start)
    } catch {
      begin(atSeconds: start)
      phase = .ended
    }
  }

  /// Opens the part of the file at a time, unless it is open already.
  /// - Returns: false if nothing is open afterwards.
  private mutating func openPart(atSeconds seconds: Double) -> Bool {
    guard let item = current.take() else { return false }
    let part = item.part(atSeconds: seconds)
    guard part != item.partIndex else {
      current = consume item
      return true
    }
    return open(part, of: item)
  }

  /// - Returns: false if it cannot be opened: the file ends there.
  private mutating func open(_ part: Int, of given: consuming OpenItem) -> Bool {
    var item = given
    dispose(item)
    let lock = unsafe thread?.pointee.lock
    current = unsafe OpenItem.openPart(part, of: &item, lock: lock) { unsafe thread?.pointee.add($0) }
    guard let properties = current?.properties else {
      phase = .ended
      return false
    }
    socket.send(.titled(ringFrame: ring.nextFrame, title: properties.title, artist: properties.artist))
    return true
  }

  private mutating func setRate(_ rate: Double) {
    let heard = Double(ring.nextFrame &- mark.ringFrame) / Double(format.sampleRateHz) * mark.rate
    let position = mark.positionSeconds + heard
    let wasActive = changer.isActive
    changer.set(rate: rate)
    if !wasActive, rate != 1, pendingCount > 0, let frames = unsafe pending {
      // Pending frames are not in the ring yet, so the new rate begins with them.
      unsafe changer.write(frames, frameCount: pendingCount)
      pendingCount = 0
    }
    sendMark(atSeconds: position)
    // The frames in the changer have the old rate; after them the position is exact again.
    owesMark = wasActive && rate == 1
  }

  private mutating func fill(until endFrame: UInt64) {
    let wasOwed = owedEnd != nil
    owedEnd = nil
    while ring.nextFrame < endFrame {
      if pendingCount > 0, let frames = unsafe pending {
        let count = Int(min(UInt64(pendingCount), endFrame - ring.nextFrame))
        unsafe ring.write(frames, frameCount: count)
        pendingCount -= count
        unsafe pending = frames + count * format.bytesPerConvertedFrame
      } else {
        switch produce() {
        case .taken: continue
        case .nothingYet: return owe(until: endFrame, isEvent: !wasOwed)
        case .end: return socket.send(.ended(ringFrame: ring.nextFrame, reading))
        }
      }
    }
    socket.send(.filled(endFrame: endFrame, reading))
  }

  /// Reports progress, and continues when the server does.
  private mutating func owe(until endFrame: UInt64, isEvent: Bool) {
    owedEnd = endFrame
    let now = Instant.now
    let isWaitedFor = isSynced && ring.nextFrame > reportedEnd
    guard isEvent || isWaitedFor || now >= signDue else { return }
    signDue = now + Self.signNanoseconds
    reportedEnd = ring.nextFrame
    Sandbox.renewTime()
    socket.send(.filled(endFrame: ring.nextFrame, reading))
  }

  /// Whether the open item is a stream that another program keeps in sync.
  private var isSynced: Bool {
    switch current {
    case .some(let item): item.isSynced
    case nil: false
    }
  }

  /// Reports the reading state when no order has come for a while.
  private mutating func tellReading() {
    guard current?.fill != nil, phase != .ended else { return }
    let reading = reading
    guard reading != reportedReading else { return }
    reportedReading = reading
    socket.send(.filled(endFrame: ring.nextFrame, reading))
  }

  private var reading: PacketReading {
    switch current {
    case .some(let item): item.reading
    case nil: PacketReading()
    }
  }

  /// Takes one step towards the next frames.
  private mutating func produce() -> Step {
    if changer.availableFrameCount > 0 {
      let count = changer.read()
      unsafe pending = changer.frames
      pendingCount = count
      return .taken
    }
    if owesMark, !changer.isActive { sendMark(atSeconds: runSeconds + convertedSeconds) }
    switch phase {
    case .decoding: return decode()
    case .flushing: flush()
    case .goingOn: goOn()
    case .ended: return .end
    }
    return .taken
  }

  private var convertedSeconds: Double { Double(converter.producedFrameCount) / Double(format.sampleRateHz) }

  private mutating func decode() -> Step {
    guard var item = current.take() else {
      phase = .ended
      return .taken
    }
    let advance = item.advance()
    if let tags = item.newTags.take() {
      socket.send(.titled(ringFrame: ring.nextFrame, title: tags.title, artist: tags.artist))
    }
    switch advance {
    case .frames: current = .some(decode(item))
    case .nothingYet:
      current = consume item
      return .nothingYet
    case .end:
      current = consume item
      hasReachedEnd = true
      phase = .flushing
    }
    return .taken
  }

  /// Makes a stream slightly longer or shorter, so that neither its server nor the card gets ahead of the other.
  private mutating func steer(_ item: borrowing OpenItem) {
    let seconds = Double(converter.producedFrameCount - steeredFrameCount) / Double(format.sampleRateHz)
    guard seconds >= Self.steeringSeconds, !item.isSynced, let fill = item.fill else { return }
    steeredFrameCount = converter.producedFrameCount
    steering.step(seconds: seconds, fillSeconds: fill.seconds, isHeldBack: fill.isHeldBack)
    converter.stretch(partsPerMillion: steering.partsPerMillion)
  }

  /// Converts the current frames of the item, up to the section's end.
  private mutating func decode(_ given: consuming OpenItem) -> OpenItem {
    var item = given
    steer(item)
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
    loopsWithoutFrames = 0
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
      phase = .goingOn
    }
  }

  /// Continues with the file's next part, at the section's start, or with the next item.
  private mutating func goOn() {
    if hasReachedEnd, let item = current.take() {
      guard let part = item.followingPart else {
        current = consume item
        return leave()
      }
      if open(part, of: item) { begin(atSeconds: current?.seconds(atFrame: 0) ?? 0) }
    } else {
      leave()
    }
  }

  /// Continues at the section's start, or with the next item.
  private mutating func leave() {
    if let section, loopsWithoutFrames < 2 {
      loopsWithoutFrames += 1
      jump(toSeconds: section.startSeconds)
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
