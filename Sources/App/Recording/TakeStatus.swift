import Base
import Configuration

/// The newest take for `status`: the open one, or the last one.
struct TakeStatus {
  /// Empty until the file is open.
  var path: FixedText<128> = ""
  /// The interrupted file with which the take goes on, until its first file is open; empty otherwise.
  private var continues: FixedText<128>
  /// The timeline position of the press.
  let pressPosition: TimelinePosition
  /// Where the open file begins; a take's first file begins with the pre-roll.
  private var fileStartPosition: TimelinePosition
  /// The take's pre-roll, in frames of the timeline.
  private(set) var prerollFrames: UInt64 = 0
  /// The size of the complete file.
  private(set) var finalByteCount: UInt64?
  /// Where the take ends, once that is known.
  var endPosition: TimelinePosition?

  /// When it goes on in a new file.
  let split: SplitSettings
  /// The losses when the take was ordered, and when its last file was complete.
  private let lossesBefore: Losses
  private var lossesAtEnd: Losses?

  init(pressPosition: TimelinePosition, continues: FixedText<128>, lossesBefore: Losses, split: SplitSettings) {
    self.pressPosition = pressPosition
    self.continues = continues
    self.lossesBefore = lossesBefore
    self.split = split
    fileStartPosition = pressPosition
  }

  /// A file of the take is open.
  /// - Returns: the interrupted file with which the take goes on, if this is the first.
  mutating func began(path: FixedText<128>, atPosition position: TimelinePosition) -> FixedText<128> {
    defer { continues.removeAll() }
    if self.path.isEmpty, position < pressPosition { prerollFrames = pressPosition - position }
    self.path = path
    fileStartPosition = position
    return continues
  }

  /// The last file of the take is complete.
  mutating func ended(byteCount: UInt64, losses: Losses) {
    finalByteCount = byteCount
    lossesAtEnd = losses
  }

  /// The take's losses; `now` is the count since boot.
  func losses(now: Losses) -> Losses { (lossesAtEnd ?? now) - lossesBefore }

  /// Where the take begins, as far as that is known.
  var startPosition: TimelinePosition { pressPosition - prerollFrames }

  /// The file's length when the timeline is at `position`.
  func fileFrames(at position: TimelinePosition) -> UInt64 {
    let end = endPosition ?? position
    return end > fileStartPosition ? end - fileStartPosition : 0
  }
}

struct Losses {
  /// Pictures that the camera's driver dropped, that found the frame ring full, or that could not be encoded.
  var pictures: UInt64 = 0
  var audioOverruns: UInt64 = 0
  /// Pictures that were left out because of the heat. They are no losses.
  var leftOutPictures: UInt64 = 0

  static func - (later: Losses, earlier: Losses) -> Losses {
    Losses(
      pictures: later.pictures - earlier.pictures, audioOverruns: later.audioOverruns - earlier.audioOverruns,
      leftOutPictures: later.leftOutPictures - earlier.leftOutPictures)
  }
}
