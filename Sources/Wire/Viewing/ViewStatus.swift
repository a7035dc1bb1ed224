import Base

/// What the live view shows besides the picture: written by the loop and read by another process.
///
/// It is in shared memory and contains only fixed-size values.
package struct ViewStatus: BitwiseCopyable, Equatable, Sendable {
  package var isRecording = false
  /// Length of the current or last take.
  package var takeMilliseconds: UInt64 = 0
  /// 1 or more.
  package var zoomFactor: Float = 1
  /// The number of the ``Orientation`` in which to show the picture.
  package var orientation: UInt8 = 0
  /// The viewfinder within the upright picture.
  package var viewfinder = ViewFraction(x: 0, y: 0, width: 1, height: 1)
  /// Peak levels in dBFS, -90…0: the first channel's, and the second's, or the first's again for mono.
  package var peakDecibels: InlineArray<2, Float> = [-90, -90]
  /// How often a channel's samples have reached full scale, a counter that wraps around: the first channel's, and the
  /// second's, or the first's again for mono.
  package var clipCounts: InlineArray<2, UInt32> = [0, 0]
  package var freeByteCount: UInt64 = 0
  /// How long the card lasts for recording; nil if that is not known.
  package var roomSeconds: UInt32?
  /// How full the battery is, 0…100; nil if that is not known.
  package var batteryPercent: UInt8?
  /// The current faults, one bit for each ``ViewFault``.
  package var faults: UInt32 = 0
  package var player = ViewPlayer()
  package var application = ViewApplication.viewfinder
  package var language = Language.english
  /// The instant of the shared ring's frame 0, by the monotonic clock, while listeners receive that ring instead of the
  /// microphone's; else nil.
  package var sharedEpoch: Instant?
  /// How many orders of listeners have been taken since boot, a counter that wraps around.
  package var orderCount: UInt32 = 0

  package init() {}

  package static func == (one: ViewStatus, other: ViewStatus) -> Bool {
    let (words, otherWords) = (one.words, other.words)
    for index in words.indices where words[index] != otherWords[index] { return false }
    return true
  }
}

/// A rectangle as fractions of the upright picture, 0…1, with the origin at the upper left.
package struct ViewFraction: BitwiseCopyable, Equatable, Sendable {
  /// The left edge, in picture widths from the left.
  package var x: Float
  /// The upper edge, in picture heights from the top.
  package var y: Float
  package var width: Float
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
  /// The card does not respond, and the take does not grow.
  case cardStuck
  /// The microphone delivers digital silence or a constant value.
  case noSound
  case clipping
  /// The picture is completely black.
  case blackPicture
  /// The camera delivers the same picture repeatedly.
  case frozenPicture
  /// The processor is so hot that no picture is shown.
  case tooHot
  /// The supply voltage is too low.
  case underVoltage
  case lowBattery

  package static var allBits: UInt32 { lowBattery.bit * 2 - 1 }

  /// The fault's bit in ``ViewStatus/faults``.
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
    case .lowBattery: "LOW BATTERY"
    }
  }
}

extension ViewStatus {
  /// 64-bit words of the status in shared memory: 10 of its own, 15 for the player, 6 for the application.
  static var wordCount: Int { 31 }
  typealias Words = InlineArray<31, UInt64>

  private static var playerStart: Int { 10 }
  private static var applicationStart: Int { playerStart + ViewPlayer.wordCount }

  /// The status as words, each written and read atomically.
  var words: Words {
    var words = Words(repeating: 0)
    words[0] =
      UInt64(isRecording ? 1 : 0) | UInt64(orientation) << 8 | UInt64(language.rawValue) << 16
      | UInt64(batteryPercent ?? 0xFF) << 24 | UInt64(faults) << 32
    words[1] = takeMilliseconds
    words[2] = UInt64(zoomFactor.bitPattern) | UInt64(orderCount) << 32
    words[3] = pair(viewfinder.x, viewfinder.y)
    words[4] = pair(viewfinder.width, viewfinder.height)
    words[5] = pair(peakDecibels[0], peakDecibels[1])
    words[6] = UInt64(clipCounts[0]) | UInt64(clipCounts[1]) << 32
    words[7] = freeByteCount
    words[8] = roomSeconds.map { UInt64($0) } ?? .max
    words[9] = sharedEpoch?.rawValue ?? .max
    player.write(to: &words, from: Self.playerStart)
    application.write(to: &words, from: Self.applicationStart)
    return words
  }

  /// Accepts any words: an invalid value becomes the nearest valid one.
  init(words: Words) {
    isRecording = words[0] & 1 == 1
    orientation = UInt8(truncatingIfNeeded: words[0] >> 8) % 4
    language = Language(rawValue: UInt8(truncatingIfNeeded: words[0] >> 16)) ?? .english
    let percent = UInt8(truncatingIfNeeded: words[0] >> 24)
    batteryPercent = percent <= 100 ? percent : nil
    faults = UInt32(truncatingIfNeeded: words[0] >> 32)
    takeMilliseconds = words[1]
    zoomFactor = first(words[2], within: 1...1_000)
    orderCount = UInt32(truncatingIfNeeded: words[2] >> 32)
    viewfinder = ViewFraction(
      x: first(words[3], within: 0...1), y: second(words[3], within: 0...1),
      width: first(words[4], within: 0...1), height: second(words[4], within: 0...1))
    peakDecibels = [first(words[5], within: -90...0), second(words[5], within: -90...0)]
    clipCounts = [UInt32(truncatingIfNeeded: words[6]), UInt32(truncatingIfNeeded: words[6] >> 32)]
    freeByteCount = words[7]
    roomSeconds = UInt32(exactly: words[8])
    sharedEpoch = words[9] == .max ? nil : Instant(words[9])
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

/// Requires that the byte is still 0.
func setByte(_ byte: UInt8, at index: Int, of words: inout ViewStatus.Words, from start: Int) {
  words[start + index / 8] |= UInt64(byte) << UInt64(index % 8 * 8)
}

/// What the live view shows about the player.
package struct ViewPlayer: BitwiseCopyable, Equatable, Sendable {
  /// The player's state, as far as a viewer is concerned.
  package enum State: UInt8, BitwiseCopyable, Sendable {
    /// No file is open, or one is still being opened.
    case none
    case playing
    /// A file is open and paused at its position.
    case paused
  }

  package var state = State.none
  package var positionMilliseconds: UInt64 = 0
  /// 0 if it is not known.
  package var durationMilliseconds: UInt64 = 0
  /// UTF-8: the file's title and artist, or its name.
  package var title = FixedText<96>()

  package init() {}
}

extension ViewPlayer {
  /// 64-bit words in shared memory: the state and the title's length, the two times, the title.
  static var wordCount: Int { 15 }

  func write(to words: inout ViewStatus.Words, from start: Int) {
    words[start] = UInt64(state.rawValue) | UInt64(title.byteCount) << 8
    words[start + 1] = positionMilliseconds
    words[start + 2] = durationMilliseconds
    let bytes = title.bytes
    for index in bytes.indices { setByte(bytes[index], at: index, of: &words, from: start + 3) }
  }

  /// Accepts any words: the title may then be invalid UTF-8.
  init(_ words: ViewStatus.Words, from start: Int) {
    state = State(rawValue: UInt8(truncatingIfNeeded: words[start])) ?? .none
    positionMilliseconds = words[start + 1]
    durationMilliseconds = words[start + 2]
    let byteCount = min(96, Int(words[start] >> 8 & 0xFF))
    for index in 0..<byteCount { title.append(byte: byte(of: words, at: index, from: start + 3)) }
  }
}
