import Base
import Wire

/// The progress of frames through the ring: requested, filled, given to the card.
///
/// `requestedEnd >= filledEnd >= cursor` always holds, whatever the decoder sends.
struct FrameFeed: BitwiseCopyable {
  let sampleRateHz: Double
  /// The first frame since the last seek, or of the last file.
  private(set) var firstFrame: UInt64 = 0
  /// The position of `firstFrame` in its item, until a mark corrects it.
  private(set) var firstSeconds = 0.0
  private(set) var requestedEnd: UInt64 = 0
  private(set) var filledEnd: UInt64 = 0
  /// The next frame for the card.
  private(set) var cursor: UInt64 = 0
  /// The end of the last frame, once it is known.
  private(set) var end: UInt64?
  var marks = MarkList()

  init(sampleRateHz: UInt32) { self.sampleRateHz = Double(sampleRateHz) }

  /// Frames that can be given to the card.
  var availableFrames: Int { Int(filledEnd - cursor) }

  /// Whether the card has been given the last frame.
  var isDelivered: Bool { end == cursor }

  /// The position of a frame in its item.
  func positionSeconds(of frame: UInt64) -> Double {
    guard let mark = marks.mark(of: frame) else { return firstSeconds }
    return mark.positionSeconds + Double(frame - mark.ringFrame) * mark.rate / sampleRateHz
  }

  /// Forgets all frames, and starts again at `firstFrame`.
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

  /// Keeps the filled frames; those of the next order follow them. Only when no others can come there: at the end, or
  /// when the process that would have filled more has ended.
  /// - Returns: where the new frames begin.
  mutating func continueAfterFilled() -> UInt64 {
    firstFrame = filledEnd
    requestedEnd = filledEnd
    end = nil
    return firstFrame
  }

  /// More frames were filled. A message that does not fit what was requested is ignored.
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

  /// No more frames follow those that were filled.
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

  /// The card dropped frames, which must be given to it again.
  mutating func rewind(frameCount: Int) { cursor -= UInt64(frameCount) }

  /// Requests frames up to `target`.
  /// - Returns: the new end; nil when it would add fewer than `leastFrames`.
  mutating func request(upTo target: UInt64, leastFrames: Int) -> UInt64? {
    guard end == nil, target >= requestedEnd + UInt64(leastFrames) else { return nil }
    requestedEnd = target
    return target
  }
}
