import Base
import Wire

/// A status in the form that is drawn. It can be drawn whatever the ``ViewStatus`` holds, and equal values look the
/// same.
package struct ShownStatus: BitwiseCopyable, Equatable {
  /// The lowest level shown by a meter, in dBFS.
  static var quietestDecibels: Float { -60 }

  let orientation: Orientation
  /// Completely inside the upright picture.
  let viewfinder: ViewFraction
  /// Nil while nothing is recorded.
  let takeTime: FixedText<16>?
  /// Nil at a factor of 1.
  let zoom: FixedText<16>?
  /// The lit length of the two meters, in whole decibels above the lowest level: 0…60.
  let meterDecibels: InlineArray<2, UInt8>
  /// The held peaks, in the same unit.
  let heldDecibels: InlineArray<2, UInt8>
  let hasClipped: InlineArray<2, Bool>
  /// How long the card lasts, or its free space while that is unknown.
  let room: FixedText<48>
  /// 0…100; nil if it is not known.
  let batteryPercent: UInt8?
  let faults: UInt32
  /// Nil while nothing is open.
  let player: ShownPlayer?
  let application: ViewApplication
  let language: Language

  /// Whether the picture is shown: decoding it is most of a view's cost.
  package var showsPicture: Bool { application == .viewfinder && faults & ViewFault.tooHot.bit == 0 }

  /// Whether the meters and related items are shown: an application has the whole display except during a take.
  var showsDeck: Bool { application == .viewfinder || takeTime != nil }

  /// Converts any status, valid or not.
  /// - Parameter hold: the values held from earlier statuses.
  package init(_ status: ViewStatus, _ hold: MeterHold = MeterHold()) {
    orientation = Orientation(rawValue: status.orientation) ?? .landscapeLeft
    viewfinder = Self.inside(status.viewfinder)
    takeTime = status.isRecording ? Self.time(milliseconds: status.takeMilliseconds) : nil
    zoom = Self.zoom(status.zoomFactor)
    meterDecibels = [Self.meter(status.peakDecibels[0]), Self.meter(status.peakDecibels[1])]
    heldDecibels = [Self.meter(hold.peakDecibels[0]), Self.meter(hold.peakDecibels[1])]
    hasClipped = hold.hasClipped
    room = Self.room(status)
    batteryPercent = status.batteryPercent.map { min($0, 100) }
    faults = status.faults & ViewFault.allBits
    player = ShownPlayer(status.player)
    application = status.application
    language = status.language
  }

  package static func == (one: ShownStatus, other: ShownStatus) -> Bool {
    one.orientation == other.orientation && one.viewfinder == other.viewfinder && one.takeTime == other.takeTime
      && one.zoom == other.zoom && one.meterDecibels[0] == other.meterDecibels[0]
      && one.meterDecibels[1] == other.meterDecibels[1] && one.heldDecibels[0] == other.heldDecibels[0]
      && one.heldDecibels[1] == other.heldDecibels[1] && one.hasClipped[0] == other.hasClipped[0]
      && one.hasClipped[1] == other.hasClipped[1] && one.room == other.room
      && one.batteryPercent == other.batteryPercent && one.faults == other.faults
      && one.player == other.player && one.application == other.application && one.language == other.language
  }

  /// Replaces an invalid rectangle by the whole picture.
  private static func inside(_ asked: ViewFraction) -> ViewFraction {
    let x = fraction(asked.x, otherwise: 0)
    let y = fraction(asked.y, otherwise: 0)
    return ViewFraction(
      x: x, y: y, width: min(fraction(asked.width, otherwise: 1), 1 - x),
      height: min(fraction(asked.height, otherwise: 1), 1 - y))
  }

  private static func fraction(_ value: Float, otherwise: Float) -> Float {
    value.isFinite ? min(1, max(0, value)) : otherwise
  }

  /// Minutes, seconds and tenths; with hours the tenths are left out, so that the digits stay large.
  private static func time(milliseconds: UInt64) -> FixedText<16> {
    let tenths = min(milliseconds / 100, 999 * 36_000)
    let hours = tenths / 36_000
    let minutes = tenths / 600 % 60
    let seconds = tenths / 10 % 60
    guard hours == 0 else { return "\(hours):\(minutes, width: 2):\(seconds, width: 2)" }
    return "\(minutes, width: 2):\(seconds, width: 2).\(tenths % 10)"
  }

  private static func zoom(_ factor: Float) -> FixedText<16>? {
    guard factor.isFinite, factor > 1 else { return nil }
    let tenths = Int((min(factor, 999) * 10).rounded())
    return tenths == 10 ? nil : "\(tenths / 10).\(tenths % 10)×"
  }

  private static func meter(_ decibels: Float) -> UInt8 {
    guard decibels.isFinite else { return 0 }
    return UInt8((min(0, max(quietestDecibels, decibels)) - quietestDecibels).rounded())
  }

  private static func room(_ status: ViewStatus) -> FixedText<48> {
    Messages.displayed(englishRoom(status), in: status.language)
  }

  private static func englishRoom(_ status: ViewStatus) -> FixedText<48> {
    guard let seconds = status.roomSeconds else { return "\(size: status.freeByteCount) free" }
    return "\(duration: UInt64(min(seconds, 9_999 * 3_600))) free"
  }
}

