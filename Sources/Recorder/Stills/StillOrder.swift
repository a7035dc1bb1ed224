import Values

/// An order to make a still of the next picture.
public struct StillOrder: BitwiseCopyable, Equatable, Sendable {
  /// A rectangle of a view.
  public struct Crop: BitwiseCopyable, Equatable, Sendable {
    /// Inside ``view``.
    public var rectangle: PixelRectangle
    /// The coordinates in which the user saw the rectangle.
    public var view: PictureView

    /// The rectangle and its view.
    public init(_ rectangle: PixelRectangle, of view: PictureView) {
      self.rectangle = rectangle
      self.view = view
    }
  }

  /// Counts the orders since boot; reports refer to it.
  public var number: UInt32
  /// Nil for the whole visible picture.
  public var crop: Crop?
  /// Which way up the device is held.
  public var orientation: Orientation
  /// Unix time (since 1970-01-01 00:00 UTC) minus the time of the monotonic clock.
  public var unixOffsetNanoseconds: Int64

  package init(number: UInt32, crop: Crop?, orientation: Orientation, unixOffsetNanoseconds: Int64) {
    self.number = number
    self.crop = crop
    self.orientation = orientation
    self.unixOffsetNanoseconds = unixOffsetNanoseconds
  }
}

/// A camera's picture from which a still is to be made.
public struct StillPicture: BitwiseCopyable, Equatable, Sendable {
  /// The picture, which stays in the camera's buffer until the ``StillReceipt``.
  public var picture: RawPicture
  /// How to make the still.
  public var order: StillOrder
}

/// Returns a camera's buffer, with the outcome of the still.
public struct StillReceipt: BitwiseCopyable, Equatable, Sendable {
  /// What happened to the picture.
  public enum Outcome: UInt8, BitwiseCopyable, Sendable {
    /// The still is on its way to the card.
    case coded
    /// The card has not yet taken the earlier stills.
    case cardIsBehind
    /// The JPEG is larger than a still may be.
    case tooLarge
    /// The camera did not deliver a complete picture.
    case unusable
  }

  /// The camera's number for the buffer.
  public var bufferIndex: UInt16
  /// The order's ``StillOrder/number``.
  public var number: UInt32
  /// What happened to the picture.
  public var outcome: Outcome
}

/// The metadata of a still's JPEG on its way to the card.
public struct StillHeader: BitwiseCopyable, Equatable, Sendable {
  /// The order's ``StillOrder/number``.
  public var number: UInt32
  /// Which way up the device was held.
  public var orientation: Orientation
  /// Columns as stored in the file.
  public var widthPixels: Int
  /// Rows as stored in the file.
  public var heightPixels: Int
  /// The instant of exposure since 1970-01-01 00:00 UTC.
  public var unixNanoseconds: Int64
  /// The order's ``StillOrder/unixOffsetNanoseconds``, by which it is dated.
  public var unixOffsetNanoseconds: Int64 = 0
}
