import Base
import Wire

/// The progress of frames through the ring: requested, filled, given to the card.
///
/// `requestedEnd >= filledEnd >= cursor` always holds, whatever the decoder sends.
struct FrameFeed: ~Copyable {
  let sampleRateHz: Double
  /// The first frame since the last seek, or of the last file.
  private(set) var firstFrame: UInt64 = 0
  /// The position of `firstFrame` in its item, in seconds, until a mark corrects it.
  private(set) var firstSeconds = 0.0
  private(set) var requestedEnd: UInt64 = 0
  private(set) var filledEnd: UInt64 = 0
  private(set) var cursor: UInt64 = 0
  /// The frame after the last one, once it is known.
  private(set) var end: UInt64?
  var marks = MarkList()

  init(sampleRateHz: UInt32) { self.sampleRateHz = Double(sampleRateHz) }

  var availableFrames: Int { Int(filledEnd - cursor) }

  var isDelivered: Bool { end == cursor }

  func positionSeconds(of frame: UInt64) -> Double {
    guard let mark = marks.mark(of: frame) else { return firstSeconds }
    return mark.positionSeconds + Double(frame - mark.ringFrame) * mark.rate / sampleRateHz
  }

  /// Forgets all frames and restarts at `firstFrame`.
  ///
  /// This is one frame after the last one ever requested, so that an answer to an older order cannot be mistaken for an
  /// answer to a newer one.
  /// - Parameter seconds: the position in the item.
  mutating func restart(atSeconds seconds: Double) {
    requestedEnd += 1
    firstFrame = requestedEnd
    firstSeconds = seconds
    filledEnd = requestedEnd
    cursor = requestedEnd
    end = nil
    marks.removeAll()
  }

  /// Keeps the filled frames; those of the next order follow them. Allowed only if no other frames can arrive there: at
  /// the end, or after the process that would have filled more has ended.
  /// - Returns: where the new frames begin.
  mutating func continueAfterFilled() -> UInt64 {
    firstFrame = filledEnd
    requestedEnd = filledEnd
    end = nil
    return firstFrame
  }

  /// Notes that more frames were filled. A message that does not fit the request is ignored.
  mutating func fill(to endFrame: UInt64) {
    guard endFrame >= max(firstFrame, filledEnd), endFrame <= requestedEnd, end == nil else { return }
    filledEnd = endFrame
  }

  /// Notes that there are no frames after `ringFrame`. Checked like ``fill(to:)``.
  mutating func end(at ringFrame: UInt64) {
    guard ringFrame >= max(firstFrame, filledEnd), ringFrame <= requestedEnd, end == nil else { return }
    filledEnd = ringFrame
    end = ringFrame
  }

  /// Declares the filled frames to be the last ones.
  mutating func cutOff() {
    requestedEnd = max(requestedEnd, filledEnd)
    end = filledEnd
  }

  /// Adds the mark of a frame that is still to come. Checked like ``fill(to:)``.
  mutating func add(_ mark: StreamMark) {
    guard mark.ringFrame >= max(firstFrame, filledEnd), mark.ringFrame <= requestedEnd, mark.isPossible else { return }
    marks.append(mark)
  }

  mutating func advance(frameCount: Int) {
    precondition(frameCount <= availableFrames, "the card took frames that it was not given")
    cursor += UInt64(frameCount)
  }

  /// The card dropped frames; they must be given to it again.
  mutating func rewind(frameCount: Int) { cursor -= UInt64(frameCount) }

  /// Requests frames up to `target`.
  /// - Returns: the new end; nil if it would add fewer than `leastFrames`.
  mutating func request(upTo target: UInt64, leastFrames: Int) -> UInt64? {
    guard end == nil, target >= requestedEnd + UInt64(leastFrames) else { return nil }
    requestedEnd = target
    return target
  }
}

/// The frames that the card holds and has not played yet, in order: frames of the decoder's ring, and filler between
/// them (silence, or the tone alone).
struct PlayoutQueue: BitwiseCopyable {
  private struct Run: BitwiseCopyable {
    var isSound: Bool
    var frameCount: Int
  }

