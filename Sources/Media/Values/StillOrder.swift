/// The order to make a still of the next picture.
public struct StillOrder: BitwiseCopyable, Equatable, Sendable {
  /// Which rectangle of a view.
  public struct Crop: BitwiseCopyable, Equatable, Sendable {
    /// Inside ``view``.
    public var rectangle: ViewRectangle
    /// What the person saw the rectangle in.
    public var view: PictureView

    /// The rectangle and its view.
    public init(_ rectangle: ViewRectangle, of view: PictureView) {
      self.rectangle = rectangle
      self.view = view
    }
  }

  /// Counts the orders since boot; what becomes of one is told by it.
  public var number: UInt32
  /// Nil for all that is seen.
  public var crop: Crop?
  /// Which way up the device is held.
  public var orientation: Orientation
  /// What is added to an instant of the monotonic clock for that of the day, since 1970-01-01 00:00 UTC.
  public var unixOffsetNanoseconds: Int64

  /// All of it.
  public init(number: UInt32, crop: Crop?, orientation: Orientation, unixOffsetNanoseconds: Int64) {
    self.number = number
    self.crop = crop
    self.orientation = orientation
    self.unixOffsetNanoseconds = unixOffsetNanoseconds
  }
}
