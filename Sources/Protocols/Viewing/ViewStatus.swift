import Values

/// What the live view shows around the picture: written by the loop, read by a process beside it.
///
/// It lies in memory that two programs share: only numbers, each of a fixed size.
public struct ViewStatus: BitwiseCopyable, Equatable, Sendable {
  /// Whether a take grows.
  public var isRecording = false
  /// Length of the take that grows, or of the last one.
  public var takeMilliseconds: UInt64 = 0
  /// 1 or more.
  public var zoomFactor: Float = 1
  /// The orientation's number: which way up the device is held, and so the picture is to be shown.
  public var orientation: UInt8 = 0
  /// The viewfinder in the upright picture, each a fraction of its width or height, 0…1.
  public var viewfinder = ViewFraction(x: 0, y: 0, width: 1, height: 1)
  /// The loudest sample of the last moments in dBFS, -90…0: the first channel, and the second, or the first again.
  public var peakDecibels: InlineArray<2, Float> = [-90, -90]
  /// Room left on the card.
  public var freeByteCount: UInt64 = 0
  /// What is wrong now, a bit for each ``ViewFault``.
  public var faults: UInt32 = 0

  /// Nothing is recorded, and nothing is wrong.
  public init() {}

  /// For tests, and for whoever draws only what changed.
  public static func == (one: ViewStatus, other: ViewStatus) -> Bool {
    one.isRecording == other.isRecording && one.takeMilliseconds == other.takeMilliseconds
      && one.zoomFactor == other.zoomFactor && one.orientation == other.orientation
      && one.viewfinder == other.viewfinder && one.peakDecibels[0] == other.peakDecibels[0]
      && one.peakDecibels[1] == other.peakDecibels[1] && one.freeByteCount == other.freeByteCount
      && one.faults == other.faults
  }
}
