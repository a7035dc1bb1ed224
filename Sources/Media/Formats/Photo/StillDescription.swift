import Values

/// What a still's file says of it besides the picture.
public struct StillDescription: Sendable {
  /// Which way up the device was held; the pixels are not turned.
  public var orientation: Orientation
  /// Columns as they lie in the file.
  public var widthPixels: Int
  /// Rows as they lie in the file.
  public var heightPixels: Int
  /// The instant of exposure since 1970-01-01 00:00 UTC; before that it counts as that.
  public var unixNanoseconds: Int64
  /// The recorder that made it.
  public var device: DeviceIdentity
  /// Name and version of the firmware, ASCII, at most ``Provenance/maximumSoftwareByteCount`` bytes.
  public var software: StaticString

  /// All of it.
  public init(
    orientation: Orientation, widthPixels: Int, heightPixels: Int, unixNanoseconds: Int64, device: DeviceIdentity,
    software: StaticString
  ) {
    self.orientation = orientation
    self.widthPixels = widthPixels
    self.heightPixels = heightPixels
    self.unixNanoseconds = max(unixNanoseconds, 0)
    self.device = device
    self.software = software
  }
}
