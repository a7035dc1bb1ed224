import Decoding

/// How far frames have come on their way through the ring: asked for, filled, given to the card.
///
/// `requestedEnd >= filledEnd >= cursor`, always, whatever the decoder says.
struct FrameFeed: BitwiseCopyable {
  /// Where the last seek, or the last file, begins.
  private(set) var firstFrame: UInt64 = 0
  private(set) var requestedEnd: UInt64 = 0
  private(set) var filledEnd: UInt64 = 0
  /// The next frame that the card is given.
  private(set) var cursor: UInt64 = 0
  /// Behind the last frame, once that is known.
  private(set) var end: UInt64?
  var marks = MarkList()

  /// Frames that the card can be given.
  var availableFrames: Int { Int(filledEnd - cursor) }

  /// Whether the card has been given the last frame.
  var isDelivered: Bool { end == cursor }

  /// Forgets all frames.
  ///
  /// The new ones begin one frame behind all that was ever asked for: what is still said of an older order cannot be
  /// mistaken for an answer to the new one.
  /// - Returns: where the new ones begin.
  mutating func restart() -> UInt64 {
    requestedEnd += 1
    firstFrame = requestedEnd
    filledEnd = requestedEnd
    cursor = requestedEnd
    end = nil
    marks.removeAll()
    return firstFrame
  }

  /// Keeps the frames that are there; others, of an order that is about to be given, come behind them. Only when
  /// nothing else can come there: at the end, or when the process that would have filled more is gone.
  /// - Returns: where the new ones begin.
  mutating func continueBehind() -> UInt64 {
    firstFrame = filledEnd
    requestedEnd = filledEnd
    end = nil
    return firstFrame
  }

  /// More frames are there. What does not fit what was asked is disregarded.
  mutating func fill(to endFrame: UInt64) {
    guard endFrame >= max(firstFrame, filledEnd), endFrame <= requestedEnd, end == nil else { return }
    filledEnd = endFrame
  }

  /// There are no frames behind `ringFrame`. Likewise.
  mutating func end(at ringFrame: UInt64) {
    guard ringFrame >= max(firstFrame, filledEnd), ringFrame <= requestedEnd, end == nil else { return }
    filledEnd = ringFrame
    end = ringFrame
  }

  /// What is there is all there will be.
  mutating func cutOff() {
    requestedEnd = max(requestedEnd, filledEnd)
    end = filledEnd
  }

  /// What a frame that is not there yet is. Likewise.
  mutating func add(_ mark: StreamMark) {
    guard mark.ringFrame >= max(firstFrame, filledEnd), mark.ringFrame <= requestedEnd, mark.isPossible else { return }
    marks.append(mark)
  }

  /// The card took so many.
  mutating func advance(frameCount: Int) {
    precondition(frameCount <= availableFrames, "the card took frames that it was not given")
    cursor += UInt64(frameCount)
  }

  /// The card dropped so many, which it is to be given again.
  mutating func rewind(frameCount: Int) { cursor -= UInt64(frameCount) }

  /// What is to be asked for, so that frames up to `target` come; nil when it is too little to ask.
  mutating func request(upTo target: UInt64, leastFrames: Int) -> UInt64? {
    guard end == nil, target >= requestedEnd + UInt64(leastFrames) else { return nil }
    requestedEnd = target
    return target
  }
}
