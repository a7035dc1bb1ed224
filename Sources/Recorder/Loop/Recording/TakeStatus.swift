import Text
import Values

/// The newest take, as `status` tells of it: the one that grows, or the last one.
struct TakeStatus {
  /// Empty until the file is open.
  var path: FixedText<128> = ""
  /// Where on the timeline the button was pressed.
  let pressPosition: TimelinePosition
  /// Where the file that grows begins; the take's first file begins with the pre-roll.
  private var fileStartPosition: TimelinePosition
  /// How much of the take was before the press, in frames of the timeline.
  private(set) var prerollFrames: UInt64 = 0
  /// How large the file became, once it is complete.
  private(set) var finalByteCount: UInt64?
  /// Where it ends, once that is known.
  var endPosition: TimelinePosition?

  /// What had been lost when the take was ordered, and when its last file was complete.
  private let lossesBefore: Losses
  private var lossesAtEnd: Losses?

  init(pressPosition: TimelinePosition, lossesBefore: Losses) {
    self.pressPosition = pressPosition
    self.lossesBefore = lossesBefore
    fileStartPosition = pressPosition
  }

  /// A file of the take is open.
  mutating func began(path: FixedText<128>, atPosition position: TimelinePosition) {
    if self.path.isEmpty, position < pressPosition { prerollFrames = pressPosition - position }
    self.path = path
    fileStartPosition = position
  }

  /// The last file of the take is complete.
  mutating func ended(byteCount: UInt64, losses: Losses) {
    finalByteCount = byteCount
    lossesAtEnd = losses
  }

  /// What the take has lost; `now` is what was lost since boot.
  func losses(now: Losses) -> Losses { (lossesAtEnd ?? now) - lossesBefore }

  /// Where the take begins, as far as that is known.
  var startPosition: TimelinePosition { pressPosition - prerollFrames }

  /// How long the file is when the timeline is at `position`.
  func fileFrames(at position: TimelinePosition) -> UInt64 {
    let end = endPosition ?? position
    return end > fileStartPosition ? end - fileStartPosition : 0
  }
}

/// What did not come through, counted since boot.
struct Losses {
  /// Pictures that the camera's driver dropped, that found the frame ring full, or that could not be encoded.
  var pictures: UInt64 = 0
  /// Times that the card lost sound.
  var audioOverruns: UInt64 = 0

  static func - (later: Losses, earlier: Losses) -> Losses {
    Losses(
      pictures: later.pictures - earlier.pictures, audioOverruns: later.audioOverruns - earlier.audioOverruns)
  }
}
