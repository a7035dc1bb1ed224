import Base

/// What the live view shows besides the picture: written by the loop, read by another process.
///
/// It is in shared memory, and holds only values of fixed sizes.
package struct ViewStatus: BitwiseCopyable, Equatable, Sendable {
  /// Whether a take is being recorded.
  package var isRecording = false
  /// Length of the current or the last take.
  package var takeMilliseconds: UInt64 = 0
  /// 1 or more.
  package var zoomFactor: Float = 1
  /// The number of the ``Orientation`` in which to show the picture.
  package var orientation: UInt8 = 0
  /// The viewfinder in the upright picture.
  package var viewfinder = ViewFraction(x: 0, y: 0, width: 1, height: 1)
  /// Peak levels in dBFS, -90…0: of the first channel, and of the second, or the first again for mono.
  package var peakDecibels: InlineArray<2, Float> = [-90, -90]
  /// How many times a channel's samples have been at full scale, counted up and starting again behind the largest
  /// number: of the first channel, and of the second, or the first again for mono.
  package var clipCounts: InlineArray<2, UInt32> = [0, 0]
  /// Free bytes on the card.
  package var freeByteCount: UInt64 = 0
  /// How long the card lasts for recording; nil while that is not known.
  package var roomSeconds: UInt32?
  /// The current faults, a bit for each ``ViewFault``.
  package var faults: UInt32 = 0
  /// What is played.
  package var player = ViewPlayer()
  /// What has the display.
  package var application = ViewApplication.viewfinder
  /// The language of its words.
  package var language = Language.english

  package init() {}

  /// Whether all fields are equal.
  package static func == (one: ViewStatus, other: ViewStatus) -> Bool {
    one.isRecording == other.isRecording && one.takeMilliseconds == other.takeMilliseconds
      && one.zoomFactor == other.zoomFactor && one.orientation == other.orientation
      && one.viewfinder == other.viewfinder && one.peakDecibels[0] == other.peakDecibels[0]
      && one.peakDecibels[1] == other.peakDecibels[1] && one.clipCounts[0] == other.clipCounts[0]
      && one.clipCounts[1] == other.clipCounts[1] && one.freeByteCount == other.freeByteCount
      && one.roomSeconds == other.roomSeconds && one.faults == other.faults && one.player == other.player
      && one.application == other.application && one.language == other.language
  }
}

/// A rectangle as fractions of the upright picture, 0…1, from its upper left corner.
package struct ViewFraction: BitwiseCopyable, Equatable, Sendable {
  /// The left edge's distance from the left, in picture widths.
  package var x: Float
  /// The upper edge's distance from the top, in picture heights.
  package var y: Float
  /// In picture widths.
  package var width: Float
  /// In picture heights.
  package var height: Float

  package init(x: Float, y: Float, width: Float, height: Float) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
}

/// A fault that the live view reports.
package enum ViewFault: UInt32, Sendable {
  case noMicrophone
  case noCamera
  case cardFull
  /// The last take could not be kept.
  case takeFailed
  /// Pictures or sound have been lost in this take.
  case losses
  /// The card does not answer, and the take does not grow.
  case cardStuck
  /// The microphone delivers digital silence, or the same value all the time.
  case noSound
  /// The microphone clips all the time.
  case clipping
  /// The camera shows nothing at all.
  case blackPicture
  /// The camera delivers the same picture again and again.
  case frozenPicture
  /// The processor is so hot that no picture is shown.
  case tooHot
  /// The supply is too weak.
  case underVoltage

  /// The bits of all faults.
  package static var allBits: UInt32 { underVoltage.bit * 2 - 1 }

  /// Its bit in ``ViewStatus/faults``.
  package var bit: UInt32 { 1 << rawValue }

  /// The displayed text, short enough for a small display.
  package var words: StaticString {
    switch self {
    case .noMicrophone: "NO MICROPHONE"
    case .noCamera: "NO CAMERA"
    case .cardFull: "CARD FULL"
    case .takeFailed: "TAKE FAILED"
    case .losses: "LOSSES"
    case .cardStuck: "CARD STUCK"
    case .noSound: "NO SOUND"
    case .clipping: "CLIPPING"
    case .blackPicture: "BLACK PICTURE"
    case .frozenPicture: "FROZEN PICTURE"
    case .tooHot: "TOO HOT"
    case .underVoltage: "LOW VOLTAGE"
    }
  }
}