  private var runs = InlineArray<8, Run>(repeating: Run(isSound: false, frameCount: 0))
  private var runCount = 0
  private(set) var givenFrames: UInt64 = 0

  var soundFrames: Int {
    var sum = 0
    let runs = runs.span
    for index in 0..<runCount where runs[index].isSound { sum += runs[index].frameCount }
    return sum
  }

  var frameCount: Int {
    var sum = 0
    let runs = runs.span
    for index in 0..<runCount { sum += runs[index].frameCount }
    return sum
  }

  /// Whether frames of this kind can be appended. They cannot only if playback is started and stopped many times within
  /// the length of the card's buffer.
  func canAppend(isSound: Bool) -> Bool {
    runCount < runs.count || runs[runCount - 1].isSound == isSound
  }

  /// Appends frames that the card took. Requires ``canAppend(isSound:)``.
  mutating func append(frameCount: Int, isSound: Bool) {
    guard frameCount > 0 else { return }
    givenFrames += UInt64(frameCount)
    if runCount > 0, runs[runCount - 1].isSound == isSound {
      runs[runCount - 1].frameCount += frameCount
      return
    }
    precondition(runCount < runs.count, "the playout queue is full")
    runs[runCount] = Run(isSound: isSound, frameCount: frameCount)
    runCount += 1
  }

  /// Removes what the card has played: all but the last `queuedFrames`.
  mutating func keep(queuedFrames: Int) {
    var played = frameCount - max(0, queuedFrames)
    guard played > 0 else { return }
    var spent = 0
    while spent < runCount, runs[spent].frameCount <= played {
      played -= runs[spent].frameCount
      spent += 1
    }
    for index in spent..<runCount { runs[index - spent] = runs[index] }
    runCount -= spent
    if runCount > 0 { runs[0].frameCount -= played }
  }

  mutating func removeAll() { runCount = 0 }
}

/// The decoder's PCM ring, as the player reads it: frame n is at index n modulo the capacity.
@safe struct SharedRing: ~Copyable {
  // Safe: mapped for the life of the process. Another process may write to it at any time, but every bit pattern is a
  // valid sample, and the bytes have no other use.
  private let memory: UnsafeRawBufferPointer
  private let bytesPerFrame: Int

  init(memory: UnsafeRawBufferPointer, bytesPerFrame: Int) {
    unsafe self.memory = memory
    self.bytesPerFrame = bytesPerFrame
  }

  private var capacityFrames: Int { unsafe memory.count / bytesPerFrame }

  /// The ring's fill level while `waitingFrames` have not been given to the card yet.
  func level(waitingFrames: Int) -> RingLevel {
    RingLevel(itemCount: waitingFrames, capacity: capacityFrames, byteCount: unsafe memory.count)
  }

  /// How many of the `frameCount` frames from `position` on are contiguous in memory.
  func contiguousFrames(from position: UInt64, frameCount: Int) -> Int {
    min(frameCount, capacityFrames - Int(position % UInt64(capacityFrames)))
  }

  @_lifetime(borrow self)
  func frames(from position: UInt64, frameCount: Int) -> RawSpan {
    let start = Int(position % UInt64(capacityFrames)) * bytesPerFrame
    let piece = unsafe UnsafeRawBufferPointer(rebasing: memory[start..<start + frameCount * bytesPerFrame])
    let span = unsafe RawSpan(_unsafeBytes: piece)
    return unsafe _overrideLifetime(span, borrowing: self)
  }

  /// Copies contiguous frames from `position` on; silence if `position` is nil.
  func copy(frameCount: Int, from position: UInt64?, to buffer: inout FixedBuffer) {
    var target = buffer.mutableBytes
    let offsets = 0..<frameCount * bytesPerFrame
    guard let position else {
      for offset in offsets { target.storeBytes(of: 0, toByteOffset: offset, as: UInt8.self) }
      return
    }
    let start = Int(position % UInt64(capacityFrames)) * bytesPerFrame
    for offset in offsets {
      target.storeBytes(of: unsafe memory[start + offset], toByteOffset: offset, as: UInt8.self)
    }
  }
}
