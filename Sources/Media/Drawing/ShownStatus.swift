import Text
import Values
import Viewing

/// A status in the form that is drawn. It can be drawn whatever the ``ViewStatus`` holds, and two equal values look the
/// same.
public struct ShownStatus: BitwiseCopyable, Equatable {
  /// The lowest level shown by a meter, in dBFS.
  static var quietestDecibels: Float { -60 }

  let orientation: Orientation
  /// In the upright picture, completely inside.
  let viewfinder: ViewFraction
  /// Nil while nothing is recorded.
  let takeTime: FixedText<16>?
  /// Nil at 1.
  let zoom: FixedText<16>?
  /// Lit length of the two meters, in whole decibels above the lowest level: 0…60.
  let meterDecibels: InlineArray<2, UInt8>
  let freeSpace: FixedText<16>
  let faults: UInt32

  /// Whether the picture is shown: decoding it is most of what a view costs.
  public var showsPicture: Bool { faults & ViewFault.tooHot.bit == 0 }

  /// Converts any status, valid or not.
  public init(_ status: ViewStatus) {
    orientation = Orientation(rawValue: status.orientation) ?? .landscapeLeft
    viewfinder = Self.inside(status.viewfinder)
    takeTime = status.isRecording ? Self.time(milliseconds: status.takeMilliseconds) : nil
    zoom = Self.zoom(status.zoomFactor)
    meterDecibels = [Self.meter(status.peakDecibels[0]), Self.meter(status.peakDecibels[1])]
    freeSpace = Self.space(status.freeByteCount)
    faults = status.faults
  }

  /// Whether both look the same.
  public static func == (one: ShownStatus, other: ShownStatus) -> Bool {
    one.orientation == other.orientation && one.viewfinder == other.viewfinder && one.takeTime == other.takeTime
      && one.zoom == other.zoom && one.meterDecibels[0] == other.meterDecibels[0]
      && one.meterDecibels[1] == other.meterDecibels[1] && one.freeSpace == other.freeSpace
      && one.faults == other.faults
  }

  /// An invalid rectangle becomes the whole picture.
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

  /// Minutes, seconds and tenths, with hours if there are any.
  private static func time(milliseconds: UInt64) -> FixedText<16> {
    let tenths = min(milliseconds / 100, 999 * 36_000)
    let hours = tenths / 36_000
    let minutes = tenths / 600 % 60
    let seconds = tenths / 10 % 60
    var text = FixedText<16>()
    if hours > 0 { text.append("\(hours):" as FixedText<8>) }
    text.append("\(minutes, width: 2):\(seconds, width: 2).\(tenths % 10)" as FixedText<8>)
    return text
  }

  private static func zoom(_ factor: Float) -> FixedText<16>? {
    guard factor.isFinite, factor > 1 else { return nil }
    let tenths = Int((min(factor, 999) * 10).rounded())
    return tenths == 10 ? nil : "\(tenths / 10).\(tenths % 10)x"
  }

  private static func meter(_ decibels: Float) -> UInt8 {
    guard decibels.isFinite else { return 0 }
    return UInt8((min(0, max(quietestDecibels, decibels)) - quietestDecibels).rounded())
  }

  private static func space(_ byteCount: UInt64) -> FixedText<16> {
    guard byteCount >= 1_000_000_000 else { return "\(byteCount / 1_000_000) MB" }
    return "\(byteCount / 1_000_000_000).\(byteCount / 100_000_000 % 10) GB"
  }
}
