import Decoding
import Values

/// How far the frames have come on their way through the ring: requested, filled, given to the card.
///
/// `requestedEnd >= filledEnd >= cursor`, always, whatever the decoder says.
struct FrameFeed: BitwiseCopyable {
  let sampleRateHz: Double
  /// The first frame since the last seek, or of the last file.
  private(set) var firstFrame: UInt64 = 0
  /// The position of `firstFrame` in its item, until a mark tells it.
  private(set) var firstSeconds = 0.0
  private(set) var requestedEnd: UInt64 = 0
  private(set) var filledEnd: UInt64 = 0
  /// The next frame for the card.
  private(set) var cursor: UInt64 = 0
  /// The end of the last frame, once it is known.
  private(set) var end: UInt64?
  var marks = MarkList()

  init(sampleRateHz: UInt32) { self.sampleRateHz = Double(sampleRateHz) }

  /// Frames that the card can be given.
  var availableFrames: Int { Int(filledEnd - cursor) }

  /// Whether the card has been given the last frame.
  var isDelivered: Bool { end == cursor }

  /// The position of a frame in its item.
  func positionSeconds(of frame: UInt64) -> Double {
    guard let mark = marks.mark(of: frame) else { return firstSeconds }
    return mark.positionSeconds + Double(frame - mark.ringFrame) * mark.rate / sampleRateHz
  }

  /// Forgets all frames, and begins anew at `firstFrame`.
  ///
  /// That is one frame after all that was ever requested: an answer to an older order cannot be mistaken for one to a
  /// newer order.
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

  /// Keeps the frames that are there; those of an order that is about to be given follow them. Only when no others can
  /// come there: at the end, or when the process that would have filled more is gone.
  /// - Returns: where the new frames begin.
  mutating func continueAfterFilled() -> UInt64 {
    firstFrame = filledEnd
    requestedEnd = filledEnd
    end = nil
    return firstFrame
  }

  /// More frames are there. A message that does not fit what was requested is ignored.
  mutating func fill(to endFrame: UInt64) {
    guard endFrame >= max(firstFrame, filledEnd), endFrame <= requestedEnd, end == nil else { return }
    filledEnd = endFrame
  }

  /// There are no frames after `ringFrame`. Checked like ``fill(to:)``.
  mutating func end(at ringFrame: UInt64) {
    guard ringFrame >= max(firstFrame, filledEnd), ringFrame <= requestedEnd, end == nil else { return }
    filledEnd = ringFrame
    end = ringFrame
  }

  /// No more frames follow those that are there.
  mutating func cutOff() {
    requestedEnd = max(requestedEnd, filledEnd)
    end = filledEnd
  }

  /// Adds the mark of a frame that is still to come. Checked like ``fill(to:)``.
  mutating func add(_ mark: StreamMark) {
    guard mark.ringFrame >= max(firstFrame, filledEnd), mark.ringFrame <= requestedEnd, mark.isPossible else { return }
    marks.append(mark)
  }

  /// The card took frames.
  mutating func advance(frameCount: Int) {
    precondition(frameCount <= availableFrames, "the card took frames that it was not given")
    cursor += UInt64(frameCount)
  }

  /// The card dropped frames, and is to be given them again.
  mutating func rewind(frameCount: Int) { cursor -= UInt64(frameCount) }

  /// Requests frames up to `target`.
  /// - Returns: the new end; nil when it would add fewer than `leastFrames`.
  mutating func request(upTo target: UInt64, leastFrames: Int) -> UInt64? {
    guard end == nil, target >= requestedEnd + UInt64(leastFrames) else { return nil }
    requestedEnd = target
    return target
  }
}
