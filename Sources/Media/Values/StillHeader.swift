/// What travels with a still's JPEG to the file.
public struct StillHeader: BitwiseCopyable, Equatable, Sendable {
  /// The order's ``StillOrder/number``.
  public var number: UInt32
  /// Which way up the device was held.
  public var orientation: Orientation
  /// Columns as they lie in the file.
  public var widthPixels: Int
  /// Rows as they lie in the file.
  public var heightPixels: Int
  /// The instant of exposure since 1970-01-01 00:00 UTC.
  public var unixNanoseconds: Int64

  /// All of it.
  public init(
    number: UInt32, orientation: Orientation, widthPixels: Int, heightPixels: Int, unixNanoseconds: Int64
  ) {
    self.number = number
    self.orientation = orientation
    self.widthPixels = widthPixels
    self.heightPixels = heightPixels
    self.unixNanoseconds = unixNanoseconds
  }
}