/// The player in the form that is drawn.
struct ShownPlayer: BitwiseCopyable, Equatable {
  let title: FixedText<96>
  /// A sign for playing or pausing, the position, and the duration if it is known.
  let times: FixedText<32>
  /// The progress, 0…1000; 0 if the duration is unknown.
  let permille: Int

  /// - Returns: nil while no file is open.
  init?(_ player: ViewPlayer) {
    guard player.state != .none else { return nil }
    title = player.title
    var times: FixedText<32> = player.state == .playing ? "▶ " : "‖ "
    Self.append(player.positionMilliseconds, to: &times)
    if player.durationMilliseconds > 0 {
      times.append(" / ")
      Self.append(player.durationMilliseconds, to: &times)
    }
    self.times = times
    let (position, duration) = (Double(player.positionMilliseconds), Double(player.durationMilliseconds))
    permille = duration > 0 ? Int(min(1, position / duration) * 1000) : 0
  }

  /// Appends minutes and seconds, with hours if there are any.
  private static func append(_ milliseconds: UInt64, to text: inout FixedText<32>) {
    let seconds = min(milliseconds / 1000, 999 * 3600)
    if seconds >= 3600 {
      text.append("\(seconds / 3600):\(seconds / 60 % 60, width: 2):\(seconds % 60, width: 2)" as FixedText<16>)
    } else {
      text.append("\(seconds / 60):\(seconds % 60, width: 2)" as FixedText<16>)
    }
  }
}

/// The meters' hold: the highest peak for a while, and whether a channel has clipped.
package struct MeterHold: BitwiseCopyable, Sendable {
  /// How long a peak stays, and how long a clip light is lit.
  static var peakNanoseconds: UInt64 { 2_000_000_000 }
  static var clipNanoseconds: UInt64 { 4_000_000_000 }

  private var peaks: InlineArray<2, HeldMaximum> = [HeldMaximum(-90), HeldMaximum(-90)]
  private(set) var hasClipped: InlineArray<2, Bool> = [false, false]
  private var clipEnd: InlineArray<2, Instant> = [0, 0]
  /// Nil before the first status.
  private var clipCounts: InlineArray<2, UInt32>?

  var peakDecibels: InlineArray<2, Float> { [peaks[0].value, peaks[1].value] }
  package init() {}

  /// Takes a newer status into account; call it repeatedly, as the hold depends on time.
  package mutating func follow(_ status: ViewStatus, at now: Instant) {
    let before = clipCounts ?? status.clipCounts
    for channel in 0..<2 {
      peaks[channel].follow(status.peakDecibels[channel], for: Self.peakNanoseconds, at: now)
      if status.clipCounts[channel] != before[channel] { clipEnd[channel] = now + Self.clipNanoseconds }
      hasClipped[channel] = now < clipEnd[channel]
    }
    clipCounts = status.clipCounts
  }
}
