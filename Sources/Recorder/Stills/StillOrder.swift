import Values

/// The order to make a still of the next picture.
public struct StillOrder: BitwiseCopyable, Equatable, Sendable {
  /// Which rectangle of a view.
  public struct Crop: BitwiseCopyable, Equatable, Sendable {
    /// Inside ``view``.
    public var rectangle: PixelRectangle
    /// What the person saw the rectangle in.
    public var view: PictureView

    /// The rectangle and its view.
    public init(_ rectangle: PixelRectangle, of view: PictureView) {
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

/// A camera's picture that a still is to be made of.
public struct StillPicture: BitwiseCopyable, Equatable, Sendable {
  /// It stays in the camera's buffer until the still's ``StillReceipt``.
  public var picture: RawPicture
  /// What is to be made of it.
  public var order: StillOrder

  /// A picture and its order.
  public init(picture: RawPicture, order: StillOrder) {
    self.picture = picture
    self.order = order
  }
}

/// What the still worker says when it is done with a camera's buffer.
public struct StillReceipt: BitwiseCopyable, Equatable, Sendable {
  /// What came of the picture.
  public enum Outcome: UInt8, BitwiseCopyable, Sendable {
    /// The still is on its way to the card.
    case coded
    /// The card has not taken the earlier stills.
    case cardIsBehind
    /// It is larger than a still may be.
    case tooLarge
    /// The camera delivered no whole picture.
    case unusable
  }

  /// The camera's number for the buffer.
  public var bufferIndex: UInt16
  /// The order's ``StillOrder/number``.
  public var number: UInt32
  /// What came of it.
  public var outcome: Outcome

  /// All of it.
  public init(bufferIndex: UInt16, number: UInt32, outcome: Outcome) {
    self.bufferIndex = bufferIndex
    self.number = number
    self.outcome = outcome
  }
}

/// What goes with a still's JPEG to the card.
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