extension ViewStatus {
  /// 64-bit words of the status in shared memory: 9 of its own, the player's 15, the application's 6.
  static var wordCount: Int { 30 }
  typealias Words = InlineArray<30, UInt64>

  private static var playerStart: Int { 9 }
  private static var applicationStart: Int { playerStart + ViewPlayer.wordCount }

  /// The status as words, each of which is written and read atomically.
  var words: Words {
    var words = Words(repeating: 0)
    words[0] =
      UInt64(isRecording ? 1 : 0) | UInt64(orientation) << 8 | UInt64(language.rawValue) << 16 | UInt64(faults) << 32
    words[1] = takeMilliseconds
    words[2] = UInt64(zoomFactor.bitPattern)
    words[3] = pair(viewfinder.x, viewfinder.y)
    words[4] = pair(viewfinder.width, viewfinder.height)
    words[5] = pair(peakDecibels[0], peakDecibels[1])
    words[6] = UInt64(clipCounts[0]) | UInt64(clipCounts[1]) << 32
    words[7] = freeByteCount
    words[8] = roomSeconds.map { UInt64($0) } ?? .max
    player.write(to: &words, from: Self.playerStart)
    application.write(to: &words, from: Self.applicationStart)
    return words
  }

  /// Accepts any words: an invalid value becomes the nearest valid one.
  init(words: Words) {
    isRecording = words[0] & 1 == 1
    orientation = UInt8(truncatingIfNeeded: words[0] >> 8) % 4
    language = Language(rawValue: UInt8(truncatingIfNeeded: words[0] >> 16)) ?? .english
    faults = UInt32(truncatingIfNeeded: words[0] >> 32)
    takeMilliseconds = words[1]
    zoomFactor = first(words[2], within: 1...1_000)
    viewfinder = ViewFraction(
      x: first(words[3], within: 0...1), y: second(words[3], within: 0...1),
      width: first(words[4], within: 0...1), height: second(words[4], within: 0...1))
    peakDecibels = [first(words[5], within: -90...0), second(words[5], within: -90...0)]
    clipCounts = [UInt32(truncatingIfNeeded: words[6]), UInt32(truncatingIfNeeded: words[6] >> 32)]
    freeByteCount = words[7]
    roomSeconds = UInt32(exactly: words[8])
    player = ViewPlayer(words, from: Self.playerStart)
    application = ViewApplication(words, from: Self.applicationStart)
  }
}

func pair(_ first: Float, _ second: Float) -> UInt64 {
  UInt64(first.bitPattern) | UInt64(second.bitPattern) << 32
}

func first(_ word: UInt64, within range: ClosedRange<Float>) -> Float {
  clamped(Float(bitPattern: UInt32(truncatingIfNeeded: word)), range)
}

func second(_ word: UInt64, within range: ClosedRange<Float>) -> Float {
  clamped(Float(bitPattern: UInt32(truncatingIfNeeded: word >> 32)), range)
}

/// NaN becomes the lower bound.
private func clamped(_ value: Float, _ range: ClosedRange<Float>) -> Float {
  value >= range.lowerBound ? min(value, range.upperBound) : range.lowerBound
}

func byte(of words: ViewStatus.Words, at index: Int, from start: Int) -> UInt8 {
  UInt8(truncatingIfNeeded: words[start + index / 8] >> UInt64(index % 8 * 8))
}

/// Of words that are 0 so far.
func setByte(_ byte: UInt8, at index: Int, of words: inout ViewStatus.Words, from start: Int) {
  words[start + index / 8] |= UInt64(byte) << UInt64(index % 8 * 8)
}
