import Values

/// The metadata of a still.
public struct StillDescription: Sendable {
  /// The orientation of the device; the pixels are not rotated.
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

  /// Takes a value for each property.
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
